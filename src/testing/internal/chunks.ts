/**
 * What a model says, in pieces and in one. Layer 6, edge `testing`.
 */
import type { Response } from "effect/ai"

type Metadata = { readonly metadata?: Response.ProviderMetadata | undefined }

const isText = (part: Response.AnyPartEncoded): part is Response.TextPartEncoded | Response.ReasoningPartEncoded =>
  part.type === "text" || part.type === "reasoning"

/** The chunks of a stream that says the same: whole texts, each in one. */
export const inChunks = (said: ReadonlyArray<Response.AnyPartEncoded>): ReadonlyArray<Response.StreamPartEncoded> =>
  said.flatMap((part, index): ReadonlyArray<Response.StreamPartEncoded> => {
    if (!isText(part)) return [part]
    const id = `${part.type}-${index}`
    return [
      { type: `${part.type}-start`, id },
      { type: `${part.type}-delta`, id, delta: part.text },
      { type: `${part.type}-end`, id, ...(part.metadata && { metadata: part.metadata }) }
    ]
  })

/** The parts of an answer that says the same at once; of texts that were left open too. What is no part of one is left out. */
export const inParts = (said: ReadonlyArray<Response.AnyPartEncoded>): Array<Response.PartEncoded> => {
  const texts = new Map<string, { text: string; metadata?: Response.ProviderMetadata }>()
  const add = (key: string, text: string, { metadata }: Metadata) => {
    const open = texts.get(key)
    if (open === undefined) return
    open.text += text
    if (metadata !== undefined) open.metadata = { ...open.metadata, ...metadata }
  }
  return said.flatMap((part): ReadonlyArray<Response.PartEncoded> => {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const type = part.type === "text-start" ? "text" : "reasoning"
        const open = { type, text: "", ...(part.metadata && { metadata: part.metadata }) } as const
        texts.set(`${type} ${part.id}`, open)
        return [open]
      }
      case "text-delta":
        add(`text ${part.id}`, part.delta, part)
        return []
      case "reasoning-delta":
        add(`reasoning ${part.id}`, part.delta, part)
        return []
      case "text-end":
        add(`text ${part.id}`, "", part)
        return []
      case "reasoning-end":
        add(`reasoning ${part.id}`, "", part)
        return []
      case "tool-params-start":
      case "tool-params-delta":
      case "tool-params-end":
      case "error":
        return []
      default:
        return [part]
    }
  })
}
