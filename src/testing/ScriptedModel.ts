/**
 * A language model that says what a script says, for tests and examples.
 *
 * A turn is data, or a function of the request. A script is a list of turns, or one list for each agent by name. What is
 * not scripted fails with what was asked; what is scripted and was not asked for is told by `assertComplete`.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { AiError, LanguageModel, Prompt, type Response } from "effect/ai"
import { inChunks } from "./internal/chunks.ts"
import { type Answer, asking, lastText, short, speak } from "./internal/speak.ts"

// ===== models ================================================================

/** A call that the model asks for. @category models @since 0.1.0 */
export interface Call {
  readonly tool: string
  readonly parameters?: unknown
  /** The provider's id; providers repeat them, and leave them out. */
  readonly id?: string
  /**
   * Streams the JSON text of the parameters, in pieces of so many UTF-16 units, or cut at these places: in the middle of a
   * character too. Without it a stream shows the call alone.
   */
  readonly cuts?: number | ReadonlyArray<number>
}

/**
 * What the model says in one turn, and when.
 *
 * **Details**
 *
 * A stream shows the reasoning, the text, the calls and the finish, in this order. A text that is a list is cut as the list
 * is, and else after each word. An answer that is not streamed comes at the time at which the last chunk would.
 *
 * **Example** (A model that fails while it answers)
 *
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { AiError, LanguageModel, Response } from "effect/ai"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const shown: Array<string> = []
 * const program = LanguageModel.streamText({ prompt: "Weather?" }).pipe(
 *   Stream.runForEach((part) => Effect.sync(() => part.type === "text-delta" && shown.push(part.delta))),
 *   Effect.flip,
 *   Effect.provide(ScriptedModel.layer([
 *     { text: ["It is ", "sun", "ny."], error: new AiError.RateLimitError({}), after: 3 }
 *   ]))
 * )
 *
 * const { reason } = await Effect.runPromise(program)
 * reason._tag // => "RateLimitError"
 * shown // => ["It is ", "sun"]
 * ```
 *
 * @category models
 * @since 0.1.0
 */
export interface Turn {
  readonly text?: string | ReadonlyArray<string>
  readonly reasoning?: string | ReadonlyArray<string>
  readonly calls?: ReadonlyArray<Call>
  /** What it says as a provider says it, before all else: parts of an answer, or chunks of a stream. */
  readonly parts?: ReadonlyArray<Response.AnyPartEncoded>
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly finish?: Response.FinishReason
  /** The model fails: after what it says otherwise, and without a finish. An answer that is not streamed fails as a whole. */
  readonly error?: AiError.AiErrorReason
  /** The model falls silent instead, and never ends. */
  readonly silent?: boolean
  /** How many chunks of a stream, starts and ends of texts among them, come before the error or the silence. */
  readonly after?: number
  /** How long the model thinks before it says anything. */
  readonly delay?: Duration.Input
  /** How long it takes from one chunk to the next. */
  readonly pace?: Duration.Input
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

// ===== errors ================================================================

/**
 * The script and what was asked are not the same.
 *
 * @category errors
 * @since 0.1.0
 */
export class ScriptIncomplete extends Schema.TaggedError<ScriptIncomplete>()("ScriptIncomplete", {
  /** The turns that nobody asked for; of a script for all agents, `agent` is empty. */
  unasked: Schema.Array(Schema.Struct({ agent: Schema.String, turn: Schema.Int, says: Schema.String })),
  /** Agents with a script that never asked. */
  unheard: Schema.Array(Schema.String),
  /** What was asked and not scripted; it may have become an error result of a call. */
  unscripted: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return [
      ...this.unheard.map((agent) => `'${agent}' never asked`),
      ...this.unasked.map(({ agent, says, turn }) =>
        `turn ${turn}${agent === "" ? "" : ` of '${agent}'`} was never asked for: ${says}`
      ),
      ...this.unscripted
    ].join("\n")
  }
}

// ===== the service ===========================================================

/**
 * What a scripted model was asked, beside the model itself.
 *
 * @category services
 * @since 0.1.0
 */
export class ScriptedModel extends Context.Service<ScriptedModel, {
  /** What was asked so far; it grows. */
  readonly requests: ReadonlyArray<Request>
  readonly assertComplete: Effect.Effect<void, ScriptIncomplete>
}>()("tenon/testing/ScriptedModel") {}

/**
 * What the model was asked so far.
 *
 * **Example** (What a model was shown)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { LanguageModel } from "effect/ai"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const program = Effect.gen(function*() {
 *   yield* LanguageModel.generateText({ prompt: "Hello" })
 *   yield* ScriptedModel.assertComplete
 *   const [request] = yield* ScriptedModel.requests
 *   return request?.prompt.content.length
 * })
 *
 * await Effect.runPromise(Effect.provide(program, ScriptedModel.layer([ScriptedModel.text("Hi.")]))) // => 1
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const requests: Effect.Effect<ReadonlyArray<Request>, never, ScriptedModel> = Effect.map(
  ScriptedModel,
  ({ requests }) => [...requests]
)

/**
 * Fails unless every turn of the script was asked for, and nothing else.
 *
 * **Example** (A turn too much)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const program = Effect.flip(ScriptedModel.assertComplete).pipe(
 *   Effect.provide(ScriptedModel.layer([ScriptedModel.text("Hi.")]))
 * )
 *
 * const error = await Effect.runPromise(program)
 * error.message // => "turn 1 was never asked for: \"Hi.\""
 * ```
 *
 * @category asserting
 * @since 0.1.0
 */
export const assertComplete: Effect.Effect<void, ScriptIncomplete, ScriptedModel> = Effect.flatMap(
  ScriptedModel,
  ({ assertComplete }) => assertComplete
)

// ===== turns =================================================================

/** The model answers. @category constructors @since 0.1.0 */
export const text = (text: string): Turn => ({ text })

/** The model asks for calls, all in one step. @category constructors @since 0.1.0 */
export const calls = (...calls: ReadonlyArray<Call>): Turn => ({ calls })

/** The model asks for one call. @category constructors @since 0.1.0 */
export const call = (tool: string, parameters: unknown = {}): Turn => ({ calls: [{ tool, parameters }] })

/** The model fails. @category constructors @since 0.1.0 */
export const fail = (error: AiError.AiErrorReason): Turn => ({ error })

/** The model never answers. @category constructors @since 0.1.0 */
export const never: Turn = { silent: true }

// ===== what a turn says ======================================================

const finishOf = ({ calls, finish, inputTokens = 1, outputTokens = 1 }: Turn): Response.FinishPartEncoded => ({
  type: "finish",
  reason: finish ?? (calls === undefined ? "stop" : "tool-calls"),
  usage: {
    inputTokens: { uncached: inputTokens, total: inputTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 }
  }
})

type Text = string | ReadonlyArray<string>

/** A text as it is cut; without that, in pieces of a word each. */
const pieces = (said: Text): ReadonlyArray<string> =>
  typeof said === "string" ? said.match(/^\s*\S+\s*|\S+\s*|^\s+$/g) ?? [""] : said

const textChunks = (type: "reasoning" | "text", said: Text | undefined): ReadonlyArray<Response.StreamPartEncoded> =>
  said === undefined ? [] : [
    { type: `${type}-start`, id: type },
    ...pieces(said).map((delta) => ({ type: `${type}-delta`, id: type, delta }) as const),
    { type: `${type}-end`, id: type }
  ]

const cutAt = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  const inside = [...new Set(places)].filter((place) => place > 0 && place < text.length).sort((a, b) => a - b)
  return [...inside, text.length].map((place, index) => text.slice(inside[index - 1] ?? 0, place))
}

/** Every place of a text in which a piece of this length ends. */
const every = (text: string, length: number): ReadonlyArray<number> => {
  const step = Math.max(1, Math.floor(length))
  return Array.from({ length: Math.floor(text.length / step) }, (_, index) => (index + 1) * step)
}

const callChunks = (
  { cuts, id = "", parameters = {}, tool }: Call
): ReadonlyArray<Response.StreamPartEncoded> => {
  const call = { type: "tool-call", id, name: tool, params: parameters } as const
  if (cuts === undefined) return [call]
  const text = JSON.stringify(parameters)
  return [
    { type: "tool-params-start", id, name: tool },
    ...cutAt(text, typeof cuts === "number" ? every(text, cuts) : cuts).map((delta) =>
      ({ type: "tool-params-delta", id, delta }) as const
    ),
    { type: "tool-params-end", id },
    call
  ]
}

/** What it says; the number of the turn makes ids of calls. */
const saidIn = (turn: Turn, number: number): ReadonlyArray<Response.AnyPartEncoded> => {
  const said = [
    ...turn.parts ?? [],
    ...textChunks("reasoning", turn.reasoning),
    ...textChunks("text", turn.text),
    ...(turn.calls ?? []).flatMap((call, index) => callChunks({ id: `call-${number}-${index + 1}`, ...call }))
  ]
  return turn.parts?.some(({ type }) => type === "finish") ? said : [...said, finishOf(turn)]
}

/** What it says before it breaks: all but its finish, or so many chunks. */
const saidBefore = (said: ReadonlyArray<Response.AnyPartEncoded>, { after }: Turn) =>
  after === undefined ? said.filter(({ type }) => type !== "finish") : inChunks(said).slice(0, Math.max(0, after))

const failure = (reason: AiError.AiErrorReason) =>
  AiError.make({ module: "ScriptedModel", method: "generateText", reason })

const answerOf = (turn: Turn, number: number): Answer => {
  const said = saidIn(turn, number)
  const broken = turn.error === undefined ? turn.silent === true ? Effect.never : undefined : failure(turn.error)
  return {
    said: broken === undefined ? said : saidBefore(said, turn),
    broken,
    pace: turn.pace === undefined ? undefined : Duration.fromInputUnsafe(turn.pace)
  }
}

// ===== what is told of it ====================================================

const quoted = (text: string): string => `"${short(text)}"`

const summary = (step: Step): string => {
  if (typeof step === "function") return "a function of the request"
  const { calls = [], error, parts = [], reasoning, silent, text } = step
  return [
    ...(reasoning === undefined || text !== undefined ? [] : ["reasoning"]),
    ...(text === undefined ? [] : [quoted(typeof text === "string" ? text : text.join(""))]),
    ...calls.map(({ parameters = {}, tool }) => `${tool}(${short(JSON.stringify(parameters))})`),
    ...(parts.length === 0 ? [] : [`${parts.length} parts`]),
    ...(error === undefined ? [] : [error._tag]),
    ...(silent === true ? ["silence"] : [])
  ].join(", ") || "nothing"
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const listed = (items: ReadonlyArray<string>): string => items.join(", ") || "(none)"

/** What was asked and not scripted, with what would have been. */
const unscripted = (
  { agent, prompt, tools }: Request,
  steps: ReadonlyArray<Step> | undefined,
  earlier: ReadonlyArray<Request>,
  agents: ReadonlyArray<string>
): string => {
  const asked = `no turn is scripted for '${agent}': it was asked, after ${plural(prompt.content.length, "message")}, ${
    quoted(lastText(prompt))
  }, with the tools ${listed(tools)}`
  if (steps === undefined) return `${asked}; there are scripts for ${listed(agents)}`
  const turns = steps.map((step, index) =>
    `\n  ${index + 1}. ${summary(step)}, asked ${quoted(lastText(earlier[index]?.prompt ?? Prompt.empty))}`
  )
  return `${asked}. It is request ${earlier.length + 1}, of ${plural(steps.length, "turn")}:${turns.join("")}`
}

// ===== the model =============================================================

/** One list of turns, and who asked for them. */
interface Queue {
  readonly steps: ReadonlyArray<Step>
  readonly asked: Array<Request>
}

const isList = (script: Script): script is ReadonlyArray<Step> => Array.isArray(script)

/**
 * The model as an Effect, with what it was asked so far.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  script: Script
): Effect.Effect<ScriptedModel["Service"] & { readonly model: LanguageModel.LanguageModel }> =>
  Effect.gen(function*() {
    const requests: Array<Request> = []
    const refused: Array<string> = []
    const queue = (steps: ReadonlyArray<Step>): Queue => ({ steps, asked: [] })
    const all = isList(script) ? queue(script) : undefined
    const queues = new Map(
      isList(script) ? [] : Object.entries(script).map(([agent, steps]) => [agent, queue(steps)] as const)
    )

    const answer = Effect.fnUntraced(function*({ prompt, tools }: LanguageModel.ProviderOptions) {
      const agent = (yield* asking).path.at(-1) ?? ""
      const request: Request = { agent, prompt, tools: tools.map(({ name }) => name as string) }
      requests.push(request)
      const number = requests.length
      const own = all ?? queues.get(agent)
      const step = own?.steps[own.asked.length]
      if (own === undefined || step === undefined) {
        const description = unscripted(request, own?.steps, own?.asked ?? [], [...queues.keys()])
        own?.asked.push(request)
        refused.push(description)
        return yield* failure(new AiError.InvalidRequestError({ description }))
      }
      own.asked.push(request)
      const made = typeof step === "function" ? step(request) : step
      const turn = Effect.isEffect(made) ? yield* made : made
      if (turn.delay !== undefined) yield* Effect.sleep(turn.delay)
      return answerOf(turn, number)
    })

    const unaskedOf = (agent: string, { asked, steps }: Queue) =>
      steps.slice(asked.length).map((step, index) => ({ agent, turn: asked.length + index + 1, says: summary(step) }))
    const assertComplete = Effect.suspend(() => {
      const named = [...queues]
      const unheard = named.filter(([, { asked, steps }]) => asked.length === 0 && steps.length > 0)
      const unasked = [...all === undefined ? [] : [["", all] as const], ...named].flatMap(([agent, each]) =>
        unaskedOf(agent, each)
      )
      return unasked.length + refused.length === 0
        ? Effect.void
        : new ScriptIncomplete({ unasked, unheard: unheard.map(([agent]) => agent), unscripted: [...refused] })
    })
    return { model: yield* speak(answer), requests, assertComplete }
  })

/**
 * A model that says what the script says, and beside it what it was asked.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (script: Script): Layer.Layer<LanguageModel.LanguageModel | ScriptedModel> =>
  Layer.effectContext(
    Effect.map(make(script), ({ model, ...scripted }) =>
      Context.add(Context.make(LanguageModel.LanguageModel, model), ScriptedModel, scripted))
  )
