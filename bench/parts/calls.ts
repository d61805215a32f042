/** What a handler does, and what is done around one. Each part is done in one fiber, as often as it is asked for. */
import { Context, Effect, Layer, Ref, Schema, Stream } from "effect"
import { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Contract, Reducer, State, Tool, ToolContext, Toolkit } from "tenon"
import { ToolTest } from "tenon/testing"
import { claimsOf, dependencies } from "../../src/internal/schedule.ts"
import type { Part } from "../harness/part.ts"

const Env = ToolContext.make({ user: Schema.String })
const Count = State.make("count", {
  calls: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  last: State.field(Schema.String, { initial: "" })
})

const parameters = Schema.Struct({ query: Schema.String, limit: Schema.Int })
const given = { query: "bench", limit: 3 }
const Find = Tool.make("find", {
  parameters,
  success: Schema.String,
  context: [Env.user],
  reads: [Count.last],
  writes: [Count.last],
  combines: [Count.calls]
})
const FindLive = Toolkit.layer(Toolkit.make(Find), { find: ({ query }) => Effect.succeed(query) })
const inCall = Layer.merge(FindLive, ToolTest.layer(Find, { user: "u", "count.last": "", "count.calls": 0 }))

const PlainKit = AiToolkit.make(AiTool.make("find", { parameters, success: Schema.String }))
const PlainLive = PlainKit.toLayer({ find: ({ query }) => Effect.succeed(query) })

const ref = Ref.makeUnsafe("")

class User extends Context.Service<User, string>()("bench/User") {}

const again = <A, E, R>(effect: Effect.Effect<A, E, R>, times: number): Effect.Effect<A, E, R> =>
  Effect.flatMap(effect, (last) => times > 1 ? again(effect, times - 1) : Effect.succeed(last))

const of = <R>(effect: Effect.Effect<unknown, unknown, R>, layer: Layer.Layer<R, unknown>): Part => (times) =>
  Effect.runPromise(Effect.as(Effect.provide(again(effect, times), layer), times))

/** A fresh call each thousand times, so that what it wrote does not pile up. */
const inCalls = (effect: Effect.Effect<unknown, unknown, Layer.Success<typeof inCall>>): Part => async (times) => {
  for (let left = times; left > 0; left -= 1_000) await of(effect, inCall)(Math.min(left, 1_000))
  return times
}

const decode = Schema.decodeUnknownEffect(parameters)
const encode = Schema.encodeUnknownEffect(Schema.String)
const contracts = {
  apart: Contract.of(Tool.make("apart", { success: Schema.Void, combines: [Count.calls] })),
  together: Contract.of(Tool.make("together", { success: Schema.Void, writes: [Count.last] }))
}
const scheduled = (contract: Contract.Contract): Part => async (times) => {
  const claims = Array.from({ length: 100 }, () => claimsOf(contract, {}))
  for (let time = 0; time < times; time++) dependencies(claims)
  return times
}

export const parts: Readonly<Record<string, Part>> = {
  "tool, handler between decoding and encoding": of(
    Effect.flatMap(decode(given), ({ query }) => Effect.flatMap(Effect.succeed(query), (found) => encode(found))),
    Layer.empty
  ),
  "tool, by the toolkit of effect/ai": of(
    Effect.flatMap(PlainKit, ({ handle }) => Effect.flatMap(handle("find", given), Stream.runDrain)),
    PlainLive
  ),
  "tool, by ToolTest": inCalls(ToolTest.call(Find, given)),
  "context, a service of Effect": of(User, Layer.succeed(User, "u")),
  "context, a key": inCalls(Env.user),
  "state, get of a Ref": of(Ref.get(ref), Layer.empty),
  "state, get": inCalls(Count.last.get),
  "state, set of a Ref": of(Ref.set(ref, "x"), Layer.empty),
  "state, set": inCalls(Count.last.set("x")),
  "state, combine": inCalls(Count.calls.combine(1)),
  "schedule, 100 calls apart": scheduled(contracts.apart),
  "schedule, 100 calls in conflict": scheduled(contracts.together)
}
