/**
 * What every store of credentials must do, as test cases for whichever test runner.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Deferred, Effect, Exit, Fiber, Option, Redacted } from "effect"
import { type Credential, CredentialStore, type Owner } from "../CredentialStore.ts"
import { CaseFailed, hardNames, is, ownApp, type StoreCase } from "./internal/cases.ts"

/**
 * One thing that a store must do. It fails, or dies, where the store does not.
 *
 * @category models
 * @since 0.1.0
 */
export type Case = StoreCase<CredentialStore>

export { CaseFailed }

const on = (
  name: string,
  run: (store: CredentialStore["Service"], owner: Owner) => Effect.Effect<void, unknown>
): Case => ({
  name,
  run: Effect.gen(function*() {
    yield* run(yield* CredentialStore, { app: yield* ownApp, user: "ada" })
  })
})

/** A credential as what it holds, to compare. */
const shown = (found: Option.Option<Credential>) =>
  Option.getOrUndefined(Option.map(found, ({ expires, refresh, scopes, secret }) => [
    Redacted.value(secret),
    refresh === undefined ? undefined : Redacted.value(refresh),
    expires,
    scopes
  ]))

const token = (secret: string): Credential => ({ secret: Redacted.make(secret) })
const secretIn = (found: Option.Option<Credential>) => shown(found)?.[0]

/**
 * What every store must do. Each case has an app of its own, so that all may run on one database.
 *
 * **Example** (A store of your own)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { CredentialStore } from "tenon"
 * import { CredentialStoreTest } from "tenon/testing"
 *
 * // your test runner's; with "@effect/vitest": it.effect(name, () => Effect.provide(run, layer))
 * const test = (_name: string, body: () => Promise<void>) => body()
 *
 * for (const { name, run } of CredentialStoreTest.cases) {
 *   await test(name, () => Effect.runPromise(Effect.provide(run, CredentialStore.layerMemory)))
 * }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const cases: ReadonlyArray<Case> = [
  on("get gives what was put last, until it is removed", (store, ada) =>
    Effect.gen(function*() {
      yield* is(shown(yield* store.get(ada, "github")), undefined)
      yield* store.put(ada, "github", token("first"))
      const whole = { ...token("second"), refresh: Redacted.make("again"), expires: 1_234.5, scopes: ["a", "b"] }
      yield* store.put(ada, "github", whole)
      yield* is(shown(yield* store.get(ada, "github")), ["second", "again", 1_234.5, ["a", "b"]])
      yield* store.put(ada, "github", token("third"))
      yield* is(shown(yield* store.get(ada, "github")), ["third", undefined, undefined, undefined])
      yield* store.remove(ada, "github")
      yield* is(shown(yield* store.get(ada, "github")), undefined)
      yield* store.remove(ada, "github")
    })),

  on("get tells credentials apart by app, user and name, whatever they are", (store, ada) =>
    Effect.gen(function*() {
      const places = hardNames.flatMap((name): ReadonlyArray<readonly [Owner, string]> => [
        [ada, name],
        [{ ...ada, user: name }, "github"],
        [{ ...ada, app: `${ada.app} ${name}` }, "github"]
      ])
      for (const [index, [owner, name]] of places.entries()) yield* store.put(owner, name, token(`${index}`))
      for (const [index, [owner, name]] of places.entries()) {
        yield* is(secretIn(yield* store.get(owner, name)), `${index}`)
      }
    })),

  on(
    "get gives secrets of whatever characters, and lengths",
    (store, ada) =>
      Effect.forEach([...hardNames, "", "x".repeat(10_000)], (secret) =>
        Effect.gen(function*() {
          yield* store.put(ada, "github", token(secret))
          yield* is(secretIn(yield* store.get(ada, "github")), secret)
        }), { discard: true })
  ),

  on(
    "alone runs one at a time for a credential, and those for others beside it",
    (store, ada) =>
      Effect.gen(function*() {
        const log: Array<string> = []
        const entered = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const first = yield* Effect.forkChild(
          store.alone(ada, "github")(Effect.gen(function*() {
            log.push("first starts")
            yield* Deferred.succeed(entered, undefined)
            yield* Deferred.await(go)
            log.push("first ends")
          }))
        )
        yield* Deferred.await(entered)
        const second = yield* Effect.forkChild(store.alone({ ...ada }, "github")(Effect.sync(() => log.push("second"))))
        // time for it to run, where nothing holds it up
        yield* Effect.repeat(Effect.yieldNow, { times: 20 })
        yield* store.alone({ ...ada, user: "bob" }, "github")(Effect.sync(() => log.push("bob's")))
        yield* store.alone(ada, "gitlab")(Effect.sync(() => log.push("other")))
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.joinAll([first, second])
        yield* is(log, ["first starts", "bob's", "other", "first ends", "second"])
      })
  ),

  on(
    "alone gives what the Effect gives, and lets the next one run however it ends",
    (store, ada) =>
      Effect.gen(function*() {
        const alone = store.alone(ada, "github")
        yield* is(yield* alone(Effect.succeed(1)), 1)
        yield* is(yield* Effect.flip(alone(Effect.fail("no"))), "no")
        yield* is(Exit.isFailure(yield* Effect.exit(alone(Effect.die("dead")))), true)
        const entered = yield* Deferred.make<void>()
        const endless = alone(Effect.andThen(Deferred.succeed(entered, undefined), Effect.never))
        const running = yield* Effect.forkChild(endless)
        yield* Deferred.await(entered)
        const waiting = yield* Effect.forkChild(alone(Effect.never))
        yield* Fiber.interrupt(waiting)
        yield* Fiber.interrupt(running)
        yield* is(yield* alone(Effect.succeed(2)), 2)
      })
  ),

  on("alone lets the Effect use the store", (store, ada) =>
    Effect.gen(function*() {
      yield* store.alone(ada, "github")(store.put(ada, "github", token("new")))
      yield* is(secretIn(yield* store.get(ada, "github")), "new")
    }))
]
