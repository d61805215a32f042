/**
 * 07 · Testing a handler alone
 *
 * What a tool may touch is a type, so a test needs a value for each of it and no more: context keys by name, fields by
 * full name, answers by the name of the question, and its own services as layers. No agent, no model, no store. Leaving
 * one out is a compile error that names it.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import assert from "node:assert/strict"
import { Interrupt, Reducer, State, Tool, ToolContext, Toolkit } from "tenon"
import { ToolTest } from "tenon/testing"

const Env = ToolContext.make({ tenant: Schema.String })
const Search = State.make("search", {
  lastQuery: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Widen = Interrupt.make("widen", { question: Schema.String, answer: Schema.Boolean })

/** A service of the application: the handler's layer needs it, the tool's contract does not speak of it. */
class Index extends Context.Service<Index, {
  readonly find: (tenant: string, query: string) => Effect.Effect<ReadonlyArray<string>>
}>()("examples/Index") {}

// ----- the tool and its handler, as the application has them ------------------------

const SearchDocs = Tool.make("search_docs", {
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.Array(Schema.String),
  context: [Env.tenant],
  writes: [Search.lastQuery],
  combines: [Search.count],
  asks: [Widen]
})

const SearchLive = Toolkit.make(SearchDocs).toLayer(Effect.gen(function*() {
  const index = yield* Index
  return {
    search_docs: Effect.fnUntraced(function*({ query }) {
      const found = yield* index.find(yield* Env.tenant, query)
      const widened = found.length === 0 && (yield* Widen.ask(`Nothing about '${query}': look everywhere?`))
      yield* Search.lastQuery.set(query)
      yield* Search.count.combine(1)
      return widened ? yield* index.find("everybody", query) : found
    })
  }
}))

// ----- the test ------------------------------------------------------------------------

/** An index that knows one document, and is there for everybody. */
const asked: Array<string> = []
const IndexMock = Layer.succeed(Index, {
  find: (tenant, query) =>
    Effect.sync(() => {
      asked.push(tenant)
      return tenant === "everybody" ? [`${query}.md`] : []
    })
})

/** Calls the handler with an answer, and gives its result and what it did to State. */
const search = (answer: boolean) =>
  Effect.gen(function*() {
    const found = yield* ToolTest.call(SearchDocs, { query: "licence" })
    return { found, delta: yield* ToolTest.delta }
  }).pipe(Effect.provide([
    SearchLive.pipe(Layer.provide(IndexMock)),
    ToolTest.layer(
      SearchDocs,
      { tenant: "acme", "search.lastQuery": Option.none(), "search.count": 41 },
      { answers: { widen: answer } }
    )
  ]))

const yes = await Effect.runPromise(search(true))
assert.deepEqual(yes.found, ["licence.md"])
assert.deepEqual(asked, ["acme", "everybody"])
assert.deepEqual(yes.delta.operations, [
  { op: "set", field: "search.lastQuery", value: "licence" },
  { op: "sum", field: "search.count", value: 1 }
])
console.log("with 'yes':", yes.found)
for (const operation of yes.delta.operations) console.log("  did", operation)

const no = await Effect.runPromise(search(false))
assert.deepEqual(no.found, [])
console.log("with 'no': ", no.found)
