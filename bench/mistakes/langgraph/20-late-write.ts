// Not applicable: a tool writes by what it returns.
