/** What a step takes that does more than call one tool: each part makes runs of a hundred, and counts one of them. */
import { Effect, Layer, Schema, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import { Agent, AgentRunner, SessionStore, SubAgent, Tool, Toolkit } from "tenon"
import type { Part } from "../harness/part.ts"

const usage = {
  inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}
const finish = (reason: "stop" | "tool-calls") => ({ type: "finish", reason, usage, response: undefined }) as const

/** How often a model is asked for calls, and how many at once, before it answers. */
let steps = 0
let atOnce = 1
let asked = 0

const calls = (name: string): Array<Response.PartEncoded> => [
  ...Array.from(
    { length: atOnce },
    (_, index) =>
      ({
        type: "tool-call",
        id: `c${asked}.${index}`,
        name,
        params: name === "noop" ? {} : { task: "Do it." }
      }) as const
  ),
  finish("tool-calls")
]

/** Who has tools asks for the first of them; a sub-agent without tools answers. */
const said = (tools: ReadonlyArray<{ readonly name: string }>): Array<Response.PartEncoded> => {
  const [first] = tools
  return first !== undefined && asked++ < steps ? calls(first.name) : [{ type: "text", text: "done" }, finish("stop")]
}
const streamed = (tools: ReadonlyArray<{ readonly name: string }>): Array<Response.StreamPartEncoded> =>
  said(tools).flatMap((part): ReadonlyArray<Response.StreamPartEncoded> =>
    part.type === "text"
      ? [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: part.text }, {
        type: "text-end",
        id: "t"
      }]
      : [part as Response.StreamPartEncoded]
  )

const model = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({
    generateText: ({ tools }) => Effect.sync(() => said(tools)),
    streamText: ({ tools }) => Stream.suspend(() => Stream.fromIterable(streamed(tools)))
  })
)

const Noop = Tool.make("noop", { description: "Does nothing.", success: Schema.String })
const kit = Toolkit.make(Noop)
const live = Toolkit.layer(kit, { noop: () => Effect.succeed("") })
const Caller = Agent.make("caller", { instructions: "", toolkit: kit })
const Helper = Agent.make("helper", { instructions: "" })
const Manager = Agent.make("manager", { instructions: "", subAgents: [SubAgent.make(Helper)] })

const base = Layer.mergeAll(model, live, SessionStore.layerMemory)
let session = 0

type Running = (options: AgentRunner.RunOptions) => Effect.Effect<unknown, unknown, Layer.Success<typeof base>>

/** Makes runs of so many steps with so many calls, until there were as many calls as asked for. */
const runs = (running: Running, many: number, wide: number): Part => async (times) => {
  const wanted = Math.ceil(times / (many * wide))
  for (let made = 0; made < wanted; made++) {
    ;[steps, atOnce, asked] = [many, wide, 0]
    await Effect.runPromise(Effect.provide(running({ session: `s${session++}`, input: "Go." }), base))
  }
  return wanted * many * wide
}

export const parts: Readonly<Record<string, Part>> = {
  "step, with a call": runs((options) => AgentRunner.run(Caller, options), 100, 1),
  "step, with a call, as a stream": runs((options) => Stream.runDrain(AgentRunner.stream(Caller, options)), 100, 1),
  "call, of a hundred in one step": runs((options) => AgentRunner.run(Caller, options), 1, 100),
  "sub-agent, from its start to its answer": runs((options) => AgentRunner.run(Manager, options), 100, 1)
}
