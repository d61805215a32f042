/**
 * Models of the AI SDK's provider packages, for effect/ai.
 *
 * @since 0.1.0
 */
export * as AiSdk from "./AiSdk.ts"
