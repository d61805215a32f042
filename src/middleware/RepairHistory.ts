/**
 * Results for calls that have none, so that a model accepts a history that came from elsewhere.
 *
 * The runner ends every call that it starts. A history that was imported may hold calls whose results are lost, and most
 * providers refuse those.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { Prompt } from "effect/ai"
import * as Middleware from "../Middleware.ts"

const resultsIn = (content: ReadonlyArray<Prompt.Part>): ReadonlyArray<string> =>
  content.flatMap((part) => part.type === "tool-result" ? [part.id] : [])

/** The calls of a message that stand without a result before the model speaks again, each once. */
const danglingIn = (
  { content }: Prompt.AssistantMessage,
  messages: ReadonlyArray<Prompt.Message>,
  index: number
): ReadonlyArray<Prompt.ToolCallPart> => {
  const calls = new Map(
    content.flatMap((part) => part.type === "tool-call" && !part.providerExecuted ? [[part.id, part] as const] : [])
  )
  for (const id of resultsIn(content)) calls.delete(id)
  // providers repeat ids: a result belongs to the calls right before it
  for (let next = index + 1; calls.size > 0 && next < messages.length; next++) {
    const message = messages[next] as Prompt.Message
    if (message.role === "assistant") break
    if (message.role === "tool") { for (const id of resultsIn(message.content)) calls.delete(id) }
  }
  return [...calls.values()]
}

const cancelled = ({ id, name }: Prompt.ToolCallPart): Prompt.ToolMessage =>
  Prompt.toolMessage({
    content: [
      Prompt.toolResultPart({
        id,
        name,
        isFailure: true,
        result: `the call ${id} of '${name}' was cancelled: it has no result`,
        providerExecuted: false
      })
    ]
  })

/**
 * The same messages, in which each call has a result: one that has none gets one right after its message, which says
 * that the call was cancelled. Nothing where nothing is missing.
 *
 * @category getters
 * @since 0.1.0
 */
export const repair = (messages: ReadonlyArray<Prompt.Message>): ReadonlyArray<Prompt.Message> | undefined => {
  const out = messages.flatMap((message, index): ReadonlyArray<Prompt.Message> =>
    message.role === "assistant" ? [message, ...danglingIn(message, messages, index).map(cancelled)] : [message]
  )
  return out.length === messages.length ? undefined : out
}

/**
 * Repairs what the model is shown; the stored history stays as it is.
 *
 * **Example** (A call without a result)
 *
 * ```ts
 * import { Prompt } from "effect/ai"
 * import { RepairHistory } from "tenon/middleware"
 *
 * const call = Prompt.toolCallPart({ id: "c-1", name: "find", params: {}, providerExecuted: false })
 * const messages = [
 *   Prompt.userMessage({ content: [Prompt.textPart({ text: "Find it." })] }),
 *   Prompt.assistantMessage({ content: [call] }),
 *   Prompt.userMessage({ content: [Prompt.textPart({ text: "Well?" })] })
 * ]
 *
 * RepairHistory.repair(messages)?.map(({ role }) => role) // => ["user", "assistant", "tool", "user"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): Middleware.Middleware<"repair_history", never, never, never> =>
  Middleware.make("repair_history", {
    hooks: [
      Middleware.beforeModel({}, ({ messages }) =>
        Effect.sync(() => {
          const repaired = repair(messages)
          return repaired === undefined ? undefined : Middleware.change({ messages: repaired })
        }))
    ]
  })
