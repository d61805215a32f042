// Not applicable: the context has a type and no schema.
