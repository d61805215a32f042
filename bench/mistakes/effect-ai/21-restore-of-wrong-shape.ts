// Not applicable: there is no state of its own to store; `Chat`, which stores messages, checks them by a schema.
