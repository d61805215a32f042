/**
 * The fold over a session's events that gives what was said in an agent's conversation, and where its last step stands.
 * Layer 4.
 */
import type { Schema } from "effect"
import { Prompt } from "effect/ai"
import type * as Event from "../Event.ts"
import { freezeMade } from "./freeze.ts"
import { Transcript } from "./transcript.ts"

/** The calls of the last step of an agent, with the results that are there. */
export interface Step {
  readonly number: number
  /** Where the log stood after the model's message. */
  readonly sequence: number
  readonly invocation: string
  readonly calls: ReadonlyArray<Event.Call>
  readonly results: Map<string, Event.CallEnded>
  /** The agent that asked for the calls, by its name. */
  readonly holder: string
  readonly finish: string
  /** The tools that the model was shown, where a hook chose them. */
  readonly shown: ReadonlyArray<string> | undefined
}

/** The name of the agent whose event it is. */
const nameOf = ({ path }: Event.Event): string => path.at(-1) ?? ""

/** Whom the calls of a step handed the conversation over to. */
export const transferOf = ({ calls, results }: Step): string | undefined =>
  calls.reduce<string | undefined>((to, { id }) => results.get(id)?.actions.transfer ?? to, undefined)

/** Is a step the last one of its agent, or of a run? */
const isLast = ({ results }: Step): boolean =>
  [...results.values()].some(({ actions: { end, escalate, skipSummarization } }) =>
    end === true || escalate === true || skipSummarization === true
  )

/** Did a hook of who asked for a step's calls ask something once they were over? */
const hasAskedSince = (events: ReadonlyArray<Event.Event>, agent: string, { holder, results }: Step): boolean => {
  const over = Math.max(...[...results.values()].map(({ sequence }) => sequence))
  return events.some((event) =>
    event.sequence > over && event.agent === agent && nameOf(event) === holder &&
    event.kind === "asked" && event.question.hook !== undefined
  )
}

/** The messages of an agent, and its last step. */
export interface History {
  readonly transcript: Transcript
  /** The last step, whose tool message is not among the messages yet; its calls may all have results. */
  step: Step | undefined
  /** How many calls this agent ever asked for. */
  calls: number
  /** What the model said last. */
  said: ReadonlyArray<Prompt.Message>
  /** Did the model say it without asking for a call? */
  answered: boolean
  /** Who holds the conversation, by name: the agent itself, or one that it was transferred to. */
  holder: string
  /** The number of the last step, and the invocation that counts it. */
  last: Pick<Step, "number" | "invocation">
}

/** The tool message that answers a step, in the order in which the model asked. */
export const toolMessage = (step: Step): Prompt.Message =>
  freezeMade(Prompt.toolMessage({
    content: step.calls.map((call) => {
      const { isFailure, value, modelOutput } = (step.results.get(call.id) as Event.CallEnded).result
      return Prompt.toolResultPart({
        id: call.providerId,
        name: call.tool,
        isFailure,
        result: value,
        providerExecuted: false,
        ...(modelOutput !== undefined && { modelOutput })
      })
    })
  }))

export const isComplete = (step: Step): boolean => step.calls.every(({ id }) => step.results.has(id))

/** A step out of the event of its model call. */
export const stepOf = (event: Event.Model): Step | undefined =>
  event.calls.length === 0 ? undefined : {
    number: event.step,
    sequence: event.sequence + 1,
    invocation: event.invocation,
    calls: event.calls,
    results: new Map(),
    holder: nameOf(event),
    finish: event.finish,
    shown: event.shown
  }

/** The history fold of one agent. */
export const foldHistory = (events: ReadonlyArray<Event.Event>, agent: string): History => {
  const history: History = {
    transcript: new Transcript(),
    step: undefined,
    calls: 0,
    said: [],
    answered: false,
    holder: "",
    last: { number: 0, invocation: "" }
  }
  const { transcript } = history
  const pending = new Map<string, string>()
  const settle = () => {
    const { step } = history
    if (step !== undefined && isComplete(step)) {
      transcript.answer(step, toolMessage(step))
      history.holder = transferOf(step) ?? history.holder
    }
    history.step = undefined
  }
  /** An answer takes the place of a pending result; what the model said last, said it without. */
  const replace = (call: string, value: Schema.Json, invocation: string) => {
    const holder = transcript.entries.find(({ step }) => step?.results.has(call))?.step
    const ended = holder?.results.get(call)
    if (holder === undefined || ended === undefined) return
    holder.results.set(call, { ...ended, result: { isFailure: false, value } })
    if (holder === history.step) return
    transcript.answer(holder, toolMessage(holder), invocation)
    // a step that waits has its calls there: what it asked for stays
    if (history.step !== undefined) return
    transcript.takeBack()
    history.answered = false
  }
  for (const event of events) {
    if (event.agent !== agent) continue
    if (event.kind === "input") {
      settle()
      transcript.add(event)
      history.answered = false
      history.holder = nameOf(event)
    } else if (event.kind === "model") {
      settle()
      history.calls += event.calls.length
      history.said = event.messages
      history.step = stepOf(event)
      transcript.add(event, history.step)
      history.answered = history.step === undefined
      history.holder = nameOf(event)
      history.last = { number: event.step, invocation: event.invocation }
    } else if (event.kind === "call") history.step?.results.set(event.call, event)
    else if (event.kind === "compacted") transcript.compact(event)
    else if (event.kind === "asked" && event.question.mode === "pending") {
      pending.set(event.question.id, event.question.call)
      transcript.waiting.add(event.question.call)
    } else if (event.kind === "answered") {
      const call = pending.get(event.question)
      if (call === undefined) continue
      if (event.progress !== true) transcript.waiting.delete(call)
      if (history.step !== undefined && isComplete(history.step)) settle()
      replace(call, event.answer, event.invocation)
    }
  }
  const { step } = history
  // another agent goes on after it, so it is over, unless a hook after the run of who hands over has asked
  if (
    step !== undefined && isComplete(step) && transferOf(step) !== undefined && !isLast(step) &&
    !hasAskedSince(events, agent, step)
  ) settle()
  return history
}

/** Who holds an agent's conversation, once the calls of its last step are over. */
export const holderOf = (events: ReadonlyArray<Event.Event>, agent: string): string | undefined => {
  const last = events.findLastIndex((event) =>
    event.agent === agent && (event.kind === "model" || event.kind === "input")
  )
  const event = events[last]
  if (event?.kind !== "model") return event && nameOf(event)
  const step = stepOf(event)
  if (step === undefined) return nameOf(event)
  for (const ended of events.slice(last)) {
    if (ended.kind === "call" && ended.agent === agent) step.results.set(ended.call, ended)
  }
  return (isComplete(step) ? transferOf(step) : undefined) ?? step.holder
}

/** What was said in an agent's conversation, the tool message of a complete last step included. */
export const transcriptOf = (events: ReadonlyArray<Event.Event>, agent: string): Transcript => {
  const { step, transcript } = foldHistory(events, agent)
  if (step !== undefined && isComplete(step)) transcript.answer(step, toolMessage(step))
  return transcript
}
