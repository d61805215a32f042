/**
 * One turn of a model, or of a script in its place: what it says is in the log before any handler starts. Layer 5.
 */
import { Cause, Effect, Exit } from "effect"
import { AiError, Prompt, type Response } from "effect/ai"
import type { Script } from "../Agent.ts"
import { HookFailed, ModelFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import type { Failure, Frame, Paused } from "./frame.ts"
import { deepFreeze, freezeMade } from "./freeze.ts"
import { generate } from "./generate.ts"
import { stepOf } from "./history.ts"
import { changed, hooked } from "./hooks.ts"
import { instructionsOf } from "./instructions.ts"
import { type Asked, messagesOf } from "./late.ts"
import { placeOf } from "./results.ts"
import { partsOf } from "./script.ts"
import { chatSpan } from "./telemetry.ts"

const failed = ({ author, meter }: Frame, error: AiError.AiError): ModelFailed => {
  meter.dropModel()
  return new ModelFailed({ agent: author.id, error })
}

/** Tells the model what was wrong with its answer, in this call alone. */
const correction = ({ misfits, thread }: Frame): Prompt.Message | undefined => {
  const problem = thread.history.answered ? undefined : misfits.at(-1)
  if (problem === undefined) return undefined
  const text = `Your answer does not fit the JSON Schema: ${problem}\nAnswer again, with JSON alone.`
  return Prompt.userMessage({ content: [Prompt.textPart({ text })] })
}

/** Asks the model, between the hooks of a model call. */
export const askModel: (frame: Frame) => Effect.Effect<void, Failure | Paused> = Effect.fnUntraced(function*(frame) {
  const { meter, plan } = frame
  const number = frame.steps + 1
  const at = `${number}.`
  const { afterModel, beforeModel } = plan.hooks
  const told = yield* instructionsOf(frame)
  const { transcript } = frame.thread.history
  const hasHooks = beforeModel.length + afterModel.length > 0
  const all = told.concat(hasHooks ? transcript.messages : transcript.prompt)
  let request: Middleware.ModelRequest = {
    agent: frame.author.id,
    step: number,
    messages: all,
    tools: plan.toolNames
  }
  let given: Middleware.Answer | undefined
  for (const hook of beforeModel) {
    const decided = yield* Effect.onError(
      hooked<Middleware.Change | Middleware.Answer | undefined>(frame, hook, at, request),
      () => Effect.sync(() => meter.dropModel())
    )
    if (decided?._tag === "Change") request = yield* changed(plan, hook, request, decided)
    if (decided?._tag === "Answer") given = decided
    if (given !== undefined) break
  }
  const { messages, tools } = request
  const corrected = correction(frame)
  // what no hook changed a model gets as its own
  const asked: Asked | undefined = messages === all && corrected === undefined
    ? { told, said: transcript.prompt, length: transcript.prompt.length }
    : undefined
  const prompt = corrected !== undefined
    ? [...messages, corrected]
    : asked !== undefined && hasHooks
    ? messagesOf(asked)
    : messages
  const said = given === undefined
    ? chatSpan(frame, (span) => generate(span, frame, { messages: prompt, asked, tools }))
    : Effect.succeed(given.parts)
  let exit: Middleware.ModelOutcome["exit"] = afterModel.length === 0
    ? Exit.succeed(yield* Effect.mapError(said, (error) => failed(frame, error)))
    : yield* Effect.exit(said)
  for (const hook of afterModel) {
    const answer = yield* hooked<Middleware.Answer | undefined>(frame, hook, at, { ...request, exit })
    if (answer !== undefined) exit = Exit.succeed(answer.parts)
  }
  if (Exit.isFailure(exit)) {
    return yield* Effect.failCause(
      Cause.map(exit.cause, (error) => AiError.isAiError(error) ? failed(frame, error) : error)
    )
  }
  yield* answered(frame, number, exit.value, "unknown", tools === plan.toolNames ? undefined : tools)
})

/** What a script says in place of a model. */
export const askScript = (frame: Frame, script: Script): Effect.Effect<void, Failure> => {
  // how a task is put into words is the author's
  const said = Effect.catchDefect(
    Effect.suspend(() => Effect.fromResult(partsOf(frame, script))),
    (defect) => Effect.fail(new HookFailed({ middleware: frame.name, hook: "task", problem: placeOf(defect) }))
  )
  return Effect.flatMap(said, (parts) => answered(frame, frame.steps + 1, parts, "stop"))
}

/** Appends what was said. */
export const answered = (
  frame: Frame,
  number: number,
  parts: ReadonlyArray<Response.AnyPart>,
  unfinished: Event.Model["finish"],
  shown?: ReadonlyArray<string>
): Effect.Effect<void, Failure> => {
  // frozen: handlers, hooks and readers of the log all see these very messages
  const own = parts.flatMap((part) =>
    part.type === "tool-approval-request"
      ? []
      : [part.type === "tool-call" ? { ...part, params: deepFreeze(part.params ?? {}) } : part]
  )
  const said = Object.freeze(Prompt.fromResponseParts(own).content.map(freezeMade))
  const finish = parts.find((part) => part.type === "finish")
  const usage: Event.Usage = {
    inputTokens: finish?.usage.inputTokens.total ?? 0,
    outputTokens: finish?.usage.outputTokens.total ?? 0
  }
  const calls = own.filter((part) => part.type === "tool-call").filter((part) => !part.providerExecuted)
    .map((part, position): Event.Call => ({
      id: `${frame.prefix}${number}.${position + 1}`,
      providerId: part.id,
      tool: part.name,
      // a handler gets what was decoded of it, and a schema need not copy
      parameters: part.params,
      ...(!frame.plan.tools.has(part.name) && { unknown: true as const })
    }))
  return Effect.map(
    frame.run.append(frame.author, {
      kind: "model",
      step: number,
      messages: said,
      calls,
      usage,
      finish: finish?.reason ?? unfinished,
      ...(shown !== undefined && { shown })
    }),
    ([event]) => {
      const { history } = frame.thread
      frame.meter.countModel(usage)
      history.last = { number, invocation: event?.invocation ?? "" }
      history.calls += calls.length
      history.said = said
      history.step = stepOf(event as Event.Model)
      history.transcript.add(event as Event.Model, history.step)
      history.answered = history.step === undefined
      frame.fresh = history.step
    }
  )
}
