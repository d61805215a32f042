/**
 * What the cases of a session store are made of: events, messages, writes, and a store with a session of its own. Layer 6.
 */
import { Effect, Option, type Schema } from "effect"
import { Prompt } from "effect/ai"
import * as Event from "../../../Event.ts"
import { type Append, type Ref, SessionStore, type SharedWrite, type Waiting } from "../../../SessionStore.ts"
import { ownApp, type StoreCase } from "../cases.ts"

type Case = StoreCase<SessionStore>

/** An event that stores take for any other. */
export const event = (sequence: number): Event.Event => ({
  kind: "ended",
  id: `s/${sequence}`,
  sequence,
  invocation: "i1",
  agent: "a",
  path: ["a"],
  time: 1_000 + sequence,
  status: "completed",
  elapsed: 0
})

/** An event that holds a message. */
export const input = (
  sequence: number,
  content: Event.Input["message"],
  more: Partial<Event.Input> = {}
): Event.Event => {
  const { agent, id, invocation, path, time } = event(sequence)
  const delta = { versions: {}, operations: [] }
  return { kind: "input", id, sequence, invocation, agent, path, time, message: content, delta, ...more }
}

export const message = (text: string): Prompt.UserMessage =>
  Prompt.userMessage({ content: [Prompt.textPart({ text })] })

export const posted = (key: string, text = key): Waiting => ({ kind: "message", key, message: message(text) })
export const answer = (key: string): Waiting => ({
  kind: "answer",
  key,
  question: "q",
  json: { yes: true },
  progress: true
})
export const cancellation = (key: string): Waiting => ({ kind: "cancellation", key })

/** One write of a shared field. */
export const writing = (operation: SharedWrite["operation"], more: Partial<SharedWrite> = {}): SharedWrite => ({
  scope: "user",
  operation,
  initial: undefined,
  section: 1,
  ...more
})

export const setting = (field: string, value: Schema.Json, more: Partial<SharedWrite> = {}) =>
  writing({ op: "set", field, value }, more)

export const adding = (field: string, value: number, more: Partial<SharedWrite> = {}) =>
  writing({ op: "sum", field, value }, { initial: 0, ...more })

/** A store with an app of the case's own, so that cases can share a database. */
export interface World {
  readonly store: SessionStore["Service"]
  readonly ref: Ref
  /** Appends one event. */
  readonly append: (
    expected: number,
    more?: Partial<Omit<Append, "expected">>,
    to?: Ref
  ) => ReturnType<SessionStore["Service"]["append"]>
  /** The log as JSON; `undefined` where there is no session. */
  readonly log: (of?: Ref) => Effect.Effect<ReadonlyArray<Schema.Json> | undefined, unknown>
  /** The value and the version of each row. */
  readonly rows: (
    of: Ref,
    ...fields: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<readonly [Schema.Json | undefined, number | undefined]>, unknown>
}

export const worldOf = Effect.gen(function*() {
  const store = yield* SessionStore
  const app = yield* ownApp
  const ref: Ref = { app, user: "u", session: "s" }
  const world: World = {
    store,
    ref,
    append: (expected, more = {}, to = ref) => store.append(to, { expected, events: () => [event(expected)], ...more }),
    log: (of = ref) => Effect.map(store.load(of), (loaded) => Option.getOrUndefined(loaded)?.map(Event.encode)),
    rows: (of, ...fields) =>
      Effect.map(
        store.shared(of, fields.map((field) => ({ scope: "user", field }))),
        (rows) => fields.map((field) => [rows.get(field)?.value, rows.get(field)?.version] as const)
      )
  }
  return world
})

export const on = (name: string, run: (world: World) => Effect.Effect<void, unknown>): Case => ({
  name,
  run: Effect.flatMap(worldOf, run)
})

export const encoded = (...events: ReadonlyArray<Event.Event>) => events.map(Event.encode)
