// Not applicable: a tool declares nothing of its result.
