import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result, Schema } from "effect"
import { Agent, AgentRunner, Event, History, Session, SessionStore, State, Tool, Toolkit } from "tenon"
import { Adk, Imported } from "tenon/interop"
import { Evaluation, Scorer, ScriptedModel } from "tenon/testing"
import * as Random from "./sessions.ts"

const Trip = State.make("trip", {
  city: State.optional(Schema.String),
  days: State.field(Schema.Int, { initial: 1 })
})
const Prefs = State.make("prefs", {
  units: State.optional(Schema.String, { scope: "user" }),
  theme: State.optional(Schema.String, { scope: "app" })
})
const keys = { city: Trip.city, "user:weather_units": Prefs.units, "app:theme": Prefs.theme }
const known = [Trip, Prefs, Adk.Carried]

const imported = (json: unknown, options: Adk.ImportOptions = {}) =>
  Result.getOrThrow(Adk.importSession(json, { keys, ...options }))

/** A session in a store, read again. */
const stored = (from: Imported.Imported) => Effect.andThen(Imported.save(from), Session.load(from.ref, known))

/** What comes out of a store that it came into. */
const through = (json: unknown, options: Adk.ExportOptions = {}) =>
  Effect.gen(function*() {
    const from = imported(json)
    yield* Imported.save(from)
    return (yield* Adk.exportSession(from.ref, { keys, ...options })).value
  }).pipe(Effect.provide(Layer.fresh(SessionStore.layerMemory)))

describe("Adk", () => {
  describe("importSession", () => {
    it.effect.prop(
      "gives back what came in, in either spelling",
      { session: Random.session },
      ({ session }) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* through(session), session)
          const camel = yield* through(session, { spelling: "camelCase", times: "seconds" })
          assert.deepStrictEqual(yield* through(JSON.parse(JSON.stringify(camel))), session)
          const historyOf = (json: unknown) => Result.getOrThrow(Session.fold(imported(json).events)).history
          assert.deepStrictEqual(historyOf(camel), historyOf(session))
        }),
      { arbitrary: { runs: 300 } }
    )

    it.effect.prop(
      "gives a log that a run can go on in",
      { session: Random.session },
      ({ session }) =>
        Effect.gen(function*() {
          const from = imported(session)
          assert.deepStrictEqual(from.events.map((event) => event.sequence), from.events.map((_, index) => index))
          for (const event of from.events) assert.isTrue(Result.isSuccess(Event.decode(Event.encode(event))))
          const before = yield* stored(from)
          assert.deepStrictEqual(before.open, [])
          const agent = Agent.make("guide", { instructions: "Guide." })
          const result = yield* AgentRunner.run(agent, {
            app: from.ref.app,
            user: "ada",
            session: "s-1",
            input: "Go on."
          })
          assert.strictEqual(result._tag === "Completed" && result.text, "On we go.")
          assert.deepStrictEqual(result.session.history.slice(0, before.history.length), before.history)
          assert.lengthOf(result.session.history, before.history.length + 2)
        }).pipe(Effect.provide([SessionStore.layerMemory, ScriptedModel.layer([ScriptedModel.text("On we go.")])])),
      {
        arbitrary: { runs: 60 }
      }
    )

    it.effect("reads the fields that keys are mapped to, of each scope, and carries the others", () =>
      Effect.gen(function*() {
        const session = yield* stored(imported(trip))
        assert.deepStrictEqual(session.state.get(Trip.city), Option.some("Oslo"))
        assert.deepStrictEqual(session.state.get(Prefs.units), Option.some("celsius"))
        assert.deepStrictEqual(session.state.get(Prefs.theme), Option.some("dark"))
        assert.deepStrictEqual(session.state.get(Adk.Carried.state), {
          "user:Other_key": { innerKey: 1, snake_key: true }
        })
        // a user's fields are in the user's other sessions too
        const store = yield* SessionStore.SessionStore
        const rows = yield* store.shared({ app: "travel", user: "ada", session: "s-2" }, [
          { scope: "user", field: "prefs.units" }
        ])
        assert.deepStrictEqual(rows.get("prefs.units"), { value: "celsius", version: 1, section: 1 })
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it("makes deltas of the deltas of events, an unset of null, and leaves out what lived in a run", () => {
      const { events, report } = imported(trip)
      const deltas = events.flatMap((event) =>
        "delta" in event && event.delta.operations.length > 0 ? [[event.kind, event.delta.operations]] : []
      )
      assert.deepStrictEqual(deltas, [
        ["input", [{ op: "set", field: "trip.city", value: "Bergen" }]],
        ["call", [{ op: "unset", field: "trip.city" }, { op: "put", field: "adk.state", key: "draft", value: 1 }]],
        ["hook", [{ op: "set", field: "trip.city", value: "Oslo" }, { op: "remove", field: "adk.state", key: "draft" }]]
      ])
      assert.deepStrictEqual(report, [
        {
          path: ["events", "0", "actions", "state_delta", "temp:now"],
          problem: "a 'temp:' key lives in one run: it is not imported"
        }
      ])
    })

    it("makes of each invocation what a run would have left", () => {
      const { events } = imported(trip)
      assert.deepStrictEqual(events.map(({ invocation, kind, path }) => `${invocation} ${kind} ${path.join("/")}`), [
        "i1 created travel",
        "i1 input travel",
        "i1 model root_agent",
        "i1 call root_agent",
        "i1 model root_agent",
        "i1 hook travel",
        "i1 ended travel"
      ])
      assert.deepStrictEqual(events.flatMap((event) => event.kind === "model" ? [event.usage] : []), [
        { inputTokens: 7, outputTokens: 0 },
        { inputTokens: 0, outputTokens: 0 }
      ])
      assert.deepStrictEqual(events.flatMap((event) => event.kind === "ended" ? [event.status] : []), ["completed"])
      assert.deepStrictEqual(events.map(({ time }) => time).slice(0, 2), [1_796_045_393_775, 1_796_045_393_775])
    })

    it("takes a second result of a call for the answer to a pending one, and puts it in its place", () => {
      const session = of([
        say("user", { text: "Build it." }),
        say("builder", { functionCall: { id: "c", name: "build", args: {} } }),
        say("user", { functionResponse: { id: "c", name: "build", response: { status: "started" } } }),
        say("builder", { text: "It is being built." }),
        say("user", { functionResponse: { id: "c", name: "build", response: { status: "done" } } }),
        say("builder", { text: "It is built." })
      ])
      const { history, open } = Result.getOrThrow(Session.fold(imported(session).events))
      assert.deepStrictEqual(open, [])
      assert.deepStrictEqual(history.map(({ role }) => role), ["user", "assistant", "tool", "assistant"])
      const results = history.flatMap(({ content }) =>
        typeof content === "string" ? [] : content.flatMap((part) => part.type === "tool-result" ? [part.result] : [])
      )
      assert.deepStrictEqual(results, [{ status: "done" }])
    })

    it("closes a call without a result, leaves out what was rewound or came in pieces, and says what it cannot carry", () => {
      const session = of([
        say("user", { text: "One" }),
        say("guide", { text: "1" }),
        { ...say("user", { text: "Two" }), invocationId: "e-2" },
        { ...say("guide", { text: "2" }), invocationId: "e-2" },
        { author: "user", invocationId: "e-3", timestamp: 5, actions: { rewindBeforeInvocationId: "e-2" } },
        { ...say("guide", { text: "Hel" }), invocationId: "e-4", partial: true },
        {
          ...say("guide", { functionCall: { name: "look" } }, { executableCode: { code: "1", language: "PYTHON" } }),
          invocationId: "e-4"
        },
        {
          ...say("guide", { functionCall: { id: "q", name: "adk_request_confirmation", args: {} } }),
          invocationId: "e-4"
        },
        { ...say("user", { functionResponse: { id: "x", name: "gone", response: {} } }), invocationId: "e-4" }
      ])
      const { events, report } = imported(session)
      const { history } = Result.getOrThrow(Session.fold(events))
      assert.deepStrictEqual(history.map(({ role }) => role), ["user", "assistant", "assistant", "tool"])
      assert.deepStrictEqual(report.map(({ path, problem }) => [path.join("."), problem]), [
        ["events.7.content.parts.0", "it is no call that a model asked for: it is kept for an export alone"],
        ["events.8.content.parts.0", "it answers no call that is known: it is kept for an export alone"],
        ["events.6.content.parts.1", "a part of this kind has no place in a message: it is kept for an export alone"],
        ["events.6.content.parts.0", "the call of 'look' has no result: it is closed as interrupted"]
      ])
    })

    it("names the place of what does not fit, and refuses a key of another scope", () => {
      const refused = (json: unknown) => Result.getOrThrow(Result.flip(Adk.importSession(json, { keys })))
      assert.deepStrictEqual(refused({ ...trip, state: { city: 7 } }).path, ["state", "city"])
      assert.strictEqual(
        refused({ ...trip, events: [{ ...say("user"), actions: { stateDelta: { city: 7 } } }] }).message,
        "adk: at 'events.0.actions.state_delta.city': it does not fit the field 'trip.city': Expected string"
      )
      assert.deepStrictEqual(refused({ ...trip, events: [{ content: {} }] }).path, ["events", "0", "author"])
      assert.deepStrictEqual(refused({ id: 1 }).path, ["id"])
      assert.throws(
        () => Adk.importSession(trip, { keys: { "user:city": Trip.city } }),
        "the key 'user:city' is mapped to 'trip.city' of the scope 'session': its scope must be 'user'"
      )
      assert.throws(
        () => Adk.importSession(trip, { keys: { a: Trip.city, b: Trip.city } }),
        "two keys are mapped to 'trip.city'"
      )
      // @ts-expect-error a key that lives in a run is no field's
      assert.throws(() => Adk.importSession(trip, { keys: { "temp:city": Trip.city } }), "lives in one run")
    })

    it.effect("lets a program go on under names of its own", () =>
      Effect.gen(function*() {
        const ref = { app: "guide", session: "other" }
        const from = imported(trip, { ref, agents: { root_agent: "guide" } })
        yield* Imported.save(from)
        const result = yield* AgentRunner.run(Agent.make("guide", { instructions: "Guide." }), {
          user: "ada",
          session: "other",
          input: "And then?"
        })
        assert.deepStrictEqual(result.session.events.slice(-3).map(({ kind, path }) => [kind, path]), [
          ["input", ["guide"]],
          ["model", ["guide"]],
          ["ended", ["guide"]]
        ])
        const { value } = yield* Adk.exportSession(result.session.ref, { keys, agents: { guide: "root_agent" } })
        const { events } = value as { readonly events: ReadonlyArray<Readonly<Record<string, Schema.Json>>> }
        assert.deepStrictEqual(events.map(({ author }) => author), [
          "user",
          "root_agent",
          "root_agent",
          "root_agent",
          "user",
          "root_agent"
        ])
      }).pipe(Effect.provide([SessionStore.layerMemory, ScriptedModel.layer([ScriptedModel.text("Then on.")])])))

    it.effect("is saved once", () =>
      Effect.gen(function*() {
        yield* Imported.save(imported(trip))
        const error = yield* Effect.flip(Imported.save(imported(trip)))
        assert.strictEqual(error._tag, "StaleSession")
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("exportSession", () => {
    const Move = Tool.make("move", {
      parameters: Schema.Struct({ toCity: Schema.String }),
      success: Schema.String,
      writes: [Trip.city, Trip.days, Prefs.units]
    })
    const kit = Toolkit.make(Move)
    const live = Toolkit.layer(kit, {
      move: Effect.fnUntraced(function*({ toCity }) {
        yield* toCity === "" ? Trip.city.unset : Trip.city.set(toCity)
        yield* Trip.days.set(3)
        yield* Prefs.units.set("celsius")
        return toCity
      })
    })
    const run = AgentRunner.run(Agent.make("guide", { instructions: "Guide.", toolkit: kit }), {
      user: "ada",
      session: "s-1",
      input: "Move."
    })
    const world = Layer.mergeAll(
      live,
      SessionStore.layerMemory,
      ScriptedModel.layer([
        ScriptedModel.call("move", { toCity: "Oslo" }),
        ScriptedModel.call("move", { toCity: "" }),
        ScriptedModel.text("Moved.")
      ])
    )

    it.effect("writes a session of ours, in the spelling that is wanted, and reports fields without a key", () =>
      Effect.gen(function*() {
        const { session } = yield* run
        const { report, value } = yield* Adk.exportSession(session.ref, { keys, spelling: "camelCase" })
        const json = value as { readonly events: ReadonlyArray<any> } & Readonly<Record<string, Schema.Json>>
        assert.deepStrictEqual(report, [{ path: ["state", "trip.days"], problem: "the field is mapped to no key" }])
        assert.deepStrictEqual([json["id"], json["appName"], json["userId"]], ["s-1", "guide", "ada"])
        assert.deepStrictEqual(json["state"], { "user:weather_units": "celsius" })
        assert.deepStrictEqual(json.events.map(({ author, content }) => [author, content.role]), [
          ["user", "user"],
          ["guide", "model"],
          ["guide", "user"],
          ["guide", "model"],
          ["guide", "user"],
          ["guide", "model"]
        ])
        assert.deepStrictEqual(json.events[1].content.parts, [
          { functionCall: { id: "call-1-1", name: "move", args: { toCity: "Oslo" } } }
        ])
        assert.deepStrictEqual(json.events[2].content.parts[0].functionResponse.response, { result: "Oslo" })
        assert.deepStrictEqual(json.events[2].actions, {
          stateDelta: { city: "Oslo", "user:weather_units": "celsius" }
        })
        assert.deepStrictEqual(json.events[4].actions, { stateDelta: { city: null, "user:weather_units": "celsius" } })
        assert.isTrue(Number.isInteger(json.events[0].timestamp))
        const again = imported(value)
        assert.deepStrictEqual(again.report, [])
        assert.deepStrictEqual(Result.getOrThrow(Session.fold(again.events)).history, session.history)
      }).pipe(Effect.provide(world)))

    it.effect("leaves out what was kept of an event that is another one now, and says so", () =>
      Effect.gen(function*() {
        const json = {
          ...trip,
          events: [{ ...say("user", { text: "Home." }), actions: { stateDelta: { city: null, "temp:x": 1 } } }]
        }
        const session = Result.getOrThrow(Session.fold(imported(json).events, known))
        const { report, value } = Adk.exportEvents(session)
        assert.deepStrictEqual(report.map(({ path }) => path.join(".")), ["state.trip.city", "events.1"])
        assert.lengthOf(value, 1)
      }))

    it.effect("writes events alone, in seconds and snake case unless told otherwise", () =>
      Effect.gen(function*() {
        const { session } = yield* run
        const { value } = Adk.exportEvents(session, { keys })
        const [first] = value as ReadonlyArray<any>
        assert.deepStrictEqual(Object.keys(first), ["id", "invocation_id", "author", "timestamp", "content"])
        assert.strictEqual(first.timestamp, (session.events[1]?.time ?? 0) / 1000)
      }).pipe(Effect.provide(world)))

    it.effect("gives nothing back that was redacted, in the event or beside it", () =>
      Effect.gen(function*() {
        const from = imported(of([say("user", { text: "My name is Bond." }, { executableCode: { code: "Bond" } })]))
        yield* Imported.save(from)
        const replace = (text: string) => text.replaceAll("Bond", "…")
        const refused = yield* Effect.flip(History.redact(from.ref, { replace }))
        assert.strictEqual(refused._tag, "HistoryRefused")
        yield* History.redact(from.ref, { replace, state: true })
        const written = JSON.stringify(Adk.exportEvents(yield* Session.load(from.ref, known)).value)
        assert.deepStrictEqual([written.includes("Bond"), written.includes("My name is …")], [false, true])
      }).pipe(Effect.provide(SessionStore.layerMemory)))
  })

  describe("evaluationCase", () => {
    const caseIn = (given: object, options?: Parameters<typeof Adk.evaluationCase>[1]) => {
      const set = { evalSetId: "set", evalCases: [{ evalId: "one", conversation: [], ...given }] }
      const [first] = Result.getOrThrow(Adk.importEvalSet(set)).value.evalCases
      return Adk.evaluationCase(first as Adk.EvalCase, options)
    }
    const said = (...parts: ReadonlyArray<object>) => ({ role: "user", parts })

    it.effect("is measured by an Evaluation, from the State that it begins with", () =>
      Effect.gen(function*() {
        const { report, value } = Result.getOrThrow(caseIn({
          conversation: [
            {
              userContent: said({ text: "Whi" }, { text: "ther?" }),
              finalResponse: said({ text: "Hm.", thought: true }, { text: "To Oslo." }),
              intermediateData: { toolUses: [{ id: "t-1", name: "look", args: { nearBy: 1 } }] }
            },
            { userContent: said({ text: "Sure?" }), intermediateData: { toolUses: [] } }
          ],
          sessionInput: {
            appName: "travel",
            userId: "ada",
            state: { city: "Oslo", "user:weather_units": "celsius", none: null, Other: 1 }
          }
        }, { keys: { ...keys, days: Trip.days } }))
        assert.deepStrictEqual(report, [{
          path: ["sessionInput", "state", "Other"],
          problem: "no field is mapped to it: the case begins without it"
        }])
        assert.deepStrictEqual(value.turns, [
          { input: "Whither?", calls: [{ tool: "look", parameters: { nearBy: 1 } }], answer: "To Oslo." },
          { input: "Sure?", calls: [] }
        ])
        const Look = Tool.make("look", {
          parameters: Schema.Struct({ nearBy: Schema.Int }),
          success: Schema.String,
          writes: [Trip.city, Prefs.units]
        })
        const kit = Toolkit.make(Look)
        const Guide = Agent.make("guide", { instructions: "Guide.", toolkit: kit })
        const evaluation = yield* Evaluation.run(Guide, {
          name: "trips",
          cases: [{
            ...value,
            scorers: [Scorer.state(Trip.city, Option.some("Oslo!")), Scorer.state(Prefs.units, Option.some("celsius!"))]
          }],
          scorers: [Scorer.trajectory(), Scorer.rouge1()],
          layer: () =>
            ScriptedModel.layer([
              ScriptedModel.call("look", { nearBy: 1 }),
              ScriptedModel.text("To Oslo."),
              ScriptedModel.text("Yes.")
            ])
        }).pipe(Effect.provide(Toolkit.layer(kit, {
          look: Effect.fnUntraced(function*() {
            yield* Trip.city.set(`${Option.getOrThrow(yield* Trip.city.get)}!`)
            yield* Prefs.units.set(`${Option.getOrThrow(yield* Prefs.units.get)}!`)
            return "seen"
          })
        })))
        const [run] = evaluation.runs
        assert.deepStrictEqual(run?.scores.map(({ scorer, value }) => [scorer, value]), [
          ["trajectory", 1],
          ["rouge-1", 1],
          ["state trip.city", 1],
          ["state prefs.units", 1]
        ])
        assert.strictEqual(run?.status, "passed")
      }))

    it("compares nothing that is not expected, and knows no user without a name", () => {
      const { value } = Result.getOrThrow(caseIn({
        conversation: [{ userContent: said({ text: "Hi" }), finalResponse: said({ functionCall: { name: "look" } }) }],
        sessionInput: { appName: "travel", userId: "" }
      }))
      assert.deepStrictEqual(value, { name: "one", turns: [{ input: "Hi" }], state: [] })
      assert.deepStrictEqual(Result.getOrThrow(caseIn({})).value, { name: "one", turns: [], state: [] })
    })

    it("keeps files of a message, and tells of parts that are none", () => {
      const { report, value } = Result.getOrThrow(caseIn({
        conversation: [{
          userContent: said({ text: "This" }, { inlineData: { mimeType: "image/png", data: "AA-_" } }, { later: 1 })
        }]
      }))
      const [{ input }] = value.turns as readonly [Adk.EvaluationCase["turns"][number]]
      assert.deepStrictEqual(
        typeof input === "string" ? input : input.map((part) => part.type === "file" ? part.data : part.type),
        ["text", "AA+/"]
      )
      assert.deepStrictEqual(report.map(({ path }) => path.join(".")), ["conversation.0.userContent.parts.2"])
    })

    it("refuses a value that does not fit its field, and content that is none, with their place", () => {
      const state = { appName: "travel", userId: "ada", state: { city: 1 } }
      const misfit = Result.getOrThrow(Result.flip(caseIn({ sessionInput: state }, { keys })))
      assert.deepStrictEqual(misfit.path, ["sessionInput", "state", "city"])
      assert.include(misfit.message, "trip.city")
      const wrong = Result.getOrThrow(
        Result.flip(caseIn({ conversation: [{ userContent: said({ text: "Hi" }, { text: 1 }) }] }))
      )
      assert.deepStrictEqual(wrong.path, ["conversation", "0", "userContent", "parts", "1", "text"])
    })
  })
})

// ===== fixtures ==============================================================

const of = (events: ReadonlyArray<unknown>) => ({ id: "s-1", appName: "travel", userId: "ada", events })

const say = (author: string, ...parts: ReadonlyArray<unknown>) => ({
  author,
  invocationId: "e-1",
  timestamp: 1_796_045_393_775,
  content: { role: author === "user" ? "user" : "model", parts }
})

/** A trip whose city was written by events, and once without one. */
const trip = {
  ...of([
    {
      ...say("user", { text: "To Bergen." }),
      actions: { stateDelta: { city: "Bergen", "user:weather_units": "kelvin", "temp:now": 1 } }
    },
    {
      ...say("root_agent", { functionCall: { id: "c-1", name: "clear", args: {} } }),
      usageMetadata: { promptTokenCount: 7 }
    },
    {
      ...say("root_agent", { functionResponse: { id: "c-1", name: "clear", response: { result: true } } }),
      actions: { stateDelta: { city: null, draft: 1 } }
    },
    say("root_agent", { text: "To Oslo, then." })
  ]),
  state: {
    city: "Oslo",
    "user:weather_units": "celsius",
    "app:theme": "dark",
    "user:Other_key": { innerKey: 1, snake_key: true }
  }
}
