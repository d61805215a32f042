/** The parts of messages of the AI SDK's user interface. Layer 6, edge `interop`. */
import { Schema } from "effect"

const { optionalKey, String: Text } = Schema

/** What a provider adds to a part. */
const Metadata = Schema.Record(Text, Schema.NullOr(Schema.Json))
const providerMetadata = optionalKey(Metadata)

const state = optionalKey(Schema.Literals(["streaming", "done"]))

const approval = optionalKey(Schema.Struct({
  id: Text,
  approved: optionalKey(Schema.Boolean),
  reason: optionalKey(Text)
}))

const call = {
  toolCallId: Text,
  title: optionalKey(Text),
  state: Schema.Literals([
    "input-streaming",
    "input-available",
    "approval-requested",
    "approval-responded",
    "output-available",
    "output-error",
    "output-denied"
  ]),
  input: optionalKey(Schema.Json),
  /** What the model wrote, where it is no input of the tool. */
  rawInput: optionalKey(Schema.Json),
  output: optionalKey(Schema.Json),
  errorText: optionalKey(Text),
  providerExecuted: optionalKey(Schema.Boolean),
  preliminary: optionalKey(Schema.Boolean),
  callProviderMetadata: providerMetadata,
  approval
}

export const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Text, state, providerMetadata })
export const ReasoningPart = Schema.Struct({ type: Schema.Literal("reasoning"), text: Text, state, providerMetadata })
export const FilePart = Schema.Struct({
  type: Schema.Literal("file"),
  mediaType: Text,
  url: Text,
  filename: optionalKey(Text),
  providerMetadata
})
export const StepPart = Schema.Struct({ type: Schema.Literal("step-start") })
export const ToolPart = Schema.Struct({ type: Schema.TemplateLiteral(["tool-", Text]), ...call })
export const DynamicToolPart = Schema.Struct({ type: Schema.Literal("dynamic-tool"), toolName: Text, ...call })
export const SourceUrlPart = Schema.Struct({
  type: Schema.Literal("source-url"),
  sourceId: Text,
  url: Text,
  title: optionalKey(Text),
  providerMetadata
})
export const SourceDocumentPart = Schema.Struct({
  type: Schema.Literal("source-document"),
  sourceId: Text,
  mediaType: Text,
  title: Text,
  filename: optionalKey(Text),
  providerMetadata
})
export const DataPart = Schema.Struct({
  type: Schema.TemplateLiteral(["data-", Text]),
  id: optionalKey(Text),
  data: Schema.Json
})

/** The schema of a part by its type. */
export const partFor = (type: string) => {
  if (type.startsWith("tool-")) return ToolPart
  if (type.startsWith("data-")) return DataPart
  switch (type) {
    case "text":
      return TextPart
    case "reasoning":
      return ReasoningPart
    case "file":
      return FilePart
    case "step-start":
      return StepPart
    case "dynamic-tool":
      return DynamicToolPart
    case "source-url":
      return SourceUrlPart
    case "source-document":
      return SourceDocumentPart
    default:
      return undefined
  }
}
