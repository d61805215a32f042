/**
 * A store whose edge breaks: it is slow, fails before it did something or after it did, does it twice, or is gone for a
 * while; or the client below it is so. A run over it ends with an error that may be tried again, or well; and one that
 * goes on with a store that works comes to a log in which nothing that was acknowledged is lost, and nothing is doubled.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Context, Effect, Layer, Schema, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { AgentError, SessionStore } from "tenon"
import { SqlStore } from "tenon/sql"
import { afterAll } from "vitest"
import { layer as sqliteLayer } from "../../src/sql/internal/sqlite.ts"
import { type Chapter, chapterNames } from "../crash/life.ts"
import { instrumented } from "../sql/instrumented.ts"
import { survive } from "./faults.ts"
import * as Random from "./random.ts"

const runs = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 4)

// ===== a case ================================================================

const kinds = ["slow", "fails before", "fails after", "twice", "gone"] as const

interface Fault {
  /** The operation of the store, or the statement, counted from 0. */
  readonly at: number
  readonly kind: typeof kinds[number]
}

interface Case {
  readonly edge: "store" | "client"
  readonly chapter: Chapter
  /** What goes wrong in one life after the other; the last one has a store that works. */
  readonly lives: ReadonlyArray<ReadonlyArray<Fault>>
}

const int = (maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const oneOf = <A>(items: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(int(items.length - 1), (index) => items[index] as A)

const fault = Arbitrary.all({ at: int(150), kind: oneOf(kinds) })

const cases: Arbitrary.Arbitrary<Case> = Arbitrary.all({
  edge: oneOf(["store", "client"] as const),
  chapter: oneOf(chapterNames),
  lives: Arbitrary.array(Arbitrary.array(fault, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
})

// ===== faults ================================================================

/** How many operations in a row fail when the other side is gone. */
const outage = 4

const tally = new Map<string, number>()
const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

/** Counts what passes, and lets go wrong what its faults say. */
class Edge {
  private faults: ReadonlyArray<Fault> = []
  private passed = 0

  begin(faults: ReadonlyArray<Fault>): void {
    this.faults = faults
    this.passed = 0
  }

  private next(): Fault["kind"] | undefined {
    const number = this.passed++
    const kind = this.faults.find(({ at, kind: of }) => number >= at && number < at + (of === "gone" ? outage : 1))
      ?.kind
    if (kind !== undefined) count(kind)
    return kind
  }

  /** What is done again goes wrong, most likely, and its answer is the one that comes. */
  pass<A, E, B>(
    effect: Effect.Effect<A, E>,
    failure: Effect.Effect<never, B>,
    /** What it is the first time, where it comes twice. */
    first: Effect.Effect<unknown, E> = effect
  ): Effect.Effect<A, E | B> {
    return Effect.suspend((): Effect.Effect<A, E | B> => {
      const late = Effect.repeat(Effect.yieldNow, { times: 20 })
      switch (this.next()) {
        case "slow":
          return Effect.andThen(late, Effect.tap(effect, () => late))
        case "twice":
          return Effect.andThen(first, effect)
        case "fails after":
          return Effect.andThen(effect, failure)
        case "fails before":
        case "gone":
          return failure
        case undefined:
          return effect
      }
    })
  }

  /** A statement. A transaction does not begin where that fails, and is over in any case where it cannot be undone. */
  statement<A, E, B>(sql: string, effect: Effect.Effect<A, E>, failure: Effect.Effect<never, B>) {
    if (sql === "ROLLBACK") return Effect.tap(effect, () => this.pass(Effect.void, failure))
    if (sql.startsWith("BEGIN")) return Effect.andThen(this.pass(Effect.void, failure), effect)
    return this.pass(effect, failure)
  }
}

const broken = Effect.suspend(() => Effect.fail(new AgentError.StoreFailed({ problem: "broken" })))

const faulty = (edge: Edge, inner: SessionStore.SessionStore["Service"]): SessionStore.SessionStore["Service"] => ({
  ...inner,
  load: (ref, part) => edge.pass(inner.load(ref, part), broken),
  newest: (ref) => edge.pass(inner.newest(ref), broken),
  saveSnapshot: (ref, snapshot, lease) => edge.pass(inner.saveSnapshot(ref, snapshot, lease), broken),
  append: (ref, append) => edge.pass(inner.append(ref, append), broken),
  rewrite: (ref, rewrite) => edge.pass(inner.rewrite(ref, rewrite), broken),
  shared: (ref, fields) => edge.pass(inner.shared(ref, fields), broken),
  post: (ref, waiting) => edge.pass(inner.post(ref, waiting), broken),
  inbox: (ref) => edge.pass(inner.inbox(ref), broken),
  lease: (ref) =>
    Effect.contextWith((context: Context.Context<Scope.Scope>) =>
      edge.pass(Effect.provideContext(inner.lease(ref), context), broken, Effect.scoped(inner.lease(ref)))
    ),
  list: (of) => edge.pass(inner.list(of), broken),
  remove: (ref) => edge.pass(inner.remove(ref), broken)
})

const cut = Effect.suspend(() =>
  Effect.fail(
    new SqlError.SqlError({ reason: new SqlError.ConnectionError({ message: "the connection is gone", cause: "cut" }) })
  )
)

/** The store of a case, which works as long as nothing is armed, and the edge that breaks. */
const storeOf = Effect.fnUntraced(function*(edge: Edge, where: Case["edge"]) {
  if (where === "store") {
    const plain = Context.get(yield* Layer.build(SessionStore.layerMemory), SessionStore.SessionStore)
    return { plain, store: faulty(edge, plain) }
  }
  const client = instrumented(
    sqliteLayer(":memory:"),
    "sqlite",
    (sql, statement) => edge.statement(sql, statement, cut)
  )
  const store = SqlStore.layer({ lease: "20 millis" }).pipe(Layer.provide(client))
  const plain = Context.get(yield* Layer.build(store), SessionStore.SessionStore)
  return { plain, store: plain }
})

// ===== the property ==========================================================

describe("AgentRunner", () => {
  let failed = 0
  it.live.prop(
    `comes to the same end over a store whose edge breaks (seed ${Random.seed})`,
    { made: cases },
    ({ made: { chapter, edge: where, lives } }) =>
      Effect.scoped(Effect.gen(function*() {
        const edge = new Edge()
        const stores = yield* storeOf(edge, where)
        const begin = (faults: ReadonlyArray<Fault> = []) => Effect.sync(() => edge.begin(faults))
        failed += yield* survive({ ...stores, begin }, chapter, lives)
        return true
      })),
    {
      timeout: Math.max(120_000, runs * 1_000),
      arbitrary: { runs, seed: Random.seed, maxShrinks: 200 }
    }
  )

  afterAll(() => {
    console.log({ seed: Random.seed, cases: runs, failed, ...Object.fromEntries(tally) })
    for (const kind of kinds) assert.isAbove(tally.get(kind) ?? 0, 0)
  })
})
