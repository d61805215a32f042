import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Option, Schema, Stream } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Instructions,
  Middleware,
  Reducer,
  type Session,
  State,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { Compaction, ConversationTitle, Guardrails, RepairHistory } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, reasonOf, textOf, told } from "../../runner/fixtures.ts"
import { historyOf, restarted, world } from "./fixtures.ts"

const { call, text } = ScriptedModel
const { title } = ConversationTitle.Conversation

const titleOf = ({ session }: AgentRunner.AgentResult) => Option.getOrUndefined(session.state.get(title))

// ===== hooks that say who they are ============================================

const Trail = State.make("trail", {
  before: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  after: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() })
})

/** Notes its name before each model call and after it. */
const marking = <const Name extends string>(name: Name) =>
  Middleware.make(name, {
    hooks: [
      Middleware.beforeModel({ combines: [Trail.before] }, () => Trail.before.combine(name)),
      Middleware.afterModel({ combines: [Trail.after] }, () => Trail.after.combine(name))
    ]
  })
const Marked = Agent.make("agent", { instructions: "", middleware: [marking("first"), marking("second")] })

/** Notes the events that it sees. */
const watching = <const Name extends string>(name: Name, seen: Array<string>) =>
  Middleware.make(name, {
    hooks: [Middleware.onEvent({}, ({ kind }) => Effect.sync(() => seen.push(`${name} ${kind}`)))]
  })

const Echo = Tool.make("echo", { success: Schema.String })
const EchoKit = Toolkit.make(Echo)

describe("middleware", () => {
  it.effect("T127 hooks before a model call run in the order of the list", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Marked, [text("Hi.")])
      assert.deepStrictEqual((yield* run()).session.state.get(Trail.before), ["first", "second"])
    }))

  it.effect("T129 a hook that fails fails the run by its names, and the model is not asked", () =>
    Effect.gen(function*() {
      const Broken = Middleware.make("broken", {
        hooks: [Middleware.beforeModel({}, () => Effect.fail("before_model failed"))]
      })
      const { requests, run } = yield* conversation(Agent.make("agent", { instructions: "", middleware: [Broken] }), [])
      const reason = yield* reasonOf(run())
      assert.deepInclude(reason, { _tag: "HookFailed", middleware: "broken", hook: "beforeModel" } as object)
      assert.lengthOf(requests, 0)
    }))

  it.effect("T130 what hooks before and after a model call write is in the state, and the history is the model's", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Marked, [text("Hi.")])
      const { session } = yield* run("Hello")
      assert.deepStrictEqual(
        [session.state.get(Trail.before).length, session.state.get(Trail.after).length],
        [2, 2]
      )
      assert.deepStrictEqual(historyOf(session), ["user: Hello", "assistant: Hi."])
    }))

  it.effect("T131 hooks before run from the outside in, hooks after from the inside out", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Marked, [text("Hi.")])
      const { state } = (yield* run()).session
      assert.deepStrictEqual([state.get(Trail.before), state.get(Trail.after)], [["first", "second"], [
        "second",
        "first"
      ]])
    }))

  it.effect("T132 a middleware is a value, made with its options; what is none does not compile", () =>
    Effect.gen(function*() {
      const listed = Agent.make("agent", {
        instructions: "",
        middleware: [
          Middleware.make("plain", {}),
          ConversationTitle.make({ generate: () => Effect.succeed("A title") })
        ]
      })
      assert.deepStrictEqual(listed.definition.middleware.map(({ name }) => name), ["plain", "conversation_title"])
      // @ts-expect-error a text is no middleware
      const forced = () => Agent.make("agent", { instructions: "", middleware: ["plain"] })
      assert.throws(forced)
    }))

  it.effect("T134 instructions of middleware are none, a text or a template; several are parted by a blank line", () =>
    Effect.gen(function*() {
      const Env = ToolContext.make({ tenant: Schema.String })
      const none = Middleware.make("none", {})
      const plain = Middleware.make("plain", { instructions: "Be brief." })
      const template = Middleware.make("template", { instructions: Instructions.template`Serve ${Env.tenant}.` })
      const all = Agent.make("agent", { instructions: "", middleware: [plain, none, template] })
      const agents = [
        Agent.make("agent", { instructions: "", middleware: [none] }),
        Agent.make("agent", { instructions: "", middleware: [plain] }),
        all
      ]
      const said = yield* Effect.forEach(agents, (agent) =>
        Effect.gen(function*() {
          const { requests, run } = yield* conversation(agent, [text("Hi.")])
          yield* run("Hello")
          return told(requests[0]).slice(0, -1)
        }).pipe(Effect.provide(ToolContext.layer(all, { tenant: "acme" }))))
      assert.deepStrictEqual(said, [[], ["system: Be brief."], ["system: Be brief.\n\nServe acme."]])
    }))

  it.effect("T135 a middleware with nothing but a name changes nothing", () =>
    Effect.gen(function*() {
      const agents = [
        Agent.make("agent", { instructions: "Help." }),
        Agent.make("agent", { instructions: "Help.", middleware: [Middleware.make("plain", {})] })
      ]
      const [without, within] = yield* Effect.forEach(agents, (agent) =>
        Effect.gen(function*() {
          const { requests, run } = yield* conversation(agent, [text("Hi.")])
          const { session } = yield* run("Hello")
          return [requests, session.history, session.events.map(({ kind }) => kind), [...session.state.values]]
        }))
      assert.deepStrictEqual(within, without)
    }))

  it.effect("T136 of the hooks on events there may be none, one or several: each sees each event, in the list's order", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const [a, b] = [watching("a", seen), watching("b", seen)]
      const agents = [
        Agent.make("agent", { instructions: "" }),
        Agent.make("agent", { instructions: "", middleware: [a] }),
        Agent.make("agent", { instructions: "", middleware: [a, b] })
      ]
      const kinds = ["created", "input", "model", "ended"]
      const expected = [
        [],
        kinds.map((kind) => `a ${kind}`),
        kinds.flatMap((kind) => [`a ${kind}`, `b ${kind}`])
      ]
      for (const [index, agent] of agents.entries()) {
        const { run } = yield* conversation(agent, [text("Hi.")])
        yield* run()
        assert.deepStrictEqual(seen.splice(0), expected[index])
      }
    }))

  it.effect("T139 hooks on events run whether or not the caller reads events too", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const agent = Agent.make("agent", { instructions: "", middleware: [watching("a", seen)] })
      const { context, run } = yield* conversation(agent, [text("Hi."), text("Hi.")])
      yield* run()
      const alone = seen.splice(0)
      const items = yield* AgentRunner.stream(agent, { session: "s-2", input: "Go." }).pipe(
        Stream.provideContext(context),
        Stream.runCollect
      )
      assert.deepStrictEqual(seen, alone)
      assert.deepStrictEqual(
        items.flatMap((item) => item._tag === "Event" ? [`a ${item.event.kind}`] : []),
        alone
      )
    }))

  it.effect("T140 a caller's reader and the hooks on events each see every event, once and in the log's order", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const agent = Agent.make("agent", {
        instructions: "",
        toolkit: EchoKit,
        middleware: [watching("a", seen), Middleware.make("plain", {}), watching("b", seen)]
      })
      const { context, session } = yield* conversation(agent, [call("echo"), text("Hi.")])
      const read: Array<string> = []
      yield* AgentRunner.stream(agent, { app: "app", user: "u-1", session: "s-1", input: "Go." }).pipe(
        Stream.provideContext(context),
        Stream.runForEach((item) => Effect.sync(() => item._tag === "Event" && read.push(item.event.kind)))
      )
      const stored = (yield* session()).events.map(({ kind }) => kind)
      assert.deepStrictEqual(read, stored)
      assert.deepStrictEqual(seen, stored.flatMap((kind) => [`a ${kind}`, `b ${kind}`]))
    }).pipe(Effect.provide(Toolkit.layer(EchoKit, { echo: () => Effect.succeed("echo") }))))

  it.effect("T142 a middleware that cannot start fails the run by its name, and the session can go on", () =>
    Effect.gen(function*() {
      let works = false
      const Slow = Middleware.make("starting", {
        hooks: [Middleware.beforeRun({}, () => works ? Effect.void : Effect.fail("not yet"))]
      })
      const { requests, run } = yield* conversation(Agent.make("agent", { instructions: "", middleware: [Slow] }), [
        text("Here I am.")
      ])
      const reason = yield* reasonOf(run())
      assert.deepInclude(reason, { _tag: "HookFailed", middleware: "starting", hook: "beforeRun" } as object)
      assert.lengthOf(requests, 0)
      works = true
      assert.strictEqual(textOf(yield* run("Again.")), "Here I am.")
    }))

  it.effect("T144 at a run's start an inner middleware sees what an outer one wrote and provides", () =>
    Effect.gen(function*() {
      const Env = ToolContext.make({ first: Schema.String, second: Schema.String })
      const Seen = State.make("seen", { values: State.field(Schema.Array(Schema.String), { initial: [] }) })
      const outer = Middleware.make("outer", {
        provides: [Middleware.provide(Env.first, {}, Effect.succeed("first"))],
        hooks: [Middleware.beforeRun({ writes: [Seen.values] }, () => Seen.values.set(["outer"]))]
      })
      const middle = Middleware.make("middle", {
        provides: [
          Middleware.provide(Env.second, { context: [Env.first] }, Effect.map(Env.first, (first) => `${first}, second`))
        ]
      })
      const inner = Middleware.make("inner", {
        hooks: [
          Middleware.beforeRun(
            { context: [Env.second], writes: [Seen.values] },
            () => Effect.flatMap(Env.second, (second) => Seen.values.update((values) => [...values, second]))
          )
        ]
      })
      const agent = Agent.make("agent", { instructions: "", middleware: [outer, middle, inner] })
      const { run } = yield* conversation(agent, [text("Hi.")])
      assert.deepStrictEqual((yield* run()).session.state.get(Seen.values), ["outer", "first, second"])
    }))

  it.effect("T145 two middleware of one kind go by their names, and each has its own settings", () =>
    Effect.gen(function*() {
      const replacing = <const Name extends string>(name: Name, word: string) =>
        Guardrails.make(name, [
          Guardrails.input({}, ({ text }) => Effect.succeed(Guardrails.replace(text.replace(word, `(${name})`))))
        ])
      const agent = Agent.make("agent", {
        instructions: "",
        middleware: [replacing("names", "Ada"), replacing("numbers", "1815")]
      })
      const { requests, run } = yield* conversation(agent, [text("Hi.")])
      yield* run("Ada, born 1815")
      assert.include(told(requests[0]), "user: (names), born (numbers)")
      assert.throws(
        () => Agent.make("agent", { instructions: "", middleware: [replacing("names", "a"), replacing("names", "b")] }),
        TypeError,
        "'names' names two middleware: rename one"
      )
    }))

  it.effect("T150 a title is made once, at the first message; one that fails does not fail the run", () =>
    Effect.gen(function*() {
      const titled: Array<string> = []
      const entitling = (fails: boolean) =>
        Agent.make("agent", {
          instructions: "Help.",
          middleware: [ConversationTitle.make({
            when: "message",
            generate: ({ input }) =>
              Effect.suspend(() => {
                titled.push(input)
                return fails ? Effect.fail("no") : Effect.succeed(`About ${input}`)
              })
          })]
        })
      const say = (agent: ReturnType<typeof entitling>, input: string, given?: string) =>
        AgentRunner.run(agent, { session: "s-1", input, ...(given !== undefined && { state: [title.to(given)] }) })
      const answers = () => Effect.provide(Layer.merge(world([text("One."), text("Two.")]), Logger.layer([])))

      const twice = Effect.gen(function*() {
        const first = yield* say(entitling(false), "licences")
        // it is in the log as an event of its own
        assert.isTrue(first.session.events.some((event) => event.kind === "hook" && event.middleware.includes("title")))
        return [titleOf(first), titleOf(yield* say(entitling(false), "bugs"))]
      })
      assert.deepStrictEqual(yield* answers()(twice), ["About licences", "About licences"])
      const failed = yield* answers()(say(entitling(true), "licences"))
      assert.deepStrictEqual([failed._tag, titleOf(failed)], ["Completed", undefined])
      assert.strictEqual(titleOf(yield* answers()(say(entitling(false), "bugs", "Given"))), "Given")
      assert.deepStrictEqual(titled, ["licences", "licences"])
    }))

  it.effect("T151 each call without a result gets one, right after, that names tool and id and says cancelled", () =>
    Effect.gen(function*() {
      const call = (id: string) => Prompt.toolCallPart({ id, name: "find", params: {}, providerExecuted: false })
      const asking = (...ids: ReadonlyArray<string>) => Prompt.assistantMessage({ content: ids.map(call) })
      const answering = (...ids: ReadonlyArray<string>) =>
        Prompt.toolMessage({
          content: ids.map((id) =>
            Prompt.toolResultPart({ id, name: "find", isFailure: false, result: "ok", providerExecuted: false })
          )
        })
      const shape = (...messages: ReadonlyArray<Prompt.Message>) =>
        RepairHistory.repair(messages)?.map(({ content, role }) =>
          role === "tool" && typeof content !== "string"
            ? content.map((part) => part.type === "tool-result" ? `${part.id} ${part.isFailure}` : part.type).join()
            : role
        )
      // one, several, in several messages, partly answered, and answered before they were asked
      assert.deepStrictEqual(shape(asking("a")), ["assistant", "a true"])
      assert.deepStrictEqual(shape(asking("a", "b")), ["assistant", "a true", "b true"])
      assert.deepStrictEqual(shape(asking("a"), asking("b")), ["assistant", "a true", "assistant", "b true"])
      assert.deepStrictEqual(shape(asking("a", "b"), answering("a")), ["assistant", "b true", "a false"])
      assert.deepStrictEqual(shape(answering("a"), asking("a")), ["a false", "assistant", "a true"])
      assert.isUndefined(shape(asking("a"), answering("a")))

      const agent = Agent.make("agent", { instructions: "", middleware: [RepairHistory.make()] })
      const first = yield* Effect.provide(
        AgentRunner.run(agent, { session: "s-1", input: "Go." }),
        world([text("One.")])
      )
      const imported: Session.Session = {
        ...first.session,
        events: first.session.events.map((event) =>
          event.kind === "model" ? { ...event, messages: [asking("c-7")] } : event
        )
      }
      const told: Array<string> = []
      yield* Effect.provide(
        AgentRunner.run(agent, { session: "s-1", input: "And?" }),
        restarted(imported, [({ prompt }) => {
          told.push(...prompt.content.map((message) => `${message.role} ${JSON.stringify(message.content)}`))
          return text("Two.")
        }])
      )
      assert.deepStrictEqual(told.map((line) => line.split(" ")[0]), ["user", "assistant", "tool", "user"])
      for (const part of ["find", "c-7", "cancelled"]) assert.include(told[2], part)
    }))

  it.effect("T152 a history is cut between a step's calls and what comes next, never within; a failed summary leaves it", () =>
    Effect.gen(function*() {
      const Find = Tool.make("find", { success: Schema.String })
      const live = Toolkit.layer(Toolkit.make(Find), { find: () => Effect.succeed("ok") })
      const summarized: Array<ReadonlyArray<string>> = []
      const summarizing = (summarize: Effect.Effect<string, string>) =>
        Agent.make("agent", {
          instructions: "",
          toolkit: Toolkit.make(Find),
          middleware: [
            Compaction.make({
              when: Compaction.over(100, { keep: 1 }),
              summarize: (messages) => {
                summarized.push(messages.map(({ role }) => role))
                return summarize
              }
            })
          ]
        })
      // two calls of one step, whose model call goes over the limit
      const both = { calls: [{ tool: "find" }, { tool: "find" }], inputTokens: 200 }
      const talk = yield* conversation(summarizing(Effect.succeed("Summary")), [both, both, text("done")])
      const done = yield* talk.run().pipe(Effect.provide(live))
      assert.strictEqual(textOf(done), "done")
      for (const roles of summarized) {
        assert.strictEqual(
          roles.filter((role) => role === "tool").length,
          roles.filter((role) => role === "assistant").length
        )
      }
      assert.isAbove(summarized.length, 0)
      const heard = told(talk.requests.at(-1))
      assert.include(heard.join("\n"), "Summary")
      // results stand after the calls that they answer, all of a step's together
      for (const { prompt } of talk.requests) {
        for (const [index, { role }] of prompt.content.entries()) {
          if (role === "tool") assert.strictEqual(prompt.content[index - 1]?.role, "assistant")
        }
      }

      const failing = yield* conversation(summarizing(Effect.fail("no model")), [both, both, text("done")])
      assert.strictEqual(textOf(yield* failing.run().pipe(Effect.provide(live))), "done")
      assert.deepStrictEqual(
        failing.requests.at(-1)?.prompt.content.map(({ role }) => role),
        ["user", "assistant", "tool", "assistant", "tool"]
      )
    }).pipe(Effect.provide(Logger.layer([]))))
})
