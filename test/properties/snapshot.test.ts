/**
 * A snapshot at any place of a log, and the events since, come to what the whole log comes to: state, versions and open
 * questions; over pauses, sub-agents and all.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { type Event, Session, SessionStore } from "tenon"
import { definitionOf } from "../../src/internal/field.ts"
import { Log } from "../../src/internal/log.ts"
import { snapshotOf } from "../../src/internal/snapshot.ts"
import { caseOf, describeCase, execute, sections } from "./agents.ts"
import * as Random from "./random.ts"

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 20)
const ref = { app: "app", user: "u", session: "s" }
const known = new Map(sections.map((section) => [definitionOf(section).name, definitionOf(section)]))

/** What a session has come to, by a snapshot of its first events. */
const newestFrom = (events: ReadonlyArray<Event.Event>, at: number) =>
  Effect.gen(function*() {
    const store = yield* SessionStore.SessionStore
    const snapshot = snapshotOf(new Log(events.slice(0, at)), known)
    assert.isDefined(snapshot)
    yield* Effect.scoped(Effect.flatMap(store.lease(ref), (lease) => store.saveSnapshot(ref, snapshot, lease)))
    assert.lengthOf(Option.getOrThrow(yield* store.newest(ref)).events, events.length - at)
    return yield* Session.newest(ref, sections)
  }).pipe(Effect.provide(SessionStore.layerMemoryWith([{ ref, events }])))

describe("Session.newest", () => {
  it.effect(
    `is the same by a snapshot at any place (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        for (let number = 0; number < cases; number++) {
          const random = Random.make(Random.mix(Random.seed, `snapshots ${number}`))
          const made = caseOf(number)
          const { events: all } = yield* execute(made, false, random)
          // the end of a log may lie within a run: questions are open there
          const events = all.slice(0, 1 + random.int(all.length))
          const whole = yield* Session.load(ref, sections).pipe(
            Effect.provide(SessionStore.layerMemoryWith([{ ref, events }]))
          )
          for (const at of [1, 1 + random.int(events.length), events.length]) {
            const newest = yield* newestFrom(events, at)
            assert.deepStrictEqual(
              [newest.revision, newest.state.values, newest.state.versions, newest.open],
              [whole.revision, whole.state.values, whole.state.versions, whole.open],
              `a snapshot at ${at} of ${events.length}\nTENON_SEED=${Random.seed}\n${describeCase(made)}`
            )
          }
        }
      }),
    Math.max(120_000, cases * 2_000)
  )
})
