// Not applicable: tools have no state; `runtimeContext` is given to `prepareStep` and to callbacks, with the type that
// the caller gave it.
