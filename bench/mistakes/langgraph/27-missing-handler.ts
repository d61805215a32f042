// Not applicable: a tool without a function is a headless one, whose calls the client carries out.
