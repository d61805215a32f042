import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Reducer, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { contractOf } from "../../src/internal/contract.ts"
import { claimsOf, dependencies } from "../../src/internal/schedule.ts"
import { conversation, endsOf, good, textOf } from "./fixtures.ts"

const { calls, text } = ScriptedModel

const Box = State.make("box", {
  a: State.field(Schema.String, { initial: "" }),
  b: State.field(Schema.String, { initial: "" }),
  sum: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  share: State.field(Schema.Finite, { initial: 0, reducer: Reducer.sum }),
  capped: State.field(Schema.Int.check(Schema.isLessThanOrEqualTo(9)), { initial: 0, reducer: Reducer.sum }),
  list: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  set: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.union<string>() }),
  best: State.field(Schema.Int, { initial: 0, reducer: Reducer.max }),
  longest: State.field(Schema.String, {
    initial: "",
    reducer: Reducer.make((a: string, b: string) => (b.length > a.length ? b : a))
  }),
  xor: State.field(Schema.Int, {
    initial: 0,
    reducer: Reducer.make((a: number, b: number) => a ^ b, { commutative: true })
  }),
  orders: State.record(Schema.String, Schema.String)
})
const Mine = State.make("mine", {
  name: State.field(Schema.String, { initial: "", scope: "user" }),
  sum: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" }),
  xor: State.field(Schema.Int, {
    initial: 0,
    reducer: Reducer.make((a: number, b: number) => a ^ b, { commutative: true }),
    scope: "user"
  }),
  loose: State.field(Schema.String, { initial: "", scope: "user", onConflict: "last" }),
  orders: State.record(Schema.String, Schema.String, { scope: "user" })
})

type Options = Parameters<typeof contractOf>[0]
type Call = readonly [Options, { readonly [_ in string]: string }?]

/** Which earlier calls each call waits for. */
const waits = (...step: ReadonlyArray<Call>) =>
  dependencies(step.map(([options, parameters = {}]) => claimsOf(contractOf(options), parameters)))

const readsA = { reads: [Box.a] }
const writesA = { writes: [Box.a] }
const writesB = { writes: [Box.b] }
const at = { writes: [Box.orders.at("id")] }

/** Two calls of a step, and whether the second waits for the first; the same the other way round. */
const pairs: ReadonlyArray<readonly [name: string, a: Call, b: Call, isApart: boolean]> = [
  ["nothing beside nothing", [{}], [{}], false],
  ["reads of one field", [readsA], [readsA], false],
  ["a read and a write", [readsA], [writesA], true],
  ["two writes", [writesA], [writesA], true],
  ["writes of different fields", [writesA], [writesB], false],
  ["integer sums", [{ combines: [Box.sum] }], [{ combines: [Box.sum] }], false],
  ["unions", [{ combines: [Box.set] }], [{ combines: [Box.set] }], false],
  ["maxima", [{ combines: [Box.best] }], [{ combines: [Box.best] }], false],
  ["reducers of one's own that commute", [{ combines: [Box.xor] }], [{ combines: [Box.xor] }], false],
  ["reducers of one's own that do not", [{ combines: [Box.longest] }], [{ combines: [Box.longest] }], true],
  ["sums of fractions", [{ combines: [Box.share] }], [{ combines: [Box.share] }], true],
  ["sums that a bound may refuse", [{ combines: [Box.capped] }], [{ combines: [Box.capped] }], true],
  ["appends", [{ combines: [Box.list] }], [{ combines: [Box.list] }], true],
  ["a combine and a read", [{ combines: [Box.sum] }], [{ reads: [Box.sum] }], true],
  ["a combine and a write", [{ combines: [Box.sum] }], [{ writes: [Box.sum] }], true],
  ["a combine beside a read of the same call", [{ combines: [Box.sum], reads: [Box.sum] }], [{
    combines: [Box.sum]
  }], true],
  ["combines of different fields", [{ combines: [Box.sum] }], [{ combines: [Box.best] }], false],
  ["entries of one name", [at, { id: "1" }], [at, { id: "1" }], true],
  ["entries of different names", [at, { id: "1" }], [at, { id: "2" }], false],
  ["a read of an entry and a write of it", [{ reads: [Box.orders.at("id")] }, { id: "1" }], [at, { id: "1" }], true],
  ["an entry and the whole record", [at, { id: "1" }], [{ writes: [Box.orders] }], true],
  ["an entry and a read of the whole record", [at, { id: "1" }], [{ reads: [Box.orders] }], true],
  [
    "two entries of one call and one of them",
    [{
      writes: [Box.orders.at("from"), Box.orders.at("to")]
    }, { from: "1", to: "2" }],
    [at, { id: "3" }],
    true
  ],
  ["exclusive, with a call that touches nothing", [{ exclusive: true }], [{}], true],
  ["exclusive, twice", [{ exclusive: true }], [{ exclusive: true }], true],
  ["exclusive by one name", [{ exclusive: "files" }], [{ exclusive: "files" }], true],
  ["exclusive by different names", [{ exclusive: "files" }], [{ exclusive: "mail" }], false],
  ["exclusive by name, with a call that touches nothing", [{ exclusive: "files" }], [{}], false],
  ["exclusive, and by name", [{ exclusive: true }], [{ exclusive: "files" }], true],
  ["writes of one shared field", [{ writes: [Mine.name] }], [{ writes: [Mine.name] }], true],
  ["sums of a shared field", [{ combines: [Mine.sum] }], [{ combines: [Mine.sum] }], false],
  ["different entries of a shared record", [{ writes: [Mine.orders.at("id")] }, { id: "1" }], [{
    writes: [Mine.orders.at("id")]
  }, { id: "2" }], false],
  [
    "entries of a shared record, beside a plain write of a shared field",
    [{
      writes: [Mine.orders.at("id"), Mine.name]
    }, { id: "1" }],
    [{ writes: [Mine.orders.at("id")] }, { id: "2" }],
    true
  ],
  [
    "entries of a shared record, beside a read of a shared field",
    [{
      writes: [Mine.orders.at("id")],
      reads: [Mine.name]
    }, { id: "1" }],
    [{ writes: [Mine.orders.at("id")] }, { id: "2" }],
    false
  ],
  [
    "entries of a shared record, beside a plain write of a field that is not shared",
    [{
      writes: [Mine.orders.at("id"), Box.a]
    }, { id: "1" }],
    [{ writes: [Mine.orders.at("id")] }, { id: "2" }],
    false
  ],
  ["outcomes of a shared field", [{ combines: [Mine.xor] }], [{ combines: [Mine.xor] }], false],
  [
    "outcomes of a shared field, beside a plain write of another",
    [{ combines: [Mine.xor], writes: [Mine.name] }],
    [{ combines: [Mine.xor] }],
    true
  ],
  [
    "entries of a shared record, beside a plain write that the last writer wins: it stands on what was read",
    [{
      writes: [Mine.orders.at("id"), Mine.loose]
    }, { id: "1" }],
    [{ writes: [Mine.orders.at("id")] }, { id: "2" }],
    true
  ]
]

describe("internal/schedule › dependencies", () => {
  for (const [name, a, b, isApart] of pairs) {
    it(`${isApart ? "keeps apart" : "lets overlap"}: ${name}`, () => {
      const expected = isApart ? [[], [0]] : [[], []]
      assert.deepStrictEqual(waits(a, b), expected)
      assert.deepStrictEqual(waits(b, a), expected)
    })
  }

  it("gives a call each earlier one that it conflicts with, once and in order", () => {
    const both = { writes: [Box.a, Box.b] }
    assert.deepStrictEqual(waits([writesA], [writesB], [readsA], [both], [both]), [
      [],
      [],
      [0],
      [0, 1, 2],
      [0, 1, 2, 3]
    ])
  })

  it("never lets a call wait for itself", () => {
    assert.deepStrictEqual(
      waits([{
        writes: [Box.orders.at("from"), Box.orders.at("to"), Box.a],
        reads: [Box.a, Box.orders],
        exclusive: "files"
      }, { from: "1", to: "1" }]),
      [[]]
    )
  })

  it("makes of the claims of two names of exclusion those of each alone", () => {
    assert.deepStrictEqual(
      waits([{ exclusive: "files" }], [{ exclusive: "mail" }], [{ exclusive: "files" }], [{ exclusive: true }], [{}]),
      [[], [], [0], [0, 1, 2], [3]]
    )
  })

  it("is empty for an empty step", () => {
    assert.deepStrictEqual(waits(), [])
  })
})

describe("AgentRunner.run › calls of one step", () => {
  const Args = Schema.Struct({ name: Schema.String })
  const Free = Tool.make("free", { parameters: Args, success: Schema.String })
  const Set = Tool.make("set", { parameters: Args, success: Schema.String, writes: [Box.a] })
  const Files = Tool.make("files", { parameters: Args, success: Schema.String, exclusive: "files" })
  const Alone = Tool.make("alone", { parameters: Args, success: Schema.String, exclusive: true })
  const Edit = Tool.make("edit", { parameters: Args, success: Schema.String, writes: [Box.orders.at("name")] })
  const kit = Toolkit.make(Free, Set, Files, Alone, Edit)
  const agent = Agent.make("worker", { instructions: "Work.", toolkit: kit })
  const step = (...named: ReadonlyArray<readonly [tool: string, name: string]>) =>
    calls(...named.map(([tool, name]) => ({ tool, parameters: { name } })))

  /** Handlers that take a second, and say which one. */
  const logging = (log: Array<string>) => {
    const take = ({ name }: typeof Args.Type) =>
      Effect.gen(function*() {
        log.push(`${name} in second ${(yield* Clock.currentTimeMillis) / 1000}`)
        yield* Effect.sleep("1 second")
        return name
      })
    return Toolkit.layer(kit, { free: take, set: take, files: take, alone: take, edit: take })
  }

  it.effect("overlap where they do not conflict: two that wait for each other both end", () =>
    Effect.gen(function*() {
      const left = yield* Deferred.make<void>()
      const right = yield* Deferred.make<void>()
      const { run } = yield* conversation(agent, [step(["free", "left"], ["set", "right"]), text("Done.")])
      const meet = (own: Deferred.Deferred<void>, other: Deferred.Deferred<void>, name: string) =>
        Deferred.succeed(own, undefined).pipe(Effect.andThen(Deferred.await(other)), Effect.as(name))
      const other = () => Effect.succeed("other")
      const result = yield* Effect.provide(
        run(),
        Toolkit.layer(kit, {
          free: ({ name }) => meet(left, right, name),
          set: ({ name }) => meet(right, left, name),
          files: other,
          alone: other,
          edit: other
        })
      )
      assert.strictEqual(textOf(result), "Done.")
      assert.sameDeepMembers([...endsOf(result.session)], [good("free", "left"), good("set", "right")])
    }))

  const orders: ReadonlyArray<readonly [string, ReturnType<typeof step>, seconds: ReadonlyArray<string>]> = [
    ["run one by one where they write one field", step(["set", "a"], ["set", "b"]), ["a in second 0", "b in second 1"]],
    ["wait for those that they conflict with alone", step(["set", "a"], ["set", "b"], ["free", "c"]), [
      "a in second 0",
      "b in second 1",
      "c in second 0"
    ]],
    ["run one by one under one name of exclusion", step(["files", "a"], ["free", "b"], ["files", "c"]), [
      "a in second 0",
      "b in second 0",
      "c in second 1"
    ]],
    ["run alone where they are exclusive", step(["free", "a"], ["alone", "b"], ["free", "c"]), [
      "a in second 0",
      "b in second 1",
      "c in second 2"
    ]],
    ["overlap on different entries of a record", step(["edit", "a"], ["edit", "b"], ["edit", "a"]), [
      "a in second 0",
      "a in second 1",
      "b in second 0"
    ]]
  ]
  for (const [name, turn, expected] of orders) {
    it.effect(name, () => {
      const log: Array<string> = []
      return Effect.gen(function*() {
        const { run } = yield* conversation(agent, [turn, text("Done.")])
        const fiber = yield* Effect.forkChild(run())
        for (const _ of expected) yield* TestClock.adjust("1 second")
        assert.strictEqual(textOf(yield* Fiber.join(fiber)), "Done.")
        assert.deepStrictEqual(log.sort(), expected)
      }).pipe(Effect.provide(logging(log)))
    })
  }

  for (const conflicting of [false, true]) {
    it.effect(`keep to the bound on concurrency${conflicting ? ", also where some wait" : ""}`, () => {
      const running = { now: 0, peak: 0 }
      const take = ({ name }: typeof Args.Type) =>
        Effect.gen(function*() {
          running.now += 1
          running.peak = Math.max(running.peak, running.now)
          yield* Effect.sleep("1 second")
          running.now -= 1
          return name
        })
      return Effect.gen(function*() {
        const six = [1, 2, 3, 4, 5, 6].map((n) => ["free", String(n)] as const)
        const { run } = yield* conversation(agent, [
          step(...six, ...(conflicting ? [["set", "7"], ["set", "8"]] as const : [])),
          text("Done.")
        ])
        const fiber = yield* Effect.forkChild(run("Go.", { concurrency: 3 }))
        const seconds = conflicting ? 4 : 2
        for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
        assert.strictEqual(textOf(yield* Fiber.join(fiber)), "Done.")
        assert.strictEqual(running.peak, 3)
      }).pipe(Effect.provide(Toolkit.layer(kit, { free: take, set: take, files: take, alone: take, edit: take })))
    })
  }

  it.effect("do not take a place of the bound while they wait", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [
        step(["set", "1"], ["set", "2"], ["set", "3"], ["free", "4"]),
        text("Done.")
      ])
      const fiber = yield* Effect.forkChild(run("Go.", { concurrency: 2 }))
      for (const _ of [0, 1, 2]) yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(log.sort(), ["1 in second 0", "2 in second 1", "3 in second 2", "4 in second 0"])
    }).pipe(Effect.provide(logging(log)))
  })
})
