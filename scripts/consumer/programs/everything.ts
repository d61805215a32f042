/** A program with what a server has: a store in a file, tools, middleware, a session of another tool, a provider's model. */
import { Effect, Layer, Option, Result, Schema } from "effect"
import assert from "node:assert/strict"
import { rmSync } from "node:fs"
import { Agent, AgentRunner, Session, State, Tool, ToolContext, Toolkit } from "tenon"
import { AiSdk } from "tenon/ai-sdk"
import { Adk, UiMessages } from "tenon/interop"
import { TodoList } from "tenon/middleware"
import { SqlStore } from "tenon/sql"
import { ScriptedModel, ToolTest } from "tenon/testing"

export const Env = ToolContext.make({ tenant: Schema.String })
export const Search = State.make("search", { last: State.optional(Schema.String) })
export const Find = Tool.make("find", {
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.String,
  context: [Env.tenant],
  writes: [Search.last]
})
const Todos = TodoList.make()
const kit = Toolkit.make(Find)
const KitLive = Toolkit.layer(kit, {
  find: ({ query }) => Effect.andThen(Search.last.set(query), Effect.map(Env.tenant, (tenant) => `${tenant}: ${query}`))
})
export const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: kit, middleware: [Todos] })

const filename = `sessions-${process.versions.node}.sqlite`
const ref = { app: "consumer", session: "s-1" }
const live = (...turns: ReadonlyArray<ScriptedModel.Turn>) =>
  Layer.mergeAll(
    KitLive,
    TodoList.layer(),
    ToolContext.layer(Assistant, { tenant: "acme" }),
    ScriptedModel.layer(turns),
    SqlStore.layerSqlite({ filename })
  )

const first = AgentRunner.run(Assistant, { ...ref, input: "Which licence?" }).pipe(
  Effect.provide(live(ScriptedModel.call("find", { query: "licence" }), ScriptedModel.text("MIT.")))
)
// the layers of the first run are gone: what is read here was in the file
const second = Effect.gen(function*() {
  const before = yield* Session.load(ref, Assistant)
  const after = yield* AgentRunner.run(Assistant, { ...ref, input: "And then?" })
  return { before, after }
}).pipe(Effect.provide(live(ScriptedModel.text("Nothing."))))

const { after, before } = await Effect.runPromise(Effect.andThen(first, second))
rmSync(filename)
assert.deepEqual(before.state.get(Search.last), Option.some("licence"))
assert.equal(after._tag === "Completed" && after.text, "Nothing.")

// what stands beside the runner loads, and answers
assert.equal(typeof ToolTest.layer, "function")
assert.equal(typeof AiSdk.layer, "function")
assert.ok(Result.isSuccess(UiMessages.toHistory([])))
assert.ok(Result.isFailure(Adk.importSession({}, { keys: { last: Search.last } })))
console.log("everything works")
