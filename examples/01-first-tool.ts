/**
 * 01 · A first tool
 *
 * The smallest tool and agent that run: a tool says what it takes and gives, its handler is an Effect, an agent has it
 * in its toolkit, and a run needs a model and a place for the session. (The model of these examples follows a script,
 * so that nothing leaves this machine; a real one is a layer of effect/ai in its place.)
 */
import { Effect, Schema } from "effect"
import assert from "node:assert/strict"
import { Agent, AgentRunner, SessionStore, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const Add = Tool.make("add", {
  description: "Adds two numbers",
  parameters: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
  success: Schema.Int
})
const Kit = Toolkit.make(Add)
const KitLive = Toolkit.layer(Kit, { add: ({ a, b }) => Effect.succeed(a + b) })
const Calculator = Agent.make("calculator", { instructions: "You are good at sums.", toolkit: Kit })
const Model = ScriptedModel.layer([ScriptedModel.call("add", { a: 19, b: 23 }), ScriptedModel.text("That makes 42.")])

// leave one of the three out, and the program does not compile
const program = AgentRunner.run(Calculator, { session: "s-1", input: "What is 19 + 23?" }).pipe(
  Effect.provide([KitLive, Model, SessionStore.layerMemory])
)

const result = await Effect.runPromise(program)

assert(result._tag === "Completed")
assert.equal(result.text, "That makes 42.")
console.log("calculator:", result.text)

// everything that happened is in the session's log
for (const event of result.session.events) {
  if (event.kind === "call") {
    assert.deepEqual(event.result, { isFailure: false, value: 42 })
    console.log(`the call ${event.call} of '${event.tool}' gave`, event.result.value)
  }
}
