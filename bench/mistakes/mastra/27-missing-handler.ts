// Not applicable: a tool without `execute` is one whose calls the client carries out.
