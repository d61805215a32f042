import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option, Random, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Event, Interrupt, Middleware, Reducer, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { ScriptedModel, TestAgent } from "tenon/testing"

const { call, text } = ScriptedModel

const Env = ToolContext.make({ tenant: Schema.String })
const Search = State.make("search", {
  lastQuery: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Patient = Interrupt.make("patient", { question: Schema.String, answer: Schema.String, lifetime: "30 minutes" })
const Widen = Interrupt.make("widen", { question: Schema.String, answer: Schema.Boolean })

const Find = Tool.make("find", {
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.Array(Schema.String),
  context: [Env.tenant],
  writes: [Search.lastQuery],
  combines: [Search.count],
  asks: [Widen]
})
const Now = Tool.make("now", { success: Schema.String })
const FindLive = Toolkit.layer(Toolkit.make(Find), {
  find: Effect.fnUntraced(function*({ query }) {
    const wide = query === "" && (yield* Widen.ask("Everything?"))
    yield* Search.lastQuery.set(query)
    yield* Search.count.combine(1)
    return [`${yield* Env.tenant}/${wide ? "all" : query}`]
  })
})
const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: Toolkit.make(Find, Now) })
const context = { tenant: "acme" }
const mocks = { now: () => Effect.succeed("noon") }

describe("TestAgent", () => {
  it.effect("tells what an agent does with a message, in three lines", () =>
    Effect.gen(function*() {
      const script = [
        ScriptedModel.calls({ tool: "find", parameters: { query: "tea" } }, { tool: "now" }),
        text("Done.")
      ]
      const test = yield* TestAgent.make(Assistant, {
        context,
        script,
        layer: FindLive,
        mocks,
        state: { "search.count": 41 }
      })
      const run = yield* test.run("Where is the tea?")
      assert.strictEqual(run.text, "Done.")
      assert.deepStrictEqual(run.calls.map(({ tool, status, value }) => [tool, status, value]), [
        ["find", "succeeded", ["acme/tea"]],
        ["now", "succeeded", "noon"]
      ])
      assert.deepStrictEqual(run.deltas, [{
        agent: "assistant",
        by: "find",
        operations: [
          { op: "set", field: "search.lastQuery", value: "tea" },
          { op: "sum", field: "search.count", value: 1 }
        ]
      }])
      assert.strictEqual(run.state.get(Search.count), 42)
      assert.deepStrictEqual(run.requests.map(({ tools }) => tools), [["find", "now"], ["find", "now"]])
      const spans = run.spans.filter(({ name }) => name.startsWith("execute_tool"))
      assert.deepStrictEqual(spans.map(({ name, parent, status }) => [name, parent, status]), [
        ["execute_tool find", "invoke_agent assistant", "succeeded"],
        ["execute_tool now", "invoke_agent assistant", "succeeded"]
      ])
      assert.strictEqual(spans[0]?.attributes["gen_ai.tool.call.id"], "i1.1.1")
    }))

  it.effect("pauses, and goes on with answers", () =>
    Effect.gen(function*() {
      const script = [call("find", { query: "" }), text("Done.")]
      const test = yield* TestAgent.make(Find, { context, layer: FindLive, script })
      const paused = yield* test.run("Look.")
      assert.deepStrictEqual([paused.text, ...paused.calls.map(({ status }) => status)], ["", "waiting"])
      const run = yield* test.resume(Widen.among(paused.open).map(({ id }) => Widen.answer(id, true)))
      assert.deepStrictEqual([run.text, ...run.calls.map(({ value }) => value)], ["Done.", ["acme/all"]])
      assert.deepStrictEqual(run.open, [])
    }))

  it.effect("takes turn after turn in one session, each with a script of its own where it has one", () =>
    Effect.gen(function*() {
      const test = yield* TestAgent.make(Find, { context, layer: FindLive, script: [text("Hello."), text("Bye.")] })
      const first = yield* test.run("Hello.")
      const second = yield* test.run("Look.", { script: [call("find", { query: "tea" }), text("Found.")] })
      const third = yield* test.run("Bye.", { state: [Search.count.to(7)] })
      assert.deepStrictEqual([first, second, third].map((run) => run.text), ["Hello.", "Found.", "Bye."])
      assert.deepStrictEqual([first, second, third].map((run) => run.calls.length), [0, 1, 0])
      assert.deepStrictEqual([first, second, third].map((run) => run.state.get(Search.count)), [0, 1, 7])
      assert.strictEqual((yield* test.session).history.length, 8)
    }))

  it.effect("starts with the values that it is given, in every scope", () =>
    Effect.gen(function*() {
      const Kept = State.make("kept", {
        entries: State.record(Schema.String, Schema.Int),
        users: State.field(Schema.Int, { initial: 0, scope: "user" }),
        apps: State.optional(Schema.Date, { scope: "app" }),
        temp: State.field(Schema.Int, { initial: 0, scope: "temp" })
      })
      const Read = Tool.make("read", {
        success: Schema.Array(Schema.Unknown),
        reads: [Kept.entries, Kept.users, Kept.apps, Kept.temp]
      })
      const read = () => Effect.all([Kept.entries.get, Kept.users.get, Kept.apps.get, Kept.temp.get])
      const date = new Date(0)
      const test = yield* TestAgent.make(Read, {
        state: { "kept.entries": { a: 1 }, "kept.users": 2, "kept.apps": Option.some(date), "kept.temp": 3 },
        mocks: {
          read: () => Effect.map(read(), ([entries, users, apps, temp]) => [entries, users, apps._tag, temp])
        }
      })
      assert.deepStrictEqual((yield* test.call(Read, {})).value, [{ a: 1 }, 2, "Some", 3])
      // a value of one run of the agent
      assert.deepStrictEqual((yield* test.call(Read, {})).value, [{ a: 1 }, 2, "Some", 0])
    }))

  it.effect("fails with what happened until then", () =>
    Effect.gen(function*() {
      const script = [call("find", { query: "tea" }), text("Never said.")]
      const test = yield* TestAgent.make(Find, { context, layer: FindLive, script, limits: { steps: 1 } })
      const { error, message, run } = yield* Effect.flip(test.run("Look."))
      assert.strictEqual(error.reason._tag, "LimitReached")
      assert.strictEqual(run.state.get(Search.count), 1)
      assert.deepStrictEqual(message.split("\n"), [
        error.message,
        "",
        "user: Look.",
        "agent calls find {\"query\":\"tea\"} (i1.1.1)",
        "find gave [\"acme/tea\"] (i1.1.1)",
        "  search.lastQuery set \"tea\"",
        "  search.count sum 1",
        "failed"
      ])
    }))

  it.effect("adds what happened to an assertion that fails, and to no other", () =>
    Effect.gen(function*() {
      const test = yield* TestAgent.make(Find, { context, layer: FindLive })
      const run = yield* test.call(Find, { query: "tea" })
      yield* TestAgent.check(run, ({ value }) => assert.deepStrictEqual(value, ["acme/tea"]))
      const failed = yield* Effect.exit(TestAgent.check(run, ({ value }) => assert.deepStrictEqual(value, [])))
      assert.isTrue(Exit.isFailure(failed))
      const message = Exit.isFailure(failed) ? String(Cause.squash(failed.cause)) : ""
      assert.include(message, "expected [ 'acme/tea' ] to deeply equal []\n\nuser: Call find.\nagent calls find")
    }))

  it.effect("runs a failing handler, and tells what the model reads", () =>
    Effect.gen(function*() {
      const test = yield* TestAgent.make(Now, { mocks: { now: () => Effect.die("no clock") } })
      const run = yield* test.call(Now, {})
      assert.deepStrictEqual([run.value, ...run.calls.map(({ status }) => status)], [undefined, "failed"])
    }))

  it.effect("runs by the test's clock", () =>
    Effect.gen(function*() {
      const Slow = Tool.make("slow", { success: Schema.String, timeout: "1 minute" })
      const Ask = Tool.make("ask", { success: Schema.String, asks: [Patient] })
      const test = yield* TestAgent.make(Toolkit.make(Slow, Ask), {
        mocks: { slow: () => Effect.delay(Effect.succeed("late"), "2 minutes"), ask: () => Patient.ask("?") }
      })
      const running = yield* Effect.forkChild(test.call(Slow, {}))
      yield* TestClock.adjust("1 minute")
      const { calls, events } = yield* Fiber.join(running)
      assert.deepStrictEqual(calls.map(({ status }) => status), ["failed"])
      assert.deepStrictEqual([events[0]?.time, events.at(-1)?.time], [0, 60_000])
      yield* test.call(Ask, {})
      yield* TestClock.adjust("1 hour")
      const later = yield* test.run("Well?", { script: [text("Nobody answered.")] })
      assert.deepStrictEqual(later.calls.map(({ status, tool }) => [tool, status]), [["ask", "failed"]])
    }))

  it.effect("tells the same each time, also side by side", () =>
    Effect.gen(function*() {
      const Draw = Tool.make("draw", { success: Schema.Finite })
      const Team = Agent.make("team", {
        instructions: "",
        toolkit: Toolkit.make(Draw),
        subAgents: [SubAgent.make(Agent.make("child", { instructions: "" }))]
      })
      const calls = ScriptedModel.calls({ tool: "draw" }, { tool: "child", parameters: { task: "Say." } }, {
        tool: "draw"
      })
      const script = { team: [calls, text("Done.")], child: [text("Said.")] }
      const ran = Effect.gen(function*() {
        const spans: Array<string> = []
        const draw = () =>
          Effect.flatMap(Effect.currentSpan, ({ spanId, traceId }) => {
            spans.push(`${traceId} ${spanId}`)
            return Effect.andThen(Effect.yieldNow, Random.next)
          })
        const test = yield* TestAgent.make(Team, { script, mocks: { draw: () => Effect.orDie(draw()) } })
        const { events, requests, spans: told } = yield* test.run("Go.")
        return JSON.stringify([events.map(Event.encode), requests, told, spans])
      })
      const all = yield* Effect.all([ran, ran, ran], { concurrency: "unbounded" })
      assert.strictEqual(new Set([...all, yield* ran]).size, 1)
    }))

  describe("puts a small agent around", () => {
    it.effect("a middleware", () =>
      Effect.gen(function*() {
        const Titled = Middleware.make("titled", {
          hooks: [Middleware.beforeModel({ writes: [Search.lastQuery] }, () => Search.lastQuery.set("said"))],
          toolkit: Toolkit.make(Now)
        })
        const test = yield* TestAgent.make(Titled, { mocks, script: [text("Hello.")] })
        const said = yield* test.run("Hello.")
        assert.deepStrictEqual(said.deltas.map(({ by }) => by), ["titled.beforeModel"])
        assert.strictEqual((yield* test.call(Now, {})).value, "noon")
      }))

    it.effect("a sub-agent", () =>
      Effect.gen(function*() {
        const Finder = Agent.make("finder", { instructions: "", toolkit: Toolkit.make(Find) })
        const test = yield* TestAgent.make(SubAgent.make(Finder, { returns: [Search.count] }), {
          context,
          layer: FindLive,
          script: {
            agent: [call("finder", { task: "Look." }), text("Done.")],
            finder: [call("find", { query: "tea" }), text("Found.")]
          }
        })
        const run = yield* test.run("Look.")
        assert.deepStrictEqual(run.calls.map(({ agent, tool, value }) => [agent, tool, value]), [
          ["agent", "finder", "Found."],
          ["finder", "find", ["acme/tea"]]
        ])
        assert.deepStrictEqual([run.state.get(Search.count), run.state.get(Search.lastQuery)], [1, Option.none()])
        assert.deepStrictEqual(TestAgent.transcript(run).split("\n"), [
          "user: Look.",
          "agent calls finder {\"task\":\"Look.\"} (i1.1.1)",
          "  task: Look.",
          "  finder calls find {\"query\":\"tea\"} (i1.1.1/1.1)",
          "  find gave [\"acme/tea\"] (i1.1.1/1.1)",
          "    search.lastQuery set \"tea\"",
          "    search.count sum 1",
          "  finder: Found.",
          "finder gave \"Found.\" (i1.1.1)",
          "  search.count sum 1",
          "agent: Done.",
          "completed"
        ])
      }))
  })

  describe("places", () => {
    const places = TestAgent.places(Find, { returns: [Search.count, Search.lastQuery] })
    it.effect.each(places)("one test proves a tool $name", (place) =>
      Effect.gen(function*() {
        const test = yield* TestAgent.make(Find, { context, layer: FindLive, place, state: { "search.count": 1 } })
        const run = yield* test.call(Find, { query: "tea" })
        assert.deepStrictEqual(run.value, ["acme/tea"])
        assert.deepStrictEqual(run.calls.map(({ agent, tool }) => [agent, tool]), [["agent", "find"]])
        assert.deepStrictEqual(run.deltas.map(({ by }) => by), ["find"])
        assert.deepStrictEqual([run.state.get(Search.count), run.state.get(Search.lastQuery)], [2, Option.some("tea")])
        const paused = yield* test.call(Find, { query: "" })
        const resumed = yield* test.resume(Widen.among(paused.open).map(({ id }) => Widen.answer(id, false)))
        assert.deepStrictEqual(resumed.calls.map(({ value }) => value), [["acme/"]])
      }))

    /** What the places say of one test: nothing where it passes. */
    const verdicts = <E>(
      body: (place: TestAgent.Place) => Effect.Effect<boolean, E, Scope.Scope>,
      all: ReadonlyArray<TestAgent.Place>
    ) => Effect.forEach(all, (place) => Effect.map(body(place), (passed) => passed ? [] : [place.name]))

    it.effect("catch a field that does not come back", () =>
      Effect.gen(function*() {
        const counts = (place: TestAgent.Place) =>
          Effect.gen(function*() {
            const test = yield* TestAgent.make(Find, { context, layer: FindLive, place })
            return (yield* test.call(Find, { query: "tea" })).state.get(Search.count) === 1
          })
        assert.deepStrictEqual(yield* verdicts(counts, TestAgent.places(Find, { returns: [Search.lastQuery] })), [
          [],
          ["in a sub-agent"]
        ])
        assert.deepStrictEqual(yield* verdicts(counts, TestAgent.places(Find, { returns: [Search.count] })), [[], []])
      }))

    it.effect("catch a section that a sub-agent begins anew", () =>
      Effect.gen(function*() {
        const Todo = State.make("todo", { next: State.field(Schema.String, { initial: "nothing" }) }, {
          child: "fresh"
        })
        const Next = Tool.make("next", { success: Schema.String, reads: [Todo.next] })
        const reads = (place: TestAgent.Place) =>
          Effect.gen(function*() {
            const test = yield* TestAgent.make(Next, {
              place,
              mocks: { next: () => Todo.next.get },
              state: { "todo.next": "sweep" }
            })
            return (yield* test.call(Next, {})).value === "sweep"
          })
        assert.deepStrictEqual(yield* verdicts(reads, TestAgent.places(Next)), [[], ["in a sub-agent"]])
      }))
  })
})
