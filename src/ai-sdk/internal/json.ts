/** JSON as effect/ai's schemas want it: the AI SDK leaves `undefined` in what it calls JSON. Layer 6, edge `ai-sdk`. */
import type { Schema } from "effect"

/** A copy without what JSON does not hold. */
export const plain = (value: unknown): Schema.Json => {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? null : JSON.parse(text)
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
