/** effect/ai's prompts, as the AI SDK asks with them. Layer 6, edge `ai-sdk`. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4FileData
} from "@ai-sdk/provider"
import type { Prompt } from "effect/ai"
import { argumentsFor } from "./arguments.ts"
import { type AssistantPart, carriedIn } from "./carried.ts"
import { isRecord, plain } from "./json.ts"
import { providerOptionsOf } from "./metadata.ts"
import { isUrl, urlOf } from "./url.ts"

type ToolMessagePart = Extract<LanguageModelV4Message, { readonly role: "tool" }>["content"][number]

/** Bytes, base64, or an address. */
const dataOf = (data: Prompt.FilePart["data"]): SharedV4FileData => {
  if (data instanceof Uint8Array) return { type: "data", data }
  if (typeof data !== "string") return { type: "url", url: data }
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(data)
  if (inline !== null) return { type: "data", data: inline[1] ?? "" }
  return /^https?:\/\//.test(data) && isUrl(data) ? { type: "url", url: urlOf(data) } : { type: "data", data }
}

const text = (part: Prompt.TextPart): LanguageModelV4TextPart => ({
  type: "text",
  text: part.text,
  ...providerOptionsOf(part.options)
})

const file = (part: Prompt.FilePart): LanguageModelV4FilePart => ({
  type: "file",
  mediaType: part.mediaType,
  data: dataOf(part.data),
  ...(part.fileName !== undefined && { filename: part.fileName }),
  ...providerOptionsOf(part.options)
})

/** Providers refuse an empty text; what came with one may matter. */
const isSaid = (part: LanguageModelV4TextPart): boolean => part.text !== "" || part.providerOptions !== undefined

// ===== results ===============================================================

const outputOf = (part: Prompt.ToolResultPart): LanguageModelV4ToolResultOutput => {
  const { result, modelOutput, isFailure, providerExecuted } = part
  if (isFailure && isRecord(result) && result.type === "execution-denied") {
    return { type: "execution-denied", ...(typeof result.reason === "string" && { reason: result.reason }) }
  }
  if (!isFailure && modelOutput !== undefined) {
    const texts = modelOutput.flatMap((each) => each.type === "text" ? [each.text] : [])
    return texts.length === modelOutput.length
      ? { type: "text", value: texts.join("\n") }
      : { type: "content", value: modelOutput.map((each) => each.type === "text" ? text(each) : file(each)) }
  }
  // a provider reads its own results as JSON
  if (typeof result === "string" && !providerExecuted) return { type: isFailure ? "error-text" : "text", value: result }
  return { type: isFailure ? "error-json" : "json", value: plain(result) as never }
}

const toolResult = (part: Prompt.ToolResultPart): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId: part.id,
  toolName: part.name,
  output: outputOf(part),
  ...providerOptionsOf(part.options)
})

// ===== messages ==============================================================

const userPart = (part: Prompt.UserMessagePart): ReadonlyArray<LanguageModelV4TextPart | LanguageModelV4FilePart> => {
  if (part.type === "file") return [file(part)]
  const said = text(part)
  return isSaid(said) ? [said] : []
}

const assistantPart = (part: Prompt.AssistantMessagePart): ReadonlyArray<AssistantPart> => {
  switch (part.type) {
    case "text": {
      const carried = carriedIn(part)
      if (carried !== undefined) return [carried]
      const said = text(part)
      return isSaid(said) ? [said] : []
    }
    case "file":
      return [file(part)]
    case "reasoning":
      return [{ type: "reasoning", text: part.text, ...providerOptionsOf(part.options) }]
    case "tool-call":
      return [{
        type: "tool-call",
        toolCallId: part.id,
        toolName: part.name,
        input: argumentsFor(part.params, part.options),
        ...(part.providerExecuted && { providerExecuted: true }),
        ...providerOptionsOf(part.options)
      }]
    case "tool-result":
      return [toolResult(part)]
    case "tool-approval-request":
      return []
  }
}

/** What came with the calls so far, by their ids: their results take it along, as those of the SDK's own loop do. */
type Calls = Map<string, Prompt.ProviderOptions>

const toolPart = (part: Prompt.ToolMessagePart, calls: Calls): ToolMessagePart => {
  if (part.type === "tool-result") return { ...providerOptionsOf(calls.get(part.id) ?? {}), ...toolResult(part) }
  const { approvalId, approved, reason, options } = part
  return {
    type: "tool-approval-response",
    approvalId,
    approved,
    ...(reason !== undefined && { reason }),
    ...providerOptionsOf(options)
  }
}

const messageOf = (message: Prompt.Message, calls: Calls): ReadonlyArray<LanguageModelV4Message> => {
  const options = providerOptionsOf(message.options)
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content, ...options }]
    case "user":
      return [{ role: "user", content: message.content.flatMap(userPart), ...options }]
    case "assistant":
      for (const part of message.content) if (part.type === "tool-call") calls.set(part.id, part.options)
      return [{ role: "assistant", content: message.content.flatMap(assistantPart), ...options }]
    case "tool":
      return [{ role: "tool", content: message.content.map((part) => toolPart(part, calls)), ...options }]
  }
}

/** The messages; those that say nothing are left out. */
export const promptOf = (prompt: Prompt.Prompt): Array<LanguageModelV4Message> => {
  const calls: Calls = new Map()
  return prompt.content.flatMap((message) => messageOf(message, calls)).filter(({ content }) => content.length > 0)
}
