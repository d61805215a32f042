// Not applicable: `runtimeContext` has a type and no schema.
