/**
 * Wherever a session goes back to, or another begins: what comes of it is the fold of the events that it keeps, with what
 * was open closed; and a run goes on from there.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { type Event, History, Session, SessionStore } from "tenon"
import { caseOf, describeCase, execute, sections } from "./agents.ts"
import * as Random from "./random.ts"

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 20)
const ref = { app: "app", user: "u", session: "s" }
const other = { app: "app", user: "u", session: "other" }

const valuesOf = (events: ReadonlyArray<Event.Event>) => Result.getOrThrow(Session.fold(events, sections)).state.values
/** Only what the log holds: rows of shared fields are in the store. */
const inLog = (values: ReadonlyMap<string, unknown>, like: ReadonlyMap<string, unknown>) =>
  new Map<string, unknown>([...values].filter(([name]) => like.has(name)))
const unfinished = (events: ReadonlyArray<Event.Event>) => {
  const ended = new Set(events.flatMap((event) => event.kind === "call" ? [event.call] : []))
  return events.flatMap((event) => event.kind === "model" ? event.calls.filter(({ id }) => !ended.has(id)) : [])
}

describe("History", () => {
  it.effect(
    `keeps exactly what was before a place (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        for (let number = 0; number < cases; number++) {
          const random = Random.make(Random.mix(Random.seed, `histories ${number}`))
          const made = caseOf(number)
          const { events } = yield* execute(made, false, random)
          yield* Effect.gen(function*() {
            const store = yield* SessionStore.SessionStore
            const places = [random.int(events.length), random.int(events.length)].toSorted((a, b) => b - a)
            const explain = `${places.join(", ")} of ${events.length}\nTENON_SEED=${Random.seed}\n${describeCase(made)}`
            for (const [index, to] of places.entries()) {
              const kept = events.slice(0, to + 1)
              yield* History.rewind(ref, { to })
              const rewound = yield* Session.load(ref, sections)
              const target = { ...other, session: `other ${index}` }
              yield* History.fork(ref, target)
              const forked = yield* Session.load(target, sections)
              const expected = valuesOf(kept)
              for (const { events: all, history, open, state } of [rewound, forked]) {
                assert.deepStrictEqual(inLog(state.values, expected), new Map<string, unknown>(expected), explain)
                assert.deepStrictEqual(all.slice(0, kept.length).map(({ kind }) => kind), kept.map(({ kind }) => kind))
                assert.deepStrictEqual(unfinished(all), [], explain)
                assert.deepStrictEqual(open.filter(({ mode }) => mode !== "pending"), [], explain)
                // the messages of what is kept come first, and each call has its result
                const { transcript } = Result.getOrThrow(Session.fold(kept, sections))
                assert.deepStrictEqual(history.slice(0, transcript.length), transcript, explain)
              }
              const newest = yield* Session.newest(ref, sections)
              assert.deepStrictEqual(newest.state.values, rewound.state.values, explain)
            }
            // the log itself only grew
            const stored = Option.getOrThrow(yield* store.load(ref))
            assert.deepStrictEqual(stored.slice(0, events.length), events)
          }).pipe(Effect.provide(SessionStore.layerMemoryWith([{ ref, events }])))
        }
      }),
    Math.max(120_000, cases * 2_000)
  )
})
