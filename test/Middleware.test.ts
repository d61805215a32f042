import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Contract, Instructions, Middleware, Reducer, State, Tool, ToolContext, Toolkit } from "tenon"

const Env = ToolContext.make({ tenant: Schema.String, trace: Schema.String })
const Usage = State.make("usage", { steps: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })

describe("Middleware", () => {
  describe("hooks", () => {
    const nothing = () => Effect.void
    const hooks = [
      Middleware.beforeRun({ context: [Env.tenant] }, nothing),
      Middleware.afterRun({}, nothing),
      Middleware.beforeModel({ combines: [Usage.steps] }, nothing),
      Middleware.afterModel({}, nothing),
      Middleware.beforeTool({ reads: [Usage.steps] }, nothing),
      Middleware.afterTool({}, nothing)
    ]

    it("are named for what they stand around, and have a contract each", () => {
      assert.deepStrictEqual(
        hooks.map(({ kind, contract: { requires, touches } }) => [
          kind,
          ...requires.map(({ name }) => name),
          ...touches.map(({ field, mode }) => `${mode} ${field.name}`)
        ]),
        [
          ["beforeRun", "tenant"],
          ["afterRun"],
          ["beforeModel", "combine usage.steps"],
          ["afterModel"],
          ["beforeTool", "read usage.steps"],
          ["afterTool"]
        ]
      )
    })
  })

  describe("verdicts", () => {
    it("are values", () => {
      assert.deepStrictEqual(
        [Middleware.refuse("not now"), Middleware.edit({ n: 1 })],
        [{ _tag: "Refuse", reason: "not now" }, { _tag: "Edit", parameters: { n: 1 } }]
      )
    })
  })

  describe("make", () => {
    it("is nothing but a name where it is given nothing", () => {
      const bare = Middleware.make("bare", {})
      assert.deepStrictEqual(
        [bare.name, bare.hooks, bare.provides, bare.tools, bare.sections, bare.instructions],
        ["bare", [], [], {}, [], undefined]
      )
    })

    it("has the contracts of all that it contributes", () => {
      const all = Middleware.make("all", {
        hooks: [Middleware.beforeModel({ combines: [Usage.steps] }, () => Usage.steps.combine(1))],
        provides: [Middleware.provide(Env.trace, { context: [Env.tenant] }, Env.tenant)],
        toolkit: Toolkit.make(Tool.make("look", { reads: [Usage.steps] })),
        instructions: Instructions.template`Step ${Usage.steps}.`
      })
      assert.deepStrictEqual(Contract.table(all).split("\n").map((line) => line.trim().split(/ {2,}/)), [
        ["requires", "reads", "combines"],
        ["middleware all", "tenant", "usage.steps", "usage.steps"],
        ["hook provides trace", "tenant", "–", "–"],
        ["hook beforeModel", "–", "–", "usage.steps"],
        ["tool look", "–", "usage.steps", "–"],
        ["instructions instructions", "–", "usage.steps", "–"]
      ])
    })
  })
})
