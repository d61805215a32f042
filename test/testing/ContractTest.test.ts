import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { Agent, Contract, Interrupt, Middleware, Reducer, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { ContractTest } from "tenon/testing"

const Env = ToolContext.make({ tenant: Schema.String, user: Schema.String, plan: Schema.String })
const Search = State.make("search", {
  last: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  log: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  byId: State.record(Schema.String, Schema.Int)
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Find = Tool.make("find", { context: [Env.tenant], combines: [Search.count], writes: [Search.last] })
const Mail = Tool.make("mail", { context: [Env.user], asks: [Confirm], approval: true })
const Look = Tool.make("look", { reads: [Search.last] })
const Plan = Middleware.make("plan", {
  hooks: [Middleware.beforeTool({ context: [Env.plan], combines: [Search.log] }, () => Search.log.combine("x"))]
})
const Researcher = Agent.make("researcher", { instructions: "", toolkit: Toolkit.make(Find) })
const Assistant = Agent.make("assistant", {
  instructions: "",
  toolkit: Toolkit.make(Mail, Look),
  middleware: [Plan],
  subAgents: [SubAgent.make(Researcher, { returns: [Search.count] })]
})

const failure = (assertion: () => void): ContractTest.ContractTestFailed => {
  try {
    assertion()
  } catch (error) {
    assert.instanceOf(error, ContractTest.ContractTestFailed)
    return error
  }
  return assert.fail("nothing failed")
}
/** A declaration of which the types say nothing. */
const unknown = (declaration: unknown) => declaration as Agent.Any

describe("ContractTest", () => {
  describe("requires", () => {
    it("takes just the keys that a tool, a toolkit, middleware or an agent requires, in any order", () => {
      ContractTest.requires(Find, ["tenant"])
      ContractTest.requires(Look, [])
      ContractTest.requires(Toolkit.make(Find, Mail), ["user", "tenant"])
      ContractTest.requires(Plan, ["plan"])
      ContractTest.requires(Assistant, ["plan", "tenant", "user"])
      ContractTest.requires(Contract.on(AiTool.make("theirs"), { context: [Env.user] }), ["user"])
    })

    it("names each key that the test lacks with all that want it, and each that nothing requires", () => {
      const error = failure(() => ContractTest.requires(unknown(Assistant), ["user", "other"]))
      assert.strictEqual(error.subject, "agent 'assistant'")
      assert.deepStrictEqual(error.problems.map(({ name }) => name).sort(), ["other", "plan", "tenant"])
      assert.include(
        error.message,
        "'tenant' is missing in the test, which agent 'assistant' › sub-agent 'researcher' › tool 'find' may require"
      )
      assert.include(
        error.message,
        "'plan' is missing in the test, which agent 'assistant' › middleware 'plan' › hook 'beforeTool' may require"
      )
      assert.include(error.message, "'other' is in the test, and nothing here may require it: take it out of the test")
    })

    it("does not ask for what middleware provides", () => {
      const Provider = Middleware.make("provider", {
        provides: [Middleware.provide(Env.plan, { context: [Env.user] }, Env.user)]
      })
      const Planned = Tool.make("planned", { context: [Env.plan] })
      const agent = Agent.make("planner", { instructions: "", toolkit: Toolkit.make(Planned), middleware: [Provider] })
      ContractTest.requires(agent, ["user"])
    })

    it("is the same for types and values", () => {
      const keys: ReadonlyArray<ContractTest.Required<typeof Assistant>> = ["tenant", "user", "plan"]
      assert.sameMembers([...keys], Contract.of(Assistant).requires.map(({ name }) => name))
    })
  })

  describe("writes, sees and asks", () => {
    it("take just the names that a declaration has", () => {
      ContractTest.writes(Find, ["search.count", "search.last"])
      ContractTest.writes(Assistant, ["search.count", "search.log"])
      ContractTest.writesNothing(Look)
      ContractTest.sees(Look, ["search.last"])
      ContractTest.sees(Find, ["search.last"])
      ContractTest.asks(Mail, ["confirm", "approval"])
      ContractTest.asksNothing(Look)
    })

    it("name what is otherwise", () => {
      assert.include(
        failure(() => ContractTest.writesNothing(unknown(Find))).message,
        "'search.last' is missing in the test, which tool 'find' may write: name it in the test, or take it out of `writes` or `combines` there"
      )
      assert.deepStrictEqual(
        failure(() => ContractTest.asksNothing(unknown(Assistant))).problems.map(({ name }) => name),
        ["confirm", "approval"]
      )
      assert.deepStrictEqual(
        failure(() => ContractTest.sees(unknown(Look), ["search.count"])).problems.map(({ name }) => name),
        ["search.last", "search.count"]
      )
    })
  })

  describe("noConflict", () => {
    const At = Tool.make("at", { parameters: Schema.Struct({ id: Schema.String }), writes: [Search.byId.at("id")] })
    const Log = Tool.make("log", { combines: [Search.log] })
    const Count = Tool.make("count", { combines: [Search.count] })
    const Shut = Tool.make("shut", { exclusive: true })
    const Files = Tool.make("files", { exclusive: "files" })

    it("lets calls overlap that the runner lets overlap", () => {
      ContractTest.noConflict(Find, Mail)
      ContractTest.noConflict(Count, Count)
      ContractTest.noConflict(Look, Look)
      ContractTest.noConflict(Files, Find)
      ContractTest.noConflict(At, At, { parameters: [{ id: "a" }, { id: "b" }] })
      const [researcher] = Assistant.definition.subAgents
      if (researcher !== undefined) ContractTest.noConflict(researcher, Count)
    })

    it("names the field, both rights, and what to do", () => {
      assert.strictEqual(
        failure(() => ContractTest.noConflict(Find, Look)).message,
        "'find' beside 'look': the contract is not what the test says\n" +
          "  'find' writes 'search.last', and 'look' reads it: keep what is read in a field of its own; or make it a record and name the entry by a parameter, `.at(\"…\")`"
      )
      assert.include(failure(() => ContractTest.noConflict(Find, Find)).message, "declare it under `combines` in both")
      assert.include(failure(() => ContractTest.noConflict(Log, Log)).message, "its own keeps the order of calls")
      assert.include(failure(() => ContractTest.noConflict(At, At)).message, "name such in `parameters`")
      assert.include(failure(() => ContractTest.noConflict(Look, Shut)).message, "'shut' is exclusive")
      assert.include(failure(() => ContractTest.noConflict(Files, Files)).message, "both exclusive about 'files'")
    })

    it("counts the hooks around the calls of an agent", () => {
      ContractTest.noConflict(Mail, Look)
      assert.include(
        failure(() => ContractTest.noConflict(Mail, Look, { agent: Assistant })).message,
        "'mail' combines 'search.log', and 'look' combines it"
      )
      assert.throws(() => ContractTest.noConflict(Find, Look, { agent: Assistant }), "has no such tool: 'find'")
    })
  })

  it("fails with an error that survives encoding", () => {
    const error = failure(() => ContractTest.requires(unknown(Find), []))
    const codec = Schema.toCodecJson(ContractTest.ContractTestFailed)
    const back = Effect.runSync(Effect.flatMap(Schema.encodeEffect(codec)(error), Schema.decodeEffect(codec)))
    assert.strictEqual(back.message, error.message)
  })
})
