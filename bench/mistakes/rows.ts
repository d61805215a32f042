/** The mistakes that are compared: a case in each folder has the name of a row. */
export interface Row {
  readonly name: string
  readonly title: string
}

const group = (rows: Record<string, string>): ReadonlyArray<Row> =>
  Object.entries(rows).map(([name, title]) => ({ name, title }))

/** Not a mistake: the program that the others are one edit away from. It must be `fine`. */
export const control = "00-control"

export const groups: Readonly<Record<string, ReadonlyArray<Row>>> = {
  "Context: what the caller supplies": group({
    "01-missing-context": "the caller leaves out a value that a tool needs",
    "02-missing-context-widened": "the same, with the tools in a collection of a wider type",
    "03-missing-context-untyped": "the same, by a caller whom the types do not bind",
    "04-undeclared-context": "a tool needs a value of which its agent knows nothing",
    "05-context-of-wrong-type": "the caller supplies a value of the wrong type",
    "06-context-typo": "a tool reads a value by a misspelt name",
    "07-context-of-sub-agent": "a sub-agent needs a value that its parent is not given",
    "08-reserved-name": "a value of the user has the name of one of the framework's",
    "09-two-types-of-one-name": "two tools want values of different types under one name",
    "10-context-changed-in-place": "a tool changes what the caller supplied",
    "31-handle-changed": "a tool changes an instance of a class that the caller supplied",
    "11-context-changed-by-sub-agent": "a sub-agent changes what its parent was given",
    "12-context-past-the-contract": "a tool reads a value from somewhere else than its context"
  }),
  "State: what tools write": group({
    "13-undeclared-state": "a tool reads state that its agent does not have",
    "14-state-read-typo": "state is read by a misspelt name",
    "15-state-write-typo": "state is written under a misspelt name",
    "16-state-of-wrong-type": "a value of the wrong type is written",
    "17-state-off-its-refinement": "a value of the right type is written that its schema refuses (1.5 for an integer)",
    "18-state-changed-in-place": "a value read from state is changed in place",
    "19-parallel-writes": "two parallel calls add to one counter",
    "20-late-write": "a write comes after its call has ended"
  }),
  "What is stored, and taken up again": group({
    "21-restore-of-wrong-shape": "the stored state has another shape than the program reads",
    "22-restore-of-rich-value": "a Date is stored and read again",
    "23-restore-of-renamed-field": "a field was renamed since the state was stored",
    "24-resume-without-context": "a paused run goes on without the context it had",
    "25-answer-of-wrong-type": "a paused run is given an answer of the wrong type"
  }),
  "Tools and agents": group({
    "26-two-tools-of-one-name": "two tools of one agent have one name",
    "27-missing-handler": "a tool has no handler",
    "28-result-of-wrong-type": "a handler returns something else than its tool declares",
    "29-unknown-option": "an option of an agent is misspelt",
    "30-no-model": "no model is given"
  })
}

export const rows: ReadonlyArray<Row> = Object.values(groups).flat()
