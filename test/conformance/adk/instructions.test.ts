import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Schema } from "effect"
import {
  Agent,
  type AgentError,
  type AgentRunner,
  Artifacts,
  ArtifactStore,
  Instructions,
  State,
  ToolContext
} from "tenon"
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
const toldBy = <A extends Agent.Any>(agent: A, options: Partial<AgentRunner.RunOptions> = {}) =>
  Effect.flatMap(
    conversation(agent, [ScriptedModel.text("done")]),
    ({ requests, send }) =>
      Effect.map(send("go", { user: "u", ...options }), () => {
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

  it.effect("T211 a place shows the text of an artifact", () =>
    Effect.gen(function*() {
      const store = yield* ArtifactStore.ArtifactStore
      const hash = yield* store.put(new TextEncoder().encode("my content"))
      const entry = { name: "my_file", content: { hash, mediaType: "text/plain", size: 10 } }
      const text = yield* toldBy(
        Agent.make("agent", { instructions: Instructions.template`File: ${Artifacts.Session.text("my_file")}` }),
        { state: [Artifacts.Session.to([entry])] }
      )
      assert.strictEqual(text, "File: my content")
    }).pipe(Effect.provide(ArtifactStore.layerMemory)))

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

  // ours: without a store it does not compile; a name that nobody saved fails the run, unless the place is optional
  it.effect("T218 a place for an artifact that is not there fails the run by its name", () =>
    Effect.gen(function*() {
      const place = Artifacts.Session.text("my_file")
      const optional = Artifacts.Session.text("my_file", { otherwise: "" })
      const error = yield* Effect.flip(
        toldBy(Agent.make("agent", { instructions: Instructions.template`File: ${place}` }))
      )
      assert.strictEqual(
        error.message,
        "'instructions' of 'agent' failed: there is no artifact 'my_file' in 'artifacts'"
      )
      const text = yield* toldBy(Agent.make("agent", { instructions: Instructions.template`File: ${optional}` }))
      assert.strictEqual(text, "File: ")
      // what the place needs is what a run requires
      type Required = AgentRunner.Requires<Agent.Agent<"agent", typeof place["~needs"], never>>
      const required: Context.Key<Extract<Required, ArtifactStore.ArtifactStore>, unknown> = ArtifactStore.ArtifactStore
      assert.isDefined(required)
    }).pipe(Effect.provide(ArtifactStore.layerMemory)))

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
