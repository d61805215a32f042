/** What a model answers with, whole: as content of an answer, or as one chunk of a stream. Layer 6, edge `ai-sdk`. */
import type { LanguageModelV4Content, LanguageModelV4File, LanguageModelV4Source } from "@ai-sdk/provider"
import { Effect } from "effect"
import { AiError, type LanguageModel, type Response, type Tool } from "effect/ai"
import * as Base64 from "effect/encoding/Base64"
import { argumentsIn, malformed } from "./arguments.ts"
import { type Carried, carry } from "./carried.ts"
import type { Ids } from "./ids.ts"
import { metadataOf } from "./metadata.ts"
import { isUrl } from "./url.ts"

/** A part that an answer and a stream both have, or the text that a stream has in pieces. */
export type Part = Exclude<Response.PartEncoded, { readonly type: "reasoning" | "response-metadata" | "finish" }>

/** What reading one answer needs. */
export interface Reading {
  readonly request: LanguageModel.ProviderOptions
  readonly method: string
  readonly ids: Ids
}

type Source = Extract<Part, { readonly type: "source" }>

const sourceOf = (source: LanguageModelV4Source): ReadonlyArray<Source> => {
  const { id, providerMetadata } = source
  if (source.sourceType === "url") {
    const { url, title = url } = source
    // effect/ai wants an absolute address
    if (!isUrl(url)) return []
    return [{ type: "source", sourceType: "url", id, url, title, ...metadataOf(providerMetadata) }]
  }
  const { mediaType, title, filename } = source
  return [{
    type: "source",
    sourceType: "document",
    id,
    mediaType,
    title,
    ...(filename !== undefined && { fileName: filename }),
    ...metadataOf(providerMetadata)
  }]
}

/** A file; one that the provider keeps at an address is a source, since effect/ai's files hold their bytes. */
const fileOf = ({ data, mediaType, providerMetadata }: LanguageModelV4File, { ids }: Reading) => {
  if (data.type === "url") {
    return Effect.map(
      ids.fresh,
      (id) =>
        sourceOf({
          type: "source",
          sourceType: "url",
          id,
          url: data.url.href,
          ...(providerMetadata && { providerMetadata })
        })
    )
  }
  const bytes = typeof data.data === "string" ? data.data : Base64.encode(data.data)
  const file: Part = { type: "file", mediaType, data: bytes, ...metadataOf(providerMetadata) }
  return Effect.succeed([file])
}

/** Custom contents that tell what an answer's metadata tell, and that no request takes. */
const told = new Set<string>(["anthropic.message_start"])

const carried = (content: Carried): Part => ({ type: "text", text: "", ...metadataOf(undefined, carry(content)) })

const callOf = Effect.fnUntraced(function*(
  content: Extract<LanguageModelV4Content, { readonly type: "tool-call" }>,
  { request, method, ids }: Reading
) {
  const { toolCallId, toolName, input, providerExecuted, providerMetadata } = content
  const isDeclared = request.tools.some((tool: Tool.Any) => tool.name === toolName)
  if (!isDeclared && providerExecuted === true) return carried(content)
  if (!isDeclared && request.toolCallValidation !== "deferred") {
    const reason = new AiError.ToolNotFoundError({
      toolName,
      availableTools: request.tools.map((tool): string => tool.name)
    })
    return yield* AiError.make({ module: "AiSdk", method, reason })
  }
  const read = argumentsIn(input)
  const part: Part = {
    type: "tool-call",
    id: providerExecuted === true ? toolCallId : yield* ids.complete(toolCallId),
    name: toolName,
    params: read.params,
    ...(providerExecuted === true && { providerExecuted }),
    ...metadataOf(providerMetadata, read.malformed ? malformed : undefined)
  }
  return part
})

const resultOf = (
  content: Extract<LanguageModelV4Content, { readonly type: "tool-result" }>,
  { request }: Reading
): Part => {
  const { toolCallId, toolName, result, isError, preliminary, providerMetadata } = content
  if (!request.tools.some((tool: Tool.Any) => tool.name === toolName)) return carried(content)
  return {
    type: "tool-result",
    id: toolCallId,
    name: toolName,
    result,
    isFailure: isError === true,
    providerExecuted: true,
    ...(preliminary === true && { preliminary }),
    ...metadataOf(providerMetadata)
  }
}

/** The parts that stand for a content, reasoning and text apart. */
export const partsOf = (
  content: Exclude<LanguageModelV4Content, { readonly type: "reasoning" | "text" }>,
  reading: Reading
): Effect.Effect<ReadonlyArray<Part>, AiError.AiError> => {
  switch (content.type) {
    case "file":
      return fileOf(content, reading)
    case "source":
      return Effect.succeed(sourceOf(content))
    case "tool-call":
      return Effect.map(callOf(content, reading), Array.of<Part>)
    case "tool-result":
      return Effect.succeed([resultOf(content, reading)])
    case "tool-approval-request": {
      const { type, approvalId, toolCallId, providerMetadata } = content
      return Effect.succeed([{ type, approvalId, toolCallId, ...metadataOf(providerMetadata) }])
    }
    case "custom":
      return Effect.succeed(told.has(content.kind) ? [] : [carried(content)])
    case "reasoning-file":
      return Effect.succeed([carried(content)])
    default:
      // what a later interface has, this one does not know
      return Effect.succeed([])
  }
}

/** The sources that a text cites. */
export const citedIn = (
  citations: ReadonlyArray<{ readonly source: LanguageModelV4Source }> | undefined
): ReadonlyArray<Source> => (citations ?? []).flatMap(({ source }) => sourceOf(source))
