/**
 * S10: several sessions of one user run at the same time on fields that they share. Whatever the interleaving:
 *
 * - the rows are what the committed operations make, in the order of their commits;
 * - a call that set a field saw every shared field that it read as it was when it committed (unless the last may win);
 * - no combine and no entry of a committed call is lost, and none of a call that failed is there;
 * - a bound is never passed.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  type Event,
  Reducer,
  SessionStore,
  State,
  StateDelta,
  Tool,
  ToolCall,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import * as Random from "./random.ts"

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 4)

const modulo = Reducer.make((current: number, operand: number) => (current + operand) % 97, { commutative: true })
const user = { scope: "user" } as const
const Shared = State.make("shared", {
  a: State.field(Schema.Int, { initial: 1, ...user }),
  b: State.field(Schema.Int, { initial: 2, scope: "app" }),
  last: State.field(Schema.Int, { initial: 3, ...user, onConflict: "last" }),
  sum: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, ...user }),
  modulo: State.field(Schema.Int, { initial: 0, reducer: modulo, ...user }),
  small: State.field(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })), {
    initial: 0,
    reducer: Reducer.sum,
    ...user
  }),
  record: State.record(Schema.String, Schema.Int, user)
})
type Key = "a" | "b" | "last" | "sum" | "modulo" | "small" | "record"
const plain = ["a", "b", "last"] as const
const combined = ["sum", "modulo", "small"] as const
const scopeOf = (name: string): SessionStore.SharedScope => name === "shared.b" ? "app" : "user"
const initial: StateDelta.Values = new Map<string, Schema.Json>([
  ["shared.a", 1],
  ["shared.b", 2],
  ["shared.last", 3],
  ["shared.sum", 0],
  ["shared.modulo", 0],
  ["shared.small", 0],
  ["shared.record", {}]
])

// ===== a case ================================================================

interface ToolSpec {
  readonly name: string
  readonly reads: ReadonlyArray<Key>
  readonly writes: ReadonlyArray<typeof plain[number]>
  readonly combines: ReadonlyArray<typeof combined[number]>
  readonly entries: boolean
  readonly repeatable: boolean
}

interface Case {
  readonly tools: ReadonlyArray<ToolSpec>
  /** The steps of each session. */
  readonly sessions: ReadonlyArray<ReadonlyArray<ReadonlyArray<ScriptedModel.Call>>>
}

const caseOf = (random: Random.Random): Case => {
  const tools = Array.from({ length: 1 + random.int(4) }, (_, index): ToolSpec => {
    const writes = random.some(plain, random.int(3))
    const combines = random.some(combined, random.int(3))
    const reads = random.some(["a", "b", "last", "sum", "record"] as const, random.int(3))
      .filter((key) => !writes.includes(key as "a") && !combines.includes(key as "sum"))
    return { name: `t${index}`, reads, writes, combines, entries: random.once(3), repeatable: random.once(2) }
  })
  const callOf = (): ScriptedModel.Call => ({
    tool: random.pick(tools).name,
    parameters: { seed: random.int(1_000_000), key: random.pick(["x", "y"]) }
  })
  return {
    tools,
    sessions: Array.from(
      { length: 2 + random.int(2) },
      () => Array.from({ length: 1 + random.int(2) }, () => Array.from({ length: 1 + random.int(3) }, callOf))
    )
  }
}

// ===== what calls do =========================================================

/** What one attempt saw and added; the last attempt of a call is the one that committed. */
interface Seen {
  readonly reads: Map<string, string>
  readonly added: Map<string, number>
}

const Args = Schema.Struct({ seed: Schema.Int, key: Schema.String })
const field = (key: Key) =>
  Shared[key] as unknown as {
    readonly name: string
    readonly get: Effect.Effect<unknown>
    readonly set: (value: number) => Effect.Effect<void>
    readonly combine: (operand: number) => Effect.Effect<void>
  }
const pause = (turns: number) => turns === 0 ? Effect.void : Effect.repeat(Effect.yieldNow, { times: turns - 1 })

const behave = ({ reads, writes, combines, entries }: ToolSpec, { seed, key }: typeof Args.Type, seen: Seen) =>
  Effect.gen(function*() {
    const random = Random.make(seed)
    let acc = random.int(50)
    const look = Effect.fnUntraced(function*(name: Key) {
      const text = JSON.stringify(yield* field(name).get)
      if (!seen.reads.has(`shared.${name}`)) seen.reads.set(`shared.${name}`, text)
      acc = Random.mix(acc, text)
    })
    for (const name of reads) {
      yield* pause(random.int(4))
      yield* look(name)
    }
    for (const name of writes) {
      yield* pause(random.int(4))
      if (random.once(2)) yield* look(name)
      yield* field(name).set(acc % 100)
    }
    for (const name of combines) {
      yield* pause(random.int(3))
      const operand = acc % 9
      yield* field(name).combine(operand)
      seen.added.set(`shared.${name}`, operand)
    }
    if (entries) yield* Shared.record.put(key, acc % 100) as Effect.Effect<void>
    yield* pause(random.int(3))
    if (random.once(8)) return yield* Effect.die(new Error("boom"))
    return acc
  })

const execute = ({ tools, sessions }: Case, random: Random.Random) => {
  const made = tools.map(({ name, reads, writes, combines, entries, repeatable }) =>
    Tool.make(name, {
      parameters: Args,
      success: Schema.Int,
      ...{
        reads: reads.map((key) => Shared[key]),
        writes: [...writes.map((key) => Shared[key]), ...(entries ? [Shared.record.at("key")] : [])],
        combines: combines.map((key) => Shared[key])
      } as object
    }).annotate(AiTool.Idempotent, repeatable)
  )
  const kit = Toolkit.make(...made)
  const agent: Agent.Any = Agent.make("agent", { instructions: "", toolkit: kit as never })
  const seenBy = new Map<string, Seen>()
  const handling = (tool: Case["tools"][number]) => (parameters: typeof Args.Type) =>
    Effect.flatMap(ToolCall.ToolCall, ({ id, session }) => {
      const seen: Seen = { reads: new Map(), added: new Map() }
      // by the call, not by its arguments: two sessions may draw the same
      seenBy.set(`${session} ${id}`, seen)
      return behave(tool, parameters, seen)
    })
  const handlers = Object.fromEntries(tools.map((tool) => [tool.name, handling(tool)]))
  /** The events of all sessions, in the order of their commits. */
  const commits: Array<Event.Event> = []
  const store = Layer.effect(
    SessionStore.SessionStore,
    Effect.map(SessionStore.SessionStore, (inner) => {
      const slowly = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => Effect.andThen(pause(random.int(4)), Effect.tap(effect, () => pause(random.int(4)))))
      return {
        ...inner,
        append: (ref, append) =>
          slowly(Effect.tap(inner.append(ref, append), (events) => Effect.sync(() => commits.push(...events)))),
        shared: (ref, fields) => slowly(inner.shared(ref, fields))
      }
    })
  ).pipe(Layer.provide(SessionStore.layerMemory))

  return Effect.gen(function*() {
    yield* Effect.forEach(
      sessions,
      (steps, index) =>
        AgentRunner.run(agent, { app: "app", user: "u", session: `s${index}`, input: "Go" }).pipe(
          Effect.provide(
            ScriptedModel.layer([...steps.map((step) => ScriptedModel.calls(...step)), ScriptedModel.text("Done.")])
          )
        ),
      { concurrency: "unbounded", discard: true }
    )
    const rows = yield* (yield* SessionStore.SessionStore).shared(
      { app: "app", user: "u", session: "s0" },
      [...initial.keys()].map((name) => ({ field: name, scope: scopeOf(name) }))
    )
    return { commits, rows, seenBy }
  }).pipe(Effect.provide(Layer.merge(Toolkit.layer(kit, handlers as never), store))) as unknown as Effect.Effect<{
    readonly commits: ReadonlyArray<Event.Event>
    readonly rows: ReadonlyMap<string, SessionStore.Row>
    readonly seenBy: ReadonlyMap<string, Seen>
  }>
}

// ===== the property ==========================================================

describe("AgentRunner", () => {
  it.effect(
    `keeps the sessions of a user apart at the fields that they share (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        let conflicts = 0
        let guarded = 0
        const numbers = Random.onlyCase === undefined
          ? Array.from({ length: cases }, (_, index) => index)
          : [Random.onlyCase]
        for (const number of numbers) {
          const random = Random.make(Random.mix(Random.seed, `sessions ${number}`))
          const made = caseOf(random)
          const explain = (problem: string) =>
            `${problem}\nTENON_SEED=${Random.seed} TENON_CASE=${number}\n${JSON.stringify(made, null, 1)}`
          const { commits, rows, seenBy } = yield* execute(made, random)
          let values = initial
          const versions = new Map<string, number>()
          const added = new Map<string, number>()
          for (const event of commits) {
            if (event.kind !== "call") continue
            const { result, shared } = event
            const seen = seenBy.get(`${event.id.split("/")[0]} ${event.call}`)
            const operations = shared?.operations ?? []
            if (result.isFailure) {
              if ((result.value as { readonly _tag?: string })._tag === "StateConflict") {
                conflicts++
              }
              assert.deepStrictEqual(operations, [], explain("a call that failed committed something"))
              continue
            }
            const isPlain = operations.some(({ op, field: name }) => op === "set" && name !== "shared.modulo")
            if (isPlain) {
              guarded++
              for (const [name, text] of seen?.reads ?? []) {
                if (name !== "shared.last") {
                  assert.strictEqual(text, JSON.stringify(values.get(name)), explain(`${event.id} saw an old ${name}`))
                }
              }
            }
            values = Result.getOrThrow(StateDelta.applyResult(values, StateDelta.make(operations)))
            for (const { field: name } of operations) versions.set(name, (versions.get(name) ?? 0) + 1)
            for (const [name, version] of Object.entries(shared?.versions ?? {})) {
              assert.strictEqual(version, versions.get(name), explain(`${event.id} tells a wrong version of ${name}`))
            }
            for (const [name, operand] of seen?.added ?? []) added.set(name, (added.get(name) ?? 0) + operand)
            assert.isAtMost(values.get("shared.small") as number, 30, explain("a bound is passed"))
          }
          for (const [name, value] of initial) {
            const row = rows.get(name)
            assert.deepStrictEqual(
              row?.value ?? value,
              values.get(name),
              explain(`the row of ${name} is not what was committed`)
            )
            assert.strictEqual(row?.version ?? 0, versions.get(name) ?? 0, explain(`the version of ${name}`))
          }
          assert.strictEqual(values.get("shared.sum"), added.get("shared.sum") ?? 0, explain("a combine is lost"))
          assert.strictEqual(
            values.get("shared.modulo"),
            (added.get("shared.modulo") ?? 0) % 97,
            explain("an own combine is lost")
          )
          assert.strictEqual(
            values.get("shared.small"),
            added.get("shared.small") ?? 0,
            explain("a bounded combine is lost")
          )
        }
        console.log({ seed: Random.seed, cases: numbers.length, guarded, conflicts })
        if (Random.onlyCase !== undefined) return
        assert.isAbove(guarded, numbers.length / 2)
        assert.isAbove(conflicts, numbers.length / 20)
      }),
    Math.max(120_000, cases * 500)
  )
})
