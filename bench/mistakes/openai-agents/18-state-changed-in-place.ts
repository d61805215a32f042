// Not applicable: the context is one mutable object, and a change in place is how a tool writes.
