/** Stores that lost something, or gave it away. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { SqlClient, SqlError, Statement } from "effect/sql"
import { Agent, AgentError, AgentRunner, type Event, Reconcile, Session, SessionStore, Tool, Toolkit } from "tenon"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { layer as sqliteLayer } from "../../src/sql/internal/sqlite.ts"
import { instrumented } from "../sql/instrumented.ts"

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

describe("a driver that sends a statement again", () => {
  it.effect("does not change how much waits in an inbox, also where the first was done", () => {
    const client = instrumented(
      sqliteLayer(":memory:"),
      "sqlite",
      (sql, statement) =>
        /^(INSERT INTO tenon_inbox|UPDATE)/.test(sql) ? Effect.andThen(statement, statement) : statement
    )
    return Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const waiting = (key: string) => ({ kind: "cancellation", key, time: 1_000 }) as const
      yield* store.post(ref, waiting("a"))
      yield* store.post(ref, waiting("b"))
      yield* store.post(ref, waiting("a"))
      assert.deepStrictEqual((yield* store.inbox(ref)).map(({ key }) => key), ["a", "b"])
      yield* store.append(ref, { expected: 0, events: () => [ended], takes: ["a", "never posted"] })
      assert.deepStrictEqual((yield* store.inbox(ref)).map(({ key }) => key), ["b"])
    }).pipe(Effect.provide(SqlStore.layer().pipe(Layer.provide(client))))
  })
})

describe("what waits under another key than its own", () => {
  it.effect("is said to be damaged: taken by its own key it would wait for ever", () =>
    Effect.gen(function*() {
      const client = yield* Layer.build(sqliteLayer(":memory:"))
      const sql = Context.get(client, SqlClient.SqlClient)
      const layer = SqlStore.layer().pipe(Layer.provide(Layer.succeedContext(client)))
      const store = Context.get(yield* Layer.build(layer), SessionStore.SessionStore)
      yield* store.post(ref, { kind: "cancellation", key: "a" })
      for (const [key, kind] of [["b", "cancellation"], ["a", "answer"]]) {
        yield* sql`UPDATE tenon_inbox SET content = ${JSON.stringify({ kind: "cancellation", key })}, kind = ${kind},
          checksum = NULL`
        const error = yield* Effect.flip(store.inbox(ref))
        assert.include(error.message, "what waits for 's' as 'a' cannot be read: it is another")
      }
    }))
})

describe("a store that fails", () => {
  it.effect("where a transaction can neither be committed nor undone fails, and is no defect", () =>
    Effect.gen(function*() {
      let isCut = false
      const cut = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ message: "cut", cause: "cut" }) })
      const client = instrumented(sqliteLayer(":memory:"), "sqlite", (sql, statement) =>
        Effect.suspend(() => {
          if (!isCut) return statement
          return sql === "ROLLBACK" ? Effect.andThen(statement, cut) : cut
        }))
      yield* Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const breaking = () => {
          isCut = true
          return [ended]
        }
        const error = yield* Effect.flip(store.append(ref, { expected: 0, events: breaking }))
        assert.strictEqual(error.message, "the session store failed: cut")
        isCut = false
        assert.deepStrictEqual(yield* store.load(ref), Option.none())
      }).pipe(Effect.provide(SqlStore.layer().pipe(Layer.provide(client))))
    }))

  it.effect("to take the end of a call leaves it open: the next run finds out what became of it", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(Tool.make("pay", {}))
      const agent = Agent.make("agent", { instructions: "", toolkit: kit })
      const paid: Array<string> = []
      const live = Toolkit.layer(kit, {
        pay: Reconcile.on(
          () => Effect.sync(() => void paid.push("paid")),
          () => Effect.succeed(paid.length > 0 ? Reconcile.succeeded(undefined) : Reconcile.notRun)
        )
      })
      const store = yield* SessionStore.SessionStore
      let isBroken = true
      const broken: SessionStore.SessionStore["Service"] = {
        ...store,
        append: (of, append) => {
          const fails = isBroken && paid.length > 0
          // it works again for whatever comes next
          if (fails) isBroken = false
          return fails ? Effect.fail(new AgentError.StoreFailed({ problem: "full" })) : store.append(of, append)
        }
      }
      const run = AgentRunner.run(agent, { ...ref, key: "m-1", input: "Go." }).pipe(
        Effect.provideService(SessionStore.SessionStore, broken),
        Effect.provide([live, ScriptedModel.layer([ScriptedModel.call("pay"), ScriptedModel.text("Done.")])])
      )
      assert.strictEqual((yield* Effect.flip(run)).reason._tag, "StoreFailed")
      const { session } = yield* AgentRunner.run(agent, { ...ref, key: "m-1", input: "Go." }).pipe(
        Effect.provide([live, ScriptedModel.layer([ScriptedModel.text("Done.")])])
      )
      assert.deepStrictEqual(
        session.events.flatMap((event) => event.kind === "call" ? [event.result.isFailure] : []),
        [false]
      )
      assert.deepStrictEqual(paid, ["paid"])
      assert.strictEqual((yield* Session.load(ref, agent)).revision, session.revision)
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})
