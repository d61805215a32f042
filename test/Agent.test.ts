import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Instructions, Interrupt, Middleware, Reducer, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"

const Env = ToolContext.make({ tenant: Schema.String, user: Schema.Int, trace: Schema.String })
const Doc = State.make("doc", {
  title: State.field(Schema.String, { initial: "" }),
  words: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})

const Find = Tool.make("find", { context: [Env.tenant], reads: [Doc.title] })
const Count = Tool.make("count", { context: [Env.user], combines: [Doc.words] })

const requiredBy = ({ contract }: Agent.Any) => contract.requires.map(({ name }) => name)
const touchedBy = ({ contract }: Agent.Any) => contract.touches.map(({ field, mode }) => `${mode} ${field.name}`)

/** What the types would refuse. */
const forced = (value: unknown): never => value as never

describe("Agent", () => {
  describe("make", () => {
    it("requires and touches what its instructions, tools, middleware and sub-agents do", () => {
      const child = Agent.make("child", { instructions: "", toolkit: Toolkit.make(Count) })
      const agent = Agent.make("agent", {
        instructions: Instructions.template`You work for ${Env.tenant} on ${Doc.title}.`,
        middleware: [
          Middleware.make("trace", { hooks: [Middleware.beforeRun({ context: [Env.trace] }, () => Effect.void)] })
        ],
        subAgents: [SubAgent.make(child)]
      })
      assert.deepStrictEqual(requiredBy(agent), ["tenant", "user", "trace"])
      assert.deepStrictEqual(touchedBy(agent), ["read doc.title"])
      assert.deepStrictEqual([...agent.definition.sections.keys()], ["doc"])
    })

    it("lists what the model may call: its own tools, those of middleware, and its sub-agents", () => {
      const agent = Agent.make("agent", {
        instructions: "",
        toolkit: Toolkit.make(Find),
        middleware: [Middleware.make("counting", { toolkit: Toolkit.make(Count) })],
        subAgents: [
          SubAgent.make(Agent.make("child", { instructions: "", toolkit: Toolkit.make(Tool.make("inner", {})) }))
        ]
      })
      assert.deepStrictEqual([...agent.definition.tools.keys()], ["find", "count", "child"])
      assert.deepStrictEqual([...agent.definition.handled.keys()], ["find", "count", "inner"])
    })

    it("requires of its caller what middleware does not provide, from the inside out", () => {
      const provider = (name: string, needs: ReadonlyArray<unknown>) =>
        Middleware.make(name, {
          provides: [Middleware.provide(Env.tenant, forced({ context: needs }), Effect.succeed("acme"))]
        })
      const of = (middleware: ReadonlyArray<Middleware.Any>) =>
        requiredBy(Agent.make("agent", forced({ instructions: "", toolkit: Toolkit.make(Find, Count), middleware })))
      assert.deepStrictEqual(of([]), ["tenant", "user"])
      assert.deepStrictEqual(of([provider("one", [Env.trace])]), ["user", "trace"])
      // one that needs the key itself has it from the caller, or from one further out
      assert.deepStrictEqual(of([provider("one", [Env.tenant])]), ["user", "tenant"])
      assert.deepStrictEqual(of([provider("outer", [Env.trace]), provider("inner", [Env.tenant])]), ["user", "trace"])
    })

    it("holds the sections that middleware brings, though no contract touches them", () => {
      const agent = Agent.make("agent", { instructions: "", middleware: [Middleware.make("m", { sections: [Doc] })] })
      assert.deepStrictEqual([...agent.definition.sections.keys()], ["doc"])
      assert.deepStrictEqual(touchedBy(agent), [])
    })
  })

  describe("make, where names clash", () => {
    const twin = () => Tool.make("find", {})
    const child = (toolkit: unknown, name = "child") =>
      SubAgent.make(Agent.make(name, forced({ instructions: "", toolkit })))
    const make = (options: object) => () => Agent.make("agent", forced({ instructions: "", ...options }))

    it("refuses two tools of one name, wherever they stand in the tree", () => {
      const own = { toolkit: Toolkit.make(Find) }
      const sentence = "'find' names two tools: rename one"
      assert.throws(make({ ...own, middleware: [Middleware.make("m", { toolkit: Toolkit.make(twin()) })] }), sentence)
      assert.throws(make({ ...own, subAgents: [child(Toolkit.make(twin()))] }), sentence)
      assert.throws(make({ subAgents: [child(Toolkit.make(Find)), child(Toolkit.make(twin()), "other")] }), sentence)
      assert.throws(make({ ...own, subAgents: [child(undefined, "find")] }), sentence)
    })

    it("takes one tool at several places", () => {
      const agent = make({ toolkit: Toolkit.make(Find), subAgents: [child(Toolkit.make(Find))] })()
      assert.deepStrictEqual([...agent.definition.handled.keys()], ["find"])
    })

    it("refuses two sections, middleware or interrupts of one name", () => {
      const Other = State.make("doc", { title: State.field(Schema.Int, { initial: 0 }) })
      const Mine = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
      const Theirs = Interrupt.make("confirm", { question: Schema.String, answer: Schema.String })
      const asking = Toolkit.make(Tool.make("mine", { asks: [Mine] }), Tool.make("theirs", { asks: [Theirs] }))
      const both = Toolkit.make(Find, Tool.make("other", { reads: [Other.title] }))
      assert.throws(make({ toolkit: both }), "'doc' names two sections: rename one")
      assert.throws(make({ toolkit: asking }), "'confirm' names two interrupts: rename one")
      assert.throws(
        make({ middleware: [Middleware.make("m", {}), Middleware.make("m", {})] }),
        "'m' names two middleware: rename one"
      )
    })

    it("refuses an agent inside of itself, at any depth", () => {
      const inner = Agent.make("agent", { instructions: "" })
      const between = Agent.make("between", { instructions: "", subAgents: [SubAgent.make(inner)] })
      assert.throws(make({ subAgents: [SubAgent.make(between)] }), "an agent cannot contain itself: agent")
    })
  })
})

describe("SubAgent", () => {
  describe("make", () => {
    const child = Agent.make("child", {
      instructions: "",
      description: "Writes titles.",
      toolkit: Toolkit.make(Tool.make("write", { context: [Env.tenant], reads: [Doc.words], writes: [Doc.title] }))
    })

    it("is a tool with a task, described by the agent or by its own words", () => {
      const own = Agent.make("plain", { instructions: "" })
      assert.deepStrictEqual(
        [
          SubAgent.make(child).tool.description,
          SubAgent.make(child, { description: "Titles." }).tool.description,
          SubAgent.make(own).tool.description
        ],
        ["Writes titles.", "Titles.", "Delegates a task to the agent 'plain'."]
      )
      assert.deepStrictEqual([SubAgent.make(child).name, SubAgent.make(child).snapshot], ["child", "spawn"])
    })

    it("touches for its parent what comes back, and nothing else", () => {
      const touches = (subAgent: SubAgent.Any) =>
        subAgent.contract.touches.map(({ field, mode }) => `${mode} ${field.name}`)
      assert.deepStrictEqual(touches(SubAgent.make(child)), [])
      assert.deepStrictEqual(touches(SubAgent.make(child, { returns: [Doc.title] })), ["write doc.title"])
    })

    it("refuses to return what the child does not write", () => {
      assert.throws(
        () => SubAgent.make(child, forced({ returns: [Doc.words] })),
        "'child' does not write 'doc.words': it cannot come back"
      )
    })

    it("refuses to narrow away what the child requires", () => {
      assert.throws(
        () => SubAgent.make(child, forced({ narrow: [Env.user] })),
        "add these keys, the sub-agent 'child' requires them: tenant"
      )
      assert.strictEqual(SubAgent.make(child, { narrow: [Env.tenant, Env.user] }).name, "child")
    })

    it("refuses to return the outcome of a reducer of one's own from a step's snapshot", () => {
      const Own = State.make("own", {
        sum: State.field(Schema.Int, { initial: 0, reducer: Reducer.make((a: number, b: number) => a + b) })
      })
      const adder = Agent.make("adder", {
        instructions: "",
        toolkit: Toolkit.make(Tool.make("add", { combines: [Own.sum] }))
      })
      assert.throws(
        () => SubAgent.make(adder, { returns: [Own.sum], snapshot: "step" }),
        "'own.sum' has a reducer of its own: what comes back is its value, so the sub-agent must start from the spawn's state"
      )
    })
  })
})
