/**
 * Whatever a session holds, its document carries it: an import makes the same log and the same folds, and exports the same
 * bytes; a document that is cut off, or has a place damaged, makes all of a session or nothing of it.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Stream } from "effect"
import { History, Session, SessionDocument, SessionStore } from "tenon"
import { caseOf, describeCase, execute } from "./agents.ts"
import * as Random from "./random.ts"

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 20)
const ref = { app: "app", user: "u", session: "s" }
const other = { app: "app", user: "u", session: "other" }

/** A text in pieces of any length. */
const cut = (text: string, random: Random.Random): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let at = 0; at < text.length;) {
    const length = random.once(3) ? random.int(4) : random.int(2_000)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

/** Another layout of the same JSON. */
const laidOut = (text: string, random: Random.Random): string =>
  random.pick([text, JSON.stringify(JSON.parse(text)), JSON.stringify(JSON.parse(text), null, 2)])

const damaged = (text: string, random: Random.Random): string => {
  const at = random.int(text.length)
  switch (random.int(3)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random.int(20))
    default:
      return text.slice(0, at) + random.pick([...`{}[]",:\\0 `]) + text.slice(at + random.int(2))
  }
}

describe("SessionDocument", () => {
  it.effect(
    `carries a session to another store as it is (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        for (let number = 0; number < cases; number++) {
          const random = Random.make(Random.mix(Random.seed, `documents ${number}`))
          const made = caseOf(number)
          const explain = `TENON_SEED=${Random.seed}\n${describeCase(made)}`
          const { events } = yield* execute(made, false, random)
          const origin = yield* Effect.gen(function*() {
            if (random.once(2)) yield* History.rewind(ref, { to: random.int(events.length) })
            const text = yield* Stream.mkString(SessionDocument.exportSession(ref))
            return { text, session: yield* Session.load(ref) }
          }).pipe(Effect.provide(SessionStore.layerMemoryWith([{ ref, events }])))

          yield* Effect.gen(function*() {
            const store = yield* SessionStore.SessionStore
            const pieces = cut(laidOut(origin.text, random), random)
            yield* SessionDocument.importSession(Stream.fromIterable(pieces))
            const { events: all, history, open, state } = yield* Session.load(ref)
            assert.deepStrictEqual(all, origin.session.events, explain)
            assert.deepStrictEqual([history, open, state.values], [
              origin.session.history,
              origin.session.open,
              origin.session.state.values
            ], explain)
            assert.strictEqual(yield* Stream.mkString(SessionDocument.exportSession(ref)), origin.text, explain)

            // of a damaged text all is there that it tells of, or nothing
            for (let times = 0; times < 20; times++) {
              const wrong = damaged(origin.text, random)
              const exit = yield* Effect.exit(
                SessionDocument.importSession(Stream.fromIterable(cut(wrong, random)), { as: other })
              )
              const stored = Option.map(yield* store.load(other), ({ length }) => length)
              if (Exit.isSuccess(exit)) {
                assert.deepStrictEqual(
                  stored,
                  Option.some((JSON.parse(wrong) as { events: [] }).events.length),
                  explain
                )
                yield* Session.load(other)
                yield* store.remove(other)
              } else {
                assert.deepStrictEqual(stored, Option.none(), explain)
                assert.isFalse(Exit.hasDies(exit), `${explain}\n${wrong}`)
              }
            }
          }).pipe(Effect.provide(SessionStore.layerMemory))
        }
      }),
    Math.max(120_000, cases * 2_000)
  )
})
