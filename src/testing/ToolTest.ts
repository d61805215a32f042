/**
 * One handler alone, under mock layers.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { AiError, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import * as Contract from "../Contract.ts"
import { Asker } from "../internal/call.ts"
import { prepare, sharedOperations } from "../internal/commit.ts"
import { CurrentFork, undeclaredAsk } from "../internal/fork.ts"
import type { Part } from "../internal/types.ts"
import type * as Interrupt from "../Interrupt.ts"
import type * as Precedence from "../Precedence.ts"
import * as State from "../State.ts"
import * as StateDelta from "../StateDelta.ts"
import * as ToolCall from "../ToolCall.ts"
import * as ToolContext from "../ToolContext.ts"

/** What a tool needs, or the tools of a toolkit together. */
type Needs<D> = AiTool.Requirements<D extends { readonly tools: infer Tools } ? Tools[keyof Tools] : D>

/** A value for each context key and each field of a tool, or of a toolkit's tools. @category utility types @since 0.1.0 */
export type Values<T> = Precedence.Override<
  ToolContext.Supply<Needs<T>>,
  State.Start<Needs<T>>
>

/** Answers to what a tool asks, by the interrupt's name. @category models @since 0.1.0 */
export type Answers<T> = {
  readonly [Q in Extract<Needs<T>, Interrupt.AnyAsks> as Q["name"]]: Q extends
    Interrupt.Asks<string, any, infer Answer> ? Answer : never
}

/**
 * Everything that a tool may touch, or the tools of a toolkit, from a record: its context keys by name, its fields by full name, an optional one as
 * an `Option`, and the call that it runs in. Leaving a value out is a compile error that names it.
 *
 * **Gotchas**
 *
 * A program has one State: where a test runs several tools, give it one layer of their toolkit. Of two layers the last
 * would win, and what the other's tool touches would die.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <T extends AiTool.Any | AiToolkit.Any>(
  tool: T,
  values: Values<T>,
  options?: {
    readonly call?: Parameters<typeof ToolCall.layer>[0]
    /** What is answered, by the interrupt's name; without it a question dies. */
    readonly answers?: Partial<Answers<T>>
  }
): Layer.Layer<
  Part<
    Needs<T>,
    ToolContext.AnyKey | State.AnyRight | State.AnyOwner | Interrupt.AnyAsks | ToolCall.ToolCall
  >,
  ToolContext.ToolContextError
> => {
  const given = values as Readonly<Record<string, unknown>>
  const contract = Contract.of(tool)
  const declared = { "~needs": undefined as never, contract }
  const label = "tools" in tool ? Object.keys(tool.tools).join(", ") : tool.name as string
  const names = new Set(contract.touches.map(({ field }) => field.name))
  const fields = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
  const answers = (options?.answers ?? {}) as Readonly<Record<string, unknown>>
  return Layer.mergeAll(
    ToolContext.layer(declared, given as never),
    State.layer(declared, fields as never),
    ToolCall.layer({ tool: label, ...options?.call }),
    Layer.succeed(Asker, {
      ask: (definition) => {
        const { name } = definition
        if (!contract.asks.includes(definition)) return Effect.die(undeclaredAsk(`the tool '${label}'`, name))
        return Object.hasOwn(answers, name)
          ? Effect.succeed(answers[name])
          : Effect.die(new Error(`'${name}' is asked, and the test has no answer for it`))
      },
      pending: (definition) =>
        contract.asks.includes(definition)
          ? Effect.void
          : Effect.die(undeclaredAsk(`the tool '${label}'`, definition.name))
    })
  ) as never
}

/**
 * Runs a tool's handler on decoded parameters, and gives its typed result. The handler alone: `approval`, hooks and limits
 * are an agent's.
 *
 * @category running
 * @since 0.1.0
 */
export const call = <T extends AiTool.Any>(
  tool: T,
  parameters: AiTool.Parameters<T>
): Effect.Effect<
  AiTool.Success<T>,
  AiTool.Failure<T> | AiError.AiError | AiError.AiErrorReason,
  AiTool.HandlersFor<{ readonly _: T }> | AiTool.HandlerServices<T>
> =>
  Effect.withFiber((fiber) => {
    const found = Option.fromUndefinedOr(fiber.context.mapUnsafe.get(tool.id) as AiTool.Handler<string> | undefined)
    if (Option.isNone(found)) return Effect.die(new Error(`the tool '${tool.name}' has no handler`))
    const { handler, context } = found.value
    const checked = Schema.isSchema(tool.parametersSchema)
      ? Effect.orDie(Schema.decodeUnknownEffect(Schema.toType(tool.parametersSchema))(parameters))
      : Effect.succeed(parameters)
    return Effect.flatMap(checked, (given) =>
      Effect.updateContext(
        handler(given, { toolCallId: "call-1", preliminary: () => Effect.void }),
        (around: Context.Context<never>) => Context.merge(context, around)
      )) as Effect.Effect<never>
  })

/**
 * What the handlers of this test have done to State so far, as the delta that a run would store.
 *
 * @category getters
 * @since 0.1.0
 */
export const delta: Effect.Effect<StateDelta.StateDelta> = Effect.withFiber((fiber) => {
  const fork = Context.getOrUndefined(fiber.context, CurrentFork)
  return Effect.sync(() => fork === undefined ? StateDelta.empty : storedOf(fork))
})

const storedOf = (fork: CurrentFork["Service"]): StateDelta.StateDelta => {
  const prepared = prepare(fork.pending, fork.sharedReads, fork.base, new Map())
  const { delta: session, temp } = prepared
  return StateDelta.make([...session.operations, ...sharedOperations(prepared), ...temp], session.versions)
}
