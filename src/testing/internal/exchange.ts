/**
 * One request of a model and what it said, as JSON. Layer 6, edge `testing`.
 */
import { Cause, Effect, Option, Schema } from "effect"
import { AiError, LanguageModel, Prompt, Response, Tool } from "effect/ai"
import { ofErrorPart } from "../../internal/model.ts"
import { type Redact, redactJson, redactPieces } from "./redact.ts"

// ----- the document ---------------------------------------------------------------

const Asked = Schema.Struct({
  messages: Schema.Array(Schema.Json),
  tools: Schema.Array(Schema.Json),
  toolChoice: Schema.Json,
  answer: Schema.Json
})

const ErrorJson = Schema.toCodecJson(AiError.AiError)

/** How an answer ended; one that was `cut` had not when its reader left. */
const Ended = Schema.Union([
  Schema.Literals(["finished", "cut"]),
  Schema.Struct({ failed: Schema.Json }),
  Schema.Struct({ died: Schema.String })
])

export const Exchange = Schema.Struct({
  /** The names of agents down to the one that asked. */
  agent: Schema.Array(Schema.String),
  /** Which of the agents of this name. */
  id: Schema.String,
  streamed: Schema.Boolean,
  asked: Asked,
  said: Schema.Array(Schema.toEncoded(Response.AllParts())),
  ended: Ended
})

export interface Exchange extends Schema.Schema.Type<typeof Exchange> {}
export interface Asked extends Schema.Schema.Type<typeof Asked> {}

// ----- what was asked -------------------------------------------------------------

/** As it reads when it was written: without what JSON leaves out. */
const asJson = (value: unknown): Schema.Json => JSON.parse(JSON.stringify(value))

const encodeMessages = Schema.encodeSync(Schema.toCodecJson(Schema.Array(Prompt.Message)))

const toolAsked = (tool: Tool.Any): unknown =>
  Tool.isProviderDefined(tool)
    ? { id: tool.id, args: tool.args }
    : { name: tool.name, description: Tool.getDescription(tool), parameters: Tool.getJsonSchema(tool) }

const answerAsked = (format: LanguageModel.ProviderOptions["responseFormat"]): unknown =>
  format.type === "text"
    ? "text"
    : { name: format.objectName, schema: LanguageModel.defaultCodecTransformer(format.schema).jsonSchema }

type Fields = Readonly<Record<string, Schema.Json>>

/** Redacted, but for what it takes to read it again: some fields, and the names of all. */
const redactFields = (redact: Redact, kept: ReadonlyArray<string> = []) => (fields: Fields): Fields => {
  const inside = redactJson(redact)
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, kept.includes(key) ? value : inside(value)])
  )
}

/** What a model is asked, as JSON. */
export const askedOf = (
  { prompt, responseFormat, toolChoice, tools }: LanguageModel.ProviderOptions,
  redact: Redact
): Asked =>
  redactFields(redact)(asJson({
    messages: encodeMessages(prompt.content),
    tools: tools.map(toolAsked),
    toolChoice,
    answer: answerAsked(responseFormat)
  }) as Fields) as unknown as Asked

// ----- what was said --------------------------------------------------------------

const encodePart = Schema.encodeUnknownSync(Response.AllParts())

/** Headers may hold keys, and an encoding shows them. */
const withoutHeaders = (json: Schema.Json): Schema.Json =>
  JSON.parse(JSON.stringify(json, (key, value) => key === "headers" ? {} : value))

const encodeError = (error: AiError.AiError): Schema.Json => withoutHeaders(Schema.encodeSync(ErrorJson)(error))
export const decodeError = Schema.decodeUnknownEffect(ErrorJson)

/** A part as a provider says it. */
export const encodedPart = (part: Response.AnyPart): Response.AnyPartEncoded => {
  const json = asJson(
    part.type === "error"
      ? { type: "error", error: encodeError(ofErrorPart(part.error)), metadata: part.metadata }
      : encodePart(
        part.type === "tool-result"
          ? { ...part, result: part.encodedResult }
          : part.type === "tool-call" && part.params === undefined
          ? { ...part, params: {} }
          : part
      )
  ) as Record<string, Schema.Json>
  const { metadata = {}, ...rest } = json
  return {
    ...(Object.keys(metadata as object).length === 0 ? rest : json),
    // what an answer came with
    ...(part.type === "finish" && json["response"] !== undefined && { response: withoutHeaders(json["response"]) })
  } as unknown as Response.AnyPartEncoded
}

/** A part as it is said again. */
export const saidAgain = (part: Response.AnyPartEncoded): Effect.Effect<Response.AnyPartEncoded> =>
  part.type === "error"
    ? Effect.map(Effect.orDie(decodeError(part.error)), (error) => ({ ...part, error }))
    : Effect.succeed(part)

const redactError = (error: Schema.Json, redact: Redact): Schema.Json => {
  const fields = error as Fields
  return {
    ...redactFields(redact, ["_tag"])(fields),
    reason: redactFields(redact, ["_tag", "reason", "kind", "retryAfter"])(fields["reason"] as Fields)
  }
}

/** How a model ended that did not end well. */
export const endedBy = (cause: Cause.Cause<unknown>, redact: Redact): Exchange["ended"] => {
  const failed = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failed !== undefined) return { failed: redactError(encodeError(ofErrorPart(failed)), redact) }
  if (!Cause.hasDies(cause)) return "cut"
  const defect = Cause.squash(cause)
  return { died: redact(defect instanceof Error ? defect.message : String(defect)) }
}

type Delta = Extract<Response.AnyPartEncoded, { readonly delta: string }>
const isDelta = (part: Response.AnyPartEncoded): part is Delta => "delta" in part

/** The pieces of each text, redacted as the text is. */
const redactedDeltas = (said: ReadonlyArray<Response.AnyPartEncoded>, redact: Redact): ReadonlyMap<unknown, string> => {
  const texts = new Map<string, Array<Delta>>()
  for (const part of said.filter(isDelta)) {
    const key = `${part.type} ${part.id}`
    const pieces = texts.get(key)
    if (pieces === undefined) texts.set(key, [part])
    else pieces.push(part)
  }
  return new Map([...texts.values()].flatMap((deltas) => {
    const pieces = redactPieces(redact, deltas.map(({ delta }) => delta))
    return deltas.map((part, index) => [part, pieces[index] ?? ""] as const)
  }))
}

/** What was said, redacted also where a secret comes in pieces. */
export const redactedSaid = (
  said: ReadonlyArray<Response.AnyPartEncoded>,
  redact: Redact
): ReadonlyArray<Response.AnyPartEncoded> => {
  const deltas = redactedDeltas(said, redact)
  const fieldsOf = redactFields(redact, ["type", "data", "mediaType", "sourceType", "timestamp"])
  const finishOf = redactFields(redact, ["type", "reason", "usage", "response"])
  return said.map((part) => {
    if (part.type === "finish") return finishOf(part as unknown as Fields) as unknown as Response.AnyPartEncoded
    if (part.type === "error") {
      const { error, ...others } = part
      return {
        ...redactFields(redact, ["type"])(others as Fields),
        error: redactError(error as Schema.Json, redact)
      } as never
    }
    const fields = fieldsOf(part as unknown as Fields) as unknown as Response.AnyPartEncoded
    return isDelta(fields) ? { ...fields, delta: deltas.get(part) ?? "" } : fields
  })
}
