import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages"
import { fakeModel } from "@langchain/core/testing"
import { asked, Told } from "../verdict.ts"

export { verdict } from "../verdict.ts"

/** A model that asks for these calls in one step, and then is done. */
export const scripted = (...tools: ReadonlyArray<string>) => {
  const said = (message: AIMessage) => () => {
    asked()
    return message
  }
  const calls = new AIMessage({
    content: "",
    tool_calls: tools.map((name, at) => ({ name, args: {}, id: `call-${at}` }))
  })
  const first = tools.length === 0 ? fakeModel() : fakeModel().respond(said(calls))
  return first.respond(said(new AIMessage("done"))).respond(said(new AIMessage("done")))
}

/** A message of a user. */
export const user = (content: string) => ({ messages: [{ role: "user", content }] })

/** What the tools gave. */
export const results = ({ messages }: { readonly messages: ReadonlyArray<BaseMessage> }) =>
  messages.flatMap((message) => {
    if (!ToolMessage.isInstance(message)) return []
    return [message.status === "error" ? new Told(message.content) : message.content]
  })
