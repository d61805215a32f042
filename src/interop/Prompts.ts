/**
 * Prompts of effect/ai, in and out: what a `Chat`, or a program of its own, has said so far.
 *
 * Layer 6, edge `interop`.
 *
 * @since 0.1.0
 */
import { Clock, Effect } from "effect"
import { Prompt } from "effect/ai"
import type * as Session from "../Session.ts"
import type { Ref } from "../SessionStore.ts"
import type { Imported } from "./Imported.ts"
import { Builder } from "./internal/builder.ts"
import { Conversation, reportClosed } from "./internal/conversation.ts"
import { Report } from "./internal/json.ts"

/**
 * A log out of messages, each step's results as one message after it.
 *
 * **Details**
 *
 * A system message has no place in it: an agent has instructions of its own. A call without a result is closed as
 * interrupted. All events have the time of the import.
 *
 * **Example** (Going on with a chat)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Prompt } from "effect/ai"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { Imported, Prompts } from "tenon/interop"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const chat = Prompt.make([{ role: "user", content: "Hi." }, { role: "assistant", content: "Hello." }])
 * const program = Effect.gen(function*() {
 *   yield* Imported.save(yield* Prompts.importPrompt(chat, { app: "guide", session: "s-1" }))
 *   const { session } = yield* AgentRunner.run(Agent.make("guide", { instructions: "Guide." }), {
 *     session: "s-1",
 *     input: "Where to?"
 *   })
 *   return session.history.length
 * }).pipe(Effect.provide([ScriptedModel.layer([ScriptedModel.text("North.")]), SessionStore.layerMemory]))
 *
 * const messages = await Effect.runPromise(program)
 * messages // => 4
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const importPrompt = Effect.fnUntraced(
  function*(prompt: Prompt.Prompt | ReadonlyArray<Prompt.Message>, ref: Ref): Effect.fn.Return<Imported> {
    const messages = Prompt.isPrompt(prompt) ? prompt.content : prompt
    const time = yield* Clock.currentTimeMillis
    const report = new Report()
    const builder = new Builder(ref, ref.app, time)
    const conversation = new Conversation(messages, builder, ref.app, report)
    for (const [index, message] of messages.entries()) conversation.add(message, { time, path: [String(index)] })
    builder.end(time)
    reportClosed(builder, report)
    return { ref, events: builder.events, writes: [], waiting: [], report: report.all }
  }
)

/**
 * The history of a session as a prompt, as its agent's model is shown it.
 *
 * @category encoding
 * @since 0.1.0
 */
export const exportPrompt = (session: Pick<Session.Session, "history">): Prompt.Prompt =>
  Prompt.fromMessages(session.history)
