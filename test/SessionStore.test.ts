import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, type Event, Reducer, SessionStore, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const ref = { app: "app", user: "u", session: "s" }

const event = (sequence: number): Event.Event => ({
  kind: "ended",
  id: `s/${sequence}`,
  sequence,
  invocation: "i1",
  agent: "a",
  path: ["a"],
  time: 0,
  status: "completed",
  elapsed: 0
})

describe("SessionStore", () => {
  describe("append", () => {
    it.effect("stores an initial value as no write: it meets no version that somebody saw", () =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const field = "profile.name"
        const write = { scope: "user", initial: "none", section: 1 } as const
        yield* store.append(ref, {
          expected: 0,
          events: () => [event(0)],
          writes: [{ ...write, operation: { op: "set", field, value: "none" }, ifAbsent: true }]
        })
        yield* store.append(ref, {
          expected: 1,
          events: () => [event(1)],
          writes: [{ ...write, operation: { op: "set", field, value: "Ada" } }],
          unchanged: new Map([[field, { scope: "user", version: 0 }]])
        })
        const rows = yield* store.shared(ref, [{ scope: "user", field }])
        assert.deepStrictEqual(rows.get(field), { value: "Ada", version: 1, section: 1 })
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  it.effect("lets calls of one step write different fields of a section that nobody wrote before", () =>
    Effect.gen(function*() {
      const Profile = State.make("profile", {
        name: State.field(Schema.String, { initial: "none", scope: "user" }),
        visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" })
      })
      const Rename = Tool.make("rename", { writes: [Profile.name] })
      const Visit = Tool.make("visit", { combines: [Profile.visits] })
      const kit = Toolkit.make(Rename, Visit)
      const agent = Agent.make("greeter", { instructions: "", toolkit: kit })
      const result = yield* AgentRunner.run(agent, { user: "u", session: "s", input: "Hi" }).pipe(Effect.provide([
        // the one that is asked for first ends last
        Toolkit.layer(kit, {
          rename: () => Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 20 }), Profile.name.set("Ada")),
          visit: () => Profile.visits.combine(1)
        }),
        ScriptedModel.layer([ScriptedModel.calls({ tool: "rename" }, { tool: "visit" }), ScriptedModel.text("Hello.")]),
        SessionStore.layerMemory
      ]))
      assert.strictEqual(result.session.state.get(Profile.name), "Ada")
      assert.strictEqual(result.session.state.get(Profile.visits), 1)
    }))
})
