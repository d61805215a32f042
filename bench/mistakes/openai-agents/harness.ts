import { setTracingDisabled } from "@openai/agents"
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing"
import { asked, Told } from "../verdict.ts"

export { verdict } from "../verdict.ts"

setTracingDisabled(true)

/** A model that asks for these calls in one step, and then is done. */
export const scripted = (...tools: ReadonlyArray<string>) =>
  new ScriptedModel([
    ...tools.length === 0 ? [] : [
      modelResponder(() => {
        asked()
        return tools.map((name, at) => functionCall(name, { input: "Go." }, { callId: `call-${at}` }))
      })
    ],
    modelResponder(() => {
      asked()
      return [assistantMessage("done")]
    })
  ])

interface Item {
  readonly type: string
  readonly output?: unknown
}

/** What the tools gave. */
export const results = ({ newItems }: { readonly newItems: ReadonlyArray<object> }) =>
  newItems.flatMap((item) => {
    const { output, type } = item as Item
    if (type !== "tool_call_output_item") return []
    return [String(output).startsWith("An error occurred") ? new Told(output) : output]
  })
