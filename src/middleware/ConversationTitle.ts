/**
 * A title for the conversation, made once.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { LanguageModel, Prompt } from "effect/ai"
import type * as Contract from "../Contract.ts"
import { textOf } from "../internal/fold.ts"
import { textOfParts } from "../internal/parts.ts"
import { isUsers } from "../internal/summary.ts"
import * as Middleware from "../Middleware.ts"
import * as State from "../State.ts"

// ===== state =================================================================

/** The section that holds the title. @category state @since 0.1.0 */
export const Conversation = State.make("conversation_title", { title: State.optional(Schema.String) })

// ===== models ================================================================

/** What a title is made of. @category models @since 0.1.0 */
export interface Exchange {
  /** The user's message that the model is answering. */
  readonly input: string
  /** What the model said; empty where the title is made at the message. */
  readonly answer: string
}

/** When a title is made, how long it may be. @category models @since 0.1.0 */
export interface Options {
  /** After the first answer, or before the first model call. */
  readonly when?: "answer" | "message"
  /** How many characters are kept: 80. */
  readonly maxLength?: number
}

/** What the middleware needs besides its own field. */
type Needs<C extends Contract.Keys, D extends Contract.Services> =
  | C[number]["Identifier"]
  | D[number]["Identifier"]
  | (typeof Conversation.title)["~writes"]

// ===== middleware ============================================================

/**
 * Gives a conversation a title by an Effect of yours.
 *
 * **Details**
 *
 * The title is made where there is none, so a session that brings one keeps it. One that cannot be made is logged, and
 * tried again at the next answer; the run does not fail by it. The run waits for the Effect.
 *
 * **Example** (The first words)
 *
 * ```ts
 * import { Effect, Option } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { ConversationTitle } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Titled = ConversationTitle.make({
 *   generate: ({ input }) => Effect.succeed(input.split(" ").slice(0, 2).join(" "))
 * })
 * const Assistant = Agent.make("assistant", { instructions: "Help.", middleware: [Titled] })
 *
 * const { session } = await Effect.runPromise(
 *   AgentRunner.run(Assistant, { session: "s-1", input: "Which licence is it?" }).pipe(
 *     Effect.provide([ScriptedModel.layer([ScriptedModel.text("MIT.")]), SessionStore.layerMemory])
 *   )
 * )
 * Option.getOrUndefined(session.state.get(ConversationTitle.Conversation.title)) // => "Which licence"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const C extends Contract.Keys = [], const D extends Contract.Services = []>(
  options: Options & {
    readonly generate: (
      exchange: Exchange
    ) => Effect.Effect<string, unknown, C[number]["Identifier"] | D[number]["Identifier"]>
    /** The context keys that `generate` reads. */
    readonly context?: C
    /** The other services that it needs. */
    readonly dependencies?: D
  }
): Middleware.Middleware<"conversation_title", Needs<C, D>, never, never> => {
  const { generate, maxLength = 80, when = "answer" } = options
  const contract = {
    context: options.context ?? [],
    dependencies: options.dependencies ?? [],
    writes: [Conversation.title]
  } as const

  const entitle = (exchange: Exchange) =>
    Effect.gen(function*() {
      if (Option.isSome(yield* Conversation.title.get)) return
      const made = yield* generate(exchange)
      const [line = ""] = made.trim().split(/\s*\n\s*/)
      // by characters: half of one is no text
      const title = [...line].slice(0, maxLength).join("").trimEnd()
      if (title !== "") yield* Conversation.title.set(title)
    }).pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) => Effect.logWarning(`the conversation got no title: ${kindOf(Cause.squash(cause))}`)
      )
    )
  const inputOf = (messages: ReadonlyArray<Prompt.Message>) => textOf(messages.findLast(isUsers))

  const hook = when === "message"
    ? Middleware.beforeModel(contract, ({ messages }) =>
      // the type of what `generate` needs is known to the caller alone
      (messages.slice(-1).some(isUsers)
        ? entitle({ input: inputOf(messages), answer: "" })
        : Effect.void) as Effect.Effect<void>)
    : Middleware.afterModel(contract, ({ exit, messages }) => {
      const parts = Exit.isSuccess(exit) ? exit.value : []
      const answer = parts.some(({ type }) => type === "tool-call") ? "" : textOfParts(parts)
      return (answer === ""
        ? Effect.void
        : entitle({ input: inputOf(messages), answer })) as Effect.Effect<void>
    })
  return Middleware.make("conversation_title", { hooks: [hook as Middleware.Hook<Needs<C, D>>] })
}

/** What went wrong, without what it holds: that may be a value that the caller supplied. */
const kindOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "_tag" in error
    ? String(error._tag)
    : error instanceof Error
    ? error.name
    : typeof error

const wish = "Name this conversation in at most six words, in its own language. Give the title alone, without quotes."

/**
 * Gives a conversation a title by one more call of the run's model.
 *
 * **Gotchas**
 *
 * The call is not a step of the run: neither limits nor a budget see its tokens.
 *
 * @category constructors
 * @since 0.1.0
 */
export const byModel = (
  options: Options & { readonly instructions?: string } = {}
): Middleware.Middleware<"conversation_title", Needs<[], [typeof LanguageModel.LanguageModel]>, never, never> =>
  make({
    ...options,
    dependencies: [LanguageModel.LanguageModel],
    generate: ({ answer, input }) =>
      Effect.map(
        LanguageModel.generateText({
          prompt: Prompt.make([
            { role: "system", content: options.instructions ?? wish },
            { role: "user", content: answer === "" ? input : `${input}\n\n${answer}` }
          ])
        }),
        ({ text }) => text
      )
  })
