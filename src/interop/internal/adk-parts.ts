/** ADK's contents as effect/ai's messages, and back. Layer 6, edge `interop`. */
import { Prompt } from "effect/ai"
import * as Base64 from "effect/encoding/Base64"
import type * as Event from "../../Event.ts"
import { isRecord, type Json, type Report } from "./json.ts"
import type { Part } from "./wire.ts"

type Said = Prompt.TextPart | Prompt.ReasoningPart | Prompt.FilePart

/** In the standard alphabet; Python writes the one for URLs. */
const standard = (base64: string): string => base64.replaceAll("-", "+").replaceAll("_", "/")

const unknownType = "application/octet-stream"

/** A part that says something; none where it is no such part, or has no place in a message. */
export const saidIn = (
  { file_data, function_call, function_response, inline_data, text, thought }: Part,
  report: Report,
  path: ReadonlyArray<string>
): Said | undefined => {
  if (text !== undefined) return thought === true ? Prompt.reasoningPart({ text }) : Prompt.textPart({ text })
  if (inline_data !== undefined) {
    return Prompt.filePart({
      mediaType: inline_data.mime_type ?? unknownType,
      data: standard(inline_data.data),
      ...(inline_data.display_name !== undefined && { fileName: inline_data.display_name })
    })
  }
  if (file_data !== undefined && URL.canParse(file_data.file_uri)) {
    return Prompt.filePart({ mediaType: file_data.mime_type ?? unknownType, data: new URL(file_data.file_uri) })
  }
  if (function_call === undefined && function_response === undefined) {
    report.add(path, "a part of this kind has no place in a message: it is kept for an export alone")
  }
  return undefined
}

/** The result of a call; ADK puts what is no record under `result`, and an error under `error`. */
export const resultIn = (response: Json | undefined): Event.CallResult => {
  if (!isRecord(response)) return { isFailure: false, value: response ?? null }
  const [[key, value] = [], ...others] = Object.entries(response)
  const isAlone = value !== undefined && others.length === 0
  if (isAlone && key === "error") return { isFailure: true, value }
  return { isFailure: false, value: isAlone && key === "result" && !isRecord(value) ? value : response }
}

const responseOf = ({ isFailure, value }: Pick<Event.CallResult, "isFailure" | "value">): Json =>
  isFailure ? { error: value as Json } : isRecord(value) ? value : { result: (value ?? null) as Json }

export const responsePart = (
  id: string,
  name: string,
  result: Pick<Event.CallResult, "isFailure" | "value">
): Json => ({ function_response: { id, name, response: responseOf(result) } })

const dataOf = ({ data, fileName, mediaType: mime_type }: Prompt.FilePart): Json => {
  if (data instanceof URL) return { file_data: { mime_type, file_uri: data.href } }
  const base64 = typeof data === "string" ? data.replace(/^data:[^,]*,/, "") : Base64.encode(data)
  return { inline_data: { mime_type, data: base64, ...(fileName !== undefined && { display_name: fileName }) } }
}

/** A part of a message; none where ADK has no such part. */
export const partOf = (
  part: Prompt.Part,
  report: Report,
  path: ReadonlyArray<string>
): Json | undefined => {
  switch (part.type) {
    case "text":
      return { text: part.text }
    case "reasoning":
      return { text: part.text, thought: true }
    case "file":
      return dataOf(part)
    case "tool-call": {
      const args = part.params as Json
      return { function_call: { id: part.id, name: part.name, args: isRecord(args) ? args : { input: args ?? null } } }
    }
    case "tool-result":
      return responsePart(part.id, part.name, { isFailure: part.isFailure, value: part.result })
    default:
      report.add(path, `a part '${part.type}' has no place in an event`)
      return undefined
  }
}
