/**
 * Messages of the AI SDK's user interface (`UIMessage`, versions 5 and 6), in and out.
 *
 * Layer 6, edge `interop`.
 *
 * @since 0.1.0
 */
import { Result, Schema } from "effect"
import { Prompt } from "effect/ai"
import * as Base64 from "effect/encoding/Base64"
import { inWords } from "../internal/json.ts"
import type { InteropError, Reported } from "./Imported.ts"
import { isRecord, type Json, jsonReader, reader, Report, textIn } from "./internal/json.ts"
import * as Parts from "./internal/ui-parts.ts"

// ===== models ================================================================

/**
 * A part of a message.
 *
 * @category models
 * @since 0.1.0
 */
export const UiPart = Schema.Union([
  Parts.TextPart,
  Parts.ReasoningPart,
  Parts.FilePart,
  Parts.StepPart,
  Parts.ToolPart,
  Parts.DynamicToolPart,
  Parts.SourceUrlPart,
  Parts.SourceDocumentPart,
  Parts.DataPart
])

/** @since 0.1.0 */
export type UiPart = typeof UiPart.Type

/**
 * A message as a user interface shows it: a model's has all its steps, and each call its result.
 *
 * @category models
 * @since 0.1.0
 */
export const UiMessage = Schema.Struct({
  id: Schema.String,
  role: Schema.Literals(["system", "user", "assistant"]),
  metadata: Schema.optionalKey(Schema.Json),
  parts: Schema.Array(UiPart)
})

/** @since 0.1.0 */
export interface UiMessage extends Schema.Schema.Type<typeof UiMessage> {}

// ===== in ====================================================================

const readList = reader(
  "ui-messages",
  Schema.Array(Schema.Struct({
    id: Schema.optionalKey(Schema.String),
    role: Schema.Literals(["system", "user", "assistant"]),
    metadata: Schema.optionalKey(Schema.Json),
    parts: Schema.Array(Schema.Json)
  }))
)
const readJson = jsonReader("ui-messages")
const readPart = reader("ui-messages", UiPart)

const lost = {
  kind: "a part of this kind has no place in a history",
  part: "this has no place in a history",
  streaming: "a call whose arguments are not whole is none",
  approval: "approvals are asked by the agent that goes on: they are in no history"
}

const denied = "execution-denied"

type ToolPart = typeof Parts.ToolPart.Type | typeof Parts.DynamicToolPart.Type

const isTool = (part: UiPart): part is ToolPart => part.type === "dynamic-tool" || part.type.startsWith("tool-")
const toolOf = (part: ToolPart): string => "toolName" in part ? part.toolName : part.type.slice("tool-".length)

const options = (metadata: Prompt.ProviderOptions | undefined) => metadata === undefined ? {} : { options: metadata }

const fileIn = ({ filename, mediaType, providerMetadata, url }: typeof Parts.FilePart.Type): Prompt.FilePart => {
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(url)
  return Prompt.filePart({
    mediaType,
    data: inline === null && URL.canParse(url) ? new URL(url) : inline?.[1] ?? url,
    ...(filename !== undefined && { fileName: filename }),
    ...options(providerMetadata)
  })
}

/** What came out of a call; none where it is not over. */
const resultIn = (part: ToolPart): Prompt.ToolResultPart | undefined => {
  const { approval, errorText = "", output = null, providerExecuted = false, state, toolCallId: id } = part
  const result = (isFailure: boolean, result: Json) =>
    Prompt.toolResultPart({ id, name: toolOf(part), isFailure, result, providerExecuted })
  switch (state) {
    case "output-available":
      return result(false, output)
    case "output-error":
      return result(true, errorText)
    case "output-denied":
      return result(true, { type: denied, ...(approval?.reason !== undefined && { reason: approval.reason }) })
    default:
      return undefined
  }
}

/** The messages of a model's steps. */
class Steps {
  readonly messages: Array<Prompt.Message> = []
  private content: Array<Prompt.AssistantMessagePart> = []
  private results: Array<Prompt.ToolResultPart> = []

  say(part: Prompt.AssistantMessagePart): void {
    this.content.push(part)
  }

  result(part: Prompt.ToolResultPart): void {
    if (part.providerExecuted) this.content.push(part)
    else this.results.push(part)
  }

  /** Ends a step. */
  end(): void {
    if (this.content.length > 0) this.messages.push(Prompt.assistantMessage({ content: this.content }))
    if (this.results.length > 0) this.messages.push(Prompt.toolMessage({ content: this.results }))
    this.content = []
    this.results = []
  }
}

/** What of a part is not read. */
const reportRest = (part: Json, type: string, report: Report, path: ReadonlyArray<string>): void => {
  const known = Parts.partFor(type)?.fields
  for (const key of isRecord(part) && known !== undefined ? Object.keys(part) : []) {
    if (!Object.hasOwn(known as object, key)) report.add([...path, key], lost.part)
  }
}

const addPart = (steps: Steps, part: UiPart, report: Report, path: ReadonlyArray<string>): void => {
  if (isTool(part)) {
    const { callProviderMetadata, input, providerExecuted = false, rawInput, state, title, toolCallId: id } = part
    if (state === "input-streaming") return report.add(path, lost.streaming)
    if (state === "approval-requested" || state === "approval-responded") report.add(path, lost.approval)
    if (title !== undefined) report.add([...path, "title"], lost.part)
    const params = input ?? rawInput ?? {}
    steps.say(
      Prompt.toolCallPart({ id, name: toolOf(part), params, providerExecuted, ...options(callProviderMetadata) })
    )
    const result = resultIn(part)
    return result === undefined ? undefined : steps.result(result)
  }
  switch (part.type) {
    case "text":
      return steps.say(Prompt.textPart({ text: part.text, ...options(part.providerMetadata) }))
    case "reasoning":
      return steps.say(Prompt.reasoningPart({ text: part.text, ...options(part.providerMetadata) }))
    case "file":
      return steps.say(fileIn(part))
    case "step-start":
      return steps.end()
    default:
      return report.add(path, lost.kind)
  }
}

/** What a message is called and has besides, on its first one here. */
const named = (
  messages: ReadonlyArray<Prompt.Message>,
  ui: { readonly id?: string; readonly metadata?: Json }
): ReadonlyArray<Prompt.Message> =>
  messages.map((message, index): Prompt.Message =>
    index > 0 || Object.keys(ui).length === 0 ? message : { ...message, options: { ...message.options, ui } }
  )

/**
 * Messages of effect/ai out of those of a user interface. `Prompts.importPrompt` makes a log of them.
 *
 * **Details**
 *
 * A message's id and metadata stay with it, as `ui` among its options. Sources, data parts, and what else has no place in
 * a history is reported; so is a call whose arguments are not whole yet.
 *
 * **Example** (A call with its result)
 *
 * ```ts
 * import { Result } from "effect"
 * import { UiMessages } from "tenon/interop"
 *
 * const part = { type: "tool-find", toolCallId: "c-1", state: "output-available", input: {}, output: "here" }
 * const messages = [{ id: "m-1", role: "assistant", parts: [part, { type: "step-start" }, { type: "text", text: "Here." }] }]
 * const { value } = Result.getOrThrow(UiMessages.toHistory(messages))
 *
 * value.map(({ role }) => role) // => ["assistant", "tool", "assistant"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const toHistory = (input: unknown): Result.Result<Reported<ReadonlyArray<Prompt.Message>>, InteropError> =>
  Result.gen(function*() {
    const report = new Report()
    const value: Array<Prompt.Message> = []
    for (const [index, { parts, role, ...ui }] of (yield* readList(yield* readJson(input))).entries()) {
      const steps = new Steps()
      for (const [place, each] of parts.entries()) {
        const path = [String(index), "parts", String(place)]
        const type = textIn(each, "type") ?? ""
        if (Parts.partFor(type) === undefined) {
          report.add(path, lost.kind)
          continue
        }
        reportRest(each, type, report, path)
        addPart(steps, yield* readPart(each, path), report, path)
      }
      steps.end()
      value.push(...named(role === "assistant" ? steps.messages : asOne(role, steps.messages, report, index), ui))
    }
    return { value, report: report.all }
  })

/** The one message of a user, or of the system. */
const asOne = (
  role: "system" | "user",
  messages: ReadonlyArray<Prompt.Message>,
  report: Report,
  index: number
): ReadonlyArray<Prompt.Message> => {
  const parts = messages.flatMap(({ content }): ReadonlyArray<Prompt.Part> =>
    typeof content === "string" ? [] : content
  )
  const said = parts.filter((part) =>
    part.type === "text" || (part.type === "file" && role === "user")
  ) as ReadonlyArray<
    Prompt.UserMessagePart
  >
  if (said.length < parts.length) report.add([String(index), "parts"], `only a model says this, not the ${role}`)
  return [
    role === "user"
      ? Prompt.userMessage({ content: said })
      : Prompt.systemMessage({ content: said.map((part) => part.type === "text" ? part.text : "").join("") })
  ]
}

// ===== out ===================================================================

const metadataOf = (options: Prompt.ProviderOptions) =>
  Object.keys(options).length === 0 ? {} : { providerMetadata: options }

const fileOut = ({ data, fileName, mediaType, options }: Prompt.FilePart): UiPart => ({
  type: "file",
  mediaType,
  url: data instanceof URL
    ? data.href
    : typeof data === "string" && data.startsWith("data:")
    ? data
    : `data:${mediaType};base64,${typeof data === "string" ? data : Base64.encode(data)}`,
  ...(fileName !== undefined && { filename: fileName }),
  ...metadataOf(options)
})

const outcomeOf = ({ isFailure, result }: Prompt.ToolResultPart, id: string) => {
  if (!isFailure) return { state: "output-available", output: (result ?? null) as Json } as const
  if (!isRecord(result) || result["type"] !== denied) {
    return { state: "output-error", errorText: inWords(result) } as const
  }
  const { reason } = result
  const approval = { id, approved: false, ...(typeof reason === "string" && { reason }) }
  return { state: "output-denied", approval } as const
}

interface Draft {
  readonly id: string
  readonly role: UiMessage["role"]
  readonly metadata?: Json
  readonly parts: Array<UiPart>
}

/** A call gets its result where it stands: the last one of its id that has none. */
const settle = (parts: Array<UiPart>, result: Prompt.ToolResultPart): boolean => {
  const at = parts.findLastIndex((part) =>
    isTool(part) && part.toolCallId === result.id && part.state === "input-available"
  )
  const part = parts[at]
  if (part === undefined || !isTool(part)) return false
  parts[at] = { ...part, ...outcomeOf(result, part.toolCallId) }
  return true
}

const partOut = (part: Prompt.Part): UiPart | undefined => {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text, state: "done", ...metadataOf(part.options) }
    case "file":
      return fileOut(part)
    case "tool-call":
      return {
        type: `tool-${part.name}`,
        toolCallId: part.id,
        state: "input-available",
        input: (part.params ?? null) as Json,
        ...(part.providerExecuted && { providerExecuted: true }),
        ...(Object.keys(part.options).length > 0 && { callProviderMetadata: part.options })
      }
    default:
      return undefined
  }
}

const uiOf = ({ options }: Prompt.Message): { readonly id?: string; readonly metadata?: Json } => {
  const { ui } = options as { readonly ui?: Json }
  const { id, metadata } = isRecord(ui) ? ui : {}
  return { ...(typeof id === "string" && { id }), ...(metadata !== undefined && { metadata }) }
}

/**
 * A history as messages of a user interface: the steps of a model's turn are one message.
 *
 * **Details**
 *
 * A message that came from a user interface keeps its id and metadata; another one is called by `id`, `message-1` and so on
 * unless said otherwise.
 *
 * @category encoding
 * @since 0.1.0
 */
export const fromHistory = (
  history: ReadonlyArray<Prompt.Message>,
  { id = (place) => `message-${place}` }: { readonly id?: (place: number) => string } = {}
): Reported<ReadonlyArray<UiMessage>> => {
  const report = new Report()
  const drafts: Array<Draft> = []
  let turn: Draft | undefined
  const begin = (message: Prompt.Message, role: UiMessage["role"]): Draft => {
    const draft: Draft = { id: id(drafts.length + 1), ...uiOf(message), role, parts: [] }
    drafts.push(draft)
    return draft
  }
  for (const [index, message] of history.entries()) {
    const path = [String(index)]
    const parts: ReadonlyArray<Prompt.Part> = typeof message.content === "string"
      ? [Prompt.textPart({ text: message.content })]
      : message.content
    const isSaid = message.role === "user" || message.role === "system"
    if (isSaid) turn = undefined
    if (message.role === "assistant" && uiOf(message).id !== undefined) turn = undefined
    if (message.role === "assistant") {
      turn ??= begin(message, "assistant")
      turn.parts.push({ type: "step-start" })
    }
    const draft = message.role === "user" || message.role === "system" ? begin(message, message.role) : turn
    for (const [place, part] of parts.entries()) {
      const made = partOut(part)
      if (made !== undefined) draft?.parts.push(made)
      else if (part.type !== "tool-result" || draft === undefined || !settle(draft.parts, part)) {
        report.add([...path, String(place)], `a part '${part.type}' has no place here`)
      }
    }
  }
  return { value: drafts, report: report.all }
}
