import {
  BaseLlm,
  type Event,
  InMemoryRunner,
  type LlmResponse,
  LogLevel,
  type RunnableRoot,
  type Runner,
  setLogLevel
} from "@google/adk"
import { asked, Told } from "../verdict.ts"

export { Told, verdict } from "../verdict.ts"

setLogLevel(LogLevel.ERROR)

class ScriptedModel extends BaseLlm {
  private steps = 0
  private readonly tools: ReadonlyArray<string>
  constructor(tools: ReadonlyArray<string>) {
    super({ model: "scripted" })
    this.tools = tools
  }
  async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    asked()
    const isOver = this.steps++ > 0 || this.tools.length === 0
    yield {
      content: {
        role: "model",
        parts: isOver
          ? [{ text: "done" }]
          : this.tools.map((name, at) => ({ functionCall: { id: `call-${at}`, name, args: {} } }))
      },
      turnComplete: true
    }
  }
  connect(): Promise<never> {
    return Promise.reject(new Error("unused"))
  }
}

/** A model that asks for these calls in one step, and then is done. */
export const scripted = (...tools: ReadonlyArray<string>): BaseLlm => new ScriptedModel(tools)

export const user = (text: string) => ({ role: "user", parts: [{ text }] })

export const runnerOf = (agent: RunnableRoot): Runner => new InMemoryRunner({ agent, appName: "app" })

/** All events of a run; one that tells of a failure fails. */
export const eventsOf = async (run: AsyncIterable<Event>): Promise<ReadonlyArray<Event>> => {
  const events: Array<Event> = []
  for await (const event of run) {
    if (event.errorMessage !== undefined) throw new Error(event.errorMessage)
    events.push(event)
  }
  return events
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** What the tools gave. */
export const resultsIn = (events: ReadonlyArray<Event>): ReadonlyArray<unknown> =>
  events.flatMap(({ content }) => content?.parts ?? []).flatMap(({ functionResponse }) => {
    if (functionResponse === undefined) return []
    const { response } = functionResponse
    if (!isRecord(response)) return [response]
    return ["error" in response ? new Told(response["error"]) : "result" in response ? response["result"] : response]
  })

/** What the tools of a run gave. */
export const results = async (run: AsyncIterable<Event>): Promise<ReadonlyArray<unknown>> =>
  resultsIn(await eventsOf(run))

/** The id of the call by which a run asks its caller. */
export const askedIn = (events: ReadonlyArray<Event>): string =>
  events.flatMap(({ content }) => content?.parts ?? [])
    .find(({ functionCall }) => functionCall?.name?.startsWith("adk_request_"))?.functionCall?.id ?? ""
