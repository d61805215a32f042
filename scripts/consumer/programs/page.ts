/**
 * A program of a browser's page: the runner, a model that is asked over `fetch`, sessions in memory and in `localStorage`.
 *
 * It runs, reloads its page, finds its session there and goes on with it, and reports to the server that it came from.
 */
import { Effect, Layer, Option, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import { Agent, AgentRunner, KvsStore, Session, SessionStore, State, Tool, ToolContext, Toolkit } from "tenon"
import * as FetchModel from "./fetch-model.ts"

declare const location: { readonly reload: () => void }

const Env = ToolContext.make({ tenant: Schema.String })
const Search = State.make("search", { last: State.optional(Schema.String) })
const Find = Tool.make("find", {
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.String,
  context: [Env.tenant],
  writes: [Search.last]
})
const kit = Toolkit.make(Find)
const KitLive = Toolkit.layer(kit, {
  find: Effect.fnUntraced(function*({ query }) {
    yield* Search.last.set(query)
    return `${yield* Env.tenant}: ${query}`
  })
})
const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: kit })
const Supplied = Layer.mergeAll(
  KitLive,
  FetchModel.layer("/v1/chat/completions"),
  ToolContext.layer(Assistant, { tenant: "acme" })
)
const Kept = KvsStore.layer({ term: "1 second" }).pipe(Layer.provide(KeyValueStore.layerStorage(() => localStorage)))

const ref = { app: "page", session: "s-1" }
const run = (input: string) =>
  Effect.map(AgentRunner.run(Assistant, { ...ref, input }), (result) => [
    result._tag === "Completed" ? result.text : result._tag,
    Option.getOrNull(result.session.state.get(Search.last))
  ])

const firstVisit = Effect.all({
  memory: Effect.provide(run("Which licence?"), [Supplied, SessionStore.layerMemory]),
  kept: Effect.provide(run("Which licence?"), [Supplied, Kept])
})
const secondVisit = Effect.all({
  found: Effect.map(Session.load(ref, Assistant), ({ state }) => Option.getOrNull(state.get(Search.last))),
  after: run("And then?")
}).pipe(Effect.provide([Supplied, Kept]))

const report = (body: unknown) => Effect.promise(() => fetch("/report", { method: "POST", body: JSON.stringify(body) }))

const program = Effect.gen(function*() {
  const before = sessionStorage.getItem("before")
  if (before !== null) return yield* report({ ...JSON.parse(before), ...yield* secondVisit })
  sessionStorage.setItem("before", JSON.stringify(yield* firstVisit))
  location.reload()
})

Effect.runFork(Effect.catchCause(program, (cause) => report({ failed: String(cause) })))
