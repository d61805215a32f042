import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { LanguageModel } from "effect/ai"
import { Agent, AgentRunner, Instructions, SessionStore, State, ToolContext } from "tenon"
import { ScriptedModel } from "tenon/testing"

const Env = ToolContext.make({
  tenant: Schema.String,
  account: Schema.Struct({ token: Schema.RedactedFromValue(Schema.String) })
})

describe("Instructions", () => {
  it("refuses a redacted value at any depth, at construction", () => {
    assert.throws(
      () => Instructions.template`For ${Env.account}.`,
      "a redacted value must not reach the model: 'account' holds one"
    )
  })

  it.effect("that are an Effect fail the run where it fails, by the agent's name", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: Instructions.make({}, Effect.die(new Error("secret"))) })
      const { reason } = yield* Effect.flip(AgentRunner.run(agent, { session: "s", input: "Go." }))
      assert.deepInclude(reason, { _tag: "HookFailed", middleware: "agent", hook: "instructions" })
      assert.notInclude(reason.message, "secret")
    }).pipe(Effect.provide([ScriptedModel.layer([]), SessionStore.layerMemory])))

  it.effect("that are an Effect cannot write", () =>
    Effect.gen(function*() {
      const Here = State.make("here", { n: State.field(Schema.Int, { initial: 0 }) })
      const writing = Here.n.set(1) as unknown as Effect.Effect<string>
      const agent = Agent.make("agent", { instructions: Instructions.make({ reads: [Here.n] }, writing) })
      const { reason } = yield* Effect.flip(AgentRunner.run(agent, { session: "s", input: "Go." }))
      assert.deepInclude(reason, {
        _tag: "HookFailed",
        problem: "the instructions of 'agent' does not declare 'here.n' under writes"
      })
    }).pipe(Effect.provide([ScriptedModel.layer([]), SessionStore.layerMemory])))

  it("takes plain texts and numbers as they are", () => {
    const instructions = Instructions.template`Answer ${Env.tenant} in ${"German"}, in ${3} sentences.`
    assert.deepStrictEqual(instructions.contract.requires.map(({ name }) => name), ["tenant"])
    const how = instructions["~text"]
    const text = how._tag === "Template"
      ? how.render({ key: ({ name }) => `the ${name}`, field: () => undefined }, [])
      : how._tag
    assert.strictEqual(text, "Answer the tenant in German, in 3 sentences.")
  })

  it.effect("takes other instructions in its places, at any depth, with what they need", () =>
    Effect.gen(function*() {
      const Here = State.make("here", { n: State.field(Schema.Int, { initial: 3 }) })
      const Person = ToolContext.make({ person: Schema.String })
      const counted = Instructions.make({ reads: [Here.n] }, Effect.map(Here.n.get, (n) => "!".repeat(n)))
      const greeting = Instructions.template`Hello ${Person.person}${counted}`
      const instructions = Instructions.template`${greeting} ${greeting} ${counted}`
      assert.deepStrictEqual(instructions.contract.requires.map(({ name }) => name), ["person"])
      assert.deepStrictEqual(instructions.contract.touches.map(({ field }) => field.name), ["here.n"])
      const { model, requests } = yield* ScriptedModel.make([ScriptedModel.text("Done.")])
      yield* AgentRunner.run(Agent.make("agent", { instructions }), { session: "s", input: "Go." }).pipe(
        Effect.provideService(LanguageModel.LanguageModel, model),
        Effect.provide(Person.layer({ person: "Ada" }))
      )
      const [system] = requests[0]?.prompt.content ?? []
      assert.strictEqual(system?.content, "Hello Ada!!! Hello Ada!!! !!!")
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})
