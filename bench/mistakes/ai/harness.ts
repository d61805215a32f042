import { MockLanguageModelV4 } from "ai/test"
import { asked, Told } from "../verdict.ts"

export { verdict } from "../verdict.ts"

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}
const ended = (reason: "tool-calls" | "stop") => ({
  finishReason: { unified: reason, raw: undefined },
  usage,
  warnings: []
})

/** A model that asks for these calls in one step, and then is done. */
export const scripted = (...tools: ReadonlyArray<string>) => {
  let steps = 0
  return new MockLanguageModelV4({
    doGenerate: async () => {
      asked()
      return steps++ > 0 || tools.length === 0
        ? { content: [{ type: "text", text: "done" }], ...ended("stop") }
        : {
          content: tools.map((toolName, at) => ({
            type: "tool-call",
            toolCallId: `call-${at}`,
            toolName,
            input: "{}"
          })),
          ...ended("tool-calls")
        }
    }
  })
}

interface Part {
  readonly type: string
  readonly output?: unknown
  readonly error?: unknown
}

/** What the tools gave. */
export const results = ({ steps }: { readonly steps: ReadonlyArray<{ readonly content: ReadonlyArray<Part> }> }) =>
  steps.flatMap(({ content }) =>
    content.flatMap(({ error, output, type }) =>
      type === "tool-result" ? [output] : type === "tool-error" ? [new Told(error)] : []
    )
  )
