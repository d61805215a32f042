/**
 * A model of which it is known what it says. Layer 6, edge `testing`.
 */
import { Duration, Effect, Option, Stream } from "effect"
import { type AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import { AskingAgent } from "../../internal/call.ts"
import { inChunks, inParts } from "./chunks.ts"

/** What is said to one request. */
export interface Answer {
  /** Parts, or the chunks of a stream. */
  readonly said: ReadonlyArray<Response.AnyPartEncoded>
  /** How it ends when it does not end well: with an error, or never. */
  readonly broken?: Effect.Effect<never, AiError.AiError> | undefined
  /** The time between two chunks. */
  readonly pace?: Duration.Duration | undefined
}

/** Who asks: the names down to the agent, and its id; nothing of it outside of an agent. */
export const asking = Effect.map(
  Effect.serviceOption(AskingAgent),
  Option.getOrElse((): AskingAgent["Service"] => ({ id: "", path: [] }))
)

/** An answer that is not streamed comes when its last chunk would. */
const whole = ({ broken, pace, said }: Answer): Effect.Effect<Array<Response.PartEncoded>, AiError.AiError> => {
  const parts = broken ?? Effect.succeed(inParts(said))
  return pace === undefined ? parts : Effect.delay(parts, Duration.times(pace, Math.max(0, inChunks(said).length - 1)))
}

const streamed = ({ broken, pace, said }: Answer): Stream.Stream<Response.StreamPartEncoded, AiError.AiError> => {
  const chunks = inChunks(said)
  const paced = pace === undefined
    ? Stream.fromIterable(chunks)
    : Stream.mapEffect(
      Stream.fromIterable(chunks.entries(), { chunkSize: 1 }),
      ([index, chunk]) => index === 0 ? Effect.succeed(chunk) : Effect.as(Effect.sleep(pace), chunk)
    )
  return broken === undefined ? paced : Stream.concat(paced, Stream.fromEffect(broken))
}

/** A model that says what it is told to say. */
export const speak = (
  answer: (options: LanguageModel.ProviderOptions) => Effect.Effect<Answer, AiError.AiError>
): Effect.Effect<LanguageModel.LanguageModel> =>
  LanguageModel.make({
    generateText: (options) => Effect.flatMap(answer(options), whole),
    streamText: (options) => Stream.unwrap(Effect.map(answer(options), streamed))
  })

const longest = 60

/** The beginning of a text, for a message. */
export const short = (text: string): string => text.length > longest ? `${text.slice(0, longest)}…` : text

/** What was said last in a prompt. */
export const lastText = (prompt: Prompt.Prompt): string => {
  const message = prompt.content.at(-1)
  if (message === undefined) return ""
  if (typeof message.content === "string") return message.content
  return message.content.map((part) =>
    part.type === "text" ? part.text : part.type === "tool-result" ? `the result of ${part.name}` : part.type
  ).join(" ")
}
