import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  Actions,
  Agent,
  AgentRunner,
  Artifacts,
  ArtifactStore,
  Credentials,
  CredentialStore,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  State,
  StateDelta,
  SubAgent,
  Tool,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { answeredIn, callsOf, conversation, inheritedNames, resultsOf, told, world } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const X = Schema.Struct({ x: Schema.Int })
const Increase = Tool.make("increase_by_one", { parameters: X, success: Schema.Int })
const IncreaseKit = Toolkit.make(Increase)
const Increaser = Agent.make("increaser", { instructions: "Increase.", toolkit: IncreaseKit })

/** Increases, and keeps what it was called with. */
const increase = (seen: Array<number> = []) =>
  Toolkit.layer(IncreaseKit, {
    increase_by_one: ({ x }) =>
      Effect.sync(() => {
        seen.push(x)
        return x + 1
      })
  })

/** Four tools without state that take their time. */
const SlowKit = Toolkit.make(
  Tool.make("a", { success: Schema.String }),
  Tool.make("b", { success: Schema.String }),
  Tool.make("c", { success: Schema.String }),
  Tool.make("d", { success: Schema.String })
)
const Slower = Agent.make("slower", { instructions: "Take your time.", toolkit: SlowKit })

const slowly = (millis: number, log: Array<string> = []) => {
  const running = { now: 0, peak: 0 }
  const handler = (name: string) => () =>
    Effect.gen(function*() {
      log.push(`${name} starts`)
      running.now += 1
      running.peak = Math.max(running.peak, running.now)
      yield* Effect.sleep(millis)
      running.now -= 1
      log.push(`${name} ends`)
      return name
    })
  const layer = Toolkit.layer(SlowKit, { a: handler("a"), b: handler("b"), c: handler("c"), d: handler("d") })
  return { running, layer }
}

const kindsOf = ({ session }: AgentRunner.AgentResult) => session.events.map(({ kind }) => kind)
const elapsedOf = ({ session }: AgentRunner.AgentResult) => {
  const last = session.events.at(-1)
  return last?.kind === "ended" ? last.elapsed : undefined
}
const textOf = (result: AgentRunner.AgentResult) => result._tag === "Completed" ? result.text : result._tag

describe("adk 2.3: function calls and their responses", () => {
  it.effect("T060 calls a tool once, and asks the model again with the call and its result", () => {
    const seen: Array<number> = []
    return Effect.gen(function*() {
      const { requests, send } = yield* conversation(Increaser, [call("increase_by_one", { x: 1 }), text("response1")])
      const result = yield* send("test")
      assert.deepStrictEqual(kindsOf(result), ["created", "input", "model", "call", "model", "ended"])
      assert.deepStrictEqual(resultsOf(result), [2])
      assert.strictEqual(textOf(result), "response1")
      assert.deepStrictEqual(seen, [1])
      assert.strictEqual(requests.length, 2)
      assert.deepStrictEqual(told(requests, 1), ["user: test"])
      assert.deepStrictEqual(told(requests, 2), [
        "user: test",
        "assistant: increase_by_one({\"x\":1})",
        "tool: increase_by_one = 2"
      ])
    }).pipe(Effect.provide(increase(seen)))
  })

  it.effect("T061 answers the calls of one turn together, in the order asked for, whichever ends first", () => {
    const Twice = Tool.make("multiple_by_two", { parameters: X, success: Schema.Int })
    const TwiceAtOnce = Tool.make("multiple_by_two_sync", { parameters: X, success: Schema.Int })
    const Kit = Toolkit.make(Increase, Twice, TwiceAtOnce)
    return Effect.gen(function*() {
      const { requests, send } = yield* conversation(Agent.make("math", { instructions: "Count.", toolkit: Kit }), [
        calls(
          { tool: "increase_by_one", parameters: { x: 1 } },
          { tool: "multiple_by_two", parameters: { x: 2 } },
          { tool: "multiple_by_two_sync", parameters: { x: 3 } }
        ),
        text("response1")
      ])
      const fiber = yield* Effect.forkChild(send("test"))
      yield* TestClock.adjust(30)
      const result = yield* Fiber.join(fiber)
      assert.deepStrictEqual(resultsOf(result), [6, 4, 2])
      assert.deepStrictEqual(answeredIn(requests, 2).map(({ tool, value }) => [tool, value]), [
        ["increase_by_one", 2],
        ["multiple_by_two", 4],
        ["multiple_by_two_sync", 6]
      ])
    }).pipe(Effect.provide(Toolkit.layer(Kit, {
      increase_by_one: ({ x }) => Effect.delay(Effect.succeed(x + 1), 30),
      multiple_by_two: ({ x }) => Effect.delay(Effect.succeed(x * 2), 20),
      multiple_by_two_sync: ({ x }) => Effect.succeed(x * 2)
    })))
  })

  it.effect("T063 keeps what a tool wrote when the run is over", () => {
    const Numbers = State.make("numbers", { x: State.field(Schema.Int, { initial: 0 }) })
    const SetX = Tool.make("set_x", { writes: [Numbers.x] })
    const Kit = Toolkit.make(SetX)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("setter", { instructions: "Set.", toolkit: Kit }), [
        call("set_x"),
        text("done")
      ])
      const { session } = yield* send("test")
      assert.strictEqual(session.state.get(Numbers.x), 1)
    }).pipe(Effect.provide(Toolkit.layer(Kit, { set_x: () => Numbers.x.set(1) })))
  })

  it.effect("T064 gives calls ids where the provider gives none, and sends the provider's back as they came", () =>
    Effect.gen(function*() {
      const { requests, send } = yield* conversation(Increaser, [
        calls({ tool: "increase_by_one", parameters: { x: 1 }, id: "" }, {
          tool: "increase_by_one",
          parameters: { x: 2 },
          id: ""
        }),
        text("done")
      ])
      const result = yield* send("test")
      const asked = result.session.events.flatMap((event) => event.kind === "model" ? event.calls : [])
      assert.deepStrictEqual(asked.map(({ id, providerId }) => [id, providerId]), [["i1.1.1", ""], ["i1.1.2", ""]])
      assert.deepStrictEqual(callsOf(result).map((event) => event.call), ["i1.1.1", "i1.1.2"])
      const said = requests[1]?.prompt.content.at(-2)
      const sent = said?.role !== "assistant"
        ? []
        : said.content.map((part) => part.type === "tool-call" ? part.id : part.type)
      assert.deepStrictEqual(sent, ["", ""])
      assert.deepStrictEqual(answeredIn(requests, 2).map(({ id }) => id), ["", ""])
    }).pipe(Effect.provide(increase())))

  it.effect("T065 shows each request all the pairs before it, over several rounds", () =>
    Effect.gen(function*() {
      const { requests, send } = yield* conversation(Increaser, [
        ...[1, 2, 3].map((x) => call("increase_by_one", { x })),
        text("response1")
      ])
      const result = yield* send("test")
      const all = [
        "user: test",
        ...[1, 2, 3].flatMap((x) => [
          `assistant: increase_by_one({"x":${x}})`,
          `tool: increase_by_one = ${x + 1}`
        ])
      ]
      assert.strictEqual(requests.length, 4)
      for (const number of [1, 2, 3, 4]) assert.deepStrictEqual(told(requests, number), all.slice(0, 2 * number - 1))
      assert.deepStrictEqual(kindsOf(result), [
        "created",
        "input",
        ...[1, 2, 3].flatMap(() => ["model", "call"]),
        "model",
        "ended"
      ])
    }).pipe(Effect.provide(increase())))

  // ours: a result is what the tool's schema says, never wrapped
  const Job = Interrupt.make("job", { question: Schema.String, answer: Schema.Json })
  const Started = State.make("started", { jobs: State.field(Schema.Int, { initial: 0 }) })
  const Long = Tool.make("increase_by_one", {
    parameters: Schema.Struct({ x: Schema.Int }),
    success: Schema.Json,
    writes: [Started.jobs],
    asks: [Job]
  })
  const LongKit = Toolkit.make(Long)
  const longAgent = Agent.make("agent", { instructions: "", toolkit: LongKit })
  const pendingId = "i1.1.1?pending"
  /** The requests without the system message, each message on a line. */
  const asked = (requests: ReadonlyArray<ScriptedModel.Request>) =>
    requests.map((_, index) => told(requests, index + 1))
  const longing = (result: Schema.Json, then: Effect.Effect<void> = Effect.void) => {
    const calledWith: Array<number> = []
    const live = Toolkit.layer(LongKit, {
      increase_by_one: ({ x }) =>
        Effect.gen(function*() {
          calledWith.push(x)
          yield* Started.jobs.set(x)
          yield* Job.pending(`job ${x}`)
          yield* then
          return result
        })
    })
    return { calledWith, live }
  }

  it.effect("T066 ends a call pending; each later answer takes the result's place and starts a run", () => {
    const { calledWith, live } = longing({ status: "pending" })
    return Effect.gen(function*() {
      const { answer, requests, send } = yield* conversation(longAgent, [
        call("increase_by_one", { x: 1 }),
        text("response1"),
        text("response2"),
        text("response3"),
        text("response4")
      ])
      const first = yield* send("test1")
      assert.strictEqual(first._tag === "Completed" && first.text, "response1")
      assert.deepStrictEqual(first.session.open.map(({ id, mode }) => [id, mode]), [[pendingId, "pending"]])
      const second = yield* answer(Interrupt.progress(Job.answer(pendingId, { status: "still waiting" })))
      const third = yield* answer(Interrupt.progress(Job.answer(pendingId, { result: 2 })))
      const fourth = yield* answer(Job.answer(pendingId, { result: 3 }))
      assert.deepStrictEqual(
        [second, third, fourth].map((result) => result._tag === "Completed" && result.text),
        ["response2", "response3", "response4"]
      )
      assert.deepStrictEqual(calledWith, [1])
      assert.deepStrictEqual(asked(requests).map((lines) => lines.at(-1)), [
        "user: test1",
        "tool: increase_by_one = {\"status\":\"pending\"}",
        "tool: increase_by_one = {\"status\":\"still waiting\"}",
        "tool: increase_by_one = {\"result\":2}",
        "tool: increase_by_one = {\"result\":3}"
      ])
      assert.deepStrictEqual(asked(requests).map(({ length }) => length), [1, 3, 3, 3, 3])
      assert.deepStrictEqual(fourth.session.open, [])
      const again = yield* Effect.flip(answer(Job.answer(pendingId, 4)))
      assert.strictEqual(again.reason._tag, "AnswerRefused")
    }).pipe(Effect.provide(live))
  })

  it.effect("T070 an empty text as a pending result is a result", () => {
    const { live } = longing("")
    return Effect.gen(function*() {
      const { send } = yield* conversation(longAgent, [call("increase_by_one", { x: 1 }), text("done")])
      assert.deepStrictEqual(resultsOf(yield* send("go")), [""])
    }).pipe(Effect.provide(live))
  })

  it.effect("T071 a call that ends pending keeps its delta", () => {
    const { live } = longing({ status: "pending" })
    return Effect.gen(function*() {
      const { send } = yield* conversation(longAgent, [call("increase_by_one", { x: 7 }), text("done")])
      assert.strictEqual((yield* send("go")).session.state.get(Started.jobs), 7)
    }).pipe(Effect.provide(live))
  })

  it.effect("T073 a call that ends pending asks for its credential first, once and under its own id", () => {
    const Token = Credentials.make("token", { scheme: "bearer" })
    const Job = Interrupt.make("job", { question: Schema.String, answer: Schema.String })
    const Start = Tool.make("start", { failure: Credentials.Failure, asks: [Token, Job] })
    const Kit = Toolkit.make(Start)
    const starter = Agent.make("starter", { instructions: "Start.", toolkit: Kit })
    return Effect.gen(function*() {
      const { context } = yield* world([call("start"), text("started")])
      const where = { session: "s-1", user: "ada" }
      const { session } = yield* Effect.provideContext(
        AgentRunner.run(starter, { ...where, input: "go" }).pipe(
          Effect.tap(({ session }) =>
            Effect.sync(() =>
              assert.deepStrictEqual(session.open.map(({ id, name }) => [id, name]), [["i1.1.1?1", "credential"]])
            )
          ),
          Effect.flatMap(({ session }) =>
            Effect.forEach(
              Credentials.Question.among(session.open),
              (asked) =>
                Credentials.grant({ app: "starter", user: "ada" }, asked, { secret: Redacted.make("a secret") })
            )
          ),
          Effect.flatMap((answers) => AgentRunner.resume(starter, { ...where, answers }))
        ),
        context
      )
      assert.deepStrictEqual(session.open.map(({ id, name }) => [id, name]), [["i1.1.1?pending", "job"]])
      assert.strictEqual(session.events.filter(({ kind }) => kind === "asked").length, 2)
    }).pipe(Effect.provide([
      Toolkit.layer(Kit, { start: () => Effect.andThen(Token.get, Job.pending("the job")) }),
      CredentialStore.layerMemory
    ]))
  })

  it.effect("T074 a call that would end pending and fails has an error result, and nothing stays open", () => {
    const { live } = longing("", Effect.die(new Error("broken")))
    return Effect.gen(function*() {
      const { send } = yield* conversation(longAgent, [call("increase_by_one", { x: 1 }), text("done")])
      const result = yield* send("go")
      assert.deepStrictEqual(callsOf(result).map((event) => event.result.isFailure), [true])
      assert.deepStrictEqual(result.session.open, [])
    }).pipe(Effect.provide(live))
  })

  it.effect("T068 gives the model a list as a list", () => {
    const List = Tool.make("list", { success: Schema.Array(Schema.String) })
    const Kit = Toolkit.make(List)
    return Effect.gen(function*() {
      const { requests, send } = yield* conversation(Agent.make("lister", { instructions: "List.", toolkit: Kit }), [
        call("list"),
        text("done")
      ])
      assert.deepStrictEqual(resultsOf(yield* send("test")), [["item1", "item2"]])
      assert.strictEqual(told(requests, 2).at(-1), "tool: list = [\"item1\",\"item2\"]")
    }).pipe(Effect.provide(Toolkit.layer(Kit, { list: () => Effect.succeed(["item1", "item2"]) })))
  })

  it.effect("T069 gives the model null where a tool gives null", () => {
    const Nothing = Tool.make("nothing", { success: Schema.Null })
    const Kit = Toolkit.make(Nothing)
    return Effect.gen(function*() {
      const { requests, send } = yield* conversation(Agent.make("empty", { instructions: "Nothing.", toolkit: Kit }), [
        call("nothing"),
        text("done")
      ])
      assert.deepStrictEqual(callsOf(yield* send("test"))[0]?.result, { isFailure: false, value: null })
      assert.strictEqual(told(requests, 2).at(-1), "tool: nothing = null")
    }).pipe(Effect.provide(Toolkit.layer(Kit, { nothing: () => Effect.succeed(null) })))
  })

  // ours: a declared failure reaches the model as it is; the text of a defect stays inside
  it.effect("T075 gives the model a failed tool's declared failure, and no defect's text", () => {
    const Failed = Schema.Struct({ error: Schema.String })
    const Failing = Tool.make("errorTool", { success: Schema.Null, failure: Failed })
    const Dying = Tool.make("dyingTool", { success: Schema.Null })
    const Kit = Toolkit.make(Failing, Dying)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("failing", { instructions: "Fail.", toolkit: Kit }), [
        calls({ tool: "errorTool" }, { tool: "dyingTool" }),
        text("sorry")
      ])
      const result = yield* send("test")
      assert.deepStrictEqual(callsOf(result).map((event) => event.result), [
        { isFailure: true, value: { error: "tool error message content" } },
        { isFailure: true, value: { _tag: "ToolDied", message: "the tool 'dyingTool' failed unexpectedly" } }
      ])
      assert.strictEqual(textOf(result), "sorry")
      assert.notInclude(JSON.stringify(Session.encode(result.session.events)), "the password is")
    }).pipe(Effect.provide(Toolkit.layer(Kit, {
      errorTool: () => Effect.fail({ error: "tool error message content" }),
      dyingTool: () => Effect.die(new Error("the password is 1234"))
    })))
  })

  it.effect("T076 gives a hook's result in place of a failed one", () => {
    const Failing = Tool.make("errorTool", { success: Schema.Null, failure: Schema.String })
    const Kit = Toolkit.make(Failing)
    const mending = Middleware.make("mending", {
      hooks: [
        Middleware.afterTool({}, ({ result }) =>
          Effect.succeed(
            result.isFailure ? Middleware.result({ result: "onToolErrorCallback executed" }) : undefined
          ))
      ]
    })
    return Effect.gen(function*() {
      const { send } = yield* conversation(
        Agent.make("failing", { instructions: "Fail.", toolkit: Kit, middleware: [mending] }),
        [call("errorTool"), text("done")]
      )
      assert.deepStrictEqual(callsOf(yield* send("test")).map((event) => event.result), [
        { isFailure: false, value: { result: "onToolErrorCallback executed" } }
      ])
    }).pipe(Effect.provide(Toolkit.layer(Kit, { errorTool: () => Effect.fail("broken") })))
  })

  // ours: hooks after the call see it too, as every result
  it.effect("T078 gives a hook's result for a tool that nobody knows; no hook before it runs", () => {
    const before: Array<string> = []
    const knowing = Middleware.make("knowing", {
      hooks: [
        Middleware.beforeTool({}, ({ tool }) => Effect.sync(() => void before.push(tool))),
        Middleware.afterTool({}, ({ tool }) => Effect.succeed(Middleware.result({ handled: tool })))
      ]
    })
    return Effect.gen(function*() {
      const { send } = yield* conversation(
        Agent.make("agent", { instructions: "", middleware: [knowing] }),
        [call("ghost"), text("done")]
      )
      assert.deepStrictEqual(callsOf(yield* send("test")).map((event) => event.result), [
        { isFailure: false, value: { handled: "ghost" } }
      ])
      assert.deepStrictEqual(before, [])
    })
  })

  it.effect("T079 treats names that every object has as unknown tools", () =>
    Effect.gen(function*() {
      const { requests, send } = yield* conversation(Increaser, [
        calls(...inheritedNames.map((tool) => ({ tool }))),
        text("done")
      ])
      const result = yield* send("test")
      assert.deepStrictEqual(callsOf(result).map(({ tool }) => tool), inheritedNames)
      assert.deepStrictEqual(
        callsOf(result).map((event) => event.result),
        inheritedNames.map((name) => ({
          isFailure: true,
          value: { _tag: "ToolNotFound", message: `there is no tool '${name}'; there are: increase_by_one` }
        }))
      )
      assert.deepStrictEqual(answeredIn(requests, 2).map(({ tool }) => tool), inheritedNames)
    }).pipe(Effect.provide(increase())))

  it.effect("T080 answers an unknown tool at its place, and runs the calls around it", () =>
    Effect.gen(function*() {
      const { requests, send } = yield* conversation(Increaser, [
        calls(
          { tool: "increase_by_one", parameters: { x: 1 }, id: "p1" },
          { tool: "google_search", id: "p2" },
          { tool: "increase_by_one", parameters: { x: 2 }, id: "p3" }
        ),
        text("done")
      ])
      yield* send("test")
      const unknown = {
        _tag: "ToolNotFound",
        message: "there is no tool 'google_search'; there are: increase_by_one"
      }
      assert.deepStrictEqual(answeredIn(requests, 2), [
        { id: "p1", tool: "increase_by_one", failed: false, value: 2 },
        { id: "p2", tool: "google_search", failed: true, value: unknown },
        { id: "p3", tool: "increase_by_one", failed: false, value: 3 }
      ])
    }).pipe(Effect.provide(increase())))

  // ours: events are not merged; the history fold makes one message of the results of a step, in call order
  it.effect("T081 folds the ends of a step's calls into one message in the order asked for", () => {
    const { layer } = slowly(10)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Slower, [calls({ tool: "b" }, { tool: "a" }), call("c"), text("done")])
      const fiber = yield* Effect.forkChild(send("test"))
      yield* TestClock.adjust(10)
      yield* TestClock.adjust(10)
      const { session } = yield* Fiber.join(fiber)
      const [first, second] = session.events.filter((event) => event.kind === "call")
      assert.deepStrictEqual([first?.tool, second?.tool], ["b", "a"])
      // the same log with the ends of the two calls in the other order
      const swapped = session.events.map((event) => event === first ? second : event === second ? first : event)
      for (const events of [session.events, swapped]) {
        const { history } = Result.getOrThrow(Session.fold(events as typeof session.events))
        const answers = history.flatMap((message) =>
          message.role === "tool"
            ? [message.content.map((part) => part.type === "tool-result" ? part.result : part.type)]
            : []
        )
        assert.deepStrictEqual(answers, [["b", "a"], ["c"]])
      }
      assert.deepStrictEqual(Actions.merge([]), Actions.none)
    }).pipe(Effect.provide(layer))
  })

  // ours: entries are merged, plain values are not: a later `set` in call order wins whole
  it.effect("T083 keeps the entries that two calls of a step put into one record, the slower one's too", () => {
    const People = State.make("people", {
      profile: State.record(Schema.String, Schema.String),
      last: State.field(Schema.Record(Schema.String, Schema.String), { initial: {} })
    })
    const Part = Tool.make("set_part", {
      parameters: Schema.Struct({ part: Schema.String, value: Schema.String, millis: Schema.Int }),
      writes: [People.profile, People.last]
    })
    const Kit = Toolkit.make(Part)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("profiler", { instructions: "Set.", toolkit: Kit }), [
        calls(
          { tool: "set_part", parameters: { part: "age", value: "profileA", millis: 50 } },
          { tool: "set_part", parameters: { part: "name", value: "profileB", millis: 0 } }
        ),
        text("done")
      ])
      const fiber = yield* Effect.forkChild(send("test"))
      yield* TestClock.adjust(50)
      const { session } = yield* Fiber.join(fiber)
      const profile = session.state.get(People.profile)
      assert.deepStrictEqual(profile, { age: "profileA", name: "profileB" })
      assert.strictEqual(Object.getPrototypeOf(profile), Object.prototype)
      assert.deepStrictEqual(session.state.get(People.last), { name: "profileB" })
    }).pipe(Effect.provide(Toolkit.layer(Kit, {
      set_part: Effect.fnUntraced(function*({ millis, part, value }) {
        yield* Effect.sleep(millis)
        yield* People.profile.put(part, value)
        yield* People.last.set({ [part]: value })
      })
    })))
  })

  // ours: an operation, not a value: nothing is lost and nothing is there twice
  it.effect("T084 keeps what two calls of a step append to one list, each once and in call order", () => {
    const Basket = State.make("basket", {
      items: State.field(Schema.Array(Schema.String), { initial: ["old"], reducer: Reducer.append<string>() })
    })
    const Add = Tool.make("add", {
      parameters: Schema.Struct({ item: Schema.String, millis: Schema.Int }),
      combines: [Basket.items]
    })
    const Kit = Toolkit.make(Add)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("adder", { instructions: "Add.", toolkit: Kit }), [
        calls(
          { tool: "add", parameters: { item: "a", millis: 50 } },
          { tool: "add", parameters: { item: "b", millis: 0 } }
        ),
        text("done")
      ])
      const fiber = yield* Effect.forkChild(send("test"))
      yield* TestClock.adjust(50)
      const result = yield* Fiber.join(fiber)
      assert.deepStrictEqual(result.session.state.get(Basket.items), ["old", "a", "b"])
      assert.deepStrictEqual(callsOf(result).map(({ delta }) => delta.operations), [
        [{ op: "append", field: "basket.items", values: ["a"] }],
        [{ op: "append", field: "basket.items", values: ["b"] }]
      ])
    }).pipe(Effect.provide(Toolkit.layer(Kit, {
      add: ({ item, millis }) => Effect.andThen(Effect.sleep(millis), Basket.items.combine(item))
    })))
  })

  // ours: nobody's version is lost, and versions are numbered in call order, whichever call ends first
  it.effect("T085 keeps both versions that two calls of a step save under one name, the highest as the current one", () => {
    const Write = Tool.make("write_report", {
      parameters: Schema.Struct({ text: Schema.String, millis: Schema.Int }),
      success: Schema.Int,
      failure: Artifacts.Failure,
      writes: [Artifacts.Session]
    })
    const Kit = Toolkit.make(Write)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("reporter", { instructions: "Report.", toolkit: Kit }), [
        calls(
          { tool: "write_report", parameters: { text: "first", millis: 50 } },
          { tool: "write_report", parameters: { text: "second", millis: 0 } }
        ),
        text("done")
      ])
      const fiber = yield* Effect.forkChild(send("test"))
      yield* TestClock.adjust(50)
      const result = yield* Fiber.join(fiber)
      assert.deepStrictEqual(resultsOf(result), [0, 1])
      const versions = Artifacts.versionsIn(result.session.state.get(Artifacts.Session), "report.txt")
      const texts = yield* Effect.forEach(versions, (version) => Effect.map(Artifacts.read(version), Artifacts.textOf))
      assert.deepStrictEqual(texts, ["first", "second"])
    }).pipe(Effect.provide([
      Toolkit.layer(Kit, {
        write_report: Effect.fnUntraced(function*({ millis, text }) {
          yield* Effect.sleep(millis)
          return (yield* Artifacts.Session.save("report.txt", text)).version
        })
      }),
      ArtifactStore.layerMemory
    ]))
  })

  it.effect("T086 runs the calls of a step side by side, or one by one when it is told to", () => {
    const { layer } = slowly(80)
    const step = calls({ tool: "a" }, { tool: "b" }, { tool: "c" })
    return Effect.gen(function*() {
      const { send } = yield* conversation(Slower, [step, text("done"), step, text("done")])
      const together = yield* Effect.forkChild(send("test"))
      yield* TestClock.adjust(80)
      assert.strictEqual(elapsedOf(yield* Fiber.join(together)), 80)
      const oneByOne = yield* Effect.forkChild(send("again", { concurrency: 1 }))
      for (const _ of [1, 2, 3]) yield* TestClock.adjust(80)
      assert.strictEqual(elapsedOf(yield* Fiber.join(oneByOne)), 240)
    }).pipe(Effect.provide(layer))
  })

  it.effect("T088 starts the second call before the first one ends", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { send } = yield* conversation(Slower, [calls({ tool: "a" }, { tool: "b" }), text("done")])
      const fiber = yield* Effect.forkChild(send("test"))
      yield* TestClock.adjust(50)
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(log, ["a starts", "b starts", "a ends", "b ends"])
    }).pipe(Effect.provide(slowly(50, log).layer))
  })

  it.effect("T089 runs no more calls at once than it is told", () => {
    const { layer, running } = slowly(10)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Slower, [
        calls({ tool: "a" }, { tool: "b" }, { tool: "c" }, { tool: "d" }),
        text("done")
      ])
      const fiber = yield* Effect.forkChild(send("test", { concurrency: 2 }))
      for (const _ of [1, 2]) yield* TestClock.adjust(10)
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(running.peak, 2)
      assert.strictEqual(elapsedOf(result), 20)
      assert.deepStrictEqual(resultsOf(result), ["a", "b", "c", "d"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("T090 gives a good call's result beside a dead one's", () => {
    const Bad = Tool.make("bad", { success: Schema.String })
    const Good = Tool.make("good", { success: Schema.String })
    const Kit = Toolkit.make(Good, Bad)
    return Effect.gen(function*() {
      const { requests, send } = yield* conversation(Agent.make("mixed", { instructions: "Try.", toolkit: Kit }), [
        calls({ tool: "good" }, { tool: "bad" }),
        text("done")
      ])
      const result = yield* send("test")
      assert.deepStrictEqual(callsOf(result).map((event) => [event.tool, event.result.isFailure]), [
        ["good", false],
        ["bad", true]
      ])
      assert.strictEqual(
        told(requests, 2).at(-1),
        "tool: good = \"fine\", bad = {\"_tag\":\"ToolDied\",\"message\":\"the tool 'bad' failed unexpectedly\"}"
      )
    }).pipe(Effect.provide(Toolkit.layer(Kit, {
      good: () => Effect.succeed("fine"),
      bad: () => Effect.die(new Error("boom"))
    })))
  })

  // ours: there is no signal to hand on, cancelling the run cancels the handler's fiber and runs its finalizers
  it.effect("T091 cancels a running call with its run, and leaves a session that can go on", () => {
    const Wait = Tool.make("wait", { success: Schema.String })
    const Kit = Toolkit.make(Wait)
    const log: Array<string> = []
    return Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const { requests, send } = yield* conversation(Agent.make("waiter", { instructions: "Wait.", toolkit: Kit }), [
        call("wait"),
        text("good day")
      ])
      const handlers = Toolkit.layer(Kit, {
        wait: () =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Effect.sync(() => log.push("cleaned up")))
          )
      })
      const fiber = yield* Effect.forkChild(Effect.provide(send("test"), handlers))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["cleaned up"])

      const result = yield* Effect.provide(send("again"), handlers)
      assert.strictEqual(textOf(result), "good day")
      assert.deepStrictEqual(
        result.session.events.flatMap((event) => event.kind === "ended" ? [event.status] : []),
        ["cancelled", "completed"]
      )
      const cancelled = { _tag: "Cancelled", message: "the run ended before this call did" }
      assert.deepStrictEqual(callsOf(result).map((event) => [event.result, event.delta]), [
        [{ isFailure: true, value: cancelled }, StateDelta.empty]
      ])
      assert.deepStrictEqual(told(requests, 2), [
        "user: test",
        "assistant: wait({})",
        `tool: wait = ${JSON.stringify(cancelled)}`,
        "user: again"
      ])
    })
  })

  // ours: a call is known by its place; the provider's id goes back as it came, twice
  it.effect("T093 tells two calls of one provider id apart", () =>
    Effect.gen(function*() {
      const { requests, send } = yield* conversation(Increaser, [
        calls({ tool: "increase_by_one", parameters: { x: 1 }, id: "dup" }, {
          tool: "increase_by_one",
          parameters: { x: 5 },
          id: "dup"
        }),
        calls({ tool: "increase_by_one", parameters: { x: 7 }, id: "dup" }),
        text("done")
      ])
      const result = yield* send("test")
      assert.deepStrictEqual(callsOf(result).map((event) => [event.call, event.result.value]), [
        ["i1.1.1", 2],
        ["i1.1.2", 6],
        ["i1.2.1", 8]
      ])
      const sent = [2, 3].map((number) => answeredIn(requests, number).map(({ id, value }) => [id, value]))
      assert.deepStrictEqual(sent, [[["dup", 2], ["dup", 6]], [["dup", 8]]])
    }).pipe(Effect.provide(increase())))

  // ours: what a failed call wrote goes with it
  it.effect("T094 drops what a call wrote before it failed", () => {
    const Numbers = State.make("numbers", { x: State.field(Schema.Int, { initial: 0 }) })
    const Fail = Tool.make("fail", { failure: Schema.String, writes: [Numbers.x] })
    const Die = Tool.make("die", { writes: [Numbers.x] })
    const Kit = Toolkit.make(Fail, Die)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("failer", { instructions: "Fail.", toolkit: Kit }), [
        calls({ tool: "fail" }, { tool: "die" }),
        text("done")
      ])
      const result = yield* send("test")
      assert.deepStrictEqual(callsOf(result).map((event) => [event.result.isFailure, event.delta]), [
        [true, StateDelta.empty],
        [true, StateDelta.empty]
      ])
      assert.strictEqual(result.session.state.get(Numbers.x), 0)
    }).pipe(Effect.provide(Toolkit.layer(Kit, {
      fail: () => Effect.andThen(Numbers.x.set(1), Effect.fail("no")),
      die: () => Effect.andThen(Numbers.x.set(2), Effect.die("no"))
    })))
  })

  it.effect("T095 gives the tool the arguments that a hook edited, and keeps the model's message as it was", () => {
    const seen: Array<number> = []
    const Edit = Middleware.make("edit", {
      hooks: [
        Middleware.beforeTool(
          {},
          ({ parameters }) => Effect.succeed(Middleware.edit({ x: (parameters as typeof X.Type).x * 10 }))
        )
      ]
    })
    const Edited = Agent.make("edited", { instructions: "Increase.", toolkit: IncreaseKit, middleware: [Edit] })
    return Effect.gen(function*() {
      const { requests, send } = yield* conversation(Edited, [call("increase_by_one", { x: 4 }), text("done")])
      const result = yield* send("test")
      assert.deepStrictEqual(seen, [40])
      assert.deepStrictEqual(resultsOf(result), [41])
      const said = result.session.events.find((event) => event.kind === "model")
      assert.deepStrictEqual(said?.calls.map(({ parameters }) => parameters), [{ x: 4 }])
      assert.deepStrictEqual(told(requests, 2).slice(1), [
        "assistant: increase_by_one({\"x\":4})",
        "tool: increase_by_one = 41"
      ])
      // nor can a handler change the stored arguments through the ones that it gets
      assert.isTrue(Object.isFrozen(said?.calls[0]?.parameters))
    }).pipe(Effect.provide(increase(seen)))
  })

  it.effect("T096 does not run a tool without its arguments, and tells the model which are missing", () => {
    const ran: Array<unknown> = []
    const Three = Tool.make("f", {
      parameters: Schema.Struct({ arg1: Schema.String, arg2: Schema.String, arg3: Schema.String }),
      success: Schema.Null
    })
    const Kit = Toolkit.make(Three)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("caller", { instructions: "Call.", toolkit: Kit }), [
        calls({ tool: "f" }, { tool: "f", parameters: { arg1: "1", arg3: "3" } }),
        text("done")
      ])
      const result = yield* send("test")
      assert.deepStrictEqual(ran, [])
      const refused = (missing: ReadonlyArray<string>) => ({
        isFailure: true,
        value: {
          _tag: "InvalidArguments",
          message: `the arguments of 'f' do not fit: ${
            missing.map((name) => `Missing key\n  at ["${name}"]`).join("\n")
          }`
        }
      })
      assert.deepStrictEqual(callsOf(result).map((event) => event.result), [
        refused(["arg1", "arg2", "arg3"]),
        refused(["arg2"])
      ])
    }).pipe(Effect.provide(Toolkit.layer(Kit, {
      f: (parameters) =>
        Effect.sync(() => {
          ran.push(parameters)
          return null
        })
    })))
  })

  it.effect("T098 gives the model null for a tool without a result, and an empty object for one", () => {
    const Void = Tool.make("void", {})
    const Empty = Tool.make("empty", { success: Schema.Struct({}) })
    const Kit = Toolkit.make(Void, Empty)
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("quiet", { instructions: "Be quiet.", toolkit: Kit }), [
        calls({ tool: "void" }, { tool: "empty" }),
        text("done")
      ])
      assert.deepStrictEqual(resultsOf(yield* send("test")), [null, {}])
    }).pipe(Effect.provide(Toolkit.layer(Kit, { void: () => Effect.void, empty: () => Effect.succeed({}) })))
  })

  // ours: one unknown id refuses the whole list, and changes nothing; the known one is still open
  it.effect("T099 finds the call of each answer, and refuses answers to no question", () => {
    const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
    const Delete = Tool.make("delete", { success: Schema.String, asks: [Confirm] })
    const Kit = Toolkit.make(Delete)
    const handlers = Toolkit.layer(Kit, {
      delete: () => Effect.map(Confirm.ask("Really?"), (yes) => yes ? "deleted" : "kept")
    })
    return Effect.gen(function*() {
      const { answer, send } = yield* conversation(Agent.make("deleter", { instructions: "Delete.", toolkit: Kit }), [
        call("delete"),
        text("done")
      ])
      const paused = yield* send("test")
      assert.strictEqual(paused._tag, "Paused")
      const [question] = paused.session.open
      const refused = yield* Effect.flip(
        answer(Confirm.answer("unknown", true), Confirm.answer(question?.id ?? "", true))
      )
      assert.strictEqual(refused.reason._tag, "AnswerRefused")
      assert.strictEqual(refused.message, "the answer to 'unknown' was refused: no open question has this id")

      const result = yield* answer(Confirm.answer(question?.id ?? "", true))
      assert.deepStrictEqual(resultsOf(result), ["deleted"])
      assert.strictEqual(question?.call, callsOf(result)[0]?.call)
      assert.strictEqual(result.session.events.filter(({ kind }) => kind === "answered").length, 1)
    }).pipe(Effect.provide(handlers))
  })

  // ours: no conflict, each answer finds its way by the question's id and path
  it.effect("T100 takes the answers to the questions of two agents in one message", () => {
    const Pick = Interrupt.make("pick", { question: Schema.String, answer: Schema.String })
    const AskA = Tool.make("ask_a", { success: Schema.String, asks: [Pick] })
    const AskB = Tool.make("ask_b", { success: Schema.String, asks: [Pick] })
    const KitA = Toolkit.make(AskA)
    const KitB = Toolkit.make(AskB)
    const AgentA = Agent.make("agent_a", { instructions: "Ask.", toolkit: KitA })
    const AgentB = Agent.make("agent_b", { instructions: "Ask.", toolkit: KitB })
    const Parent = Agent.make("parent", {
      instructions: "Delegate.",
      subAgents: [SubAgent.make(AgentA), SubAgent.make(AgentB)]
    })
    return Effect.gen(function*() {
      const { answer, send } = yield* conversation(Parent, {
        parent: [
          calls({ tool: "agent_a", parameters: { task: "t" } }, { tool: "agent_b", parameters: { task: "t" } }),
          text("done")
        ],
        agent_a: [call("ask_a"), text("a is done")],
        agent_b: [call("ask_b"), text("b is done")]
      })
      const paused = yield* send("test")
      const open = paused.session.open
      assert.deepStrictEqual(
        open.map(({ agentPath, question }) => [agentPath, question]),
        [[["parent", "agent_a"], "What does a pick?"], [["parent", "agent_b"], "What does b pick?"]]
      )
      const result = yield* answer(
        ...open.toReversed().map(({ agentPath, id }) => Pick.answer(id, `${agentPath.at(-1)}'s`))
      )
      assert.strictEqual(textOf(result), "done")
      assert.deepStrictEqual(
        callsOf(result).map((event) => `${event.path.at(-1)}: ${event.tool} = ${String(event.result.value)}`)
          .toSorted(),
        [
          "agent_a: ask_a = agent_a's",
          "agent_b: ask_b = agent_b's",
          "parent: agent_a = a is done",
          "parent: agent_b = b is done"
        ]
      )
    }).pipe(Effect.provide([
      Toolkit.layer(KitA, { ask_a: () => Pick.ask("What does a pick?") }),
      Toolkit.layer(KitB, { ask_b: () => Pick.ask("What does b pick?") })
    ]))
  })
})
