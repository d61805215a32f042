/** Agents that are called as tools, and agents in a fixed order. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import {
  Agent,
  type AgentRunner,
  Compose,
  Instructions,
  Interrupt,
  Middleware,
  Reducer,
  State,
  SubAgent,
  Tool,
  ToolCall,
  Toolkit,
  Transfer
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { line } from "../../message.ts"
import { conversation, resultsOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Shared = State.make("shared", {
  first: State.optional(Schema.String),
  output: State.optional(Schema.Struct({ custom_output: Schema.String })),
  r1: State.optional(Schema.String),
  r2: State.optional(Schema.String),
  n: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})

/** What the model was told, its instructions included. */
const heard = (request: ScriptedModel.Request | undefined): ReadonlyArray<string> =>
  (request?.prompt.content ?? []).map(line)

/** Who said what, in the order of the log. */
const said = ({ session }: AgentRunner.AgentResult): ReadonlyArray<string> =>
  session.events.flatMap((event) => event.kind === "model" && event.calls.length === 0 ? [event.path.join(".")] : [])

const plain = <const Name extends string>(name: Name) => SubAgent.make(Agent.make(name, { instructions: "" }))

const Exit = Tool.make("exit_loop", {})
const exits = Toolkit.layer(Toolkit.make(Exit), {
  exit_loop: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => actions.escalate)
})
const exiting = <const Name extends string>(name: Name) =>
  SubAgent.make(Agent.make(name, { instructions: "", toolkit: Toolkit.make(Exit) }))

describe("adk 2.8: agents as tools, and in a fixed order", () => {
  it.effect("T180 an agent is called as a tool, and its answer is the call's result", () =>
    Effect.gen(function*() {
      const Root = Agent.make("root", { instructions: "", subAgents: [plain("tool_agent")] })
      const { requests, send } = yield* conversation(Root, [
        call("tool_agent", { task: "test1" }),
        text("response1"),
        text("response2")
      ])
      const done = yield* send("go")
      assert.deepStrictEqual(resultsOf(done), ["response1"])
      assert.strictEqual(done._tag === "Completed" && done.text, "response2")
      assert.deepStrictEqual(heard(requests[1]), ["user: test1"])
    }))

  it.effect("T181 what a hook before the sub-agent's run writes is in its instructions, and comes back", () =>
    Effect.gen(function*() {
      const Changing = Middleware.make("changing", {
        hooks: [Middleware.beforeRun({ writes: [Shared.first] }, () => Shared.first.set("changed"))]
      })
      const Child = Agent.make("child", {
        instructions: Instructions.template`input: ${Shared.first}`,
        middleware: [Changing]
      })
      const Root = Agent.make("root", {
        instructions: "",
        subAgents: [SubAgent.make(Child, { returns: [Shared.first] })]
      })
      const { requests, send } = yield* conversation(Root, [call("child", { task: "go" }), text("a"), text("b")])
      const { session } = yield* send("go", { state: [Shared.first.to("from the parent")] })
      assert.strictEqual(heard(requests[1])[0], "system: input: changed")
      assert.deepStrictEqual(session.state.get(Shared.first), Option.some("changed"))
    }))

  it.effect("T183 takes typed arguments, gives a typed answer, and keeps it in a field", () =>
    Effect.gen(function*() {
      const Child = Agent.make("child", {
        instructions: "",
        output: Schema.Struct({ custom_output: Schema.String }),
        outputTo: Shared.output
      })
      const Root = Agent.make("root", {
        instructions: "",
        subAgents: [
          SubAgent.make(Child, {
            parameters: Schema.Struct({ custom_input: Schema.String }),
            returns: [Shared.output]
          })
        ]
      })
      const { requests, send } = yield* conversation(Root, [
        call("child", { custom_input: "test1" }),
        text(`{"custom_output":"response1"}`),
        text("done")
      ])
      const done = yield* send("go")
      assert.include(heard(requests[1]), `user: {"custom_input":"test1"}`)
      assert.deepStrictEqual(resultsOf(done), [{ custom_output: "response1" }])
      assert.deepStrictEqual(done.session.state.get(Shared.output), Option.some({ custom_output: "response1" }))
    }))

  it.effect("T184 two sub-agents side by side both keep their answers", () =>
    Effect.gen(function*() {
      const One = Agent.make("one", { instructions: "", outputTo: Shared.r1 })
      const Two = Agent.make("two", { instructions: "", outputTo: Shared.r2 })
      const Root = Agent.make("root", {
        instructions: "",
        subAgents: [SubAgent.make(One, { returns: [Shared.r1] }), SubAgent.make(Two, { returns: [Shared.r2] })]
      })
      const { send } = yield* conversation(Root, {
        root: [
          calls({ tool: "one", parameters: { task: "a" } }, { tool: "two", parameters: { task: "b" } }),
          text("done")
        ],
        one: [text("1")],
        two: [text("2")]
      })
      const { session } = yield* send("go")
      assert.deepStrictEqual([session.state.get(Shared.r1), session.state.get(Shared.r2)], [
        Option.some("1"),
        Option.some("2")
      ])
    }))

  it.effect("T185 a second call sees the parent's state of then, and nothing of the first call's messages", () =>
    Effect.gen(function*() {
      const Child = Agent.make("child", { instructions: Instructions.template`n is ${Shared.n}` })
      const Add = Tool.make("add", { combines: [Shared.n] })
      const Root = Agent.make("root", {
        instructions: "",
        toolkit: Toolkit.make(Add),
        subAgents: [SubAgent.make(Child)]
      })
      const { requests, send } = yield* conversation(Root, {
        root: [call("add"), call("child", { task: "a" }), call("add"), call("child", { task: "b" }), text("done")],
        child: [text("one"), text("two")]
      })
      yield* send("go").pipe(Effect.provide(Toolkit.layer(Toolkit.make(Add), { add: () => Shared.n.combine(1) })))
      const [first, second] = requests.filter(({ agent }) => agent === "child").map(heard)
      assert.deepStrictEqual([first, second], [["system: n is 1", "user: a"], ["system: n is 2", "user: b"]])
    }))

  it.effect("T186 a sub-agent that wants an approval pauses its parent with that question", () =>
    Effect.gen(function*() {
      const Delete = Tool.make("delete", { success: Schema.String, approval: true })
      const Child = Agent.make("child", { instructions: "", toolkit: Toolkit.make(Delete) })
      const Root = Agent.make("root", { instructions: "", subAgents: [SubAgent.make(Child)] })
      const { answer, send } = yield* conversation(Root, {
        root: [call("child", { task: "a" }), text("done")],
        child: [call("delete"), text("deleted")]
      })
      const live = Toolkit.layer(Toolkit.make(Delete), { delete: () => Effect.succeed("gone") })
      const paused = yield* send("go").pipe(Effect.provide(live))
      const [open] = paused._tag === "Paused" ? paused.open : []
      assert.deepStrictEqual([open?.name, open?.agentPath], ["approval", ["root", "child"]])
      const done = yield* answer(Interrupt.approve(open?.id ?? "")).pipe(Effect.provide(live))
      assert.strictEqual(done._tag === "Completed" && done.text, "done")
    }))

  it.effect("T191 a transfer to a sequence: its members answer in turn, and the next message goes to the root", () =>
    Effect.gen(function*() {
      const Both = Compose.sequential("both", { subAgents: [plain("s1"), plain("s2")] })
      const Root = Agent.make("root", { instructions: "", transfers: [Transfer.make(Both)] })
      const { send } = yield* conversation(Root, {
        root: [call("transfer_to_agent", { agent_name: "both" }), text("again")],
        s1: [text("a")],
        s2: [text("b")]
      })
      const first = yield* send("go")
      assert.deepStrictEqual(said(first), ["both.s1", "both.s2", "both"])
      const second = yield* send("and?")
      assert.deepStrictEqual(second._tag === "Completed" && [second.agent, second.text], ["root", "again"])
    }))

  it.effect("T193 a transfer to a loop: it goes round until a member ends it, and the next message goes to the root", () =>
    Effect.gen(function*() {
      const Round = Compose.loop("round", { subAgents: [plain("l1"), exiting("l2")], times: 9 })
      const Root = Agent.make("root", { instructions: "", transfers: [Transfer.make(Round)] })
      const { send } = yield* conversation(Root, {
        root: [call("transfer_to_agent", { agent_name: "round" }), text("again")],
        l1: [text("a"), text("c")],
        l2: [text("b"), { text: "d", calls: [{ tool: "exit_loop" }] }]
      })
      const first = yield* send("go")
      assert.deepStrictEqual(first._tag === "Completed" && [first.agent, first.text], ["round", "d"])
      const second = yield* send("and?")
      assert.strictEqual(second._tag === "Completed" && second.agent, "root")
    }).pipe(Effect.provide(exits)))

  it.effect("T194 a loop ends after its rounds", () =>
    Effect.gen(function*() {
      const Round = Compose.loop("round", { subAgents: [plain("l1")], times: 2 })
      const { requests, send } = yield* conversation(Round, { l1: [text("a"), text("b")] })
      const done = yield* send("go")
      assert.deepStrictEqual([requests.length, done._tag === "Completed" && done.text], [2, "b"])
    }))

  it.effect("T195 a loop ends with the member that escalates", () =>
    Effect.gen(function*() {
      const Round = Compose.loop("round", { subAgents: [plain("l1"), exiting("l2"), plain("l3")], times: 2 })
      const { requests, send } = yield* conversation(Round, {
        l1: [text("a")],
        l2: [{ text: "b", calls: [{ tool: "exit_loop" }] }],
        l3: [text("never")]
      })
      const done = yield* send("go")
      assert.deepStrictEqual([requests.length, done._tag === "Completed" && done.text], [2, "b"])
    }).pipe(Effect.provide(exits)))

  it.live("T196 side by side: the quicker one's events come first, each under its own path", () =>
    Effect.gen(function*() {
      const Both = Compose.parallel("parallel", { subAgents: [plain("a1"), plain("a2")] })
      const { send } = yield* conversation(Both, {
        a1: [() => Effect.as(Effect.sleep("50 millis"), text("slow"))],
        a2: [text("quick")]
      })
      const done = yield* send("go")
      assert.deepStrictEqual(said(done), ["parallel.a2", "parallel.a1", "parallel"])
      assert.deepStrictEqual(done._tag === "Completed" && done.output, { a1: "slow", a2: "quick" })
    }))

  it.effect("T198 side by side: two that add to one number both count", () =>
    Effect.gen(function*() {
      const Add = Tool.make("add", { combines: [Shared.n] })
      const adding = <const Name extends string>(name: Name) =>
        SubAgent.make(Agent.make(name, { instructions: "", toolkit: Toolkit.make(Add) }), { returns: [Shared.n] })
      const Both = Compose.parallel("both", { subAgents: [adding("a1"), adding("a2")] })
      const { send } = yield* conversation(Both, {
        a1: [call("add"), text("1")],
        a2: [call("add"), text("2")]
      })
      const { session } = yield* send("go").pipe(
        Effect.provide(Toolkit.layer(Toolkit.make(Add), { add: () => Shared.n.combine(1) }))
      )
      assert.strictEqual(session.state.get(Shared.n), 2)
    }))

  it.live("T199 side by side with one that escalates: nothing of the others is lost, and the root ends", () =>
    Effect.gen(function*() {
      const Both = Compose.parallel("both", { subAgents: [exiting("leaving"), plain("fast"), plain("slow")] })
      const Root = Agent.make("root", { instructions: "", subAgents: [SubAgent.make(Both)] })
      const { requests, send } = yield* conversation(Root, {
        root: [call("both", { task: "go" }), text("never")],
        leaving: [{ text: "enough", calls: [{ tool: "exit_loop" }] }],
        fast: [text("f")],
        slow: [() => Effect.as(Effect.sleep("30 millis"), text("s"))]
      })
      const done = yield* send("go")
      assert.deepStrictEqual(
        done._tag === "Completed" && JSON.parse(done.text),
        { leaving: "enough", fast: "f", slow: "s" }
      )
      assert.deepStrictEqual(requests.filter(({ agent }) => agent === "root").length, 1)
    }).pipe(Effect.provide(exits)))
})
