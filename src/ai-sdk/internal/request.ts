/** What the AI SDK is asked: prompt, tools, the form of the answer. Layer 6, edge `ai-sdk`. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ProviderTool,
  LanguageModelV4ToolChoice
} from "@ai-sdk/provider"
import type { JsonSchema } from "effect"
import { LanguageModel, Tool } from "effect/ai"
import { isRecord } from "./json.ts"
import { promptOf } from "./prompt.ts"

/** OpenAI refuses the schema of an object that names no properties. */
const withProperties = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  schema.type === "object" && schema.properties === undefined ? { ...schema, properties: {} } : schema

const toolOf = (tool: Tool.Any): LanguageModelV4FunctionTool | LanguageModelV4ProviderTool => {
  const name: string = tool.name
  if (Tool.isProviderDefined(tool)) {
    const args: unknown = tool.args
    return { type: "provider", id: tool.id, name, args: isRecord(args) ? { ...args } : {} }
  }
  const description = Tool.getDescription(tool)
  const strict = Tool.getStrictMode(tool)
  return {
    type: "function",
    name,
    inputSchema: withProperties(Tool.getJsonSchema(tool, { transformer: LanguageModel.defaultCodecTransformer })),
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict })
  }
}

const toolChoiceOf = (choice: LanguageModel.ToolChoice<string>): LanguageModelV4ToolChoice => {
  if (typeof choice === "string") return { type: choice }
  // effect/ai leaves only the tools of `oneOf` in the request
  return "tool" in choice ? { type: "tool", toolName: choice.tool } : { type: choice.mode ?? "auto" }
}

const formatOf = (
  format: LanguageModel.ProviderOptions["responseFormat"],
  transformer: LanguageModel.CodecTransformer
): Pick<LanguageModelV4CallOptions, "responseFormat"> =>
  format.type === "text" ? {} : {
    responseFormat: {
      type: "json",
      name: format.objectName,
      schema: transformer(format.schema).jsonSchema
    }
  }

/** The request, without the caller's settings. */
export const requestOf = (
  { prompt, tools, toolChoice, responseFormat }: LanguageModel.ProviderOptions,
  transformer: LanguageModel.CodecTransformer
): LanguageModelV4CallOptions => ({
  prompt: promptOf(prompt),
  ...(tools.length > 0 && { tools: tools.map(toolOf), toolChoice: toolChoiceOf(toolChoice) }),
  ...formatOf(responseFormat, transformer)
})
