/** Stores that lost something, or gave it away. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, Scope } from "effect"
import { Statement } from "effect/sql"
import { type Event, SessionStore } from "tenon"
import { SqlStore } from "tenon/sql"

const ref = { app: "app", user: "u", session: "s" }

const ended: Event.Event = {
  kind: "ended",
  id: "s/0",
  sequence: 0,
  invocation: "i1",
  agent: "a",
  path: ["a"],
  time: 1_000,
  status: "completed",
  elapsed: 0
}

/** Runs one Effect before the second statement of another, and lets it come as far as it can. */
const between = (effect: Effect.Effect<void>) => {
  let statements = 0
  const meanwhile = Effect.forkDetach(Effect.provideService(effect, Statement.CurrentTransformer, undefined))
  const waiting = Effect.repeat(Effect.yieldNow, { times: 20 })
  return Effect.provideService(
    Statement.CurrentTransformer,
    (statement) => Effect.as(++statements === 2 ? Effect.andThen(meanwhile, waiting) : Effect.void, statement)
  )
}

describe("a session in a database", () => {
  it.effect("whose run ends while it is to be removed is removed, or is said to be busy", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const scope = yield* Scope.make()
      yield* store.append(ref, {
        expected: 0,
        lease: yield* Scope.provide(store.lease(ref), scope),
        events: () => [ended]
      })
      const removed = yield* Effect.exit(between(Scope.close(scope, Exit.void))(store.remove(ref)))
      assert.strictEqual(Exit.isSuccess(removed), Option.isNone(yield* store.load(ref)))
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(SqlStore.layerSqlite({ filename: ":memory:" }))))

  it.effect("whose run begins while it is to be removed is said to be busy where it stays", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const scope = yield* Scope.make()
      yield* store.append(ref, { expected: 0, events: () => [ended] })
      const begin = Effect.ignore(Scope.provide(store.lease(ref), scope))
      const removed = yield* Effect.exit(between(begin)(store.remove(ref)))
      assert.strictEqual(Exit.isSuccess(removed), Option.isNone(yield* store.load(ref)))
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(SqlStore.layerSqlite({ filename: ":memory:" }))))
})
