import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema, Tracer } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { Agent, AgentRunner, Middleware, Reducer, State, SubAgent, Tool, ToolCall, ToolContext, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { callsOf, Env, world } from "./fixtures.ts"

const Conversation = State.make("conversation", { title: State.field(Schema.String, { initial: "Untitled" }) })
const Debug = State.make("debug", { messages: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })

/** A tool of the sub-agent that shows what it sees. */
const Inspect = Tool.make("inspect", {
  success: Schema.String,
  context: [Env.userId, Env.tenant],
  reads: [Conversation.title, Debug.messages]
})

type View = ToolContext.Merged<AiTool.Requirements<typeof Inspect>>

const Researcher = Agent.make("researcher", {
  instructions: "Find sources.",
  toolkit: Toolkit.make(Inspect),
  middleware: [Middleware.make("of_the_child", {})]
})

const Assistant = Agent.make("assistant", {
  instructions: "Help.",
  middleware: [Middleware.make("of_the_parent", { sections: [Conversation] })],
  subAgents: [SubAgent.make(Researcher)]
})

const delegating = {
  assistant: [ScriptedModel.call("researcher", { task: "Look it up." }), ScriptedModel.text("Done.")],
  researcher: [ScriptedModel.call("inspect"), ScriptedModel.text("Found.")]
}

/** The handler of `inspect`, with the views that it had. */
const inspecting = () => {
  const views: Array<View> = []
  const live = Toolkit.layer(Toolkit.make(Inspect), {
    inspect: Effect.fnUntraced(function*() {
      const view = yield* ToolContext.merged(Inspect)
      views.push(view)
      return `${view.userId} of ${view.tenant}, in ${view.state.conversation.title}`
    })
  })
  return { views, live }
}

/** A tool that requires nothing, of a sub-agent that requires nothing. */
const Look = Tool.make("look", { success: Schema.String })
const Looker = Agent.make("looker", { instructions: "Look.", toolkit: Toolkit.make(Look) })
const Boss = Agent.make("boss", { instructions: "Delegate.", subAgents: [SubAgent.make(Looker)] })
const looking = {
  boss: [ScriptedModel.call("looker", { task: "Look." }), ScriptedModel.text("Done.")],
  looker: [ScriptedModel.call("look"), ScriptedModel.text("Seen.")]
}

/** The handler of `look`, with the calls that it ran in. */
const seeing = () => {
  const seen: Array<ToolCall.ToolCall["Service"]> = []
  const live = Toolkit.layer(Toolkit.make(Look), {
    look: () =>
      Effect.map(ToolCall.ToolCall, (call) => {
        seen.push(call)
        return "seen"
      })
  })
  return { seen, live }
}

/** Where a handler is told which organization it works for, as a fiber carries it. */
const Organization = Context.Reference<string>("test/Organization", { defaultValue: () => "none" })

const lookingFor = (around: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const live = Toolkit.layer(Toolkit.make(Look), { look: () => Effect.map(Organization, (name) => name) })
    const result = yield* around(AgentRunner.run(Boss, { session: "s-1", input: "Go." })).pipe(
      Effect.provide([live, world(looking)])
    )
    return callsOf(result.session)
  })

describe("tool context in sub-agents", () => {
  it.effect("T16 a sub-agent's tool receives what the caller supplied, flat, beside the child's own keys", () =>
    Effect.gen(function*() {
      const { views, live } = inspecting()
      yield* AgentRunner.run(Assistant, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([live, ToolContext.layer(Assistant, { userId: 123, tenant: "acme" }), world(delegating)])
      )
      assert.deepStrictEqual(
        views.map((
          { userId, tenant, state, parentTools, parentMiddleware }
        ) => [userId, tenant, state, parentTools, parentMiddleware]),
        [[
          123,
          "acme",
          { conversation: { title: "Untitled" }, debug: { messages: 0 } },
          ["inspect"],
          ["of_the_child"]
        ]]
      )
    }))

  it.effect("T17 a sub-agent's tool sees its own id, and who delegated to it", () =>
    Effect.gen(function*() {
      const { seen, live } = seeing()
      yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." }).pipe(Effect.provide([live, world(looking)]))
      assert.deepStrictEqual(seen.map(({ agent, agentPath }) => [agentPath[0], agent]), [["boss", "boss-sub-1"]])
    }))

  it.effect("T19 without a supplied context a sub-agent's tool sees the agent's own keys and no other", () =>
    Effect.gen(function*() {
      const views: Array<ToolContext.Merged<AiTool.Requirements<typeof Look>>> = []
      const live = Toolkit.layer(Toolkit.make(Look), {
        look: () =>
          Effect.map(ToolContext.merged(Look), (view) => {
            views.push(view)
            return "seen"
          })
      })
      yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." }).pipe(Effect.provide([live, world(looking)]))
      assert.deepStrictEqual(views.map((view) => Object.keys(view)), [
        ["state", "parentTools", "parentMiddleware", "toolContext", "toolCall"]
      ])
      assert.deepStrictEqual(views.map(({ toolContext }) => ({ ...toolContext })), [{}])
    }))

  it.effect("T20 an agent sees the same context whether it runs alone or as a sub-agent", () =>
    Effect.gen(function*() {
      const { views, live } = inspecting()
      const alone = { researcher: delegating.researcher }
      yield* AgentRunner.run(Researcher, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([live, ToolContext.layer(Researcher, { userId: 789, tenant: "staging" }), world(alone)])
      )
      yield* AgentRunner.run(Assistant, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([live, ToolContext.layer(Assistant, { userId: 789, tenant: "staging" }), world(delegating)])
      )
      const shown = views.map(({ toolCall: _, ...rest }) => ({ ...rest, toolContext: { ...rest.toolContext } }))
      assert.deepStrictEqual(shown[0], {
        userId: 789,
        tenant: "staging",
        state: { conversation: { title: "Untitled" }, debug: { messages: 0 } },
        parentTools: ["inspect"],
        parentMiddleware: ["of_the_child"],
        toolContext: { userId: 789, tenant: "staging" }
      })
      assert.deepStrictEqual(shown[1], shown[0])
      assert.deepStrictEqual(views.map(({ toolCall }) => toolCall.agent), ["researcher", "assistant-sub-1"])
    }))

  it.effect("T21 a sub-agent starts from its parent's state, and sees it under state alone", () =>
    Effect.gen(function*() {
      const { views, live } = inspecting()
      yield* AgentRunner.run(Assistant, {
        session: "s-1",
        input: "Go.",
        state: [Conversation.title.to("Research Chat"), Debug.messages.to(5)]
      }).pipe(Effect.provide([live, ToolContext.layer(Assistant, { userId: 1, tenant: "acme" }), world(delegating)]))
      assert.deepStrictEqual(views.map(({ state }) => state), [
        { conversation: { title: "Research Chat" }, debug: { messages: 5 } }
      ])
      assert.deepStrictEqual(views.flatMap((view) => Object.keys(view)).sort(), [
        "parentMiddleware",
        "parentTools",
        "state",
        "tenant",
        "toolCall",
        "toolContext",
        "userId"
      ])
    }))

  it.effect("T22 state that only the sub-agent declares is kept in the session, and is there in the next run", () =>
    Effect.gen(function*() {
      const { views, live } = inspecting()
      yield* Effect.gen(function*() {
        yield* AgentRunner.run(Assistant, { session: "s-1", input: "Go.", state: [Debug.messages.to(5)] })
        yield* AgentRunner.run(Assistant, { session: "s-1", input: "Again." })
      }).pipe(Effect.provide([
        live,
        ToolContext.layer(Assistant, { userId: 1, tenant: "acme" }),
        world({
          assistant: [...delegating.assistant, ...delegating.assistant],
          researcher: [...delegating.researcher, ...delegating.researcher]
        })
      ]))
      assert.deepStrictEqual(views.map(({ toolCall, state }) => [toolCall.agent, state.debug.messages]), [
        ["assistant-sub-1", 5],
        ["assistant-sub-2", 5]
      ])
    }))

  it.effect("T24 a sub-agent has an id of its own, whatever state it inherits", () =>
    Effect.gen(function*() {
      const { views, live } = inspecting()
      yield* AgentRunner.run(Assistant, {
        session: "s-1",
        input: "Go.",
        state: [Conversation.title.to("assistant")]
      }).pipe(Effect.provide([live, ToolContext.layer(Assistant, { userId: 1, tenant: "acme" }), world(delegating)]))
      assert.deepStrictEqual(views.map(({ toolCall, state }) => [toolCall.agent, state.conversation.title]), [
        ["assistant-sub-1", "assistant"]
      ])
    }))

  it.effect("T25 a sub-agent's tool sees supplied values flat and state nested, in one view", () =>
    Effect.gen(function*() {
      const { live } = inspecting()
      const result = yield* AgentRunner.run(Assistant, {
        session: "s-1",
        input: "Go.",
        state: [Conversation.title.to("Research Chat")]
      }).pipe(Effect.provide([live, ToolContext.layer(Assistant, { userId: 42, tenant: "acme" }), world(delegating)]))
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "inspect", failed: false, value: "42 of acme, in Research Chat" },
        { tool: "researcher", failed: false, value: "Found." }
      ])
    }))

  it.effect("T26 a tool reads a key in the same words in its agent and in a sub-agent", () =>
    Effect.gen(function*() {
      const Project = ToolContext.make({ projectId: Schema.Int })
      const GetProject = Tool.make("get_project", { success: Schema.String, context: [Project.projectId] })
      const live = Toolkit.layer(Toolkit.make(GetProject), {
        get_project: () => Effect.map(Project.projectId, (id) => `Project: ${id}`)
      })
      const child = Agent.make("child", { instructions: "Help.", toolkit: Toolkit.make(GetProject) })
      const parent = Agent.make("parent", {
        instructions: "Help.",
        toolkit: Toolkit.make(GetProject),
        subAgents: [SubAgent.make(child)]
      })
      const result = yield* AgentRunner.run(parent, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([
          live,
          ToolContext.layer(parent, { projectId: 42 }),
          world({
            parent: [
              ScriptedModel.call("get_project"),
              ScriptedModel.call("child", { task: "Go." }),
              ScriptedModel.text("Done.")
            ],
            child: [ScriptedModel.call("get_project"), ScriptedModel.text("Got it.")]
          })
        ])
      )
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "get_project", failed: false, value: "Project: 42" },
        { tool: "get_project", failed: false, value: "Project: 42" },
        { tool: "child", failed: false, value: "Got it." }
      ])
    }))

  it.effect("T27 the supplied values stand under toolContext too, in a sub-agent as in an agent", () =>
    Effect.gen(function*() {
      const { views, live } = inspecting()
      yield* AgentRunner.run(Assistant, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([live, ToolContext.layer(Assistant, { userId: 42, tenant: "acme" }), world(delegating)])
      )
      assert.deepStrictEqual(
        views.map(({ toolContext, userId, tenant }) => [{ ...toolContext }, { userId, tenant }]),
        [[{ userId: 42, tenant: "acme" }, { userId: 42, tenant: "acme" }]]
      )
    }))

  it.effect("T29 a sub-agent gets the supplied values that it declares, and nothing else of its parent's view", () =>
    Effect.gen(function*() {
      const Keys = ToolContext.make({ apiKey: Schema.String, model: Schema.String })
      const Parental = Tool.make("parental", { success: Schema.String, context: [Keys.apiKey] })
      const { views, live } = inspecting()
      const parent = Agent.make("parent", {
        instructions: "Help.",
        toolkit: Toolkit.make(Parental),
        middleware: [
          Middleware.make("chooses_the_model", {
            provides: [Middleware.provide(Keys.model, {}, Effect.succeed("big"))]
          })
        ],
        subAgents: [SubAgent.make(Researcher, { narrow: [Env.userId, Env.tenant] })]
      })
      yield* AgentRunner.run(parent, { session: "s-1", input: "Go.", state: [Conversation.title.to("Chat")] }).pipe(
        Effect.provide([
          live,
          Toolkit.layer(Toolkit.make(Parental), { parental: () => Keys.apiKey }),
          ToolContext.layer(parent, { userId: 42, tenant: "acme", apiKey: "k-1" }),
          world({ parent: delegating.assistant, researcher: delegating.researcher })
        ])
      )
      const [view] = views
      assert.deepStrictEqual({ ...view?.toolContext }, { userId: 42, tenant: "acme" })
      assert.deepStrictEqual([view?.parentTools, view?.parentMiddleware], [["inspect"], ["of_the_child"]])
      assert.strictEqual(view?.state.conversation.title, "Chat")
      assert.strictEqual(view?.toolCall.agent, "parent-sub-1")
      assert.strictEqual(view?.toolCall.tool, "inspect")
    }))

  it.effect("T30 what a fiber carries around a run is there in a sub-agent's handler", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* lookingFor(Effect.provideService(Organization, "orgA")), [
        { tool: "look", failed: false, value: "orgA" },
        { tool: "looker", failed: false, value: "Seen." }
      ])
    }))

  it.effect("T31 where the fiber carries nothing, a sub-agent's handler sees the default", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* lookingFor((run) => run))[0], { tool: "look", failed: false, value: "none" })
    }))

  it.effect("T32 a call knows its lineage: the agents' names from the root, and the id that holds its parent's", () =>
    Effect.gen(function*() {
      const { seen, live } = seeing()
      const result = yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([live, world(looking)])
      )
      assert.deepStrictEqual(seen.map(({ agent, agentPath, id }) => ({ agent, agentPath, id })), [
        { agent: "boss-sub-1", agentPath: ["boss", "looker"], id: "i1.1.1/1.1" }
      ])
      assert.deepStrictEqual(
        result.session.events.flatMap((event) => event.kind === "call" ? [[event.agent, ...event.path]] : []),
        [["boss-sub-1", "boss", "looker"], ["boss", "boss"]]
      )
    }))

  /** The attributes of the spans of agents, in the order in which they began. */
  const agentSpans = (annotations: Readonly<Record<string, unknown>>) =>
    Effect.gen(function*() {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          if (options.name.startsWith("invoke_agent")) spans.push(span)
          return span
        }
      })
      yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." }).pipe(
        Effect.annotateSpans(annotations),
        Effect.withTracer(tracer),
        Effect.provide([seeing().live, world(looking)])
      )
      return spans.map(({ attributes }) => ({
        id: attributes.get("gen_ai.agent.id"),
        parent: attributes.get("tenon.agent.parent_id")
      }))
    })

  it.effect("T35 a sub-agent's span names its own id and its parent's", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* agentSpans({}), [
        { id: "boss", parent: undefined },
        { id: "boss-sub-1", parent: "boss" }
      ])
    }))

  it.effect("T36 what a caller annotates cannot replace the ids of an agent's span", () =>
    Effect.gen(function*() {
      const spoofed = { "gen_ai.agent.id": "spoofed", "tenon.agent.parent_id": "spoofed" }
      assert.deepStrictEqual((yield* agentSpans(spoofed)).at(-1), { id: "boss-sub-1", parent: "boss" })
    }))

  it.effect("T37 a sub-agent's id is its parent's and the number of the delegating call", () =>
    Effect.gen(function*() {
      const { seen, live } = seeing()
      const result = yield* AgentRunner.run(Boss, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([
          live,
          world({
            boss: [
              ScriptedModel.calls(
                { tool: "looker", parameters: { task: "One." } },
                { tool: "looker", parameters: { task: "Two." } }
              ),
              ScriptedModel.text("Done.")
            ],
            looker: [...looking.looker, ...looking.looker]
          })
        ])
      )
      assert.deepStrictEqual(seen.map(({ agent }) => agent).sort(), ["boss-sub-1", "boss-sub-2"])
      const spawned = result.session.events.flatMap((event) =>
        event.kind === "input" && event.spawn !== undefined ? [[event.agent, event.spawn.agent, event.spawn.call]] : []
      )
      assert.deepStrictEqual(spawned, [["boss-sub-1", "boss", "i1.1.1"], ["boss-sub-2", "boss", "i1.1.2"]])
    }))
})
