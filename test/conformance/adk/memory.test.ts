import { assert, layer } from "@effect/vitest"
import { type Context, Effect, Layer } from "effect"
import { Agent, type AgentRunner, MemoryStore } from "tenon"
import { Memory } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { Postgres } from "../../sql/postgres.ts"
import { onEachMemoryStore } from "./backends.ts"
import { conversation } from "./fixtures.ts"

const Assistant = Agent.make("assistant", { instructions: "Help.", middleware: [Memory.make()] })

layer(Postgres.layer, { timeout: "60 seconds" })("adk 2.7: memory", (it) => {
  it("T172 a run of an agent that searches memory needs a store, or does not compile", () => {
    type Required = AgentRunner.Requires<typeof Assistant>
    const required: Context.Key<Extract<Required, MemoryStore.MemoryStore>, unknown> = MemoryStore.MemoryStore
    assert.isDefined(required)
  })

  it.effect("T173 a session is found by whole words without regard to case, until it is removed", () =>
    onEachMemoryStore((memories) =>
      Effect.gen(function*() {
        const { send } = yield* conversation(Assistant, [ScriptedModel.text("Good day.")])
        const { session } = yield* send("Hello World", { user: "u" })
        yield* MemoryStore.ingest(session)
        const store = yield* MemoryStore.MemoryStore
        const owner = { app: "assistant", user: "u" }
        const find = (query: string) => Effect.map(store.search(owner, query), (found) => found.map(({ text }) => text))
        assert.deepStrictEqual(yield* find("world"), ["Hello World"])
        assert.deepStrictEqual(yield* find("wor"), [])
        yield* store.remove(owner, "s-1")
        assert.deepStrictEqual(yield* find("world"), [])
      }).pipe(Effect.provide(Layer.provideMerge(Memory.layer(), memories)))
    ))
})
