/**
 * A language model that says what a script says, for tests and examples.
 *
 * A turn is data, or a function of the request. A script is a list of turns, or one list for each agent by name. What is
 * not scripted fails with what was asked.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Effect, Layer, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import { AskingAgent } from "../internal/call.ts"

// ===== models ================================================================

/** A call that the model asks for. @category models @since 0.1.0 */
export interface Call {
  readonly tool: string
  readonly parameters?: unknown
  /** The provider's id; providers repeat them, and leave them out. */
  readonly id?: string
}

/** What the model says in one turn. @category models @since 0.1.0 */
export interface Turn {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: ReadonlyArray<Call>
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly finish?: Response.FinishReason
  /** The model fails instead. */
  readonly error?: AiError.AiErrorReason
}

/** What the model was asked. @category models @since 0.1.0 */
export interface Request {
  /** The name of the agent that asks; empty outside of an agent. */
  readonly agent: string
  readonly prompt: Prompt.Prompt
  readonly tools: ReadonlyArray<string>
}

/** A turn, or a function of the request. @category models @since 0.1.0 */
export type Step = Turn | ((request: Request) => Turn | Effect.Effect<Turn>)

/** Turns in order: of one agent, or by the name of the agent. @category models @since 0.1.0 */
export type Script = ReadonlyArray<Step> | Readonly<Record<string, ReadonlyArray<Step>>>

// ===== turns =================================================================

/** The model answers. @category constructors @since 0.1.0 */
export const text = (text: string): Turn => ({ text })

/** The model asks for calls, all in one step. @category constructors @since 0.1.0 */
export const calls = (...calls: ReadonlyArray<Call>): Turn => ({ calls })

/** The model asks for one call. @category constructors @since 0.1.0 */
export const call = (tool: string, parameters: unknown = {}): Turn => ({ calls: [{ tool, parameters }] })

/** The model fails. @category constructors @since 0.1.0 */
export const fail = (error: AiError.AiErrorReason): Turn => ({ error })

// ===== parts =================================================================

const finishOf = (turn: Turn): Response.FinishPartEncoded => ({
  type: "finish",
  reason: turn.finish ?? (turn.calls === undefined ? "stop" : "tool-calls"),
  usage: {
    inputTokens: { uncached: turn.inputTokens ?? 1, total: turn.inputTokens ?? 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: turn.outputTokens ?? 1, text: turn.outputTokens ?? 1, reasoning: 0 }
  }
})

const callsOf = (turn: Turn, turnNumber: number): Array<Response.ToolCallPartEncoded> =>
  (turn.calls ?? []).map(({ tool, parameters = {}, id }, index) => ({
    type: "tool-call",
    id: id ?? `call-${turnNumber}-${index + 1}`,
    name: tool,
    params: parameters
  }))

const partsOf = (turn: Turn, number: number): Array<Response.PartEncoded> => [
  ...(turn.reasoning === undefined ? [] : [{ type: "reasoning", text: turn.reasoning } as const]),
  ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text } as const]),
  ...callsOf(turn, number),
  finishOf(turn)
]

/** A text in pieces of a word each. */
const pieces = (all: string): ReadonlyArray<string> => all.match(/\S+\s*/g) ?? [""]

const textChunks = (all: string | undefined): Array<Response.StreamPartEncoded> =>
  all === undefined ? [] : [
    { type: "text-start", id: "text" },
    ...pieces(all).map((delta) => ({ type: "text-delta", id: "text", delta }) as const),
    { type: "text-end", id: "text" }
  ]

const reasoningChunks = (all: string | undefined): Array<Response.StreamPartEncoded> =>
  all === undefined ? [] : [
    { type: "reasoning-start", id: "reasoning" },
    ...pieces(all).map((delta) => ({ type: "reasoning-delta", id: "reasoning", delta }) as const),
    { type: "reasoning-end", id: "reasoning" }
  ]

const streamPartsOf = (turn: Turn, number: number): Array<Response.StreamPartEncoded> => [
  ...reasoningChunks(turn.reasoning),
  ...textChunks(turn.text),
  ...callsOf(turn, number),
  finishOf(turn)
]

// ===== the model =============================================================

const lastText = (prompt: Prompt.Prompt): string => {
  const message = prompt.content.at(-1)
  if (message === undefined || typeof message.content === "string") return ""
  return message.content.map((part) => part.type === "text" ? part.text : part.type).join(" ")
}

const unscripted = ({ agent, prompt, tools }: Request): AiError.AiError =>
  AiError.make({
    module: "ScriptedModel",
    method: "generateText",
    reason: new AiError.InvalidRequestError({
      description: `no turn is scripted for '${agent}': it was asked, after ${prompt.content.length} messages, "${
        lastText(prompt)
      }", with the tools ${tools.join(", ") || "(none)"}`
    })
  })

const isList = (script: Script): script is ReadonlyArray<Step> => Array.isArray(script)

/**
 * The model as an Effect, with what it was asked so far.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (script: Script) =>
  Effect.gen(function*() {
    const requests: Array<Request> = []
    const used = new Map<string, number>()
    const turn = Effect.fnUntraced(function*({ prompt, tools }: LanguageModel.ProviderOptions) {
      const asking = yield* Effect.serviceOption(AskingAgent)
      const agent = asking._tag === "None" ? "" : asking.value.path.at(-1) ?? ""
      const request: Request = { agent, prompt, tools: tools.map(({ name }) => name as string) }
      requests.push(request)
      const queue = isList(script) ? "" : agent
      const number = (used.get(queue) ?? 0) + 1
      used.set(queue, number)
      const step = isList(script)
        ? script[number - 1]
        : Object.hasOwn(script, agent)
        ? script[agent]?.[number - 1]
        : undefined
      if (step === undefined) return yield* unscripted(request)
      const made = typeof step === "function" ? step(request) : step
      const said = Effect.isEffect(made) ? yield* made : made
      if (said.error !== undefined) {
        return yield* AiError.make({ module: "ScriptedModel", method: "generateText", reason: said.error })
      }
      return { said, number: requests.length }
    })
    const model = yield* LanguageModel.make({
      generateText: (options) => Effect.map(turn(options), ({ said, number }) => partsOf(said, number)),
      streamText: (options) =>
        Stream.unwrap(Effect.map(turn(options), ({ said, number }) => Stream.fromIterable(streamPartsOf(said, number))))
    })
    return { model, requests: requests }
  })

/**
 * A model that says what the script says.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (script: Script): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, Effect.map(make(script), ({ model }) => model))
