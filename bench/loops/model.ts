/** The fake model of the loops on effect/ai: built once in a process, as a program would. */
import { Effect, Layer, Stream } from "effect"
import { LanguageModel, Response } from "effect/ai"

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

/** The model that `MODEL` names. */
export const model = Layer.succeed(
  LanguageModel.LanguageModel,
  process.env["MODEL"] === "hand-written" ? handWritten : made
)

/** Lets the model ask for as many calls as there are steps, and answer then. */
export const perform = (steps: number, program: Effect.Effect<unknown, unknown>): Promise<unknown> => {
  asked = 0
  wanted = steps
  return Effect.runPromise(program)
}
