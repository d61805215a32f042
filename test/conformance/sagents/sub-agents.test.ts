import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Interrupt, Middleware, State, SubAgent, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { callsOf, Env, historyOf, restarted, world } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Report = State.make("report", {
  text: State.field(Schema.String, { initial: "" }),
  author: State.field(Schema.String, { initial: "" })
})

const WriteFile = Tool.make("write_file", {
  parameters: Schema.Struct({ path: Schema.String }),
  success: Schema.String,
  approval: true,
  writes: [Report.text]
})
const WriteKit = Toolkit.make(WriteFile)
const writeLive = Toolkit.layer(WriteKit, {
  write_file: ({ path }) => Effect.as(Report.text.set(path), `wrote ${path}`)
})

const Writer = Agent.make("writer", { instructions: "Write.", toolkit: WriteKit, description: "Writes files" })
const Reader = Agent.make("reader", { instructions: "Read." })
const Boss = Agent.make("boss", { instructions: "Delegate.", subAgents: [SubAgent.make(Writer)] })

const writing = {
  boss: [call("writer", { task: "Write a.txt." }), text("All done.")],
  writer: [call("write_file", { path: "a.txt" }), text("Written.")]
}

/** What a turn of a script was asked, put into `requests`. */
const noting =
  (requests: Array<ScriptedModel.Request>, turn: ScriptedModel.Turn) => (request: ScriptedModel.Request) => {
    requests.push(request)
    return turn
  }

const openOf = (result: AgentRunner.AgentResult) => result._tag === "Paused" ? result.open : []

// ----- a sub-agent whose tool asks twice ---------------------------------------

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
class Declined extends Schema.TaggedError<Declined>()("Declined", { step: Schema.String }) {}
const Deploy = Tool.make("deploy", {
  parameters: Schema.Struct({ to: Schema.String }),
  success: Schema.String,
  failure: Declined,
  asks: [Confirm]
})
const DeployKit = Toolkit.make(Deploy)
const deployLive = Toolkit.layer(DeployKit, {
  deploy: Effect.fnUntraced(function*({ to }) {
    if (!(yield* Confirm.ask(`Build for ${to}?`))) return yield* new Declined({ step: "build" })
    if (!(yield* Confirm.ask(`Ship to ${to}?`))) return yield* new Declined({ step: "ship" })
    return `shipped to ${to}`
  })
})
const Deployer = Agent.make("deployer", { instructions: "Deploy.", toolkit: DeployKit })
const Lead = Agent.make("lead", { instructions: "Lead.", subAgents: [SubAgent.make(Deployer)] })
const deploying = {
  lead: [call("deployer", { task: "Deploy." }), text("All done.")],
  deployer: [call("deploy", { to: "eu" }), text("Deployed.")]
}

const runLead = AgentRunner.run(Lead, { session: "s-1", input: "Go." })
const answerLead = (answers: ReadonlyArray<AgentRunner.Answers<typeof Lead>>) =>
  AgentRunner.resume(Lead, { session: "s-1", answers })

describe("sub-agents", () => {
  it.effect("T219 a sub-agent that cannot fit is refused where it is made, by name", () =>
    Effect.sync(() => {
      const Check = Tool.make("check", { context: [Env.userId, Env.tenant], writes: [Report.text] })
      const child = Agent.make("child", { instructions: "Check.", toolkit: Toolkit.make(Check) })
      assert.throws(
        // @ts-expect-error the child does not write this field
        () => SubAgent.make(child, { returns: [Report.author] }),
        TypeError,
        "'child' does not write 'report.author': it cannot come back"
      )
      assert.throws(
        // @ts-expect-error the child requires the tenant too
        () => SubAgent.make(child, { narrow: [Env.userId] }),
        TypeError,
        "add these keys, the sub-agent 'child' requires them: tenant"
      )
      assert.throws(
        // @ts-expect-error an agent would contain itself
        () => Agent.make("child", { instructions: "Help.", subAgents: [SubAgent.make(child)] }),
        TypeError,
        "an agent cannot contain itself: child"
      )
    }))

  it.effect("T221 sub-agents are tools by their names, ask the run's model, and are told apart", () =>
    Effect.gen(function*() {
      const requests: Array<ScriptedModel.Request> = []
      const both = Agent.make("both", {
        instructions: "Delegate.",
        subAgents: [SubAgent.make(Writer), SubAgent.make(Reader)]
      })
      yield* AgentRunner.run(both, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([
          writeLive,
          world({
            both: [noting(requests, call("reader", { task: "Read." })), noting(requests, text("Done."))],
            reader: [noting(requests, text("Read."))]
          })
        ])
      )
      assert.deepStrictEqual(requests.map(({ agent, tools }) => [agent, ...tools]), [
        ["both", "writer", "reader"],
        ["reader"],
        ["both", "writer", "reader"]
      ])
      assert.throws(
        // @ts-expect-error two sub-agents of one name
        () => Agent.make("twice", { instructions: "", subAgents: [SubAgent.make(Reader), SubAgent.make(Reader)] }),
        TypeError,
        "'reader' names two tools: rename one"
      )
    }))

  it.effect("T222 a sub-agent has its own middleware and tools, and inherits none", () =>
    Effect.gen(function*() {
      const around: Array<string> = []
      const marking = <const Name extends string>(name: Name) =>
        Middleware.make(name, {
          hooks: [Middleware.beforeModel({}, ({ agent }) =>
            Effect.sync(() => {
              around.push(`${name} around ${agent}`)
            }))]
        })
      const child = Agent.make("child", { instructions: "Help.", middleware: [marking("inner")] })
      const parent = Agent.make("parent", {
        instructions: "Help.",
        middleware: [marking("outer")],
        subAgents: [SubAgent.make(child)]
      })
      yield* AgentRunner.run(parent, { session: "s-1", input: "Go." }).pipe(
        Effect.provide(world({ parent: [call("child", { task: "Go." }), text("Done.")], child: [text("Done.")] }))
      )
      assert.deepStrictEqual(around, [
        "outer around parent",
        "inner around parent-sub-1",
        "outer around parent"
      ])
    }))

  it.effect("T225 a sub-agent starts with its instructions and the task, and none of its parent's messages", () =>
    Effect.gen(function*() {
      const requests: Array<ScriptedModel.Request> = []
      const child = Agent.make("child", {
        instructions: "You are the child.",
        middleware: [Middleware.make("polite", { instructions: "Be polite." })]
      })
      const parent = Agent.make("parent", { instructions: "You are the parent.", subAgents: [SubAgent.make(child)] })
      yield* AgentRunner.run(parent, { session: "s-1", input: "A secret." }).pipe(
        Effect.provide(world({
          parent: [call("child", { task: "Sum up." }), text("Done.")],
          child: [noting(requests, text("Summed up."))]
        }))
      )
      assert.deepStrictEqual(
        requests.map(({ prompt }) =>
          prompt.content.map(({ role, content }) =>
            typeof content === "string"
              ? [role, content]
              : [role, ...content.map((part) => part.type === "text" && part.text)]
          )
        ),
        [[["system", "You are the child.\n\nBe polite."], ["user", "Sum up."]]]
      )
    }))

  it.effect("T227 an unknown sub-agent is an error result that lists those there are, and the run goes on", () =>
    Effect.gen(function*() {
      const result = yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." })
      assert.deepStrictEqual(callsOf(result.session), [{
        tool: "librarian",
        failed: true,
        value: { _tag: "ToolNotFound", message: "there is no tool 'librarian'; there are: writer" }
      }])
      assert.strictEqual(result._tag === "Completed" && result.text, "I cannot.")
    }).pipe(Effect.provide([writeLive, world([call("librarian", { task: "Find it." }), text("I cannot.")])])))

  it.effect("T230 a sub-agent is offered its own tools, and no way to delegate that it does not have", () =>
    Effect.gen(function*() {
      const requests: Array<ScriptedModel.Request> = []
      const script = {
        boss: writing.boss,
        writer: [noting(requests, text("Nothing to write."))]
      }
      yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." }).pipe(Effect.provide([writeLive, world(script)]))
      assert.deepStrictEqual(requests.map(({ agent, tools }) => [agent, ...tools]), [["writer", "write_file"]])
    }))

  it.effect("T234 answers go down to the sub-agent: refused, taken, asked again, and an error when its tool fails", () =>
    Effect.gen(function*() {
      const first = yield* runLead
      assert.deepStrictEqual(openOf(first).map(({ id, question, agentPath }) => [id, question, ...agentPath]), [
        ["i1.1.1/1.1?1", "Build for eu?", "lead", "deployer"]
      ])
      const wrong = yield* Effect.flip(answerLead([Interrupt.approve("i1.1.1/1.1?1")]))
      assert.deepStrictEqual([wrong.reason._tag, wrong.message], [
        "AnswerRefused",
        "the answer to 'i1.1.1/1.1?1' was refused: it answers 'approval', the question is 'confirm'"
      ])
      const second = yield* answerLead([Confirm.answer("i1.1.1/1.1?1", true)])
      assert.deepStrictEqual(openOf(second).map(({ id, question }) => [id, question]), [
        ["i1.1.1/1.1?2", "Ship to eu?"]
      ])
      const third = yield* answerLead([Confirm.answer("i1.1.1/1.1?2", false)])
      assert.deepStrictEqual(callsOf(third.session), [
        { tool: "deploy", failed: true, value: { _tag: "Declined", step: "ship" } },
        { tool: "deployer", failed: false, value: "Deployed." }
      ])
      assert.strictEqual(third._tag === "Completed" && third.text, "All done.")
    }).pipe(Effect.provide([deployLive, world(deploying)])))

  it.effect("T235 the model is told what a sub-agent is for: here, else by the agent, else by its name", () =>
    Effect.sync(() => {
      const told = [
        SubAgent.make(Writer, { description: "Writes poems" }),
        SubAgent.make(Writer),
        SubAgent.make(Reader)
      ].map(({ tool }) => tool.description)
      assert.deepStrictEqual(told, ["Writes poems", "Writes files", "Delegates a task to the agent 'reader'."])
    }))

  it.effect("T237 a call that a person must approve pauses the sub-agent and its parent, and both end after it", () =>
    Effect.gen(function*() {
      const paused = yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." })
      assert.deepStrictEqual(callsOf(paused.session), [])
      const open = openOf(paused)
      assert.deepStrictEqual(open.map(({ name, tool, agentPath }) => [name, tool, ...agentPath]), [
        ["approval", "write_file", "boss", "writer"]
      ])
      const result = yield* AgentRunner.resume(Boss, {
        session: "s-1",
        answers: open.map(({ id }) => Interrupt.approve(id))
      })
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "write_file", failed: false, value: "wrote a.txt" },
        { tool: "writer", failed: false, value: "Written." }
      ])
      assert.deepStrictEqual(historyOf(result.session), [
        "user: Go.",
        "assistant: writer()",
        `tool: "Written."`,
        "assistant: All done."
      ])
      assert.deepStrictEqual(result.session.open, [])
    }).pipe(Effect.provide([writeLive, world(writing)])))

  it.effect("T239 a sub-agent whose process is gone goes on from its events, not from its start", () =>
    Effect.gen(function*() {
      const paused = yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([writeLive, world(writing)])
      )
      const result = yield* AgentRunner.resume(Boss, {
        session: "s-1",
        answers: openOf(paused).map(({ id }) => Interrupt.approve(id))
      }).pipe(Effect.provide([
        writeLive,
        restarted(paused.session, { boss: [text("All done.")], writer: [text("Written, later.")] })
      ]))
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "write_file", failed: false, value: "wrote a.txt" },
        { tool: "writer", failed: false, value: "Written, later." }
      ])
      assert.lengthOf(
        result.session.events.filter((event) => event.kind === "input" && event.agent === "boss-sub-1"),
        1
      )
    }))

  it.effect("T240 a call that ends a sub-agent's run can end its parent's too, with its words", () => {
    const Halt = Tool.make("halt", { parameters: Schema.Struct({ why: Schema.String }), success: Schema.String })
    const kit = Toolkit.make(Halt)
    const child = Agent.make("child", { instructions: "Work.", toolkit: kit })
    const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
    const root = Agent.make("root", { instructions: "Delegate.", subAgents: [SubAgent.make(parent)] })
    const requests: Array<ScriptedModel.Request> = []
    return Effect.gen(function*() {
      const result = yield* AgentRunner.run(root, { session: "s-1", input: "Go." })
      assert.strictEqual(result._tag === "Completed" && result.text, "Stopped: out of stock")
      assert.deepStrictEqual(requests.map(({ agent }) => agent), ["root", "parent", "child"])
      assert.deepStrictEqual(callsOf(result.session).map(({ tool, value }) => `${tool}: ${String(value)}`), [
        "halt: Stopped: out of stock",
        "child: Stopped: out of stock",
        "parent: Stopped: out of stock"
      ])
    }).pipe(Effect.provide([
      Toolkit.layer(kit, {
        halt: ({ why }) =>
          Effect.flatMap(ToolCall.ToolCall, ({ actions }) => Effect.as(actions.escalate, `Stopped: ${why}`))
      }),
      world({
        root: [noting(requests, call("parent", { task: "Go." }))],
        parent: [noting(requests, call("child", { task: "Go." }))],
        child: [noting(requests, call("halt", { why: "out of stock" }))]
      })
    ]))
  })

  it.effect("T242 questions of a sub-agent's own tools are answered, several of one step together", () =>
    Effect.gen(function*() {
      const first = yield* runLead
      assert.deepStrictEqual(openOf(first).map(({ id, question }) => [id, question]), [
        ["i1.1.1/1.1?1", "Build for eu?"],
        ["i1.1.1/1.2?1", "Build for us?"]
      ])
      const second = yield* answerLead(openOf(first).map(({ id }) => Confirm.answer(id, true)))
      const third = yield* answerLead(openOf(second).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(callsOf(third.session), [
        { tool: "deploy", failed: false, value: "shipped to eu" },
        { tool: "deploy", failed: false, value: "shipped to us" },
        { tool: "deployer", failed: false, value: "Deployed." }
      ])
    }).pipe(Effect.provide([
      deployLive,
      world({
        lead: deploying.lead,
        deployer: [
          ScriptedModel.calls(
            { tool: "deploy", parameters: { to: "eu" } },
            { tool: "deploy", parameters: { to: "us" } }
          ),
          text("Deployed.")
        ]
      })
    ])))
})
