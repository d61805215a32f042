// Not applicable: there is no state of its own; a Ref has a type and no schema.
