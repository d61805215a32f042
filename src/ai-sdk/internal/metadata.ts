/**
 * What a provider says beside a part, and wants back with it: signatures, ids of items, encrypted reasoning. The AI SDK
 * calls it provider metadata on the way in and provider options on the way out; effect/ai metadata and options.
 *
 * Under a name of its own the bridge keeps what effect/ai has no field for. Layer 6, edge `ai-sdk`.
 */
import type { SharedV4ProviderOptions } from "@ai-sdk/provider"
import type { Schema } from "effect"
import type { Response } from "effect/ai"
import { isRecord, plain } from "./json.ts"

/** The bridge's own name among those of providers. */
const own = "aiSdk"

type Metadata = Record<string, Schema.Json>

/** The metadata of a part, with the bridge's own where there is some. */
export const metadataOf = (
  provider: unknown,
  kept?: Readonly<Record<string, unknown>>
): { readonly metadata?: Response.ProviderMetadata } => {
  if (provider === undefined && kept === undefined) return {}
  return { metadata: plain({ ...(isRecord(provider) && provider), ...(kept && { [own]: kept }) }) as Metadata }
}

/** The options of a part or message for the provider: what came with it, without what the bridge kept. */
export const providerOptionsOf = (
  options: Readonly<Record<string, unknown>>
): { readonly providerOptions?: SharedV4ProviderOptions } => {
  const entries = Object.entries(options).filter(([name, value]) => name !== own && isRecord(value))
  return entries.length === 0 ? {} : { providerOptions: Object.fromEntries(entries) as SharedV4ProviderOptions }
}

/** What the bridge kept with a part. */
export const keptIn = (options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const kept = options[own]
  return isRecord(kept) ? kept : {}
}
