/**
 * What a model said, by its parts: whole ones, or the pieces of a stream. Layer 2.
 */
import type { Response } from "effect/ai"

/** The text that these parts hold together. */
export const textOfParts = (parts: ReadonlyArray<Response.AnyPart>): string =>
  parts.map((part) => part.type === "text" ? part.text : part.type === "text-delta" ? part.delta : "").join("")
