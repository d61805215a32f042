/**
 * 04 · One tool call
 *
 * "What's the weather like in London?" The model asks for a call; its handler knows the call's id, reads what the user
 * prefers, remembers what it found, and returns it. Call id, result and what was written are one event. (This is the
 * scenario of Google ADK's chapter on its ToolContext, which is ToolCall and State here.)
 */
import { Effect, Layer, Option, Schema } from "effect"
import assert from "node:assert/strict"
import { Agent, AgentRunner, SessionStore, State, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const Units = Schema.Literals(["celsius", "fahrenheit"])
const Report = Schema.Struct({ location: Schema.String, temp: Schema.Int, units: Units })

/** Belongs to the user: all of their conversations see it. */
const Preferences = State.make("preferences", {
  weatherUnits: State.field(Units, { initial: "celsius", scope: "user" })
})
/** Belongs to the conversation. */
const Weather = State.make("weather", { lastQuery: State.optional(Report) })

const GetWeather = Tool.make("get_weather", {
  description: "The weather at a place",
  parameters: Schema.Struct({ location: Schema.String }),
  success: Report,
  reads: [Preferences.weatherUnits],
  writes: [Weather.lastQuery]
})
const Kit = Toolkit.make(GetWeather)
const Forecaster = Agent.make("forecaster", { instructions: "Tell the weather.", toolkit: Kit })

/** What the handler did, for the claims below. */
const own: Array<{ temp: number }> = []

const KitLive = Toolkit.layer(Kit, {
  get_weather: Effect.fnUntraced(function*({ location }) {
    const call = yield* ToolCall.ToolCall
    const units = yield* Preferences.weatherUnits.get
    console.log(`  [${call.id}] ${call.tool} for ${location} in ${units}`)
    const report = { location, temp: units === "celsius" ? 15 : 59, units }
    own.push(report)
    yield* Weather.lastQuery.set(report)
    return report
  })
})

const asks: ReadonlyArray<ScriptedModel.Turn> = [
  ScriptedModel.call("get_weather", { location: "London" }),
  ScriptedModel.text("It is mild.")
]
const question = "What's the weather like in London?"

const program = Effect.gen(function*() {
  console.log("first, in celsius")
  const first = yield* AgentRunner.run(Forecaster, { user: "ada", session: "s-1", input: question })

  // the call and its end have one id; result and delta stand in the same event
  const asked = first.session.events.find((event) => event.kind === "model")?.calls[0]
  const ended = first.session.events.find((event) => event.kind === "call")
  const report = { location: "London", temp: 15, units: "celsius" } as const
  assert.equal(ended?.call, asked?.id)
  assert.deepEqual(ended?.result.value, report)
  assert.deepEqual(ended?.delta.operations, [{ op: "set", field: "weather.lastQuery", value: report }])
  console.log("  delta:", ended?.delta.operations[0])

  // One object was written, returned and kept by the handler. In ADK it is then one object in the result, the delta and
  // the state, and whoever changes it changes them all. Here each has its own copy, and none can be changed.
  for (const each of own) each.temp = -40
  assert.equal(Option.getOrThrow(first.session.state.get(Weather.lastQuery)).temp, 15)
  assert.deepEqual(ended?.result.value, report)
  assert.throws(() => Object.assign(ended?.result.value as object, { secret: 1 }), TypeError)
  assert.throws(
    () => Object.assign(Option.getOrThrow(first.session.state.get(Weather.lastQuery)), { temp: 0 }),
    TypeError
  )

  console.log("then the same user prefers fahrenheit, in another session")
  yield* AgentRunner.run(Forecaster, {
    user: "ada",
    session: "s-2",
    input: question,
    state: [Preferences.weatherUnits.to("fahrenheit")]
  })
  const again = yield* AgentRunner.run(Forecaster, { user: "ada", session: "s-1", input: question })
  assert.equal(Option.getOrThrow(again.session.state.get(Weather.lastQuery)).units, "fahrenheit")

  console.log("and another user does not")
  const other = yield* AgentRunner.run(Forecaster, { user: "bob", session: "s-1", input: question })
  assert.equal(Option.getOrThrow(other.session.state.get(Weather.lastQuery)).units, "celsius")
})

const world = Layer.merge(ScriptedModel.layer([...asks, ...asks, ...asks, ...asks]), SessionStore.layerMemory)
await Effect.runPromise(Effect.provide(program, [KitLive, world]))
