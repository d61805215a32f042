/**
 * 08 · Versions
 *
 * State outlives the program that wrote it. A section says how its earlier versions looked and how to come up from them,
 * and whatever loads State takes that way: a document of StateSerializer, and a session's log. What this program does
 * not know is carried through, and what it cannot read is a typed error that says where.
 */
import { Effect, Layer, Option, Schema } from "effect"
import assert from "node:assert/strict"
import { Agent, AgentRunner, Session, SessionStore, State, StateSerializer, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

// ----- last year's program ------------------------------------------------------------

const OldSearch = State.make("search", { query: State.field(Schema.String, { initial: "" }) })
const Theme = State.make("theme", { name: State.field(Schema.String, { initial: "light" }) })

// ----- this year's: version 3 of the section --------------------------------------------

const V1 = Schema.Struct({ query: Schema.String })
const V2 = Schema.Struct({ queries: Schema.Array(Schema.String) })

const Search = State.make("search", {
  lastQuery: State.optional(Schema.String),
  queries: State.field(Schema.Array(Schema.String), { initial: [] }),
  count: State.field(Schema.Int, { initial: 0 })
}, {
  // each step starts from the type of the version before it, the last one from version 2
  history: State.history(1, V1).to(2, V2, ({ query }) => ({ queries: [query] })),
  up: ({ queries }) => ({ queries, lastQuery: Option.fromUndefinedOr(queries.at(-1)), count: queries.length })
})

// ----- a document ----------------------------------------------------------------------

const oldSerializer = StateSerializer.make([OldSearch, Theme])
const serializer = StateSerializer.make([Search])

const documents = Effect.gen(function*() {
  const stored = yield* oldSerializer.serialize(
    oldSerializer.initial([OldSearch.query.to("licence"), Theme.name.to("dark")])
  )
  console.log("stored:", JSON.stringify(stored.sections))
  const text = JSON.stringify(stored)

  const state = yield* serializer.deserialize(JSON.parse(text))
  assert.deepEqual(state.get(Search.lastQuery), Option.some("licence"))
  assert.deepEqual(state.get(Search.queries), ["licence"])
  assert.equal(state.get(Search.count), 1)

  // the section 'theme' is unknown to this program, and is still there when it writes
  const again = yield* serializer.serialize(state)
  console.log("now:   ", JSON.stringify(again.sections))
  assert.deepEqual(again.sections["theme"], { version: 1, data: { name: "dark" } })
  assert.equal(again.sections["search"]?.version, 3)

  // the other way round: last year's program meets what it cannot know, and touches nothing
  const refused = yield* Effect.flip(oldSerializer.deserialize(again))
  console.log("old program:", refused.message)
  assert.deepEqual([refused._tag, refused.section, refused.version], ["StateError", "search", 3])

  // a value that does not fit is named by its path
  const broken = { ...stored, sections: { search: { version: 1, data: { query: 7 } } } }
  const misfit = yield* Effect.flip(serializer.deserialize(broken))
  console.log("broken:     ", misfit.message)
  assert.deepEqual([misfit.section, misfit.version, misfit.path], ["search", 1, ["query"]])
})
await Effect.runPromise(documents)

// ----- a conversation --------------------------------------------------------------------

const Remember = Tool.make("remember", {
  parameters: Schema.Struct({ query: Schema.String }),
  writes: [Search.lastQuery, Search.queries, Search.count]
})
const OldRemember = Tool.make("remember", {
  parameters: Schema.Struct({ query: Schema.String }),
  writes: [OldSearch.query]
})
const Kit = Toolkit.make(Remember)
const OldKit = Toolkit.make(OldRemember)
const Assistant = Agent.make("assistant", { instructions: "Remember.", toolkit: Kit })
const OldAssistant = Agent.make("assistant", { instructions: "Remember.", toolkit: OldKit })

const KitLive = Toolkit.layer(Kit, {
  remember: Effect.fnUntraced(function*({ query }) {
    yield* Search.lastQuery.set(query)
    yield* Search.queries.update((queries) => [...queries, query])
    yield* Search.count.update((count) => count + 1)
  })
})
const OldKitLive = Toolkit.layer(OldKit, { remember: ({ query }) => OldSearch.query.set(query) })

const { call, text } = ScriptedModel
const conversation = Effect.gen(function*() {
  const before = yield* AgentRunner.run(OldAssistant, { session: "s-1", input: "Remember: licence" }).pipe(
    Effect.provide(OldKitLive)
  )
  assert.equal(before.session.state.get(OldSearch.query), "licence")
  // the program is replaced; the session goes on
  const after = yield* AgentRunner.run(Assistant, { session: "s-1", input: "Remember: readme" }).pipe(
    Effect.provide(KitLive)
  )
  assert.deepEqual(after.session.state.get(Search.queries), ["licence", "readme"])
  assert.equal(after.session.state.get(Search.count), 2)
  // both versions stand in one log, each delta with the version it speaks of, and any reader can fold it
  const versions = after.session.events.flatMap((event) => event.kind === "call" ? [event.delta.versions] : [])
  assert.deepEqual(versions, [{ search: 1 }, { search: 3 }])
  const read = yield* Session.load(after.session.ref, [Search])
  assert.deepEqual(read.state.get(Search.lastQuery), Option.some("readme"))
  console.log("session:", read.state.get(Search.queries), "at version", read.state.versions.get("search"))
})
await Effect.runPromise(Effect.provide(
  conversation,
  Layer.merge(
    SessionStore.layerMemory,
    ScriptedModel.layer([
      call("remember", { query: "licence" }),
      text("Noted."),
      call("remember", { query: "readme" }),
      text("Noted.")
    ])
  )
))
