/**
 * What a sub-agent gives back to its parent's State. Layer 5.
 */
import { Result } from "effect"
import type { AnySubAgent } from "../Agent.ts"
import type * as StateDelta from "../StateDelta.ts"
import type { FieldDefinition } from "./field.ts"
import { foldState, keyOf, sectionOf, type Sections } from "./fold.ts"
import type { Pending } from "./fork.ts"
import type { Frame } from "./frame.ts"

const fieldIn = (sections: Sections, name: string): FieldDefinition =>
  sections.get(sectionOf(name))?.fields[keyOf(name)] as FieldDefinition

/** What comes back from a sub-agent: its own operations, in order, and those on temp fields. */
export const returnedBy = (child: Frame, subAgent: AnySubAgent): ReadonlyArray<Pending> => {
  const { log, options } = child.run
  const deltas = log.flatMap((event) => event.agent === child.author.id && "delta" in event ? [event.delta] : [])
  // what was written under an earlier version has no operations of today: its outcome comes back
  const old = new Set(
    deltas.flatMap(({ versions }) =>
      Object.entries(versions).filter(([name, version]) => options.sections.get(name)?.version !== version)
    ).map(([name]) => name)
  )
  const returned = deltas.flatMap(({ operations }) => operations).filter(({ field }) =>
    subAgent.returned.has(field) && !old.has(sectionOf(field))
  )
  return [
    ...(old.size === 0
      ? []
      : outcomesOf(child, [...subAgent.returned].filter((name) => old.has(sectionOf(name))))),
    ...[...returned, ...child.thread.temp].map((operation): Pending => ({
      _tag: "Operation",
      field: fieldIn(options.sections, operation.field),
      operation
    }))
  ]
}

/** What a sub-agent made of fields, as writes that hold only on the values that it began with. */
const outcomesOf = (child: Frame, names: ReadonlyArray<string>): ReadonlyArray<Pending> => {
  const { log, options: { sections } } = child.run
  const began = log.find(({ agent }) => agent === child.author.id)?.sequence
  const base = Result.getOrThrow(foldState(log, child.author.id, sections, began))
  Result.getOrThrow(base.finish(sections))
  return names.flatMap((name): ReadonlyArray<Pending> => {
    const [before, after] = [base.values.get(name), child.values.get(name)]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    const operation: StateDelta.Operation = after === undefined
      ? { op: "unset", field: name }
      : { op: "set", field: name, value: after }
    return [{ _tag: "Operation", field: fieldIn(sections, name), operation, meets: { value: before } }]
  })
}
