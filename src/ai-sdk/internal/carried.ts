/**
 * Parts that a provider wants back and that effect/ai has no word for: custom content, files of a reasoning, calls that
 * the provider ran itself with a tool nobody declared. They travel as an empty text whose metadata hold them, and so
 * come back at their place in the next request. Layer 6, edge `ai-sdk`.
 */
import type { LanguageModelV4Content, LanguageModelV4Message } from "@ai-sdk/provider"
import type { Prompt } from "effect/ai"
import * as Base64 from "effect/encoding/Base64"
import { argumentsIn } from "./arguments.ts"
import { isRecord, plain } from "./json.ts"
import { keptIn } from "./metadata.ts"
import { urlOf } from "./url.ts"

export type AssistantPart = Extract<LanguageModelV4Message, { readonly role: "assistant" }>["content"][number]

/** Contents that can be carried. */
export type Carried = Extract<
  LanguageModelV4Content,
  { readonly type: "custom" | "reasoning-file" | "tool-call" | "tool-result" }
>

/** Bytes as text; an address is an address. */
const textOf = (data: Extract<Carried, { readonly type: "reasoning-file" }>["data"]) =>
  data.type === "url"
    ? data
    : { type: "data", data: typeof data.data === "string" ? data.data : Base64.encode(data.data) }

/** A content as the part of a prompt that stands for it. */
const inPrompt = (content: Carried): Readonly<Record<string, unknown>> => {
  const providerOptions = content.providerMetadata
  switch (content.type) {
    case "custom":
      return { type: "custom", kind: content.kind, providerOptions }
    case "reasoning-file":
      return { type: "reasoning-file", mediaType: content.mediaType, data: textOf(content.data), providerOptions }
    case "tool-call": {
      const { toolCallId, toolName, input } = content
      const params = argumentsIn(input).params
      return { type: "tool-call", toolCallId, toolName, input: params, providerExecuted: true, providerOptions }
    }
    case "tool-result": {
      const { toolCallId, toolName, result, isError } = content
      const output = { type: isError === true ? "error-json" : "json", value: result }
      return { type: "tool-result", toolCallId, toolName, output, providerOptions }
    }
  }
}

/** What the metadata of the empty text hold. */
export const carry = (content: Carried): Readonly<Record<string, unknown>> => ({ part: plain(inPrompt(content)) })

/** The part that an empty text stands for. */
export const carriedIn = (text: Prompt.TextPart): AssistantPart | undefined => {
  const { part } = keptIn(text.options)
  if (text.text !== "" || !isRecord(part)) return undefined
  const { data } = part
  const restored = isRecord(data) && data.type === "url"
    ? { ...part, data: { ...data, url: urlOf(String(data.url)) } }
    : part
  return restored as unknown as AssistantPart
}
