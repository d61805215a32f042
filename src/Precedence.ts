/**
 * Who wins when the caller supplies a value under a name that the agent itself supplies: the agent.
 *
 * One table, as a value and as a type. The merged view that a tool may ask for, the check of reserved names and the
 * warning about untyped input all walk it.
 *
 * Layer 1, contract.
 *
 * @since 0.1.0
 */
import { groupKeys } from "./internal/messages.ts"

/**
 * The internal keys, in the order in which the merged view lists them, and where each value comes from.
 *
 * **Example** (The names that win)
 *
 * ```ts
 * import { Precedence } from "tenon"
 *
 * Object.keys(Precedence.table) // => ["state", "parentTools", "parentMiddleware", "toolContext", "toolCall"]
 * ```
 *
 * @category models
 * @since 0.1.0
 */
export const table = {
  state: "the declared reads, as a read-only view",
  parentTools: "the names of the agent's tools",
  parentMiddleware: "the names of the agent's middleware",
  toolContext: "the supplied values themselves, unshadowed",
  toolCall: "the call that the handler runs in"
} as const

/**
 * The name of an internal key.
 *
 * @category models
 * @since 0.1.0
 */
export type InternalKey = keyof typeof table

/**
 * Is this a name that the agent itself supplies?
 *
 * @category guards
 * @since 0.1.0
 */
export const isInternalKey = (name: string): name is InternalKey => Object.hasOwn(table, name)

/**
 * A name that a context key cannot have.
 *
 * @category models
 * @since 0.1.0
 */
export type Reserved = InternalKey | (typeof groupKeys)[number]

/**
 * Is this a name that a context key cannot have?
 *
 * @category guards
 * @since 0.1.0
 */
export const isReserved = (name: string): name is Reserved =>
  isInternalKey(name) || (groupKeys as ReadonlyArray<string>).includes(name)

/**
 * The rule as a type: `Over` wins wherever both have a key; under a key that it may lack, either value may show. Its
 * run-time twin is `override`.
 *
 * **Example** (One name, two sources)
 *
 * ```ts
 * import { Precedence } from "tenon"
 *
 * type View = Precedence.Override<{ readonly state: string; readonly tenant: string }, { readonly state: number }>
 * const view: View = Precedence.override({ state: "mine", tenant: "acme" }, { state: 1 })
 *
 * view // => { state: 1, tenant: "acme" }
 * ```
 *
 * @category utility types
 * @since 0.1.0
 */
export type Override<Under, Over> = {
  readonly [K in keyof Under | keyof Over]: K extends keyof Over
    ? Over[K] | ({} extends Pick<Over, K> ? K extends keyof Under ? Under[K] : undefined : never)
    : K extends keyof Under ? Under[K]
    : never
} extends infer Flat ? Flat : never

/**
 * The rule as a value: `over` wins wherever both have a key. Its type-level twin is `Override`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const override = <Under extends object, Over extends object>(
  under: Under,
  over: Over
): Override<Under, Over> => {
  const view = {}
  for (const source of [under, over]) {
    for (const [key, value] of Object.entries(source)) {
      // not an assignment: a supplied key may be called `__proto__`
      Object.defineProperty(view, key, { value, enumerable: true, configurable: true })
    }
  }
  return Object.freeze(view) as Override<Under, Over>
}
