import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { Agent, AgentRunner, type Event, Reducer, SessionStore, State, Tool, Toolkit } from "tenon"
import { ScriptedModel, SessionStoreTest } from "tenon/testing"

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
  describe("layerMemory", () => {
    for (const { name, run } of SessionStoreTest.cases) {
      it.effect(name, () => Effect.provide(run, SessionStore.layerMemory))
    }
  })

  describe("layerMemoryWith", () => {
    it.effect("starts with the sessions that it is given, and does not write into them", () =>
      Effect.gen(function*() {
        const events = [event(0)]
        yield* Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          yield* store.append(ref, { expected: 1, events: () => [event(1)] })
          assert.deepStrictEqual(yield* store.load(ref), Option.some([event(0), event(1)]))
        }).pipe(Effect.provide(SessionStore.layerMemoryWith([{ ref, events }])))
        assert.deepStrictEqual(events, [event(0)])
      }))
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
