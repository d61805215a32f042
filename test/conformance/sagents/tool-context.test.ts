import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Middleware,
  Precedence,
  State,
  StateSerializer,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { callsOf, Env, world } from "./fixtures.ts"

const Conversation = State.make("conversation", { title: State.field(Schema.String, { initial: "Untitled" }) })

const Quiet = Middleware.make("quiet", {})

/** A tool that shows what it sees. */
const CheckContext = Tool.make("check_context", {
  success: Schema.String,
  context: [Env.userId, Env.tenant],
  reads: [Conversation.title]
})

const Assistant = Agent.make("assistant", {
  instructions: "Check.",
  toolkit: Toolkit.make(CheckContext),
  middleware: [Quiet]
})

const script = [ScriptedModel.call("check_context"), ScriptedModel.text("Done.")]

type View = ToolContext.Merged<AiTool.Requirements<typeof CheckContext>>

/** The handler of `check_context`, with the views that it had. */
const checking = () => {
  const views: Array<View> = []
  const live = Toolkit.layer(Toolkit.make(CheckContext), {
    check_context: Effect.fnUntraced(function*() {
      const view = yield* ToolContext.merged(CheckContext)
      views.push(view)
      return `${view.userId} of ${view.tenant}`
    })
  })
  return { views, live }
}

/** A tool that requires nothing. */
const Look = Tool.make("look", { success: Schema.String })
const looking = [ScriptedModel.call("look"), ScriptedModel.text("Done.")]
const Plain = Agent.make("support_agent", { instructions: "Look.", toolkit: Toolkit.make(Look) })

describe("tool context", () => {
  it.effect("T1 a tool receives what the caller supplied, flat, beside the agent's own keys", () =>
    Effect.gen(function*() {
      const { views, live } = checking()
      const result = yield* AgentRunner.run(Assistant, { session: "s-1", input: "Who am I?" }).pipe(
        Effect.provide([live, ToolContext.layer(Assistant, { userId: 42, tenant: "acme" }), world(script)])
      )
      assert.deepStrictEqual(callsOf(result.session), [{ tool: "check_context", failed: false, value: "42 of acme" }])
      const view = views[0] as View
      assert.deepStrictEqual(Object.keys(view).sort(), [
        "parentMiddleware",
        "parentTools",
        "state",
        "tenant",
        "toolCall",
        "toolContext",
        "userId"
      ])
      assert.deepStrictEqual(view.state, { conversation: { title: "Untitled" } })
      assert.deepStrictEqual(view.parentTools, ["check_context"])
      assert.deepStrictEqual(view.parentMiddleware, ["quiet"])
      assert.deepStrictEqual({ ...view.toolContext }, { userId: 42, tenant: "acme" })
    }))

  it.effect("T2 the agent's own keys are there when the caller supplies nothing", () =>
    Effect.gen(function*() {
      const views: Array<ToolContext.Merged<AiTool.Requirements<typeof Look>>> = []
      const live = Toolkit.layer(Toolkit.make(Look), {
        look: () => Effect.as(Effect.map(ToolContext.merged(Look), (view) => views.push(view)), "seen")
      })
      yield* AgentRunner.run(Plain, { session: "s-1", input: "Look." }).pipe(Effect.provide([live, world(looking)]))
      const [view] = views
      assert.deepStrictEqual(Object.keys(view ?? {}), [
        "state",
        "parentTools",
        "parentMiddleware",
        "toolContext",
        "toolCall"
      ])
      assert.deepStrictEqual(view?.state, {})
      assert.deepStrictEqual(view?.parentMiddleware, [])
      assert.deepStrictEqual({ ...view?.toolContext }, {})
    }))

  it.effect("T4 the agent's id stands in the call, and is the author of the call's event", () =>
    Effect.gen(function*() {
      const { views, live } = checking()
      const result = yield* AgentRunner.run(Assistant, { session: "s-1", input: "Who am I?" }).pipe(
        Effect.provide([live, ToolContext.layer(Assistant, { userId: 42, tenant: "acme" }), world(script)])
      )
      assert.deepStrictEqual(views.map(({ toolCall }) => toolCall.agent), ["assistant"])
      assert.deepStrictEqual(
        result.session.events.flatMap((event) => event.kind === "call" ? [event.agent] : []),
        ["assistant"]
      )
    }))

  it.effect("T5 the agent's own identity wins over a value of the same name, and a warning names the name alone", () =>
    Effect.gen(function*() {
      const { views, live } = checking()
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => {
        logged.push(String(message))
      })
      const supplied = { userId: 42, tenant: "acme", toolCall: { agent: "caller-tried" }, state: "caller-tried" }
      yield* AgentRunner.run(Assistant, { session: "s-1", input: "Who am I?" }).pipe(
        Effect.provide([live, ToolContext.layerUnknown(Assistant, supplied), world(script)]),
        Effect.provide(Logger.layer([logger]))
      )
      assert.deepStrictEqual(views.map(({ toolCall, state }) => [toolCall.agent, state.conversation.title]), [
        ["assistant", "Untitled"]
      ])
      assert.deepStrictEqual(logged, [
        "a supplied ToolContext holds reserved names, the agent's own values win: toolCall, state"
      ])
      assert.deepStrictEqual(Precedence.override({ toolCall: "caller-tried", tenant: "acme" }, { toolCall: "ours" }), {
        toolCall: "ours",
        tenant: "acme"
      })
    }))

  it.effect("T7 what the caller annotates its spans with reaches the span of a tool, as it was given", () =>
    Effect.gen(function*() {
      const spans: Array<ReadonlyMap<string, unknown>> = []
      const live = Toolkit.layer(Toolkit.make(Look), {
        look: () =>
          Effect.currentSpan.pipe(
            Effect.orDie,
            Effect.map(({ attributes }) => {
              spans.push(new Map(attributes))
              return "seen"
            })
          )
      })
      yield* AgentRunner.run(Plain, { session: "s-1", input: "Look." }).pipe(
        Effect.annotateSpans({ "user.id": "u-1", "organization.id": "org-2" }),
        Effect.provide([live, world(looking)])
      )
      assert.deepStrictEqual(spans.map((attributes) => Object.fromEntries(attributes)), [{
        "user.id": "u-1",
        "organization.id": "org-2",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.call.id": "i1.1.1"
      }])
    }))

  it.effect("T10 a tool sees the session that it runs in", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const live = Toolkit.layer(Toolkit.make(Look), {
        look: () => Effect.map(ToolCall.ToolCall, ({ session }) => String(seen.push(session)))
      })
      for (const session of ["conv-1", "4211"]) {
        yield* AgentRunner.run(Plain, { session, input: "Look." }).pipe(Effect.provide([live, world(looking)]))
      }
      assert.deepStrictEqual(seen, ["conv-1", "4211"])
    }))

  it.effect("T11 the session's and the user's name are no part of the state that is written down", () =>
    Effect.gen(function*() {
      const { live } = checking()
      const result = yield* AgentRunner.run(Assistant, { session: "conv-1", user: "user-9", input: "Who am I?" }).pipe(
        Effect.provide([live, ToolContext.layer(Assistant, { userId: 42, tenant: "acme" }), world(script)])
      )
      const serializer = StateSerializer.make([Conversation])
      const envelope = yield* serializer.serialize(result.session.state)
      assert.strictEqual(
        JSON.stringify(envelope),
        `{"format":"tenon/state","version":1,"time":0,"sections":{"conversation":{"version":1,"data":{"title":"Untitled"}}}}`
      )
      const restored = yield* serializer.deserialize(envelope)
      assert.deepStrictEqual([...restored.values], [["conversation.title", "Untitled"]])
    }))

  it.effect("T12 a tool sees its agent's name and id", () =>
    Effect.gen(function*() {
      const seen: Array<ToolCall.ToolCall["Service"]> = []
      const live = Toolkit.layer(Toolkit.make(Look), {
        look: () => Effect.map(ToolCall.ToolCall, (call) => String(seen.push(call)))
      })
      yield* AgentRunner.run(Plain, { session: "s-1", input: "Look." }).pipe(Effect.provide([live, world(looking)]))
      assert.deepStrictEqual(seen.map(({ agent, agentPath }) => ({ agent, agentPath })), [
        { agent: "support_agent", agentPath: ["support_agent"] }
      ])
    }))

  it.effect("T15 every run sees its session and its context anew", () =>
    Effect.gen(function*() {
      const { views, live } = checking()
      yield* Effect.gen(function*() {
        for (const tenant of ["acme", "globex"]) {
          yield* AgentRunner.run(Assistant, { session: "conv-xyz", input: "Who am I?" }).pipe(
            Effect.provide(ToolContext.layer(Assistant, { userId: 42, tenant }))
          )
        }
      }).pipe(Effect.provide([live, world([...script, ...script])]))
      assert.deepStrictEqual(
        views.map(({ toolCall, tenant }) => [toolCall.session, toolCall.invocation, toolCall.id, tenant]),
        [["conv-xyz", "i1", "i1.1.1", "acme"], ["conv-xyz", "i2", "i2.1.1", "globex"]]
      )
    }))
})
