/**
 * What a handler carries besides what it does: the tool that it was given for, and how its calls are reconciled. Layer 2.
 */
import { Context, type Effect, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { toolContract } from "./contract.ts"

/** Where a handler carries the tool that it was given for: effect/ai finds handlers by the tool's name alone. */
const givenFor = Symbol.for("tenon/Toolkit/givenFor")

/** Handlers that know their tools. */
export const recorded = <I>(
  tools: Readonly<Record<string, AiTool.Any>>,
  handlers: Context.Context<I>
): Context.Context<I> =>
  Context.makeUnsafe(
    new Map([...handlers.mapUnsafe].map(([id, handler]) => {
      const tool = Object.values(tools).find((each) => each.id === id)
      return [id, tool === undefined ? handler : { ...handler as object, [givenFor]: tool }] as const
    }))
  )

const documentOf = (schema: Schema.Constraint): string => JSON.stringify(Schema.toJsonSchemaDocument(schema))

/** Do two schemas take and give the same? Where nobody can say, they do. */
const alike = (one: Schema.Constraint, other: Schema.Constraint): boolean => {
  if (one === other) return true
  try {
    return documentOf(one) === documentOf(other) &&
      documentOf(Schema.toType(one)) === documentOf(Schema.toType(other))
  } catch {
    return true
  }
}

/** Does a tool declare all that another one declares? An approval is no question of the handler's. */
const declaresAll = (tool: AiTool.Any, other: AiTool.Any): boolean => {
  const { requires, touches, asks } = toolContract(tool)
  const wanted = toolContract(other)
  return wanted.requires.every(({ name }) => requires.some((key) => key.name === name)) &&
    wanted.asks.every((ask) => ask.name === "approval" || asks.includes(ask)) &&
    wanted.touches.every(({ field, mode, parameter }) =>
      touches.some((touch) =>
        touch.field === field && touch.parameter === parameter && (touch.mode === mode || touch.mode === "write")
      )
    )
}

/** Was a handler given for another tool of this one's name? A copy, or one with a smaller contract, is no other. */
export const isStranger = (tool: AiTool.Any, handler: AiTool.Handler<string> | undefined): boolean => {
  const given = (handler as { readonly [givenFor]?: AiTool.Any } | undefined)?.[givenFor]
  return given !== undefined && given !== tool && !(
    alike(tool.parametersSchema, given.parametersSchema) && alike(tool.successSchema, given.successSchema) &&
    alike(tool.failureSchema, given.failureSchema) && declaresAll(tool, given)
  )
}

/** Where a handler carries what finds out, after a crash, what became of its call. */
const reconciledBy = Symbol.for("tenon/Reconcile/reconciledBy")

/** Finds out what became of a call. */
export type AnyReconcile = (parameters: any, callId: string) => Effect.Effect<any, unknown, any>

/** A handler that knows how its calls are reconciled. */
export const reconciling = <H extends (...args: ReadonlyArray<any>) => unknown>(
  handler: H,
  reconcile: AnyReconcile
): H => Object.assign(((...args) => handler(...args)) as H, { [reconciledBy]: reconcile })

/** How a handler's calls are reconciled, if at all. */
export const reconcileOf = (handler: object): AnyReconcile | undefined =>
  (handler as { readonly [reconciledBy]?: AnyReconcile })[reconciledBy]
