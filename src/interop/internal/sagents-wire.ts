/** The shapes of Sagents' state, and effect/ai's messages for its messages and back. Layer 6, edge `interop`. */
import { Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import * as Base64 from "effect/encoding/Base64"
import type * as Event from "../../Event.ts"
import { inWords, parseJson } from "../../internal/json.ts"
import { deepestHere, isRecord, type Json, type Report, textIn } from "./json.ts"

const { optionalKey, String: Text } = Schema
const maybe = <S extends Schema.Constraint>(schema: S) => optionalKey(Schema.NullOr(schema))

const Part = Schema.Struct({
  type: maybe(Text),
  content: optionalKey(Schema.Json),
  options: maybe(Schema.Record(Text, Schema.Json))
})

const ToolCall = Schema.Struct({
  call_id: Text,
  name: Text,
  arguments: optionalKey(Schema.Json)
})

const ToolResult = Schema.Struct({
  tool_call_id: Text,
  name: maybe(Text),
  content: optionalKey(Schema.Json),
  is_error: maybe(Schema.Boolean),
  is_interrupt: maybe(Schema.Boolean)
})

export const Message = Schema.Struct({
  role: Schema.Literals(["system", "user", "assistant", "tool"]),
  content: maybe(Schema.Union([Text, Schema.Array(Part)])),
  status: maybe(Text),
  tool_calls: maybe(Schema.Array(ToolCall)),
  tool_results: maybe(Schema.Array(ToolResult))
})
export interface Message extends Schema.Schema.Type<typeof Message> {}

export const Todo = Schema.Struct({
  id: Schema.Union([Schema.Int, Text]),
  content: Text,
  status: Text
})

export const Envelope = Schema.Struct({
  version: optionalKey(Schema.Json),
  serialized_at: optionalKey(Text),
  pending_message: maybe(Schema.Json),
  state: Schema.Struct({
    messages: Schema.Array(Schema.Json),
    todos: optionalKey(Schema.Array(Todo)),
    metadata: optionalKey(Schema.Record(Text, Schema.Json))
  })
})

// ===== versions ==============================================================

const renamed = new Set(["task", "get_task_instructions"])

const renamedIn = (call: Json): Json => {
  if (!isRecord(call) || !renamed.has(textIn(call, "name") ?? "")) return call
  const given = call["arguments"]
  if (!isRecord(given) || !Object.hasOwn(given, "subagent_type")) return call
  const { subagent_type: task_name = null, ...rest } = given
  return { ...call, arguments: { ...rest, task_name } }
}

/** A message of version 1 as one of version 2: an argument of two tools has another name. */
export const fromFirst = (message: Json): Json => {
  if (!isRecord(message)) return message
  const calls = message["tool_calls"]
  return Array.isArray(calls) ? { ...message, tool_calls: calls.map(renamedIn) } : message
}

// ===== in ====================================================================

const mediaType = (options: Schema.JsonObject | null | undefined, kind: string): string => {
  const media = options?.["media"]
  if (typeof media !== "string") return kind === "image" ? "image/*" : "application/octet-stream"
  return media.includes("/") ? media : `${kind}/${media}`
}

const partIn = (
  { content, options, type }: typeof Part.Type,
  report: Report,
  path: ReadonlyArray<string>
): Prompt.TextPart | Prompt.ReasoningPart | Prompt.FilePart | undefined => {
  const text = typeof content === "string" ? content : ""
  switch (type ?? "text") {
    case "text":
      return Prompt.textPart({ text })
    case "thinking":
      return Prompt.reasoningPart({ text })
    case "image":
    case "file":
      return Prompt.filePart({ mediaType: mediaType(options, type === "image" ? "image" : "application"), data: text })
    case "image_url":
    case "file_url":
      if (URL.canParse(text)) {
        return Prompt.filePart({
          mediaType: mediaType(options, type === "image_url" ? "image" : "application"),
          data: new URL(text)
        })
      }
  }
  report.add(path, "a part of this kind has no place in a message: it is kept for an export alone")
  return undefined
}

/** Arguments; while they were streamed, they were a text. */
const argumentsIn = (given: Json): Json => {
  if (typeof given !== "string") return given
  const parsed = parseJson(given, deepestHere)
  return Result.isSuccess(parsed) && isRecord(parsed.success) ? parsed.success : given
}

/** The result of a call; of one that waited for an answer, the question is not readable here. */
const resultIn = (
  { content = null, is_error, is_interrupt, name, tool_call_id }: typeof ToolResult.Type,
  report: Report,
  path: ReadonlyArray<string>
): Prompt.ToolResultPart => {
  if (is_interrupt === true) report.add(path, "its question cannot be read here: the call is closed as interrupted")
  return Prompt.toolResultPart({
    id: tool_call_id,
    name: name ?? "",
    isFailure: is_interrupt === true || is_error === true,
    result: is_interrupt === true
      ? { _tag: "Interrupted", message: `the call of '${name ?? ""}' was interrupted: its question is lost` }
      : content,
    providerExecuted: false
  })
}

/** A message as effect/ai's. */
export const messageIn = (message: Message, report: Report, path: ReadonlyArray<string>): Prompt.Message => {
  const { content, role, tool_calls, tool_results } = message
  if (role === "tool") {
    return Prompt.toolMessage({
      content: (tool_results ?? []).map((each, index) =>
        resultIn(each, report, [...path, "tool_results", String(index)])
      )
    })
  }
  const parts = typeof content === "string"
    ? content === "" ? [] : [Prompt.textPart({ text: content })]
    : (content ?? []).flatMap((part, index) => {
      const made = partIn(part, report, [...path, "content", String(index)])
      return made === undefined ? [] : [made]
    })
  if (role === "assistant") {
    const calls = (tool_calls ?? []).map(({ arguments: given = {}, call_id: id, name }) =>
      Prompt.toolCallPart({ id, name, params: argumentsIn(given), providerExecuted: false })
    )
    return Prompt.assistantMessage({ content: [...parts, ...calls] })
  }
  if (role === "system") {
    return Prompt.systemMessage({ content: parts.map((part) => part.type === "text" ? part.text : "").join("") })
  }
  return Prompt.userMessage({ content: parts.filter((part) => part.type !== "reasoning") })
}

const finishes: Readonly<Record<string, string>> = { complete: "stop", length: "length" }

/** Why a model stopped. */
export const finishIn = ({ status, tool_calls }: Message): string =>
  (tool_calls ?? []).length > 0 ? "tool-calls" : finishes[status ?? "complete"] ?? "error"

// ===== out ===================================================================

const partOut = (part: Prompt.TextPart | Prompt.ReasoningPart | Prompt.FilePart): Json => {
  if (part.type === "text") return { type: "text", content: part.text }
  if (part.type === "reasoning") return { type: "thinking", content: part.text }
  const { data, mediaType } = part
  const kind = mediaType.startsWith("image/") ? "image" : "file"
  const options = { media: mediaType }
  if (data instanceof URL) return { type: `${kind}_url`, content: data.href, options }
  const base64 = typeof data === "string" ? data.replace(/^data:[^,]*,/, "") : Base64.encode(data)
  return { type: kind, content: base64, options }
}

const isContent = (part: Prompt.Part): part is Prompt.TextPart | Prompt.ReasoningPart | Prompt.FilePart =>
  part.type === "text" || part.type === "reasoning" || part.type === "file"

/** What a message says; one text alone is written as such. */
const contentOut = (content: string | ReadonlyArray<Prompt.Part>): Json => {
  if (typeof content === "string") return content
  const parts = content.filter(isContent)
  const [first] = parts
  if (parts.length === 1 && first?.type === "text") return first.text
  return parts.length === 0 ? null : parts.map(partOut)
}

/** A user's message. */
export const userOut = ({ content }: Prompt.UserMessage): Schema.JsonObject => ({
  role: "user",
  content: contentOut(content) ?? "",
  status: "complete"
})

/** What a model said, and the calls that it asked for. */
export const assistantOut = ({ calls, messages }: Event.Model, report: Report): Schema.JsonObject => {
  const parts = messages.flatMap(({ content }): ReadonlyArray<Prompt.Part> =>
    typeof content === "string" ? [] : content
  )
  for (const part of parts) {
    if (isContent(part) || (part.type === "tool-call" && !part.providerExecuted)) continue
    report.add(["messages"], `a part '${part.type}' has no place in a message`)
  }
  return {
    role: "assistant",
    content: contentOut(parts),
    status: "complete",
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ parameters, providerId, tool }) => ({
        call_id: providerId,
        type: "function",
        name: tool,
        arguments: parameters as Json,
        status: "complete"
      }))
    })
  }
}

/** The result of a call. */
export const resultOut = ({ providerId, tool }: Event.Call, result: Event.CallResult): Json => ({
  type: "function",
  tool_call_id: providerId,
  name: tool,
  content: inWords(result.value),
  is_error: result.isFailure,
  is_interrupt: false
})

export const toolOut = (results: ReadonlyArray<Json>): Schema.JsonObject => ({
  role: "tool",
  content: null,
  status: "complete",
  tool_results: results
})
