import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer, Option, Result, Schema } from "effect"
import { Agent, Session, State, StateDelta, Tool, ToolContext, Toolkit } from "tenon"
import { ScriptedModel, ToolTest } from "tenon/testing"
import { callsOf, conversation, inheritedNames, resultsOf } from "./fixtures.ts"

const Store = State.make("store", {
  key1: State.optional(Schema.String),
  key2: State.optional(Schema.String),
  count: State.optional(Schema.Int),
  nothing: State.optional(Schema.NullOr(Schema.String)),
  tree: State.field(Schema.Struct({ a: Schema.Struct({ b: Schema.Json }) }), { initial: { a: { b: 0 } } }),
  entries: State.record(Schema.String, Schema.String)
})

/** May touch everything, and does what a test gives it to do. */
const Touch = Tool.make("touch", {
  success: Schema.Json,
  writes: [Store.key1, Store.key2, Store.count, Store.nothing, Store.tree, Store.entries]
})
const TouchKit = Toolkit.make(Touch)
const Toucher = Agent.make("toucher", { instructions: "Touch.", toolkit: TouchKit })
const touch = ScriptedModel.call("touch")
const done = ScriptedModel.text("done")

const start = {
  "store.key1": Option.none(),
  "store.key2": Option.none(),
  "store.count": Option.none(),
  "store.nothing": Option.none(),
  "store.tree": { a: { b: 0 } },
  "store.entries": {}
} as const

/** A section of names that the compiler does not know: by its types one must list them. */
const makeOf = State.make as unknown as (
  name: string,
  fields: Readonly<Record<string, unknown>>
) => State.AnySection & Readonly<Record<string, unknown>>

describe("adk 2.1: the state object", () => {
  it.effect("T001 shows a write to the call that made it, keeps it in the delta, and commits it with the event", () => {
    const seen: Array<unknown> = []
    return Effect.gen(function*() {
      const { send } = yield* conversation(Toucher, [touch, done])
      const result = yield* send("go")
      assert.deepStrictEqual(seen, [Option.none(), Option.some("newValue")])
      assert.deepStrictEqual(callsOf(result)[0]?.delta.operations, [
        { op: "set", field: "store.key1", value: "newValue" }
      ])
      assert.strictEqual(result.session.state.values.get("store.key1"), "newValue")
    }).pipe(Effect.provide(Toolkit.layer(TouchKit, {
      touch: Effect.fnUntraced(function*() {
        seen.push(yield* Store.key1.get)
        yield* Store.key1.set("newValue")
        seen.push(yield* Store.key1.get)
        return null
      })
    })))
  })

  it.effect("T002 lets the last of several writes win, and keeps the writes of other fields", () =>
    Effect.gen(function*() {
      yield* Store.key1.set("value1")
      yield* Store.key2.set("value2")
      yield* Store.key1.set("value1_updated")
      assert.deepStrictEqual(yield* Store.key1.get, Option.some("value1_updated"))
      assert.deepStrictEqual(
        StateDelta.apply(new Map(), yield* ToolTest.delta),
        new Map([["store.key1", "value1_updated"], ["store.key2", "value2"]])
      )
    }).pipe(Effect.provide(State.layer(Touch, start))))

  it.effect("T004 finds no entry under a name that every object has", () =>
    Effect.gen(function*() {
      for (const name of inheritedNames) {
        const entry = yield* Store.entries.entry(name)
        assert.deepStrictEqual(entry, Option.none(), name)
        assert.strictEqual(Option.getOrElse(entry, () => "x"), "x", name)
      }
    }).pipe(Effect.provide(State.layer(Touch, start))))

  it.effect("T005 keeps entries, fields and sections under names that every object has", () =>
    Effect.gen(function*() {
      for (const name of inheritedNames) {
        const Odd = makeOf(name, {
          [name]: State.field(Schema.String, { initial: "untouched" }),
          entries: State.record(Schema.String, Schema.String)
        })
        const field = Odd[name] as State.Field<string, string, never>
        const entries = Odd["entries"] as State.Entries<string, string, string, never>
        const View = Schema.Array(Schema.Json)
        const Odder = Tool.make("odder", { success: View, writes: [field, entries] })
        const Kit = Toolkit.make(Odder)
        const handlers = Toolkit.layer(Kit, {
          odder: Effect.fnUntraced(function*() {
            const before = yield* field.get
            yield* field.set("mine")
            yield* entries.put(name, "mine too")
            const { state } = yield* ToolContext.merged(Odder)
            const shown = Object.entries(state as Record<string, Record<string, Schema.Json>>)
              .map(([section, fields]) => [section, Object.entries(fields)])
            return [before, yield* field.get, Option.getOrNull(yield* entries.entry(name)), ...shown]
          })
        })
        const { send } = yield* conversation(Agent.make("odd", { instructions: "Be odd.", toolkit: Kit }), [
          ScriptedModel.call("odder"),
          done
        ])
        const result = yield* Effect.provide(send("go"), handlers)
        const record = Object.fromEntries([[name, "mine too"]])
        assert.deepStrictEqual(
          resultsOf(result),
          [["untouched", "mine", "mine too", [name, [[name, "mine"], ["entries", record]]]]],
          name
        )
        // and through JSON, as another process reads it
        const json: unknown = JSON.parse(JSON.stringify(Session.encode(result.session.events)))
        const events = Result.getOrThrow(Session.decode(json))
        const first = events[0]?.kind === "created" ? Object.entries(events[0].sections) : []
        assert.deepStrictEqual(
          first.map(([section, { fields }]) => [section, Object.entries(fields)]),
          [[name, [[name, "untouched"], ["entries", {}]]]],
          name
        )
        const again = Result.getOrThrow(Session.fold(events, [Odd]))
        assert.strictEqual(again.state.get(field), "mine", name)
        assert.deepStrictEqual(Object.entries(again.state.get(entries)), [[name, "mine too"]], name)
      }
    }))

  it.effect("T006 reads what is stored", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Store.count.get, Option.some(1))
      assert.deepStrictEqual(yield* ToolTest.delta, StateDelta.empty)
    }).pipe(Effect.provide(State.layer(Touch, { ...start, "store.count": Option.some(1) }))))

  it.effect("T007 reads what is written and not stored yet", () =>
    Effect.gen(function*() {
      yield* Store.count.set(2)
      assert.deepStrictEqual(yield* Store.count.get, Option.some(2))
    }).pipe(Effect.provide(State.layer(Touch, start))))

  it.effect("T009 takes objects without a prototype, for stored values and for written ones", () => {
    const bare = (fields: Record<string, string>): Record<string, string> =>
      Object.assign(Object.create(null) as Record<string, string>, fields)
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* Store.entries.entry("stored"), Option.some("1"))
      assert.deepStrictEqual(yield* Store.entries.entry("toString"), Option.none())
      yield* Store.entries.set(bare({ written: "2" }))
      assert.deepStrictEqual(yield* Store.entries.entry("written"), Option.some("2"))
      assert.deepStrictEqual(yield* Store.entries.entry("toString"), Option.none())
    }).pipe(Effect.provide(State.layer(Touch, { ...start, "store.entries": bare({ stored: "1" }) })))
  })

  it.effect("T010 takes a value away: the field is without one, and the others keep theirs", () => {
    const seen: Array<unknown> = []
    return Effect.gen(function*() {
      const { send } = yield* conversation(Toucher, [touch, done])
      const { session } = yield* send("go", { state: [Store.key1.to("value1"), Store.key2.to("value2")] })
      assert.deepStrictEqual(seen, [Option.some("value1"), Option.none()])
      assert.deepStrictEqual(session.state.get(Store.key1), Option.none())
      assert.deepStrictEqual(session.state.get(Store.key2), Option.some("value2"))
    }).pipe(Effect.provide(Toolkit.layer(TouchKit, {
      touch: Effect.fnUntraced(function*() {
        seen.push(yield* Store.key1.get)
        yield* Store.key1.unset
        seen.push(yield* Store.key1.get)
        return null
      })
    })))
  })

  it.effect("T011 records a value taken away as an operation of its own, and keeps no key for it", () =>
    Effect.gen(function*() {
      const { send } = yield* conversation(Toucher, [touch, done])
      const result = yield* send("go", { state: [Store.key1.to("value1"), Store.key2.to("value2")] })
      assert.deepStrictEqual(callsOf(result)[0]?.delta, {
        versions: { store: 1 },
        operations: [{ op: "unset", field: "store.key1" }]
      })
      assert.deepStrictEqual(
        [...result.session.state.values].filter(([name]) => name.startsWith("store.key")),
        [["store.key2", "value2"]]
      )
    }).pipe(Effect.provide(Toolkit.layer(TouchKit, { touch: () => Effect.as(Store.key1.unset, null) }))))

  // ours: it is no error to take away what is not there; the wish is recorded, and changes nothing
  it.effect("T012 takes away a value or an entry that is not there, without harm", () =>
    Effect.gen(function*() {
      const { send } = yield* conversation(Toucher, [touch, done])
      const result = yield* send("go", { state: [Store.key2.to("value2")] })
      assert.deepStrictEqual(callsOf(result)[0]?.result, { isFailure: false, value: null })
      assert.deepStrictEqual(callsOf(result)[0]?.delta.operations, [
        { op: "unset", field: "store.key1" },
        { op: "remove", field: "store.entries", key: "missing" }
      ])
      assert.deepStrictEqual(Object.fromEntries(result.session.state.values), {
        "store.key2": "value2",
        "store.tree": { a: { b: 0 } },
        "store.entries": {}
      })
    }).pipe(Effect.provide(Toolkit.layer(TouchKit, {
      touch: Effect.fnUntraced(function*() {
        yield* Store.key1.unset
        yield* Store.entries.remove("missing")
        return null
      })
    }))))

  // ours: a change of a value that was read, or of one that was written, is refused or not seen; never half
  it.effect("T014 gives out frozen copies, and keeps copies of what it is given", () => {
    const given = { a: { b: { c: 1 } } }
    return Effect.gen(function*() {
      yield* Store.tree.set(given)
      given.a.b.c = 2
      const read = (yield* Store.tree.get) as unknown as { a: { b: { c: number } } }
      assert.deepStrictEqual(read, { a: { b: { c: 1 } } })
      assert.throws(() => {
        read.a.b.c = 3
      }, TypeError)
      assert.deepStrictEqual(yield* Store.tree.get, { a: { b: { c: 1 } } })
      assert.deepStrictEqual((yield* ToolTest.delta).operations, [
        { op: "set", field: "store.tree", value: { a: { b: { c: 1 } } } }
      ])
    }).pipe(Effect.provide(State.layer(Touch, start)))
  })

  // ours: a typed error result that names the field and the path; nothing of the call is committed
  it.effect("T015 refuses a value that is not JSON, and says where", () => {
    const values: ReadonlyArray<unknown> = [() => 1, new Date(0), new Map([["a", 1]]), undefined]
    const rest = [...values]
    return Effect.gen(function*() {
      const { send } = yield* conversation(Toucher, [
        ScriptedModel.calls(...values.map(() => ({ tool: "touch" }))),
        done
      ])
      const result = yield* send("go")
      assert.strictEqual(rest.length, 0)
      for (const { delta, result: { isFailure, value } } of callsOf(result)) {
        assert.deepStrictEqual(delta, StateDelta.empty)
        assert.isTrue(isFailure)
        const { _tag, message } = value as { readonly _tag: string; readonly message: string }
        assert.strictEqual(_tag, "InvalidStateWrite")
        assert.strictEqual(message, "the value written to 'store.tree.a.b' does not fit: Expected JSON value")
      }
      assert.deepStrictEqual(result.session.state.get(Store.tree), { a: { b: 0 } })
      assert.deepStrictEqual(result.session.state.get(Store.key1), Option.none())
    }).pipe(Effect.provide(Toolkit.layer(TouchKit, {
      touch: Effect.fnUntraced(function*() {
        yield* Store.key1.set("dropped too")
        yield* Store.tree.set({ a: { b: rest.shift() as Schema.Json } })
        return null
      })
    })))
  })

  it.effect("T016 tells a stored null from no value: a default is for no value alone", () =>
    Effect.gen(function*() {
      const { send } = yield* conversation(Toucher, [touch, done])
      const { session } = yield* send("go", { state: [Store.nothing.to(null)] })
      assert.deepStrictEqual(session.state.get(Store.nothing), Option.some(null))
      assert.strictEqual(Option.getOrElse(session.state.get(Store.nothing), () => "default"), null)
      assert.strictEqual(Option.getOrElse(session.state.get(Store.key1), () => "default"), "default")
      assert.isTrue(session.state.values.has("store.nothing"))
      assert.isFalse(session.state.values.has("store.key1"))
    }).pipe(Effect.provide(Toolkit.layer(TouchKit, { touch: () => Effect.succeed(null) }))))

  // ours: impossible by type, and loud when it is forced
  it.effect("T017 refuses to write a field that is only read", () => {
    const Look = Tool.make("look", { success: Schema.Json, reads: [Store.key1] })
    const Kit = Toolkit.make(Look)
    // @ts-expect-error: the tool does not declare the write
    // @effect-diagnostics-next-line missingEffectContext:off
    const handlers = Toolkit.layer(Kit, { look: () => Effect.as(Store.key1.set("mine"), null) })
    // a layer that pretends to give more than it does
    const forced: Layer.Layer<State.AnyRight> = State.layer(Look, { "store.key1": Option.none() }) as never
    return Effect.gen(function*() {
      const { send } = yield* conversation(Agent.make("looker", { instructions: "Look.", toolkit: Kit }), [
        ScriptedModel.call("look"),
        done
      ])
      const result = yield* Effect.provide(send("go", { state: [Store.key1.to("given")] }), handlers)
      assert.deepStrictEqual(resultsOf(result), [
        { _tag: "ToolDied", message: "the tool 'look' failed unexpectedly" }
      ])
      assert.deepStrictEqual(result.session.state.get(Store.key1), Option.some("given"))

      const exit = yield* Effect.exit(Effect.provide(Store.key1.set("mine"), forced))
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(
        Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error).message : "",
        "the tool under test does not declare 'store.key1' under writes"
      )
      const view = yield* Effect.map(ToolContext.merged(Look), ({ state }) => state.store).pipe(
        Effect.provide(ToolTest.layer(Look, { "store.key1": Option.some("given") }))
      )
      assert.throws(() => {
        ;(view as { key1: Option.Option<string> }).key1 = Option.none()
      }, TypeError)
      assert.deepStrictEqual(view, { key1: Option.some("given") })
    })
  })
})
