/**
 * Arguments of calls. The AI SDK gives them as the text that the model wrote, which need not be JSON; a loop answers such
 * a call with an error result, so the text itself takes the place of the arguments. Layer 6, edge `ai-sdk`.
 */
import { Tool } from "effect/ai"
import { isRecord } from "./json.ts"
import { keptIn } from "./metadata.ts"

/** Arguments, and whether the model wrote something else than JSON. */
export interface Arguments {
  readonly params: unknown
  readonly malformed: boolean
}

/** Reads what the model wrote; nothing at all, and `null`, are no arguments. */
export const argumentsIn = (text: string): Arguments => {
  if (text.trim() === "") return { params: {}, malformed: false }
  try {
    return { params: Tool.unsafeSecureJsonParse(text) ?? {}, malformed: false }
  } catch {
    return { params: text, malformed: true }
  }
}

/** What is kept with a call whose arguments are no JSON. */
export const malformed: Readonly<Record<string, unknown>> = { arguments: "malformed" }

/** The arguments for the next request. Providers want an object back, whatever the model wrote. */
export const argumentsFor = (params: unknown, options: Readonly<Record<string, unknown>>): unknown => {
  if (isRecord(params) || (typeof params === "string" && keptIn(options).arguments !== malformed.arguments)) {
    return params
  }
  return { malformedArguments: params ?? null }
}
