/**
 * The folds over a session's events that give its State, and its open questions. Layer 4.
 */
import { Result, type Schema } from "effect"
import type { Prompt } from "effect/ai"
import { StateError } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import * as StateDelta from "../StateDelta.ts"
import type { FieldDefinition, SectionDefinition } from "./field.ts"

export type Sections = ReadonlyMap<string, SectionDefinition>

/** The fields of all sections. */
export const fieldsIn = (sections: Sections): ReadonlyArray<FieldDefinition> =>
  [...sections.values()].flatMap(({ fields }) => Object.values(fields))

/** The name of the section in a field's full name. */
export const sectionOf = (field: string): string => field.slice(0, field.indexOf("."))
/** The name that a field has in its section. */
export const keyOf = (field: string): string => field.slice(field.indexOf(".") + 1)

/** The fields of a section out of all values, by their short names. */
const fieldsOf = (values: StateDelta.Values, section: string): Record<string, Schema.Json> =>
  Object.fromEntries(
    [...values].filter(([name]) => sectionOf(name) === section).map(([name, value]) => [keyOf(name), value])
  )

export const stateError = (
  section: string,
  version: number,
  problem: string,
  path: ReadonlyArray<string> = []
): StateError => new StateError({ section, version, path, problem })

/** Stored fields of one section, brought up from one version to another. */
export const migrateSection = (
  definition: SectionDefinition | undefined,
  name: string,
  from: number,
  to: number,
  fields: Readonly<Record<string, Schema.Json>>
): Result.Result<Readonly<Record<string, Schema.Json>>, StateError> => {
  if (from === to) return Result.succeed(fields)
  if (definition === undefined || to > definition.version || from > to) {
    const known = definition === undefined ? "does not know the section" : `knows version ${definition.version}`
    return Result.fail(stateError(name, Math.max(from, to), `it was stored by a newer program, this one ${known}`))
  }
  return Result.mapError(
    definition.migrate(from, to, fields),
    ({ path, problem }) => stateError(name, from, problem, path)
  )
}

/** Encoded values by full name, and the version of each section. */
export class StateFold {
  values: Map<string, Schema.Json>
  versions: Map<string, number>
  /** Sections that this program does not know, and whose version rose within the log: their values are left out. */
  readonly unreadable = new Map<string, StateError>()
  /** Are the values of shared fields here too, as in a document, and not in rows? */
  readonly isWhole: boolean

  constructor(
    values: StateDelta.Values = new Map(),
    versions: ReadonlyMap<string, number> = new Map(),
    isWhole = false
  ) {
    this.values = new Map(values)
    this.versions = new Map(versions)
    this.isWhole = isWhole
  }

  /** Adds sections, or single fields of them, that the log lacked. */
  add(sections: Readonly<Record<string, Event.Section>>): void {
    for (const [name, { version, fields }] of Object.entries(sections)) {
      this.versions.set(name, version)
      if (this.unreadable.has(name)) continue
      for (const [key, value] of Object.entries(fields)) this.values.set(`${name}.${key}`, value)
    }
  }

  /** Adds what is not there yet. */
  addLacking(sections: Readonly<Record<string, Event.Section>>): void {
    for (const [name, { version, fields }] of Object.entries(sections)) {
      if (!this.versions.has(name)) this.versions.set(name, version)
      if (this.unreadable.has(name)) continue
      for (const [key, value] of Object.entries(fields)) {
        if (!this.values.has(`${name}.${key}`)) this.values.set(`${name}.${key}`, value)
      }
    }
  }

  /** Applies a delta, after bringing the sections that it speaks of up to its versions. */
  apply(delta: StateDelta.StateDelta, definitions: Sections): Result.Result<void, StateError> {
    for (const [name, version] of Object.entries(delta.versions)) {
      const raised = this.raise(name, version, definitions)
      if (Result.isFailure(raised)) return raised
    }
    return Result.match(StateDelta.applyResult(this.values, this.readable(delta)), {
      onSuccess: (values) => {
        this.values = values as Map<string, Schema.Json>
        return Result.succeed(undefined)
      },
      onFailure: (error) => {
        const section = sectionOf(error.field)
        return Result.fail(stateError(section, this.versions.get(section) ?? 0, error.message, [keyOf(error.field)]))
      }
    })
  }

  /** A delta without what it does to sections that cannot be read. */
  private readable(delta: StateDelta.StateDelta): StateDelta.StateDelta {
    if (this.unreadable.size === 0) return delta
    return { ...delta, operations: delta.operations.filter(({ field }) => !this.unreadable.has(sectionOf(field))) }
  }

  forget(section: string): void {
    for (const key of this.values.keys()) if (sectionOf(key) === section) this.values.delete(key)
  }

  raise(name: string, version: number, definitions: Sections): Result.Result<void, StateError> {
    const from = this.versions.get(name)
    if (from === undefined) this.versions.set(name, version)
    if (from === undefined || from === version) return Result.succeed(undefined)
    const definition = definitions.get(name)
    const isKept = definition === undefined || Object.values(definition.fields).some(({ scope }) => scope === "session")
    // the values of a section that sessions share are in rows, which are brought up to date by themselves
    const isElsewhere = !isKept && (!this.isWhole || Object.keys(fieldsOf(this.values, name)).length === 0)
    if (isElsewhere && from < version && version <= definition.version) {
      this.forget(name)
      this.versions.set(name, version)
      return Result.succeed(undefined)
    }
    const migrated = migrateSection(definition, name, from, version, fieldsOf(this.values, name))
    // who does not know a section can read all the rest
    if (Result.isFailure(migrated) && definition === undefined) {
      this.forget(name)
      this.versions.set(name, version)
      this.unreadable.set(name, migrated.failure)
      return Result.succeed(undefined)
    }
    return Result.map(migrated, (fields) => {
      this.forget(name)
      this.add({ [name]: { version, fields } })
    })
  }

  /** Brings every known section up to the program's version, and checks that every known value decodes. */
  finish(definitions: Sections): Result.Result<void, StateError> {
    for (const [name, definition] of definitions) {
      const stored = this.versions.get(name)
      if (stored === undefined) continue
      if (stored > definition.version) {
        return migrateSection(definition, name, stored, definition.version, {}) as Result.Result<never, StateError>
      }
      const raised = this.raise(name, definition.version, definitions)
      if (Result.isFailure(raised)) return raised
      for (const field of Object.values(definition.fields).filter(({ scope }) => this.isWhole || scope === "session")) {
        const checked = checkField(field, this.values.get(field.name))
        if (Result.isFailure(checked)) return checked
      }
    }
    return Result.succeed(undefined)
  }
}

/** Does a stored value decode? */
export const checkField = (field: FieldDefinition, value: Schema.Json | undefined): Result.Result<void, StateError> =>
  value === undefined || field.scope === "temp"
    ? Result.succeed(undefined)
    : Result.mapBoth(field.decode(value), {
      onSuccess: () => undefined,
      onFailure: ({ path, problem }) =>
        stateError(field.section.name, field.section.version, problem, [field.key, ...path])
    })

/** The initial values of a section's session fields, as event 0 stores them. */
export const initialSection = (
  definition: SectionDefinition,
  lacking: (field: FieldDefinition) => boolean = () => true
): Event.Section => ({
  version: definition.version,
  fields: Object.fromEntries(
    Object.values(definition.fields)
      .filter((field) => field.scope === "session" && field.initial !== undefined && lacking(field))
      .map((field) => [field.key, field.initial as Schema.Json])
  )
})

/** What the log lacks of the program's sections: whole ones, and fields that were added to one. */
export const lackingSections = (
  fold: StateFold,
  definitions: Sections
): Readonly<Record<string, Event.Section>> | undefined => {
  const out: Record<string, Event.Section> = {}
  for (const [name, definition] of definitions) {
    const section = initialSection(definition, (field) => !fold.values.has(field.name))
    if (!fold.versions.has(name) || Object.keys(section.fields).length > 0) out[name] = section
  }
  return Object.keys(out).length === 0 ? undefined : out
}

/** The fields that sessions share and that an event wrote, by full name. */
export const sharedIn = (event: Event.Event): ReadonlyArray<string> =>
  "shared" in event ? event.shared?.operations.map(({ field }) => field) ?? [] : []

type Spawn = NonNullable<Event.Input["spawn"]>

/** Is an event an agent's own, or of a sub-agent below it? */
export const isWithin = (agent: string, event: Event.Event): boolean =>
  event.agent === agent || event.agent.startsWith(`${agent}-sub-`)

/**
 * How an agent was spawned before a place; the root was not. None begins from what came after it, whatever its event says,
 * so that a line of parents ends.
 */
export const spawnOf = (
  events: ReadonlyArray<Event.Event>,
  agent: string,
  before: number = Number.POSITIVE_INFINITY
): Spawn | undefined => {
  for (const event of events) {
    if (event.sequence >= before) break
    if (event.kind !== "input" || event.agent !== agent || event.spawn === undefined) continue
    return { ...event.spawn, base: Math.min(event.spawn.base, event.sequence) }
  }
  return undefined
}

/** The text of a message. */
export const textOf = (message: Prompt.Message | undefined): string =>
  message === undefined || typeof message.content === "string"
    ? message?.content as string | undefined ?? ""
    : message.content.map((part) => part.type === "text" ? part.text : "").join("")

/** A delegating call whose sub-agent began: what it began with, and how many questions the call had asked before. */
export interface Begun {
  readonly task: string
  readonly parameters: Schema.Json | undefined
  /** What hooks before the call asked of the loop. */
  readonly actions: Event.CallEnded["actions"] | undefined
  readonly asked: number
}

/** What a sub-agent began with, if it is in the log since the step that delegates to it. */
export const begunBy = (events: ReadonlyArray<Event.Event>, agent: string): Begun | undefined => {
  const at = events.findIndex((event) => event.kind === "input" && event.agent === agent)
  const first = events[at]
  if (first?.kind !== "input" || first.spawn === undefined) return undefined
  const { call, parameters } = first.spawn
  const asked = events.slice(0, at).flatMap((event) =>
    event.kind === "asked" && event.question.call === call ? [event.question.id] : []
  )
  const before = events[at - 1]
  const actions = before?.kind === "hook" && before.agent === first.spawn.agent ? before.actions : undefined
  return { task: textOf(first.message), parameters, actions, asked: new Set(asked).size }
}

/**
 * What a sub-agent starts anew: the sections that say so, as the session stored them at first. Their versions may be
 * older than the program's.
 */
const freshAt = (events: ReadonlyArray<Event.Event>, definitions: Sections, end: number): StateFold => {
  const initials = new StateFold()
  for (const event of events) {
    if (event.sequence >= end) break
    if (!("sections" in event) || event.sections === undefined) continue
    for (const [name, section] of Object.entries(event.sections)) {
      if (definitions.get(name)?.child !== "fresh") continue
      const raised = initials.raise(name, section.version, definitions)
      if (Result.isSuccess(raised)) initials.addLacking({ [name]: section })
    }
  }
  return initials
}

const startAnew = (fold: StateFold, initials: StateFold, definitions: Sections): void => {
  for (const [name, { child, fields }] of definitions) {
    if (child !== "fresh") continue
    fold.forget(name)
    for (const field of Object.values(fields)) {
      if (field.scope === "temp" && field.initial !== undefined) fold.values.set(field.name, field.initial)
    }
  }
  for (const [name, version] of initials.versions) fold.versions.set(name, version)
  for (const [name, value] of initials.values) fold.values.set(name, value)
}

/** A parent's values as they are, with what a sub-agent starts anew: the same as the fold up to here. */
export const inheritedValues = (
  values: ReadonlyMap<string, Schema.Json>,
  events: ReadonlyArray<Event.Event>,
  definitions: Sections
): Result.Result<Map<string, Schema.Json>, StateError> => {
  const fold = new StateFold(values)
  if ([...definitions.values()].every(({ child }) => child !== "fresh")) return Result.succeed(fold.values)
  const initials = freshAt(events, definitions, Number.POSITIVE_INFINITY)
  return Result.map(initials.finish(definitions), () => {
    startAnew(fold, initials, definitions)
    return fold.values
  })
}

/** Whose state a fold is, and how far it goes. */
interface Following {
  readonly agent: string
  readonly definitions: Sections
  readonly end?: number
  readonly spawn?: Spawn | undefined
}

/** Goes on with the fold of an agent's state over later events. */
export const continueState = (
  fold: StateFold,
  events: ReadonlyArray<Event.Event>,
  { agent, definitions, end = Number.POSITIVE_INFINITY, spawn }: Following
): Result.Result<void, StateError> => {
  for (const event of events) {
    if (event.sequence >= end) break
    if ("sections" in event && event.sections !== undefined) {
      if (spawn === undefined) fold.add(event.sections)
      // what the log got only after a child began is new to the child too
      else if (event.sequence >= spawn.base) fold.addLacking(event.sections)
    }
    if (event.agent !== agent || !("delta" in event)) continue
    const applied = fold.apply(event.delta, definitions)
    if (Result.isFailure(applied)) return applied
  }
  return Result.succeed(undefined)
}

/**
 * The state of an agent: the fold of its own events over the sections that the log knows, for a sub-agent over its
 * parent's state at the spawn. Without `finish`, so that a parent's fold can go on.
 */
export const foldState = (
  events: ReadonlyArray<Event.Event>,
  agent: string,
  definitions: Sections,
  end: number = Number.POSITIVE_INFINITY,
  spawnedBefore: number = Number.POSITIVE_INFINITY
): Result.Result<StateFold, StateError> => {
  const spawn = spawnOf(events, agent, spawnedBefore)
  const base = spawn === undefined
    ? Result.succeed(new StateFold())
    : foldState(events, spawn.agent, definitions, spawn.base, spawn.base)
  if (Result.isFailure(base)) return base
  const fold = base.success
  if (spawn !== undefined) startAnew(fold, freshAt(events, definitions, spawn.base), definitions)
  return Result.map(continueState(fold, events, { agent, definitions, end, spawn }), () => fold)
}

/** Is a call this one, or one of a sub-agent below it? Its id begins with the delegating call's. */
export const isCallWithin = (id: string, call: string): boolean => call === id || call.startsWith(`${id}/`)

/** The questions without an answer, in the order in which they were asked. */
export const foldQuestions = (
  events: ReadonlyArray<Event.Event>,
  before: ReadonlyArray<Event.Asked["question"]> = []
): ReadonlyArray<Event.Asked["question"]> => {
  const open = new Map(before.map((question) => [question.id, question]))
  for (const event of events) {
    if (event.kind === "asked") open.set(event.question.id, event.question)
    if (event.kind === "answered" && event.progress !== true) open.delete(event.question)
    // a hook's question has no call that could end
    if (event.kind === "ended" && event.status !== "paused") {
      for (const [id, question] of open) if (question.hook !== undefined) open.delete(id)
    }
    // with a delegating call end the questions below it
    if (event.kind === "call") {
      for (const [id, { call }] of open) if (isCallWithin(event.call, call)) open.delete(id)
    }
  }
  return [...open.values()]
}
