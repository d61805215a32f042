// Not applicable: a tool does not declare what it gives.
