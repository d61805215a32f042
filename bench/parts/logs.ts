/** What is stored, and read again. */
import { Effect, Layer, Schema } from "effect"
import {
  Agent,
  AgentRunner,
  Contract,
  Reducer,
  Session,
  SessionStore,
  State,
  StateDelta,
  StateSerializer,
  Tool,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { prepare } from "../../src/internal/commit.ts"
import { accessOf } from "../../src/internal/contract.ts"
import { Fork } from "../../src/internal/fork.ts"
import type { Part } from "../harness/part.ts"

const Counter = State.make("counter", {
  calls: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  notes: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  last: State.field(Schema.Struct({ at: Schema.Date, by: Schema.String }), { initial: { at: new Date(0), by: "" } })
})
const Count = Tool.make("count", {
  success: Schema.String,
  combines: [Counter.calls, Counter.notes],
  writes: [Counter.last]
})
const kit = Toolkit.make(Count)
const live = Toolkit.layer(kit, {
  count: Effect.fnUntraced(function*() {
    yield* Counter.calls.combine(1)
    return "counted"
  })
})
const Counting = Agent.make("counting", { instructions: "Count.", toolkit: kit })

// ----- what an attempt did, made ready for its event -----------------------------

const contract = Contract.of(Count)
const access = accessOf(contract)
const [calls, notes, last] = ["calls", "notes", "last"].map((key) => {
  const found = contract.touches.find(({ field }) => field.key === key)
  if (found === undefined) throw new Error(`no field '${key}'`)
  return found.field
})
const worked = (): Fork => {
  const fork = new Fork("bench", access, () => undefined)
  if (calls === undefined || notes === undefined || last === undefined) return fork
  fork.combine(calls, 1)
  fork.combine(notes, "a note")
  fork.set(last, { at: new Date(0), by: "bench" })
  return fork
}
const committed = ({ pending, sharedReads }: Fork) => prepare(pending, sharedReads, () => undefined, new Map())
const { delta } = committed(worked())
const json = StateDelta.encode(delta)

const sync = (work: () => unknown): Part => async (times) => {
  for (let time = 0; time < times; time++) work()
  return times
}

// ----- documents and logs --------------------------------------------------------

const serializer = StateSerializer.make([Counter])
const state = serializer.initial()
const envelope = await Effect.runPromise(serializer.serialize(state))

const many = (effect: Effect.Effect<unknown, unknown>): Part => (times) =>
  Effect.runPromise(Effect.as(Effect.repeat(effect, { times: times - 1 }), times))

/** A store with one session of so many steps. */
const storeOf = (steps: number) =>
  Effect.runPromise(
    Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const { session } = yield* AgentRunner.run(Counting, { session: "s", input: "Go." })
      return { store, document: Session.encode(session.events) }
    }).pipe(
      Effect.provide([
        SessionStore.layerMemory,
        live,
        ScriptedModel.layer([
          ...Array.from({ length: steps }, () => ScriptedModel.call("count")),
          ScriptedModel.text("Done.")
        ])
      ])
    )
  )

const ref = { app: "counting", session: "s" }
const stores = new Map(await Promise.all([10, 100, 1_000].map(async (steps) => [steps, await storeOf(steps)] as const)))
const readers = [...stores].flatMap(([steps, { document, store }]): Array<[string, Part]> => {
  const inStore = Layer.succeed(SessionStore.SessionStore, store)
  return [
    [`load, ${steps} steps`, many(Effect.provide(Session.load(ref, [Counter]), inStore))],
    [`newest, ${steps} steps`, many(Effect.provide(Session.newest(ref, [Counter]), inStore))],
    [`document, ${steps} steps, decoded`, sync(() => Session.decode(document))]
  ]
})

export const parts: Readonly<Record<string, Part>> = {
  "commit, three writes of a call": sync(worked),
  "commit, and their delta": sync(() => committed(worked())),
  "delta, JSON": sync(() => JSON.stringify(delta)),
  "delta, encoded": sync(() => StateDelta.encode(delta)),
  "delta, decoded": sync(() => StateDelta.decode(json)),
  "serializer, serialize": many(serializer.serialize(state)),
  "serializer, deserialize": many(serializer.deserialize(envelope)),
  ...Object.fromEntries(readers)
}
