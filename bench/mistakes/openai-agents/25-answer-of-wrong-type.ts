// Not applicable: a call is approved or rejected by a method each; there are no other questions.
