/** The scenario of ADK's chapter on its ToolContext, which is `ToolCall` and `State` here. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { Agent, Middleware, State, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { callsOf, conversation, told } from "./fixtures.ts"

const Units = Schema.Literals(["celsius", "fahrenheit"])
const Report = Schema.Struct({ location: Schema.String, temp: Schema.Int, units: Units })

const Preferences = State.make("preferences", {
  weatherUnits: State.field(Units, { initial: "celsius", scope: "user" })
})
const Weather = State.make("weather", { lastQuery: State.optional(Report) })

const GetWeather = Tool.make("get_weather", {
  parameters: Schema.Struct({ location: Schema.String }),
  success: Report,
  reads: [Preferences.weatherUnits],
  writes: [Weather.lastQuery]
})
const Kit = Toolkit.make(GetWeather)
const Forecaster = Agent.make("forecaster", { instructions: "Tell the weather.", toolkit: Kit })

/** What a test can get hold of in the handler. */
interface Seen {
  readonly ids: Array<string>
  readonly reports: Array<{ location: string; temp: number; units: typeof Units.Type }>
}

const getWeather = (seen: Seen) =>
  Effect.fnUntraced(function*({ location }: { readonly location: string }) {
    const call = yield* ToolCall.ToolCall
    seen.ids.push(call.id)
    const units = yield* Preferences.weatherUnits.get
    const report = { location, temp: units === "celsius" ? 15 : 59, units }
    seen.reports.push(report)
    yield* Weather.lastQuery.set(report)
    // the very object that was written: it must not be shared with the state
    return report
  })

const handlers = (seen: Seen) => Toolkit.layer(Kit, { get_weather: getWeather(seen) })

const script = [ScriptedModel.call("get_weather", { location: "London" }), ScriptedModel.text("15")]
const london = { location: "London", temp: 15, units: "celsius" } as const
const question = "What's the weather like in London?"

describe("adk 2.11: the seed's own scenario", () => {
  it.effect("T260 keeps a call's id, its result and what it wrote in one event, and the state in the session", () => {
    const seen: Seen = { ids: [], reports: [] }
    return Effect.gen(function*() {
      const { load, requests, send } = yield* conversation(Forecaster, script)
      const result = yield* send(question, { user: "u-1" })
      const { events } = result.session
      assert.deepStrictEqual(events.map(({ kind }) => kind), ["created", "input", "model", "call", "model", "ended"])

      const [asked] = events.flatMap((event) => event.kind === "model" ? event.calls : [])
      assert.deepStrictEqual([asked?.id, asked?.tool, asked?.parameters], ["i1.1.1", "get_weather", {
        location: "London"
      }])
      const [ended] = callsOf(result)
      assert.deepStrictEqual([ended?.call, ended?.tool, ended?.result], ["i1.1.1", "get_weather", {
        isFailure: false,
        value: london
      }])
      assert.deepStrictEqual(seen.ids, ["i1.1.1"])
      assert.deepStrictEqual(ended?.delta, {
        versions: { weather: 1 },
        operations: [{ op: "set", field: "weather.lastQuery", value: london }]
      })
      assert.deepStrictEqual(told(requests, 2), [
        `user: ${question}`,
        "assistant: get_weather({\"location\":\"London\"})",
        `tool: get_weather = ${JSON.stringify(london)}`
      ])

      const again = yield* load({ user: "u-1" }, [Weather])
      assert.deepStrictEqual(again.state.get(Weather.lastQuery), Option.some(london))
    }).pipe(Effect.provide(handlers(seen)))
  })

  // ours: the result that a hook sees is frozen, and neither it nor the handler's own object is the state's
  it.effect("T261 shares no object between a call's result and the state", () => {
    const seen: Seen = { ids: [], reports: [] }
    const refused: Array<unknown> = []
    const Meddle = Middleware.make("meddle", {
      hooks: [Middleware.afterTool({}, ({ result }) =>
        Effect.sync(() => {
          try {
            ;(result.value as { secret?: number }).secret = 1
          } catch (error) {
            refused.push(error)
          }
        }))]
    })
    // a schema that does not copy what it encodes
    const Raw = Tool.make("get_weather", {
      parameters: Schema.Struct({ location: Schema.String }),
      success: Schema.Json,
      reads: [Preferences.weatherUnits],
      writes: [Weather.lastQuery]
    })
    const RawKit = Toolkit.make(Raw)
    const Meddled = Agent.make("meddled", { instructions: "Tell.", toolkit: RawKit, middleware: [Meddle] })
    return Effect.gen(function*() {
      const { load, send } = yield* conversation(Meddled, script)
      const result = yield* send(question, { user: "u-1" })
      assert.strictEqual(refused.length, 1)
      assert.instanceOf(refused[0], TypeError)
      // the handler goes on with the object that it wrote and returned
      const [own] = seen.reports
      if (own !== undefined) own.temp = -40

      const stored = yield* load({ user: "u-1" }, [Weather])
      for (const { events, state } of [result.session, stored]) {
        const ended = events.find((event) => event.kind === "call")
        assert.deepStrictEqual(ended?.result.value, london)
        assert.deepStrictEqual(ended?.delta.operations, [{ op: "set", field: "weather.lastQuery", value: london }])
        assert.deepStrictEqual(state.get(Weather.lastQuery), Option.some(london))
      }
    }).pipe(Effect.provide(Toolkit.layer(RawKit, { get_weather: getWeather(seen) })))
  })

  it.effect("T262 shows a user's field in all of their sessions, and in nobody else's", () => {
    const seen: Seen = { ids: [], reports: [] }
    return Effect.gen(function*() {
      const { send } = yield* conversation(Forecaster, [ScriptedModel.text("Noted."), ...script, ...script])
      yield* send("I think in Fahrenheit", {
        user: "u-1",
        session: "other",
        state: [Preferences.weatherUnits.to("fahrenheit")]
      })
      const hers = yield* send(question, { user: "u-1" })
      const his = yield* send(question, { user: "u-2" })
      assert.deepStrictEqual(callsOf(hers).map((event) => event.result.value), [
        { location: "London", temp: 59, units: "fahrenheit" }
      ])
      assert.deepStrictEqual(callsOf(his).map((event) => event.result.value), [london])
      assert.strictEqual(hers.session.state.get(Preferences.weatherUnits), "fahrenheit")
      assert.strictEqual(his.session.state.get(Preferences.weatherUnits), "celsius")
    }).pipe(Effect.provide(handlers(seen)))
  })

  it.effect("T264 dies loudly when a call is used after its end, and changes nothing", () => {
    const leaked: { late?: Effect.Effect<void>; later?: Effect.Effect<void> } = {}
    const leaky = Toolkit.layer(Kit, {
      get_weather: Effect.fnUntraced(function*() {
        const context = yield* Effect.context<State.Write<"weather.lastQuery", Option.Option<typeof Report.Type>>>()
        leaked.late = Effect.provideContext(Weather.lastQuery.set({ ...london, temp: 99 }), context)
        leaked.later = (yield* ToolCall.ToolCall).actions.end
        yield* Weather.lastQuery.set(london)
        return london
      })
    })
    return Effect.gen(function*() {
      const { load, send } = yield* conversation(Forecaster, script)
      const { session } = yield* send(question, { user: "u-1" })
      const problems = yield* Effect.forEach(
        [leaked.late, leaked.later],
        (effect) =>
          Effect.map(
            Effect.exit(effect ?? Effect.void),
            (exit) => Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error).message : "nothing"
          )
      )
      assert.deepStrictEqual(problems, [
        "the call 'i1.1.1' of 'get_weather' has ended: 'weather.lastQuery' can no longer be touched",
        "the call 'i1.1.1' of 'get_weather' has ended: it can ask for nothing any more"
      ])
      const stored = yield* load({ user: "u-1" }, [Weather])
      assert.strictEqual(stored.revision, session.revision)
      assert.deepStrictEqual(stored.state.get(Weather.lastQuery), Option.some(london))
    }).pipe(Effect.provide(leaky))
  })
})
