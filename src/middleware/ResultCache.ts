/**
 * Results of read-only tools, kept for a while.
 *
 * Only a tool that is marked `Readonly`, and touches no State, gives the same for the same arguments and context. A
 * result is kept by tool, arguments and the context values that it depends on, so that no user gets another's.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Cache, Context, type Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { Digest } from "effect/crypto"
import { Persistable, Persistence } from "effect/persistence"
import * as Contract from "../Contract.ts"
import { canonical, jsonCodec } from "../internal/json.ts"
import * as Middleware from "../Middleware.ts"

// ===== store =================================================================

/** Where results are kept, by a key that says what they depend on. @category services @since 0.1.0 */
export class Store extends Context.Service<Store, {
  readonly get: (key: string) => Effect.Effect<Option.Option<Schema.Json>>
  readonly set: (key: string, result: Schema.Json) => Effect.Effect<void>
}>()("tenon/middleware/ResultCache/Store") {}

/**
 * Keeps results in memory, the last used ones.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (options: {
  readonly timeToLive: Duration.Input
  /** How many results are kept: 1,000. */
  readonly capacity?: number
}): Layer.Layer<Store> =>
  Layer.effect(
    Store,
    Effect.map(
      Cache.make<string, Schema.Json>({
        capacity: options.capacity ?? 1_000,
        timeToLive: options.timeToLive,
        lookup: () => Effect.die(new Error("results are put into this cache, not looked up by it"))
      }),
      (cache) => ({
        get: (key) => Cache.getOption(cache, key),
        set: (key, result) => Cache.set(cache, key, result)
      })
    )
  )

/** The bytes of a text, one for each character of its ASCII form. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(encodeURIComponent(text), (char) => char.charCodeAt(0))

class Entry extends Persistable.Class<{ payload: { readonly key: string } }>()("Entry", {
  primaryKey: ({ key }) => key,
  success: Schema.Json
}) {}

/**
 * Keeps results in a `Persistence` of effect: a database, Redis, or any `KeyValueStore` by `Persistence.layerKvs`.
 *
 * **Details**
 *
 * Keys are digests: what a store is shown tells no argument and no context value. A store that fails is logged, and the
 * tool runs.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: {
  readonly timeToLive: Duration.Input
  readonly storeId?: string
}): Layer.Layer<Store, never, Persistence.Persistence> =>
  Layer.effect(
    Store,
    Effect.gen(function*() {
      const { digestHex } = yield* Digest.Digest
      const persistence = yield* Persistence.Persistence
      const store = yield* persistence.make({
        storeId: options.storeId ?? "tenon_results",
        timeToLive: () => options.timeToLive
      })
      const entry = (key: string) =>
        Effect.map(digestHex(Digest.sha256, bytesOf(key)), (hex) => new Entry({ key: hex }))
      const orLogged = <A>(effect: Effect.Effect<A, { readonly _tag: string }>, otherwise: A): Effect.Effect<A> =>
        Effect.catch(
          effect,
          ({ _tag }) => Effect.as(Effect.logWarning(`the store of results failed: ${_tag}`), otherwise)
        )
      return {
        get: (key) =>
          orLogged(
            Effect.map(
              Effect.flatMap(entry(key), store.get),
              (exit) => exit === undefined || Exit.isFailure(exit) ? Option.none() : Option.some(exit.value)
            ),
            Option.none()
          ),
        set: (key, result) =>
          orLogged(Effect.flatMap(entry(key), (at) => store.set(at, Exit.succeed(result))), undefined)
      }
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))

// ===== what may be kept ======================================================

/** Why a tool's results cannot be kept. */
const problemOf = (tool: AiTool.Any, known: ReadonlySet<string>): string | undefined => {
  const { asks, requires, touches } = Contract.of(tool)
  if (!Context.get(tool.annotations, AiTool.Readonly)) return "it is not marked Readonly"
  if (touches.length > 0) return `it touches State: ${touches.map(({ field }) => field.name).join(", ")}`
  if (asks.length > 0) return `it asks: ${asks.map(({ name }) => name).join(", ")}`
  const missing = requires.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  return missing.length > 0 ? `name its context keys under context or ignores: ${missing.join(", ")}` : undefined
}

// ===== middleware ============================================================

/**
 * Gives the kept result of a call in place of its handler's.
 *
 * **Details**
 *
 * Each tool is marked `Readonly` (effect/ai's annotation), touches no State and asks nothing; each context key that it
 * requires is named: under `context` where its result depends on it, under `ignores` where it does not (a database
 * handle). Anything else is refused where the middleware is made. A failure is not kept, nor is a result with a
 * `toModelOutput`: a hook cannot give one.
 *
 * **Gotchas**
 *
 * Put it last in the list: other hooks then see each call, and what is kept is what the handler gave. What a handler asks
 * of the loop besides (`ToolCall.actions`) is not kept.
 *
 * **Example** (One search for two questions)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Tool as AiTool } from "effect/ai"
 * import { Agent, AgentRunner, SessionStore, Tool, ToolContext, Toolkit } from "tenon"
 * import { ResultCache } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Env = ToolContext.make({ tenant: Schema.String })
 * const Find = Tool.make("find", {
 *   parameters: Schema.Struct({ query: Schema.String }),
 *   success: Schema.String,
 *   context: [Env.tenant]
 * }).annotate(AiTool.Readonly, true)
 * const Cached = ResultCache.make({ tools: [Find], context: [Env.tenant] })
 * const Assistant = Agent.make("assistant", {
 *   instructions: "Help.",
 *   toolkit: Toolkit.make(Find),
 *   middleware: [Cached]
 * })
 *
 * let searches = 0
 * const FindLive = Toolkit.layer(Toolkit.make(Find), { find: ({ query }) => Effect.sync(() => `${query} ${++searches}`) })
 * const find = ScriptedModel.call("find", { query: "licence" })
 *
 * await Effect.runPromise(
 *   AgentRunner.run(Assistant, { session: "s-1", input: "Find it." }).pipe(
 *     Effect.provide([
 *       FindLive,
 *       ScriptedModel.layer([find, find, ScriptedModel.text("Found.")]),
 *       ResultCache.layerMemory({ timeToLive: "5 minutes" }),
 *       SessionStore.layerMemory,
 *       ToolContext.layer(Assistant, { tenant: "acme" })
 *     ])
 *   )
 * )
 * searches // => 1
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const C extends Contract.Keys = []>(options: {
  readonly tools: ReadonlyArray<AiTool.Any>
  /** The context keys that results depend on, each with a schema. */
  readonly context?: C
  /** Context keys that results do not depend on. */
  readonly ignores?: Contract.Keys
}): Middleware.Middleware<"result_cache", C[number]["Identifier"] | Store, never, never> => {
  const context: Contract.Keys = options.context ?? []
  const known = new Set([...context, ...options.ignores ?? []].map((key) => key["~key"].name))
  for (const tool of options.tools) {
    const problem = problemOf(tool, known)
    if (problem !== undefined) throw new TypeError(`results of '${tool.name}' cannot be kept: ${problem}`)
  }
  const local = context.find((key) => key["~key"].schema === undefined)
  if (local !== undefined) {
    throw new TypeError(`results cannot be kept by '${local["~key"].name}': a local key has no schema to write it by`)
  }
  const tools = new Map(options.tools.map((tool) => [tool.name as string, tool]))
  const contract = { context, dependencies: [Store] } as const

  /** What the result of a call depends on, as a text; nothing where it is not kept. */
  const keyOf = Effect.fnUntraced(function*({ parameters, tool: name }: Middleware.ToolRequest) {
    const tool = tools.get(name)
    if (tool === undefined) return undefined
    const args = Schema.isSchema(tool.parametersSchema)
      ? yield* Schema.encodeUnknownEffect(jsonCodec(tool.parametersSchema))(parameters)
      : parameters as Schema.Json
    const values: Array<Schema.Json> = []
    for (const key of context) {
      const { name, schema } = key["~key"]
      const value: unknown = yield* key
      values.push([name, yield* Schema.encodeUnknownEffect(jsonCodec(schema as Schema.Constraint))(value)])
    }
    return canonical([name, args, values])
  })

  return Middleware.make("result_cache", {
    hooks: [
      Middleware.beforeTool(contract, (request) =>
        Effect.gen(function*() {
          const key = yield* keyOf(request)
          if (key === undefined) return undefined
          const kept = yield* (yield* Store).get(key)
          return Option.isSome(kept) ? Middleware.result(kept.value) : undefined
        })) as Middleware.Hook<C[number]["Identifier"] | Store>,
      Middleware.afterTool(contract, ({ result, ...request }) =>
        Effect.gen(function*() {
          if (result.isFailure || result.modelOutput !== undefined) return
          const key = yield* keyOf(request)
          if (key === undefined) return
          const store = yield* Store
          // one that is kept is not kept anew: its time would not end
          if (Option.isNone(yield* store.get(key))) yield* store.set(key, result.value as Schema.Json)
        })) as Middleware.Hook<C[number]["Identifier"] | Store>
    ]
  })
}
