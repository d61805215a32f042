import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, type AgentError, Instructions, State, ToolContext } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation } from "./fixtures.ts"

const Env = ToolContext.make({ user_name: Schema.String })
const App = State.make("app", {
  app_state: State.field(Schema.String, { initial: "active" }),
  number: State.field(Schema.Int, { initial: 30 }),
  nothing: State.optional(Schema.String),
  mine: State.field(Schema.String, { initial: "user_value", scope: "user" }),
  all: State.field(Schema.String, { initial: "app_value", scope: "app" })
})
const supplied = Env.layer({ user_name: "Foo" })

/** What the model is told by an agent. */
const toldBy = <A extends Agent.Any>(agent: A) =>
  Effect.flatMap(
    conversation(agent, [ScriptedModel.text("done")]),
    ({ requests, send }) =>
      Effect.map(send("go", { user: "u" }), () => {
        const first = requests[0]?.prompt.content[0]
        return first?.role === "system" ? first.content : ""
      })
  )

describe("adk: instructions", () => {
  it.effect("T210 a template's places take what the caller supplies and what State holds", () =>
    Effect.gen(function*() {
      const text = yield* toldBy(
        Agent.make("agent", {
          instructions: Instructions.template`Hello ${Env.user_name}, you are in ${App.app_state} state.`
        })
      )
      assert.strictEqual(text, "Hello Foo, you are in active state.")
    }).pipe(Effect.provide(supplied)))

  it.effect("T212 an optional field without a value is an empty text", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* toldBy(Agent.make("agent", { instructions: Instructions.template`Optional value: ${App.nothing}` })),
        "Optional value: "
      )
    }))

  it.effect("T213 a value that nobody supplied fails the run, by name and before any model call", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: Instructions.template`Hello ${Env.user_name}!` })
      const { requests, send } = yield* conversation(agent, [])
      // forced: the compiler asks for it
      const run = send("go") as Effect.Effect<never, AgentError.AgentError>
      const { reason } = yield* Effect.flip(run)
      assert.deepInclude(reason, { _tag: "ToolContextError", key: "user_name" } as object)
      assert.lengthOf(requests, 0)
    }))

  it.effect("T215 what only looks like a place is text", () =>
    Effect.gen(function*() {
      const text = "{invalid-key} {invalid:key} {missing_key}"
      assert.strictEqual(yield* toldBy(Agent.make("agent", { instructions: text })), text)
      assert.strictEqual(
        yield* toldBy(
          Agent.make("agent", { instructions: Instructions.template`{invalid-key} {invalid:key} {missing_key}` })
        ),
        text
      )
    }))

  it.effect("T216 a field of an app is a place as any", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* toldBy(Agent.make("agent", { instructions: Instructions.template`${App.all}` })),
        "app_value"
      )
    }))

  it.effect("T217 several places, lines and numbers", () =>
    Effect.gen(function*() {
      const text = yield* toldBy(Agent.make("agent", {
        instructions: Instructions.template`Hello ${Env.user_name},
you are ${App.number} years old${App.nothing}.`
      }))
      assert.strictEqual(text, "Hello Foo,\nyou are 30 years old.")
    }).pipe(Effect.provide(supplied)))

  it.effect("T220 fields of every scope, and text in between", () =>
    Effect.gen(function*() {
      const text = yield* toldBy(
        Agent.make("agent", { instructions: Instructions.template`${App.app_state}, ${App.all}, ${App.mine}, {a:key}` })
      )
      assert.strictEqual(text, "active, app_value, user_value, {a:key}")
    }))

  it.effect("T221 what an Effect makes is said as it is", () =>
    Effect.gen(function*() {
      const text = yield* toldBy(Agent.make("agent", {
        instructions: Instructions.make(
          { context: [Env.user_name], reads: [App.number] },
          Effect.gen(function*() {
            return `{x} ${yield* Env.user_name} ${yield* App.number.get}`
          })
        )
      }))
      assert.strictEqual(text, "{x} Foo 30")
    }).pipe(Effect.provide(supplied)))

  it.effect("T222 braces are literal", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* toldBy(Agent.make("agent", { instructions: Instructions.template`{{city}}` })),
        "{{city}}"
      )
    }))
})
