/** Two loops on effect/ai alone: over its own `Chat`, and the least that one can write by hand. */
import { Context, Effect, Schema } from "effect"
import { Chat, LanguageModel, Prompt, Response, Tool, Toolkit } from "effect/ai"
import { model, perform } from "./model.ts"
import { otherHandlers, others } from "./others.ts"

class User extends Context.Service<User, string>()("bench/User") {}
let calls = 0
const Noop = Tool.make("noop", { description: "Does nothing.", success: Schema.String, dependencies: [User] })
const kit = Toolkit.make(Noop, ...others)
const handlers = kit.toLayer({ ...otherHandlers, noop: () => Effect.map(User, (user) => (calls++, user)) } as never)

const chatLoop = Effect.gen(function*() {
  const session = yield* Chat.empty
  let prompt: Prompt.RawInput = "x"
  while (true) {
    const response = yield* session.generateText({ prompt, toolkit: kit })
    prompt = []
    if (response.finishReason !== "tool-calls") return
  }
})

/** No resolution, the handler called directly, one growing list of messages. */
const leanLoop = Effect.gen(function*() {
  const context = yield* Effect.context()
  const service = yield* LanguageModel.LanguageModel
  const toolkit = yield* kit
  const { handler } = context.mapUnsafe.get(Noop.id) as Tool.Handler<"noop">
  const decode = Schema.decodeUnknownEffect(Noop.parametersSchema)
  const encode = Schema.encodeUnknownEffect(Noop.successSchema)
  const options = { toolkit, disableToolCallResolution: true, toolCallValidation: "deferred" } as const
  const messages = Prompt.make("x").content.slice()
  while (true) {
    const response = yield* service.generateText({ ...options, prompt: Prompt.fromMessages(messages.slice()) })
    const parts: Array<Response.AnyPart> = response.content.slice()
    for (const part of response.content) {
      if (part.type !== "tool-call") continue
      const parameters = yield* decode(part.params)
      const result: string = yield* handler(parameters, { toolCallId: part.id, preliminary: () => Effect.void })
      const encodedResult = yield* encode(result)
      parts.push(Response.makePart("tool-result", {
        id: part.id,
        name: part.name,
        providerExecuted: false,
        result,
        encodedResult,
        isFailure: false,
        preliminary: false
      }))
    }
    for (const message of Prompt.fromResponseParts(parts).content) messages.push(message)
    if (response.finishReason !== "tool-calls") return
  }
})

const ran = async (
  steps: number,
  loop: Effect.Effect<unknown, unknown, Effect.Services<typeof chatLoop> | Effect.Services<typeof leanLoop>>
): Promise<number> => {
  calls = 0
  const provided = loop.pipe(Effect.provide([handlers, model]), Effect.provideService(User, "u1"))
  await perform(steps, provided)
  return calls
}

export const chat = (steps: number): Promise<number> => ran(steps, chatLoop)
export const lean = (steps: number): Promise<number> => ran(steps, leanLoop)
