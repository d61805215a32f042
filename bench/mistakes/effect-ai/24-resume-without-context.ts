// A call waited for an approval; the chat goes on without the service that the tool depends on.
import { Context, Effect, Schema } from "effect"
import { Chat, Tool, Toolkit } from "effect/ai"
import { scripted, verdict } from "./harness.ts"

class User extends Context.Service<User, { readonly id: string }>()("app/User") {}
const Remove = Tool.make("remove", { success: Schema.String, dependencies: [User], needsApproval: true })
const Kit = Toolkit.make(Remove)
const KitLive = Kit.toLayer({ remove: () => Effect.map(User, ({ id }) => `removed for ${id}`) })

const paused = await Effect.runPromise(
  Effect.gen(function*() {
    const chat = yield* Chat.empty
    const { content } = yield* chat.generateText({ prompt: "Remove it.", toolkit: Kit })
    const request = content.find((part) => part.type === "tool-approval-request")
    return { chat: yield* chat.exportJson, approvalId: request?.approvalId ?? "" }
  }).pipe(Effect.provide([KitLive, scripted("remove")]), Effect.provideService(User, { id: "u1" }))
)
const program = Effect.gen(function*() {
  const chat = yield* Chat.fromJson(paused.chat)
  const { approvalId } = paused
  const content = [{ type: "tool-approval-response", approvalId, approved: true }] as const
  const { text } = yield* chat.generateText({ prompt: [{ role: "tool", content }], toolkit: Kit })
  return text
}).pipe(Effect.provide([KitLive, scripted()]))

// mistake: no User
await verdict(() => Effect.runPromise(program))
