/**
 * Spans and metrics of a run, after OpenTelemetry's conventions for generative AI. Identity is set on a span itself, so
 * that no annotation of a caller can replace it. Layer 5.
 */
import { Cause, Clock, Context, Effect, Exit, Metric, type Tracer } from "effect"
import { AiError, type Response } from "effect/ai"
import { memoize } from "effect/Function"
import type { Frame } from "./frame.ts"
import type { AgentModel } from "./model.ts"

const annotate = (span: Tracer.Span, attributes: Readonly<Record<string, unknown>>): void => {
  for (const name in attributes) if (attributes[name] !== undefined) span.attribute(name, attributes[name])
}

/** The span of one stretch of an agent's loop; its usage includes that of its sub-agents. */
export const agentSpan = <A, E, R>(frame: Frame, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const { author, meter, parent, run } = frame
  const name = author.path.at(-1)
  return Effect.useSpan(`invoke_agent ${name}`, { kind: "internal" }, (span) => {
    const { inputTokens, outputTokens } = meter
    annotate(span, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": name,
      "gen_ai.agent.id": author.id,
      "gen_ai.conversation.id": run.options.ref.session,
      "tenon.invocation.id": run.options.invocation,
      "tenon.agent.parent_id": parent?.author.id
    })
    const used = Effect.sync(() =>
      annotate(span, {
        "gen_ai.usage.input_tokens": meter.inputTokens - inputTokens,
        "gen_ai.usage.output_tokens": meter.outputTokens - outputTokens
      })
    )
    return Effect.ensuring(Effect.withParentSpan(effect, span, { captureStackTrace: false }), used)
  })
}

/** The span of one attempt at a tool call. */
export const toolSpan = <A, E, R>(
  tool: string,
  call: string,
  run: (span: Tracer.Span) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.useSpan(`execute_tool ${tool}`, { kind: "internal" }, (span) => {
    span.attribute("gen_ai.operation.name", "execute_tool")
    span.attribute("gen_ai.tool.name", tool)
    span.attribute("gen_ai.tool.call.id", call)
    return run(span)
  })

// a histogram for each series: one with attributes around it would make its key anew at each update
const duration = (attributes: Metric.Metric.AttributeSet) =>
  Metric.histogram("gen_ai.client.operation.duration", {
    description: "seconds that a model call took",
    attributes,
    boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
  })

const tokens = (attributes: Metric.Metric.AttributeSet) =>
  Metric.histogram("gen_ai.client.token.usage", {
    description: "tokens of a model call",
    attributes,
    boundaries: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864]
  })

/** What a metric is told of a model call. */
type Series = Readonly<
  Record<"gen_ai.operation.name", "chat"> & Partial<Record<"gen_ai.request.model" | "gen_ai.provider.name", string>>
>

/** The metrics of one model, made once. */
interface Meters {
  readonly series: Series
  readonly duration: Metric.Metric<number, unknown>
  readonly input: Metric.Metric<number, unknown>
  readonly output: Metric.Metric<number, unknown>
}

const metersOf = memoize(({ name, provider }: AgentModel): Meters => {
  const series: Series = {
    "gen_ai.operation.name": "chat",
    ...(name !== undefined && { "gen_ai.request.model": name }),
    ...(provider !== undefined && { "gen_ai.provider.name": provider })
  }
  return {
    series,
    duration: duration({ ...series }),
    input: tokens({ ...series, "gen_ai.token.type": "input" }),
    output: tokens({ ...series, "gen_ai.token.type": "output" })
  }
})

const measured = (
  context: Context.Context<never>,
  of: Meters,
  seconds: number,
  failed: string | undefined,
  finish: Response.FinishPart | undefined
): void => {
  const timed = failed === undefined
    ? of.duration
    : duration({ ...of.series, "error.type": failed })
  timed.updateUnsafe(seconds, context)
  if (finish === undefined) return
  of.input.updateUnsafe(finish.usage.inputTokens.total ?? 0, context)
  of.output.updateUnsafe(finish.usage.outputTokens.total ?? 0, context)
}

const failureOf = (cause: Cause.Cause<AiError.AiError>): string => {
  const error = Cause.squash(cause)
  return AiError.isAiError(error) ? error.reason._tag : Cause.hasInterruptsOnly(cause) ? "cancelled" : "defect"
}

/** The span of one model call. */
export const chatSpan = (
  frame: Frame,
  generate: (span: Tracer.Span) => Effect.Effect<ReadonlyArray<Response.AnyPart>, AiError.AiError>
): Effect.Effect<ReadonlyArray<Response.AnyPart>, AiError.AiError> => {
  const { name: model } = frame.model
  const of = metersOf(frame.model)
  return Effect.useSpan(
    model === undefined ? "chat" : `chat ${model}`,
    { kind: "client" },
    (span) =>
      Effect.withFiber(({ context }) => {
        const clock = Context.get(context, Clock.Clock)
        const start = clock.currentTimeMillisUnsafe()
        annotate(span, of.series)
        span.attribute("gen_ai.agent.id", frame.author.id)
        return Effect.onExit(generate(span), (exit) => {
          const failed = Exit.isFailure(exit) ? failureOf(exit.cause) : undefined
          const parts = Exit.isSuccess(exit) ? exit.value : []
          const finish = parts.find((part) => part.type === "finish")
          const metadata = parts.find((part) => part.type === "response-metadata")
          annotate(span, {
            "error.type": failed,
            "gen_ai.response.id": metadata?.id,
            "gen_ai.response.model": metadata?.modelId,
            "gen_ai.response.finish_reasons": finish === undefined ? undefined : [finish.reason],
            "gen_ai.usage.input_tokens": finish?.usage.inputTokens.total,
            "gen_ai.usage.output_tokens": finish?.usage.outputTokens.total
          })
          measured(context, of, (clock.currentTimeMillisUnsafe() - start) / 1_000, failed, finish)
          return Effect.void
        })
      })
  )
}
