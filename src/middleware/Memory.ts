/**
 * Lets the model search what is remembered of the user from other sessions.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { DateTime, Effect, type Layer, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { UserMissing } from "../AgentError.ts"
import * as MemoryStore from "../MemoryStore.ts"
import * as Middleware from "../Middleware.ts"
import * as Tool from "../Tool.ts"
import { ToolCall } from "../ToolCall.ts"
import * as Toolkit from "../Toolkit.ts"

/** One memory as the model reads it. @category models @since 0.1.0 */
export const Found = Schema.Struct({
  text: Schema.String,
  author: Schema.optionalKey(Schema.String),
  /** When it was said, as an ISO date with its time. */
  time: Schema.String
})

/** @since 0.1.0 */
export interface Found extends Schema.Schema.Type<typeof Found> {}

/** The tool that searches. A run that names no user remembers nothing: it gets `UserMissing`. @category tools @since 0.1.0 */
export const SearchMemory = Tool.make("search_memory", {
  description: "Searches what is remembered of the user from other conversations, by words that it may hold.",
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.Array(Found),
  failure: Schema.Union([MemoryStore.MemoryStoreFailed, UserMissing]),
  dependencies: [MemoryStore.MemoryStore]
}).annotate(AiTool.Readonly, true)

const kit = Toolkit.make(SearchMemory)

/**
 * The handler of `search_memory`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: {
    /** How many memories a search gives: 10. */
    readonly limit?: number
  } = {}
): Layer.Layer<AiTool.HandlersFor<typeof kit.tools>> =>
  Toolkit.layer(kit, {
    search_memory: Effect.fnUntraced(function*({ query }) {
      const { app, user } = yield* ToolCall
      if (user === undefined) return yield* new UserMissing({ fields: ["memories"] })
      const found = yield* (yield* MemoryStore.MemoryStore).search({ app, user }, query, options.limit)
      return found.map(({ time, ...memory }) => ({ ...memory, time: DateTime.formatIso(DateTime.makeUnsafe(time)) }))
    })
  })

const instructions =
  "You remember earlier conversations with the user: search them with search_memory where they may help."

/**
 * Gives an agent the tool `search_memory`, and a word on when to use it.
 *
 * **Details**
 *
 * Its handler is `Memory.layer`, provided beside the agent's others. What there is to find comes by `MemoryStore.ingest`,
 * after a run, or by any other program that puts something into the `MemoryStore`.
 *
 * **Example** (An agent that remembers)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, MemoryStore, SessionStore } from "tenon"
 * import { Memory } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Assistant = Agent.make("assistant", { instructions: "Help.", middleware: [Memory.make()] })
 * const say = (session: string, input: string) => AgentRunner.run(Assistant, { session, user: "ada", input })
 *
 * const program = Effect.gen(function*() {
 *   yield* MemoryStore.ingest((yield* say("s-1", "I moved to Paris.")).session)
 *   const { session } = yield* say("s-2", "Where do I live?")
 *   return session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
 * }).pipe(Effect.provide([
 *   Memory.layer(),
 *   MemoryStore.layerMemory,
 *   SessionStore.layerMemory,
 *   ScriptedModel.layer([
 *     ScriptedModel.text("Noted."),
 *     ScriptedModel.call("search_memory", { query: "moved" }),
 *     ScriptedModel.text("In Paris.")
 *   ])
 * ]))
 *
 * const found = await Effect.runPromise(program)
 * JSON.stringify(found).includes("I moved to Paris.") // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  options: { readonly instructions?: string } = {}
): Middleware.Middleware<"memory", Tool.Requirements<typeof SearchMemory>, never, typeof SearchMemory> =>
  Middleware.make("memory", { toolkit: kit, instructions: options.instructions ?? instructions })
