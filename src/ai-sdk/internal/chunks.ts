/** An answer in chunks. Layer 6, edge `ai-sdk`. */
import type { LanguageModelV4StreamPart, SharedV4Warning } from "@ai-sdk/provider"
import { Effect } from "effect"
import type { AiError, Response } from "effect/ai"
import { citedIn, type Part, partsOf, type Reading } from "./content.ts"
import { finishOf, responseOf } from "./finish.ts"
import { metadataOf } from "./metadata.ts"

type Chunk = Response.StreamPartEncoded

/** How chunks that are no part of the answer are told. */
export interface Listener {
  readonly warned: (warnings: ReadonlyArray<SharedV4Warning>) => Effect.Effect<void>
  readonly failed: (error: unknown) => Effect.Effect<never, AiError.AiError>
  /** The stream ended before the model did. */
  readonly cut: Effect.Effect<never, AiError.AiError>
}

const none: ReadonlyArray<Chunk> = []

/** A text has a beginning and an end here. */
const inChunks = (part: Part, id: string): ReadonlyArray<Chunk> => {
  if (part.type !== "text") return [part]
  return [{ type: "text-start", id, ...(part.metadata && { metadata: part.metadata }) }, { type: "text-end", id }]
}

type Written = Extract<
  LanguageModelV4StreamPart,
  { readonly type: `${"text" | "reasoning"}-${"start" | "delta" | "end"}` }
>

/** A piece of a text or of reasoning; a text ends with what it cites. */
const written = (chunk: Written): ReadonlyArray<Chunk> => {
  const { type, id, providerMetadata } = chunk
  const metadata = metadataOf(providerMetadata)
  switch (type) {
    case "text-delta":
    case "reasoning-delta":
      return [{ type, id, delta: chunk.delta, ...metadata }]
    case "text-end":
      return [{ type, id, ...metadata }, ...citedIn(chunk.citations)]
    default:
      return [{ type, id, ...metadata }]
  }
}

type Input = Extract<LanguageModelV4StreamPart, { readonly type: `tool-input-${string}` }>

/** Reads the chunks of one answer. */
export class Chunks {
  private readonly reading: Reading
  private readonly listener: Listener
  private warnings: ReadonlyArray<SharedV4Warning> = []
  private carried = 0
  private finished = false

  constructor(reading: Reading, listener: Listener) {
    this.reading = reading
    this.listener = listener
  }

  /** The parts that a chunk makes. */
  read(chunk: LanguageModelV4StreamPart): Effect.Effect<ReadonlyArray<Chunk>, AiError.AiError> {
    switch (chunk.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return Effect.succeed(written(chunk))
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        return Effect.map(this.input(chunk), Array.of<Chunk>)
      case "stream-start":
        this.warnings = chunk.warnings
        return Effect.as(this.listener.warned(chunk.warnings), none)
      case "response-metadata":
        return Effect.succeed([responseOf(chunk)])
      case "finish":
        if (chunk.finishReason.unified === "interrupted") return this.listener.cut
        this.finished = true
        return Effect.succeed([finishOf(chunk, this.warnings)])
      case "error":
        return this.listener.failed(chunk.error)
      case "ping":
      case "raw":
        return Effect.succeed(none)
      default:
        return Effect.map(
          partsOf(chunk, this.reading),
          (parts) => parts.flatMap((part) => inChunks(part, `carried-${++this.carried}`))
        )
    }
  }

  /** A piece of a call that is being written. */
  private input(chunk: Input): Effect.Effect<Chunk> {
    const metadata = metadataOf(chunk.providerMetadata)
    const { ids } = this.reading
    switch (chunk.type) {
      case "tool-input-start": {
        const { id, toolName: name, providerExecuted } = chunk
        return Effect.map(providerExecuted === true ? Effect.succeed(id) : ids.begin(id), (id) => ({
          type: "tool-params-start",
          id,
          name,
          ...(providerExecuted === true && { providerExecuted }),
          ...metadata
        }))
      }
      case "tool-input-delta":
        return Effect.succeed({
          type: "tool-params-delta",
          id: ids.writing(chunk.id),
          delta: chunk.delta,
          ...metadata
        })
      case "tool-input-end":
        return Effect.succeed({ type: "tool-params-end", id: ids.writing(chunk.id), ...metadata })
    }
  }

  /** After the last chunk: an answer that nothing ended is none. */
  get end(): Effect.Effect<void, AiError.AiError> {
    return Effect.suspend(() => this.finished ? Effect.void : this.listener.cut)
  }
}
