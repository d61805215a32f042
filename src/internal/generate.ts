/**
 * One call of a model: prompt and tools in, the parts of its answer out. Layer 5.
 */
import { Context, Effect, Record as Rec, Stream, Tracer } from "effect"
import { AiError, Prompt, type Response } from "effect/ai"
import type * as Middleware from "../Middleware.ts"
import { AskingAgent } from "./call.ts"
import type { Frame } from "./frame.ts"
import { deepest, isKept, isTooDeep, tooDeep } from "./json.ts"
import { type Asked, latePrompt } from "./late.ts"
import { Discard, ofErrorPart } from "./model.ts"
import type { Plan } from "./plan.ts"

/** A toolkit with some of its tools. */
const only = (toolkit: Plan["toolkit"], names: ReadonlyArray<string>): Plan["toolkit"] => ({
  ...toolkit,
  tools: Rec.filter(toolkit.tools, (_, name) => names.includes(name))
})

/** Arguments that cannot be kept give way to what is wrong with them: a text fits no parameters, and the model is told. */
const withKept = (part: Response.AnyPart): Response.AnyPart =>
  part.type === "tool-call" && part.params !== undefined && !isKept(part.params)
    ? { ...part, params: isTooDeep(part.params) ? tooDeep() : "it is no JSON" }
    : part

const unkept = AiError.make({
  module: "LanguageModel",
  method: "generateText",
  reason: new AiError.InvalidOutputError({ description: `what it said cannot be kept: ${tooDeep()}` })
})

/** What a model is asked. */
interface Question extends Pick<Middleware.ModelRequest, "messages" | "tools"> {
  /** The same messages, where they are a part of the history. */
  readonly asked: Asked | undefined
}

/** Asks a frame's model under a span, without any hook. In a stream it shows the parts as they come. */
export const generate = (
  span: Tracer.Span,
  { author, model: { model }, plan: { toolkit, toolNames }, run }: Frame,
  { asked, messages, tools }: Question
): Effect.Effect<ReadonlyArray<Response.AnyPart>, AiError.AiError> => {
  const { emit } = run.options
  const options = {
    prompt: Prompt.fromMessages(messages),
    toolkit: tools === toolNames ? toolkit : only(toolkit, tools),
    disableToolCallResolution: true as const,
    toolCallValidation: "deferred" as const
  }
  // effect/ai holds the options until a full collection: it makes a generator function for each call
  const over = () => {
    if (asked !== undefined) options.prompt = latePrompt(asked)
    return Effect.void
  }
  const parts: Array<Response.AnyPart> = []
  const generated: Effect.Effect<ReadonlyArray<Response.AnyPart>, AiError.AiError, any> = emit === undefined
    ? Effect.onExit(
      Effect.map(model.generateText(options), ({ content }) => content as ReadonlyArray<Response.AnyPart>),
      over
    )
    : Effect.as(
      Stream.runForEach(model.streamText(options) as Stream.Stream<Response.AnyPart, AiError.AiError>, (part) => {
        parts.push(part)
        return run.emitPart(author, part)
      }),
      parts
    )
  const checked = Effect.flatMap(generated, (said) => {
    const all = said.map(withKept)
    const failed = all.find((part) => part.type === "error")
    if (failed !== undefined) return Effect.fail(ofErrorPart(failed.error))
    return all.some((part) => isTooDeep(part, deepest + 1)) ? Effect.fail(unkept) : Effect.succeed(all)
  })
  const discard = Effect.suspend(() => parts.splice(0).length === 0 ? Effect.void : run.emitDiscard(author))
  return Effect.updateContext(
    checked,
    (context: Context.Context<never>) =>
      Context.add(
        Context.add(Context.add(context, AskingAgent, author), Discard, discard),
        Tracer.ParentSpan,
        span
      ) as Context.Context<any>
  )
}
