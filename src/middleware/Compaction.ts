/**
 * A summary in place of what was said long ago, so that a conversation may go on for ever.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Cause, Effect } from "effect"
import { LanguageModel, Prompt } from "effect/ai"
import type * as Contract from "../Contract.ts"
import type * as Event from "../Event.ts"
import { causeOf } from "../internal/results.ts"
import { isSummary } from "../internal/summary.ts"
import * as Middleware from "../Middleware.ts"

// ===== when ==================================================================

/**
 * Which events a summary is to replace before a step; nothing lets the history be. A function of your own will do.
 *
 * @category models
 * @since 0.1.0
 */
export type When = (start: Middleware.StepStart) => Middleware.Range | undefined

/**
 * Once so many invocations are over that no summary tells of; with an overlap, the summary tells of as many before them
 * again.
 *
 * **Details**
 *
 * It is looked for before the first step of an invocation. Each summary stays, so that their number grows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const every =
  (invocations: number, options: { readonly overlap?: number } = {}): When =>
  ({ compactions, entries, invocation, step }) => {
    if (step !== 1) return undefined
    const { overlap = 0 } = options
    const last = Math.max(-1, ...compactions.map(({ to }) => to))
    const seen = new Set<string>()
    let fresh = 0
    let range: Middleware.Range | undefined
    // from the end: what was said before is not looked at
    for (let index = entries.length - 1; index >= 0; index--) {
      const { invocation: of, sequence } = entries[index] as Middleware.Entry
      if (of === invocation) continue
      if (!seen.has(of)) {
        if (sequence > last) fresh += 1
        else if (fresh < invocations || seen.size >= fresh + overlap) break
        seen.add(of)
      }
      range = { from: sequence, to: range?.to ?? sequence }
    }
    return fresh < invocations ? undefined : range
  }

/**
 * Once the last model call took and gave so many tokens. The last steps stay, with the messages before them: 10 unless
 * said otherwise.
 *
 * **Details**
 *
 * It is looked for before each step, within a long invocation too. A new summary tells also of what the one before told,
 * and replaces it.
 *
 * **Gotchas**
 *
 * A model that tells no usage is never over. Leave room for the step that goes over: its results are not in the count.
 * Where what stays is alone over the number, each step replaces one more.
 *
 * @category constructors
 * @since 0.1.0
 */
export const over = (tokens: number, options: { readonly keep?: number } = {}): When => ({ compactions, entries }) => {
  const last = entries.findLast(({ kind }) => kind === "model")
  if (last?.usage === undefined || last.usage.inputTokens + last.usage.outputTokens < tokens) return undefined
  // what was measured is no more
  if ((compactions.at(-1)?.sequence ?? -1) > last.sequence) return undefined
  const { keep = 10 } = options
  let end = entries.length
  for (let steps = 0; end > 0; end--) {
    if (entries[end - 1]?.kind === "model" && steps++ === keep) break
  }
  const [from, to] = [entries[0], entries[end - 1]]
  return from === undefined || to === undefined ? undefined : { from: from.sequence, to: to.sequence }
}

// ===== middleware ============================================================

/** A text in place of messages, and what it took to make it. */
interface Summary {
  readonly text: string
  readonly usage?: Event.Usage
}

const compacting = (
  when: When,
  contract: object,
  summarize: (messages: ReadonlyArray<Prompt.Message>) => Effect.Effect<Summary, unknown, any>
): Middleware.Middleware<"compaction", any, never, never> =>
  Middleware.make("compaction", {
    hooks: [
      Middleware.beforeStep(contract, (start) =>
        Effect.gen(function*() {
          const range = when(start)
          const messages = range === undefined ? [] : start.within(range)
          if (range === undefined || messages.length === 0) return undefined
          const { text, usage } = yield* summarize(messages)
          if (text.trim() !== "") return Middleware.compact(range, text, { usage })
          return yield* Effect.as(notCompacted("the summary is empty"), undefined)
        }).pipe(
          Effect.catchCauseIf(
            (cause) => !Cause.hasInterruptsOnly(cause),
            (cause) => notCompacted(causeOf(cause))
          )
        ) as Effect.Effect<Middleware.Compact | void>)
    ]
  })

const notCompacted = (problem: string) => Effect.logWarning(`the history was not compacted: ${problem}`)

/**
 * Puts a summary that an Effect of yours makes in place of earlier messages, for good: it is an event, `compacted`.
 *
 * **Details**
 *
 * What is open stays as it is: a step with a call that waits for an answer, and what the invocation that goes on began
 * with, a message or an answer to a pending call. The log keeps everything; `Session.transcript` has it. State is not
 * touched. The run waits for the Effect. One that fails, or an empty summary, is logged, and tried again before the next
 * step that asks for it; the run goes on as it was.
 *
 * Each agent has a history of its own, and needs the middleware for itself.
 *
 * **Gotchas**
 *
 * The Effect gets what is stored. A message that `Guardrails` keep from the model is in it as the user said it.
 *
 * **Example** (Two invocations in one line)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { Compaction } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Short = Compaction.make({
 *   when: Compaction.every(2),
 *   summarize: (messages) => Effect.succeed(`(${messages.length} messages)`)
 * })
 * const Assistant = Agent.make("assistant", { instructions: "Help.", middleware: [Short] })
 * const say = (input: string) => AgentRunner.run(Assistant, { session: "s-1", input })
 * const Model = ScriptedModel.layer(["One.", "Two.", "Three."].map(ScriptedModel.text))
 *
 * const { session } = await Effect.runPromise(
 *   Effect.andThen(Effect.andThen(say("1"), say("2")), say("3")).pipe(
 *     Effect.provide([Model, SessionStore.layerMemory])
 *   )
 * )
 * const lengths = [session.history.length, session.transcript.length]
 * lengths // => [3, 6]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const C extends Contract.Keys = [], const D extends Contract.Services = []>(options: {
  readonly when: When
  /** A text for the model to read in place of the messages. */
  readonly summarize: (
    messages: ReadonlyArray<Prompt.Message>
  ) => Effect.Effect<string, unknown, C[number]["Identifier"] | D[number]["Identifier"]>
  /** The context keys that `summarize` reads. */
  readonly context?: C
  /** The other services that it needs. */
  readonly dependencies?: D
}): Middleware.Middleware<"compaction", C[number]["Identifier"] | D[number]["Identifier"], never, never> => {
  const { context, dependencies, summarize, when } = options
  return compacting(
    when,
    { context: context ?? [], dependencies: dependencies ?? [] },
    (messages) => Effect.map(summarize(messages), (text) => ({ text }))
  )
}

const wish = [
  "Summarize the conversation below. Another model goes on with it, and reads your summary in place of the messages.",
  "Keep what was asked for, what was decided and found out, and what is still to be done; names, numbers and ids word",
  "for word. Give the summary alone, in the language of the conversation."
].join(" ")

/** A message as a text: calls need no tools, results no calls. */
const textOf = (message: Prompt.Message): string => {
  const { content, role } = message
  const parts = typeof content === "string" ? [content] : content.flatMap((part) => {
    switch (part.type) {
      case "text":
        return [part.text]
      case "file":
        return [`(a file: ${part.fileName ?? part.mediaType})`]
      case "tool-call":
        return [`(calls ${part.name} with ${JSON.stringify(part.params)})`]
      case "tool-result":
        return [`(${part.name} gave ${JSON.stringify(part.result)})`]
      default:
        return []
    }
  })
  return `${isSummary(message) ? "summary" : role}: ${parts.join("\n")}`
}

/**
 * Puts a summary in place of earlier messages that the agent's own model makes, in one more call.
 *
 * **Details**
 *
 * The tokens of the call are in the event, and count as the run's: towards its usage and its limits. It is not a step.
 *
 * **Gotchas**
 *
 * `Budget` counts steps of the model, and does not see the call. The model must be able to read all that it is to
 * summarize at once.
 *
 * @category constructors
 * @since 0.1.0
 */
export const byModel = (options: {
  readonly when: When
  /** What the model is told to do, in place of our words. */
  readonly instructions?: string
}): Middleware.Middleware<"compaction", (typeof LanguageModel.LanguageModel)["Identifier"], never, never> =>
  compacting(options.when, { dependencies: [LanguageModel.LanguageModel] }, (messages) =>
    Effect.map(
      LanguageModel.generateText({
        prompt: Prompt.make([
          { role: "system", content: options.instructions ?? wish },
          { role: "user", content: messages.map(textOf).join("\n\n") }
        ])
      }),
      ({ text, usage: { inputTokens, outputTokens } }): Summary => ({
        text: text.trim() === "" ? "" : `Summary of what was said before:\n${text}`,
        usage: { inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 }
      })
    ))
