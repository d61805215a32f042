/**
 * The loops that are compared: each performs exactly `steps` tool calls and returns how many really happened.
 *
 * A step is one model call and one tool call that reads one value. The model service is built once, as a program would.
 */
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { Chat, LanguageModel, Prompt, Response, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Reducer, SessionStore, State, Tool, ToolContext, Toolkit } from "tenon"

const toolCount = Number(process.env["TOOLS"] ?? 1)
const others = Array.from({ length: toolCount - 1 }, (_, index) =>
  AiTool.make(`other_${index}`, {
    parameters: Schema.Struct({ a: Schema.String, b: Schema.optionalKey(Schema.Int) }),
    success: Schema.Array(Schema.String)
  }))
const otherHandlers = Object.fromEntries(others.map((tool) => [tool.name, () => Effect.succeed([])]))

// ----- the model ------------------------------------------------------------------

const usage = {
  inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}
let asked = 0
let wanted = 0
const said = (): Array<Response.PartEncoded> =>
  asked++ < wanted
    ? [{ type: "tool-call", id: `c${asked}`, name: "noop", params: {} }, {
      type: "finish",
      reason: "tool-calls",
      usage,
      response: undefined
    }]
    : [{ type: "text", text: "done" }, { type: "finish", reason: "stop", usage, response: undefined }]

const made = Effect.runSync(
  LanguageModel.make({ generateText: () => Effect.sync(said), streamText: () => Stream.empty })
)

/** A service without effect/ai's own share of a model call, to see the loop alone. */
const handWritten = LanguageModel.LanguageModel.of({
  [LanguageModel.TypeId]: LanguageModel.TypeId,
  generateObject: () => Effect.die(new Error("unused")),
  streamText: () => Stream.empty,
  generateText: () =>
    Effect.sync(() =>
      new LanguageModel.GenerateTextResponse(
        said().map((part) => {
          switch (part.type) {
            case "tool-call":
              return Response.makePart("tool-call", {
                id: part.id,
                name: part.name,
                params: {},
                providerExecuted: false
              })
            case "text":
              return Response.makePart("text", { text: part.text })
            default:
              return Response.makePart("finish", {
                reason: asked > wanted ? "stop" : "tool-calls",
                usage: new Response.Usage(usage),
                response: undefined
              })
          }
        })
      )
    )
} as never)

const model = Layer.succeed(LanguageModel.LanguageModel, process.env["MODEL"] === "hand-written" ? handWritten : made)

// ----- effect/ai --------------------------------------------------------------------

class User extends Context.Service<User, string>()("bench/User") {}
let calls = 0
const Noop = AiTool.make("noop", { success: Schema.String, dependencies: [User] })
const kit = AiToolkit.make(Noop, ...others)
const handlers = kit.toLayer({ ...otherHandlers, noop: () => Effect.map(User, (user) => (calls++, user)) } as never)

const chat = Effect.gen(function*() {
  const session = yield* Chat.empty
  let prompt: Prompt.RawInput = "x"
  while (true) {
    const response = yield* session.generateText({ prompt, toolkit: kit })
    prompt = []
    if (response.finishReason !== "tool-calls") return
  }
})

/** The leanest loop on effect/ai: no resolution, the handler called directly, one growing list of messages. */
const lean = Effect.gen(function*() {
  const context = yield* Effect.context()
  const service = yield* LanguageModel.LanguageModel
  const toolkit = yield* kit
  const { handler } = context.mapUnsafe.get(Noop.id) as AiTool.Handler<"noop">
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

// ----- tenon ------------------------------------------------------------------------

const Env = ToolContext.make({ user: Schema.String })
const Count = State.make("count", { calls: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Counted = Tool.make("noop", { success: Schema.String, context: [Env.user], combines: [Count.calls] })
const tenonKit = Toolkit.make(Counted, ...others)
const tenonHandlers = tenonKit.toLayer({
  ...otherHandlers,
  noop: () => Effect.flatMap(Env.user, (user) => (calls++, Effect.as(Count.calls.combine(1), user)))
} as never)
const Assistant = Agent.make("assistant", { instructions: "", toolkit: tenonKit })
let session = 0

/** Each contestant by name. */
export const contestants: Readonly<Record<string, (steps: number) => Promise<number>>> = {
  chat: (steps) =>
    perform(steps, chat.pipe(Effect.provide(handlers), Effect.provideService(User, "u1"), Effect.provide(model))),
  lean: (steps) =>
    perform(steps, lean.pipe(Effect.provide(handlers), Effect.provideService(User, "u1"), Effect.provide(model))),
  tenon: (steps) =>
    perform(
      steps,
      AgentRunner.run(Assistant, { session: `s${session++}`, input: "x" }).pipe(
        Effect.provide([tenonHandlers, model, SessionStore.layerMemory, ToolContext.layer(Assistant, { user: "u1" })]),
        Effect.map((result) => {
          if (result.session.state.get(Count.calls) !== steps) throw new Error("a call was lost")
        })
      )
    )
}

const perform = async (steps: number, program: Effect.Effect<unknown, unknown>): Promise<number> => {
  calls = 0
  asked = 0
  wanted = steps
  await Effect.runPromise(program as Effect.Effect<unknown>)
  return calls
}
