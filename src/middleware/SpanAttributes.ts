/**
 * Supplied values on an agent's span, the named ones alone.
 *
 * Nothing of a ToolContext is in a span by itself. Who looks for the runs of a tenant names the key.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect, type Redacted, Schema } from "effect"
import type * as Contract from "../Contract.ts"
import { holdsRedacted } from "../internal/ast.ts"
import { jsonCodec } from "../internal/json.ts"
import * as Middleware from "../Middleware.ts"
import type * as ToolContext from "../ToolContext.ts"

type Shown<K> = K extends Contract.AnyKey
  ? K["Identifier"] extends ToolContext.LocalKey<string, never> ?
    "give this key a schema, it crosses a process boundary"
  : [Extract<K["Service"], Redacted.Redacted<any>>] extends [never] ? K
  : "a redacted value must not be in a span"
  : Contract.AnyKey

/** The schema of a key whose values may be shown. */
const schemaOf = ({ name, schema }: Contract.KeyDefinition): Schema.Constraint => {
  if (schema === undefined) throw new TypeError(`give '${name}' a schema: it crosses a process boundary`)
  if (holdsRedacted(schema)) throw new TypeError(`a redacted value must not be in a span: '${name}' holds one`)
  return schema
}

/**
 * Puts the values of context keys on the agent's span, as `tenon.context.` and the key's name: encoded, and as JSON text
 * where they are neither text, number nor boolean.
 *
 * **Details**
 *
 * A key without a schema is refused, and so is one whose value is redacted or holds something that is. A sub-agent's span
 * has what its own middleware names.
 *
 * **Example** (Runs by tenant)
 *
 * ```ts
 * import { Effect, Schema, Tracer } from "effect"
 * import { Agent, AgentRunner, SessionStore, ToolContext } from "tenon"
 * import { SpanAttributes } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Env = ToolContext.make({ tenant: Schema.String })
 * const Assistant = Agent.make("assistant", {
 *   instructions: "Help.",
 *   middleware: [SpanAttributes.make({ context: [Env.tenant] })]
 * })
 *
 * const spans: Array<Tracer.NativeSpan> = []
 * const tracer = Tracer.make({
 *   span: (options) => {
 *     const span = new Tracer.NativeSpan(options)
 *     spans.push(span)
 *     return span
 *   }
 * })
 * await Effect.runPromise(
 *   AgentRunner.run(Assistant, { session: "s-1", input: "Hello." }).pipe(
 *     Effect.provide([
 *       ScriptedModel.layer([ScriptedModel.text("Hello.")]),
 *       SessionStore.layerMemory,
 *       ToolContext.layer(Assistant, { tenant: "acme" })
 *     ]),
 *     Effect.withTracer(tracer)
 *   )
 * )
 * spans[0]?.attributes.get("tenon.context.tenant") // => "acme"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const C extends Contract.Keys>(options: {
  readonly context: { readonly [I in keyof C]: Shown<C[I]> }
}): Middleware.Middleware<"span_attributes", C[number]["Identifier"], never, never> => {
  const context = options.context as unknown as Contract.Keys
  const encoders = context.map((key) => ({
    key,
    name: `tenon.context.${key["~key"].name}`,
    encode: Schema.encodeUnknownEffect(jsonCodec(schemaOf(key["~key"])))
  }))
  const annotate = Effect.forEach(encoders, ({ encode, key, name }) =>
    Effect.gen(function*() {
      const value = yield* encode(yield* key)
      yield* Effect.annotateCurrentSpan(name, typeof value === "object" ? JSON.stringify(value) : value)
    }), { discard: true })
  return Middleware.make("span_attributes", {
    hooks: [Middleware.beforeRun({ context }, () => annotate) as Middleware.Hook<C[number]["Identifier"]>]
  })
}
