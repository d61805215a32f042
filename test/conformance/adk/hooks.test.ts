import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Artifacts, ArtifactStore, Middleware, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, resultsOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Text = Schema.Struct({ input_str: Schema.String })
const Simple = Tool.make("simple_function", { parameters: Text, success: Schema.Json })
const kit = Toolkit.make(Simple)
const live = Toolkit.layer(kit, { simple_function: ({ input_str }) => Effect.succeed({ result: input_str }) })
const simple = call("simple_function", { input_str: "test" })

/** An agent inside these hooks, each in a middleware of its own: the first is the outermost, as a plugin of ADK's is. */
const within = (...hooks: ReadonlyArray<Middleware.Hook<never>>) =>
  Agent.make("agent", {
    instructions: "",
    toolkit: kit,
    middleware: hooks.map((hook, index) => Middleware.make(`m${index}`, { hooks: [hook] }))
  })

/** Decisions given one after the other by hooks that count how often they are asked. */
const chain = <A>(decisions: ReadonlyArray<A>, hook: (run: () => Effect.Effect<A>) => Middleware.Hook<never>) => {
  const counts = decisions.map(() => 0)
  const hooks = decisions.map((decision, index) =>
    hook(() =>
      Effect.sync(() => {
        counts[index] = (counts[index] ?? 0) + 1
        return decision
      })
    )
  )
  return { agent: within(...hooks), counts }
}

const resultsIn = (agent: ReturnType<typeof within>) =>
  Effect.gen(function*() {
    const { send } = yield* conversation(agent, [simple, text("done")])
    return resultsOf(yield* send("go"))
  }).pipe(Effect.provide(live))

const answerIn = (agent: ReturnType<typeof within>) =>
  Effect.gen(function*() {
    const { requests, send } = yield* conversation(agent, [text("model")])
    const result = yield* send("go")
    return { text: result._tag === "Completed" ? result.text : "", requests: requests.length }
  }).pipe(Effect.provide(live))

const of = (test: string) => Middleware.result({ test })

describe("adk: callbacks and plugins", () => {
  it.effect("T105 a hook before a call gives its result: the tool is not called", () =>
    Effect.gen(function*() {
      const agent = within(Middleware.beforeTool({}, () => Effect.succeed(of("before_tool_callback"))))
      assert.deepStrictEqual(yield* resultsIn(agent), [{ test: "before_tool_callback" }])
    }))

  it.effect("T107 a hook before a call edits its arguments", () =>
    Effect.gen(function*() {
      const agent = within(
        Middleware.beforeTool({}, () => Effect.succeed(Middleware.edit({ input_str: "modified_input" })))
      )
      assert.deepStrictEqual(yield* resultsIn(agent), [{ result: "modified_input" }])
    }))

  it.effect("T108 a hook after a call gives another result, or none; it cannot edit the one that is there", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* resultsIn(within(Middleware.afterTool({}, () => Effect.succeed(of("after"))))),
        [{ test: "after" }]
      )
      assert.deepStrictEqual(
        yield* resultsIn(within(Middleware.afterTool({}, () => Effect.void))),
        [{ result: "test" }]
      )
      const editing = within(Middleware.afterTool({}, ({ result }) =>
        Effect.sync(() => {
          try {
            Object.assign(result.value as object, { result: "edited" })
          } catch {
            // frozen
          }
        })))
      assert.deepStrictEqual(yield* resultsIn(editing), [{ result: "test" }])
    }))

  it.effect("T109 the first result of the hooks before a call is the call's, and those after it do not run", () =>
    Effect.gen(function*() {
      const { agent, counts } = chain(
        [undefined, of("callback_2"), of("callback_3"), undefined],
        (run) => Middleware.beforeTool({}, run)
      )
      assert.deepStrictEqual(yield* resultsIn(agent), [{ test: "callback_2" }])
      assert.deepStrictEqual(counts, [1, 1, 0, 0])
    }))

  it.effect("T110 hooks before a call that decide nothing all run, and the tool runs", () =>
    Effect.gen(function*() {
      const { agent, counts } = chain(
        [undefined, undefined, undefined, undefined],
        (run) => Middleware.beforeTool({}, run)
      )
      assert.deepStrictEqual(yield* resultsIn(agent), [{ result: "test" }])
      assert.deepStrictEqual(counts, [1, 1, 1, 1])
    }))

  it.effect("T112 hooks after a call all run, from the inside out: the outermost has the last word", () =>
    Effect.gen(function*() {
      const { agent, counts } = chain(
        [undefined, of("callback_2"), of("callback_3"), undefined],
        (run) => Middleware.afterTool({}, run)
      )
      assert.deepStrictEqual(yield* resultsIn(agent), [{ test: "callback_2" }])
      assert.deepStrictEqual(counts, [1, 1, 1, 1])
    }))

  it.effect("T113 a hook before a model call answers: the model is not asked", () =>
    Effect.gen(function*() {
      const agent = within(
        Middleware.beforeModel({}, () => Effect.succeed(Middleware.answer("before_model_callback")))
      )
      assert.deepStrictEqual(yield* answerIn(agent), { text: "before_model_callback", requests: 0 })
    }))

  it.effect("T114 a hook after a model call answers in its place", () =>
    Effect.gen(function*() {
      const agent = within(Middleware.afterModel({}, () => Effect.succeed(Middleware.answer("after_model_callback"))))
      assert.deepStrictEqual(yield* answerIn(agent), { text: "after_model_callback", requests: 1 })
    }))

  it.effect("T115 chains of hooks around a model call decide as those around a tool call", () =>
    Effect.gen(function*() {
      const decisions = [undefined, Middleware.answer("2"), Middleware.answer("3"), undefined]
      const before = chain(decisions, (run) => Middleware.beforeModel({}, run))
      assert.deepStrictEqual(yield* answerIn(before.agent), { text: "2", requests: 0 })
      assert.deepStrictEqual(before.counts, [1, 1, 0, 0])
      const after = chain(decisions, (run) => Middleware.afterModel({}, run))
      assert.deepStrictEqual(yield* answerIn(after.agent), { text: "2", requests: 1 })
      assert.deepStrictEqual(after.counts, [1, 1, 1, 1])
    }))

  it.effect("T117 a hook after a run adds nothing, or a reply by the same agent", () =>
    Effect.gen(function*() {
      const said = (agent: ReturnType<typeof within>) =>
        Effect.gen(function*() {
          const { send } = yield* conversation(agent, [text("model")])
          const { session } = yield* send("go")
          return session.events.flatMap((event) => event.kind === "model" ? [event.agent] : [])
        }).pipe(Effect.provide(live))
      assert.deepStrictEqual(yield* said(within(Middleware.afterRun({}, () => Effect.void))), ["agent"])
      const replying = within(
        Middleware.afterRun({}, () => Effect.succeed(Middleware.answer("Agent reply from after agent callback.")))
      )
      assert.deepStrictEqual(yield* said(replying), ["agent", "agent"])
    }))

  it.effect("T118 a hook before a run saves an artifact, and its event has the version", () =>
    Effect.gen(function*() {
      const saving = Middleware.make("saving", {
        hooks: [
          Middleware.beforeRun(
            { writes: [Artifacts.Session] },
            () => Effect.asVoid(Artifacts.Session.save("brief.txt", "Be brief."))
          )
        ]
      })
      const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [saving] })
      const { send } = yield* conversation(agent, [text("done")])
      const { session } = yield* send("go")
      const written = session.events.flatMap((event) => event.kind === "hook" ? event.delta.operations : [])
      assert.deepStrictEqual(written.map(({ op, field }) => [op, field]), [["append", "artifacts.entries"]])
      const [version] = Artifacts.versionsIn(session.state.get(Artifacts.Session), "brief.txt")
      assert.deepInclude(version, { version: 0, size: 9 })
    }).pipe(Effect.provide([live, ArtifactStore.layerMemory])))

  it.effect("T119 an outer middleware's result wins, and the inner one is not asked", () =>
    Effect.gen(function*() {
      const { agent, counts } = chain([of("plugin"), of("agent")], (run) => Middleware.beforeTool({}, run))
      assert.deepStrictEqual([yield* resultsIn(agent), counts], [[{ test: "plugin" }], [1, 0]])
    }))

  it.effect("T120 an outer middleware replaces what came out", () =>
    Effect.gen(function*() {
      const { agent } = chain([of("plugin"), undefined], (run) => Middleware.afterTool({}, run))
      assert.deepStrictEqual(yield* resultsIn(agent), [{ test: "plugin" }])
    }))

  it("T122 two middleware of one name are refused", () => {
    const one = Middleware.make("plugin", { hooks: [] })
    const two = Middleware.make("plugin", { hooks: [] })
    assert.throws(() => Agent.make("agent", { instructions: "", middleware: [one, two] }), "plugin")
  })

  it.effect("T123 a hook that fails is told by its middleware and its kind", () =>
    Effect.gen(function*() {
      const agent = within(Middleware.beforeModel({}, () => Effect.fail("broken")))
      const { send } = yield* conversation(agent, [])
      const { reason } = yield* Effect.flip(send("go"))
      assert.deepInclude(reason, { _tag: "HookFailed", middleware: "m0", hook: "beforeModel" })
    }).pipe(Effect.provide(live)))

  it.effect("T127 two calls of a step each have one hook before and one after", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      const agent = within(
        Middleware.beforeTool({}, ({ parameters }) =>
          Effect.sync(() => void log.push(`before ${(parameters as typeof Text.Type).input_str}`))),
        Middleware.afterTool({}, ({ parameters }) =>
          Effect.sync(() =>
            void log.push(`after ${(parameters as typeof Text.Type).input_str}`)
          ))
      )
      const asked = (input_str: string) => ({ tool: "simple_function", parameters: { input_str } })
      const { send } = yield* conversation(agent, [calls(asked("a"), asked("b")), text("done")])
      yield* send("go")
      assert.deepStrictEqual(log.toSorted(), ["after a", "after b", "before a", "before b"])
    }).pipe(Effect.provide(live)))

  it.effect("T128 what a hook writes is stored when it ends, before the next one runs", () =>
    Effect.gen(function*() {
      const Keys = State.make("keys", {
        run: State.field(Schema.Boolean, { initial: false }),
        model: State.field(Schema.Boolean, { initial: false })
      })
      const seen: Array<readonly [string, boolean, boolean]> = []
      const look = (name: string) =>
        Effect.gen(function*() {
          seen.push([name, yield* Keys.run.get, yield* Keys.model.get])
        })
      const middleware = Middleware.make("keys", {
        hooks: [
          Middleware.beforeRun({ writes: [Keys.run] }, () => Keys.run.set(true)),
          Middleware.beforeModel({ reads: [Keys.run, Keys.model] }, () => look("beforeModel")),
          Middleware.beforeModel({ writes: [Keys.model] }, () => Keys.model.set(true)),
          Middleware.afterModel({ reads: [Keys.run, Keys.model] }, () => look("afterModel"))
        ]
      })
      const agent = Agent.make("agent", { instructions: "", middleware: [middleware] })
      const { load, send } = yield* conversation(agent, [text("done")])
      yield* send("go")
      assert.deepStrictEqual(seen, [["beforeModel", true, false], ["afterModel", true, true]])
      const { state } = yield* load({}, [Keys])
      assert.deepStrictEqual([state.get(Keys.run), state.get(Keys.model)], [true, true])
    }))
})
