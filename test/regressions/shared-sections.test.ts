import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { Agent, AgentRunner, Session, SessionStore, State, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const Old = State.make("profile", {
  nick: State.field(Schema.String, { initial: "nobody", scope: "user" }),
  visits: State.field(Schema.Int, { initial: 0, scope: "user" })
})
const New = State.make("profile", {
  name: State.field(Schema.String, { initial: "nobody", scope: "user" }),
  visits: State.field(Schema.Int, { initial: 0, scope: "user" })
}, {
  history: State.history(1, Schema.Struct({ nick: Schema.String, visits: Schema.Int })),
  up: ({ nick, visits }) => ({ name: nick, visits })
})

const SetNick = Tool.make("touch", { writes: [Old.nick] })
const GetName = Tool.make("touch", { success: Schema.String, reads: [New.name] })
const Peek = Tool.make("touch", { success: Schema.Boolean })
const Setter = Agent.make("host", { instructions: "Greet.", toolkit: Toolkit.make(SetNick) })
const Getter = Agent.make("host", { instructions: "Greet.", toolkit: Toolkit.make(GetName) })
const Peeker = Agent.make("host", { instructions: "Greet.", toolkit: Toolkit.make(Peek) })
const model = ScriptedModel.layer([ScriptedModel.call("touch"), ScriptedModel.text("done")])
const ref = { app: "host", user: "ada" }

describe("a shared section of an earlier version", () => {
  it.effect("keeps the value of a renamed field, though only one field was ever written", () =>
    Effect.gen(function*() {
      yield* AgentRunner.run(Setter, { session: "s-1", user: "ada", input: "hi" }).pipe(
        Effect.provide([model, Toolkit.layer(Toolkit.make(SetNick), { touch: () => Old.nick.set("ada l.") })])
      )

      const { session } = yield* AgentRunner.run(Getter, { session: "s-2", user: "ada", input: "hi" }).pipe(
        Effect.provide([model, Toolkit.layer(Toolkit.make(GetName), { touch: () => New.name.get })])
      )

      const results = session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
      assert.deepStrictEqual(results, ["ada l."])
      const loaded = yield* Session.load({ ...ref, session: "s-2" }, [New])
      assert.strictEqual(loaded.state.get(New.name), "ada l.")
      assert.strictEqual(loaded.state.get(New.visits), 0)
    }).pipe(Effect.provide(SessionStore.layerMemory)))

  it.effect("is written from outside of a run, and read by the next", () =>
    Effect.gen(function*() {
      const run = AgentRunner.run(Setter, { session: "s-1", user: "ada", input: "hi" }).pipe(
        Effect.provide([model, Toolkit.layer(Toolkit.make(SetNick), { touch: () => Effect.void })])
      )
      yield* run
      yield* Session.write({ ...ref, session: "s-1" }, [Old.nick.to("lovelace")])

      const { state, revision } = yield* Session.load({ ...ref, session: "s-1" }, [Old])

      assert.strictEqual(state.get(Old.nick), "lovelace")
      assert.strictEqual(revision, 7)
    }).pipe(Effect.provide(SessionStore.layerMemory)))

  it("is not read from a log alone", () => {
    const folded = Result.getOrThrow(Session.fold([], [Old]))
    assert.throws(() => folded.state.get(Old.nick), /'profile.nick' is shared by sessions/)
  })
})

describe("what a handler is given", () => {
  it.effect("cannot be changed, the messages before the call included", () =>
    Effect.gen(function*() {
      const live = Toolkit.layer(Toolkit.make(Peek), {
        touch: () =>
          Effect.map(ToolCall.ToolCall, ({ history }) => {
            const { content } = history[0] as { readonly content: ReadonlyArray<unknown> }
            return Result.isFailure(Result.try(() => Object.assign(content[0] as object, { text: "changed" })))
          })
      })
      const { session } = yield* AgentRunner.run(Peeker, { session: "s-1", input: "hi" }).pipe(
        Effect.provide([model, live])
      )
      const call = session.events.find((event) => event.kind === "call")
      assert.deepStrictEqual(call?.kind === "call" && call.result, { isFailure: false, value: true })
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})
