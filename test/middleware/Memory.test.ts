import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, AgentRunner, MemoryStore, SessionStore } from "tenon"
import { Memory } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, told } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel
const agent = Agent.make("agent", { instructions: "Help.", middleware: [Memory.make()] })
const remember = (user: string, ...texts: ReadonlyArray<string>) =>
  Effect.flatMap(
    MemoryStore.MemoryStore,
    (store) => store.put({ app: "app", user }, "notes", texts.map((each, time) => ({ text: each, time })))
  )

describe("Memory", () => {
  it.effect("tells the model that it can search, and gives it what it finds of the run's user", () =>
    Effect.gen(function*() {
      yield* remember("u-1", "tea at five", "coffee at ten")
      yield* remember("u-2", "tea at six")
      const { requests, run } = yield* conversation(agent, [call("search_memory", { query: "tea" }), text("At five.")])
      const { session } = yield* run()
      assert.match(told(requests[0])[0] ?? "", /search_memory/)
      assert.deepStrictEqual(endsOf(session)[0]?.value, [{ text: "tea at five", time: "1970-01-01T00:00:00.000Z" }])
    }).pipe(Effect.provide([Memory.layer(), MemoryStore.layerMemory])))

  it.effect("gives no more than it is told to", () =>
    Effect.gen(function*() {
      yield* remember("u-1", "tea", "tea", "tea")
      const { run } = yield* conversation(agent, [call("search_memory", { query: "tea" }), text("Tea.")])
      const [found] = endsOf((yield* run()).session)
      assert.lengthOf(found?.value as ReadonlyArray<unknown>, 2)
    }).pipe(Effect.provide([Memory.layer({ limit: 2 }), MemoryStore.layerMemory])))

  it.effect("remembers nothing of nobody: without a user the call fails, and says so", () =>
    Effect.gen(function*() {
      const { session } = yield* AgentRunner.run(agent, { session: "s", input: "Go." })
      assert.deepStrictEqual(endsOf(session), [
        { tool: "search_memory", failed: true, value: { _tag: "UserMissing", fields: ["memories"] } }
      ])
    }).pipe(Effect.provide([
      Memory.layer(),
      MemoryStore.layerMemory,
      SessionStore.layerMemory,
      ScriptedModel.layer([call("search_memory", { query: "tea" }), text("No tea.")])
    ])))
})
