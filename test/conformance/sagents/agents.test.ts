import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import { Agent, AgentRunner, Middleware, SessionStore, State, Tool, ToolContext, Toolkit } from "tenon"
import { ResultCache } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, good, reasonOf, textOf, told } from "../../runner/fixtures.ts"
import { historyOf, world } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Write = Tool.make("write", { success: Schema.String })
const Read = Tool.make("read", { success: Schema.String })
const Look = Tool.make("look", { success: Schema.String })
const everything = Toolkit.layer(Toolkit.make(Write, Read, Look), {
  write: () => Effect.succeed("written"),
  read: () => Effect.succeed("read"),
  look: () => Effect.succeed("seen")
})

/** Middleware that tells its name and brings tools. */
const Files = Middleware.make("files", { instructions: "You may use files.", toolkit: Toolkit.make(Write, Read) })
const Manners = Middleware.make("manners", { instructions: "Be polite." })

describe("agents", () => {
  it.effect("T119 an agent is made without a model; a run without one does not compile", () =>
    Effect.gen(function*() {
      const run = AgentRunner.run(Agent.make("agent", { instructions: "" }), { session: "s-1", input: "Hello" })
      assert.strictEqual(textOf(yield* Effect.provide(run, world([text("Good day.")]))), "Good day.")
      // @ts-expect-error the model is missing
      // @effect-diagnostics-next-line missingEffectContext:off
      const without: Effect.Effect<AgentRunner.AgentResult, unknown, SessionStore.SessionStore> = run
      const exit = yield* Effect.exit(Effect.provide(without, SessionStore.layerMemory))
      assert.include(Exit.isFailure(exit) && Cause.pretty(exit.cause), "LanguageModel")
    }))

  it.effect("T120 an agent has the middleware that it lists, in that order, and none by default", () =>
    Effect.gen(function*() {
      const Names = Tool.make("names", { success: Schema.Array(Schema.String) })
      const kit = Toolkit.make(Names)
      const namesLive = Toolkit.layer(kit, {
        names: () => Effect.map(ToolContext.merged(Names), ({ parentMiddleware }) => parentMiddleware)
      })
      const agents = [
        Agent.make("agent", { instructions: "", toolkit: kit }),
        Agent.make("agent", { instructions: "", toolkit: kit, middleware: [Manners] }),
        Agent.make("agent", { instructions: "", toolkit: kit, middleware: [Manners, Files] })
      ]
      const listed = yield* Effect.forEach(agents, (agent) =>
        Effect.gen(function*() {
          const { run } = yield* conversation(agent, [call("names"), text("Done.")])
          return endsOf((yield* run()).session)
        }).pipe(Effect.provide([everything, namesLive])))
      assert.deepStrictEqual(listed, [[], ["manners"], ["manners", "files"]].map((names) => [good("names", names)]))
    }))

  it.effect("T121 the model is told what agent and middleware say, the agent first", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: "You are a clerk.", middleware: [Manners, Files] })
      const { requests, run } = yield* conversation(agent, [text("Hi.")])
      yield* run("Hello")
      assert.deepStrictEqual(told(requests[0]), [
        "system: You are a clerk.\n\nBe polite.\n\nYou may use files.",
        "user: Hello"
      ])
    }).pipe(Effect.provide(everything)))

  it.effect("T122 the model is shown the tools of agent and middleware", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions: "", toolkit: Toolkit.make(Look), middleware: [Files] })
      const { requests, run } = yield* conversation(agent, [call("read"), text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(requests[0]?.tools, ["look", "write", "read"])
      assert.include(historyOf(session), "tool: \"read\"")
    }).pipe(Effect.provide(everything)))

  it.effect("T124 what is configured wrongly is refused where it is made, or before the first model call, by name", () =>
    Effect.gen(function*() {
      const Notes = State.make("notes", { last: State.optional(Schema.String) })
      const Note = Tool.make("note", { writes: [Notes.last] })
      assert.throws(
        () => ResultCache.make({ tools: [Note] }),
        TypeError,
        /results of 'note' cannot be kept/
      )
      const Twin = Tool.make("read", { success: Schema.Int })
      assert.throws(
        () => Agent.make("agent", { instructions: "", toolkit: Toolkit.make(Twin), middleware: [Files as never] }),
        TypeError,
        "'read' names two tools: rename one"
      )
      const Env = ToolContext.make({ root: Schema.String })
      const Root = Middleware.make("root", {
        provides: [Middleware.provide(Env.root, {}, Effect.fail("no such folder"))]
      })
      const { requests, run } = yield* conversation(Agent.make("agent", { instructions: "", middleware: [Root] }), [])
      const failed = yield* reasonOf(run())
      assert.deepInclude(failed, { _tag: "HookFailed", middleware: "root" } as object)
      assert.include(failed.message, "root")
      assert.lengthOf(requests, 0)
    }))

  it.effect("T125 an agent has the limit of steps that it is given, and none without", () =>
    Effect.gen(function*() {
      const looking = Array.from({ length: 60 }, () => call("look"))
      const after = (limits: Agent.Limits) =>
        Effect.gen(function*() {
          const agent = Agent.make("agent", { instructions: "", toolkit: Toolkit.make(Look), limits })
          const { requests, run } = yield* conversation(agent, [...looking, text("Enough.")])
          return [(yield* Effect.exit(run()))._tag, requests.length]
        })
      assert.deepStrictEqual(yield* after({ steps: 10 }), ["Failure", 10])
      assert.deepStrictEqual(yield* after({}), ["Success", 61])
    }).pipe(Effect.provide(everything)))

  it.effect("T126 an agent without middleware answers a message", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Agent.make("agent", { instructions: "Help." }), [text("Mock response")])
      const result = yield* run("Hello")
      assert.deepStrictEqual(historyOf(result.session), ["user: Hello", "assistant: Mock response"])
    }))
})
