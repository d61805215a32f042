import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { Agent, AgentRunner, Artifacts, ArtifactStore, History, Session, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { world } from "./fixtures.ts"

const { calls, text } = ScriptedModel

const Kept = State.make("kept", {
  k1: State.optional(Schema.String),
  k2: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0 }),
  stay: State.optional(Schema.String, { scope: "app" }),
  scratch: State.optional(Schema.String, { scope: "temp" })
})
const Set = Tool.make("set", {
  parameters: Schema.Struct({
    k1: Schema.optionalKey(Schema.String),
    k2: Schema.optionalKey(Schema.String),
    count: Schema.optionalKey(Schema.Int),
    stay: Schema.optionalKey(Schema.String),
    scratch: Schema.optionalKey(Schema.String)
  }),
  writes: [Kept.k1, Kept.k2, Kept.count, Kept.stay, Kept.scratch]
})
const Save = Tool.make("save", {
  parameters: Schema.Struct({ name: Schema.String, content: Schema.String }),
  failure: Artifacts.Failure,
  writes: [Artifacts.Session]
})
const Load = Tool.make("load", {
  parameters: Schema.Struct({ name: Schema.String }),
  success: Schema.NullOr(Schema.String),
  failure: Artifacts.Failure,
  reads: [Artifacts.Session]
})
const kit = Toolkit.make(Set, Save, Load)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const live = Toolkit.layer(kit, {
  set: Effect.fnUntraced(function*({ count, k1, k2, scratch, stay }) {
    if (k1 !== undefined) yield* Kept.k1.set(k1)
    if (k2 !== undefined) yield* Kept.k2.set(k2)
    if (count !== undefined) yield* Kept.count.set(count)
    if (stay !== undefined) yield* Kept.stay.set(stay)
    if (scratch !== undefined) yield* Kept.scratch.set(scratch)
  }),
  save: ({ content, name }) => Effect.asVoid(Artifacts.Session.save(name, content)),
  load: ({ name }) =>
    Effect.map(Artifacts.Session.load(name), (found) => Option.getOrNull(Option.map(found, Artifacts.textOf)))
})
const ref = { app: "agent", session: "s-1" } as const
const say = AgentRunner.run(agent, { session: "s-1", input: "Go." })
const load = Session.load(ref, [Kept])
const set = (parameters: typeof Set.parametersSchema.Type) => ({ tool: "set", parameters })
const save = (name: string, content: string) => ({ tool: "save", parameters: { name, content } })

/** Runs a program in a world of its own, in which the model asks for these calls, one list for each message. */
const asked = <A, E, R>(
  invocations: ReadonlyArray<ReadonlyArray<ScriptedModel.Call>>,
  program: Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    const { context } = yield* world(invocations.flatMap((all) => [calls(...all), text("Done.")]))
    return yield* Effect.provideContext(program, context)
  }).pipe(Effect.provide([live, ArtifactStore.layerMemory]))

describe("adk 2.10: rewind", () => {
  it.effect("T230 state and artifacts are those before the invocation, and what was left out can be told", () =>
    asked(
      [
        [set({ k1: "v1" }), save("f1", "f1v0")],
        [set({ k1: "v2", k2: "v2" }), save("f1", "f1v1"), save("f2", "f2v0")],
        [set({ k2: "v3" })],
        [{ tool: "load", parameters: { name: "f1" } }, { tool: "load", parameters: { name: "f2" } }]
      ],
      Effect.gen(function*() {
        const first = yield* say
        yield* say
        yield* say
        const { events, revision } = yield* History.rewind(ref, { before: "i2" })
        const { state } = yield* load
        assert.deepStrictEqual([state.get(Kept.k1), state.get(Kept.k2)], [Option.some("v1"), Option.none()])
        assert.strictEqual((yield* load).revision, revision)
        assert.isAbove(events, 0)
        const { session } = yield* say
        const results = session.events
          .flatMap((event) => event.kind === "call" && event.tool === "load" ? [event] : [])
          .toSorted((one, next) => one.call < next.call ? -1 : 1)
          .map(({ result }) => result.value)
        assert.deepStrictEqual(results, ["f1v0", null])
        assert.deepStrictEqual(session.events.slice(0, first.session.revision), first.session.events)
      })
    ))

  it.effect("T232 a field is as it was before, a new one is gone, and an app's value stays", () =>
    asked(
      [[set({ count: 1 })], [set({ count: 5, k1: "new" }), set({ stay: "stay" })]],
      Effect.gen(function*() {
        yield* say
        yield* say
        const { shared } = yield* History.rewind(ref, { before: "i2" })
        const { state } = yield* load
        assert.deepStrictEqual(
          [state.get(Kept.count), state.get(Kept.k1), state.get(Kept.stay), shared],
          [1, Option.none(), Option.some("stay"), ["kept.stay"]]
        )
      })
    ))

  it.effect("T233 temp values are in no session, and so nothing to go back to", () =>
    asked(
      [[set({ k1: "v1", scratch: "t" })], [set({ k1: "v2", scratch: "u" })]],
      Effect.gen(function*() {
        yield* say
        yield* say
        yield* History.rewind(ref, { before: "i2" })
        const { state } = yield* load
        assert.deepStrictEqual(
          [...state.values].filter(([name]) => name.startsWith("kept.k") || name === "kept.scratch"),
          [
            ["kept.k1", "v1"]
          ]
        )
      })
    ))

  it.effect("T234 an invocation that is not there is refused by name", () =>
    asked(
      [[set({ k1: "v1" })]],
      Effect.gen(function*() {
        yield* say
        const before = yield* load
        const error = yield* Effect.flip(History.rewind(ref, { before: "i7" }))
        assert.strictEqual(
          error.message,
          "the history of the session 's-1' stays as it is: there is no invocation 'i7'"
        )
        assert.deepStrictEqual((yield* load).events, before.events)
      })
    ))

  it.effect("T235 an event tells of it, and the log keeps what was left out", () =>
    asked(
      [[set({ k1: "v1" })], [set({ k1: "v2" })]],
      Effect.gen(function*() {
        yield* say
        const { session } = yield* say
        yield* History.rewind(ref, { before: "i2" })
        const stored = yield* Effect.map(Session.load(ref), ({ revision }) => revision)
        assert.strictEqual(stored, session.revision + 2)
        const { events, state } = yield* load
        assert.deepStrictEqual(events.at(-1)?.kind, "ended")
        assert.deepStrictEqual(state.get(Kept.k1), Option.some("v1"))
      })
    ))
})
