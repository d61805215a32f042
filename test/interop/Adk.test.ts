import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result, Schema } from "effect"
import { Agent, AgentRunner, Event, Session, SessionStore, State, Tool, Toolkit } from "tenon"
import { Adk, Imported } from "tenon/interop"
import { ScriptedModel } from "tenon/testing"
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

describe("Adk", () => {
  describe("importSession", () => {
    it.effect.prop("gives back what came in, in either spelling", { session: Random.session }, ({ session }) =>
      Effect.gen(function*() {
        const first = yield* stored(imported(session))
        assert.deepStrictEqual(Adk.exportSession(first, { keys }).value, session)
        // through the other spelling, and through JSON
        const camel = Adk.exportSession(first, { keys, spelling: "camelCase", times: "seconds" }).value
        const second = yield* stored(imported(JSON.parse(JSON.stringify(camel)))).pipe(
          Effect.provide(Layer.fresh(SessionStore.layerMemory))
        )
        assert.deepStrictEqual(Adk.exportSession(second, { keys }).value, session)
        assert.deepStrictEqual(second.history, first.history)
      }).pipe(Effect.provide(SessionStore.layerMemory)), { arbitrary: { runs: 500 } })

    it.effect.prop("gives a log that a run can go on in", { session: Random.session }, ({ session }) =>
      Effect.gen(function*() {
        const from = imported(session)
        assert.deepStrictEqual(from.events.map((event) => event.sequence), from.events.map((_, index) => index))
        for (const event of from.events) assert.isTrue(Result.isSuccess(Event.decode(Event.encode(event))))
        const before = yield* stored(from)
        assert.deepStrictEqual(before.open, [])
        const agent = Agent.make("guide", { instructions: "Guide." })
        const result = yield* AgentRunner.run(agent, { app: from.ref.app, user: "ada", session: "s-1", input: "Go on." })
        assert.strictEqual(result._tag === "Completed" && result.text, "On we go.")
        assert.deepStrictEqual(result.session.history.slice(0, before.history.length), before.history)
        assert.lengthOf(result.session.history, before.history.length + 2)
      }).pipe(Effect.provide([SessionStore.layerMemory, ScriptedModel.layer([ScriptedModel.text("On we go.")])])), {
      arbitrary: { runs: 100 }
    })
  })
})
void [Option, Tool, Toolkit]
