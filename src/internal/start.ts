/**
 * What a run begins with: checks of its answers, what its invocation used before, and the calls that an earlier run
 * left without a result. Layer 5.
 */
import { Result, Schema } from "effect"
import type { Prompt } from "effect/ai"
import { memoize } from "effect/Function"
import type * as Agent from "../Agent.ts"
import { AnswerRefused } from "../AgentError.ts"
import * as Contract from "../Contract.ts"
import type * as Event from "../Event.ts"
import * as Interrupt from "../Interrupt.ts"
import type * as State from "../State.ts"
import { type AskDefinition, type ContractValue, oneByName } from "./contract.ts"
import type { FieldDefinition } from "./field.ts"
import { fieldsIn, foldQuestions, isCallWithin, type Sections } from "./fold.ts"
import { deepFreeze } from "./freeze.ts"
import { decodeJson, encodeJson, jsonCodec } from "./json.ts"

/** A message, or answers. */
export type Start =
  | {
    readonly _tag: "Input"
    readonly message: Prompt.UserMessage
    readonly key: string | undefined
    readonly state: ReadonlyArray<State.Assignment>
  }
  | {
    readonly _tag: "Answers"
    readonly answers: ReadonlyArray<Interrupt.Answer<string, unknown> | Interrupt.EncodedAnswer>
  }

/** The fields that are written with a message. */
const writesOf = (start: Start): ReadonlyArray<FieldDefinition> =>
  start._tag === "Input" ? start.state.map((each) => each["~tenon/Assignment"]) : []

/** The sections that a run speaks of: the agent's, and those of the writes that come with its message; no two of a name. */
export const sectionsOf = ({ definition }: Agent.Any, start: Start): Sections =>
  oneByName("sections", [...writesOf(start).map(({ section }) => section), ...definition.sections.values()])

const contractsIn = ({ contract, parts }: Contract.Tree): ReadonlyArray<ContractValue> => [
  contract,
  ...parts.flatMap(contractsIn)
]

/** The fields of a user that an agent's tree touches, or that come with its message. */
export const userFields = (agent: Agent.Any, start: Start): ReadonlyArray<string> => {
  const touched = contractsIn(agent.contractTree).flatMap(({ touches }) => touches.map(({ field }) => field))
  const needed = new Set([...writesOf(start), ...touched])
  return fieldsIn(sectionsOf(agent, start)).flatMap((field) =>
    field.scope === "user" && needed.has(field) ? [field.name] : []
  )
}

/** Computed once per agent: it walks every schema. */
export const fingerprintOf: (agent: Agent.Any) => string = memoize(Contract.fingerprint)

/** Every interrupt of an agent's tree, by name. */
export const asksOf = (agent: Agent.Any): ReadonlyMap<string, AskDefinition> => {
  // a tool that is known only at run time may want an approval too
  const out = new Map<string, AskDefinition>([[Interrupt.Approval.name, Interrupt.Approval["~ask"]]])
  for (const { asks } of contractsIn(agent.contractTree)) for (const ask of asks) out.set(ask.name, ask)
  return out
}

/** An answer that fits its question, encoded. */
export interface Accepted {
  readonly question: Interrupt.Open
  readonly json: Schema.Json
  readonly progress: boolean
}

const isApproval = Schema.is(Schema.toEncoded(Interrupt.Approval.question))
const isDecision = Schema.is(Schema.toEncoded(Interrupt.Decision))

/** Why a decision is none that the question takes. */
const notAllowed = (question: Schema.Json, decision: Schema.Json): string | undefined => {
  if (!isApproval(question) || !isDecision(decision)) return undefined
  const { allowed } = question
  if (allowed !== undefined && !allowed.includes(decision.decision)) {
    return `the decision '${decision.decision}' is not allowed here; allowed: ${allowed.join(", ")}`
  }
  return "always" in decision && decision.always === true && question.remember !== true
    ? "this approval cannot be remembered"
    : undefined
}

/** An answer that fits its question, encoded; or why it does not. */
export const encodeAnswer = (
  answer: Interrupt.Answer<string, unknown> | Interrupt.EncodedAnswer,
  open: ReadonlyMap<string, Interrupt.Open>,
  asks: ReadonlyMap<string, AskDefinition>
): Result.Result<Accepted, AnswerRefused> => {
  const refused = (problem: string) => Result.fail(new AnswerRefused({ id: answer.id, problem }))
  const question = open.get(answer.id)
  if (question === undefined) return refused("no open question has this id")
  if ("name" in answer && answer.name !== question.name) {
    return refused(`it answers '${answer.name}', the question is '${question.name}'`)
  }
  if (answer.progress === true && question.mode !== "pending") {
    return refused("only a pending call takes answers in parts")
  }
  const definition = asks.get(question.name)
  if (definition === undefined) return refused(`this agent does not ask '${question.name}'`)
  const encode = encodeJson(jsonCodec(definition.answer))
  const encoded = "json" in answer
    ? Result.flatMap(decodeJson(definition.answer)(answer.json), encode)
    : encode(answer.value)
  return Result.match(encoded, {
    onSuccess: (json) => {
      const problem = question.name === Interrupt.Approval.name ? notAllowed(question.question, json) : undefined
      return problem === undefined
        ? Result.succeed({ question, json: deepFreeze(json), progress: answer.progress === true })
        : refused(problem)
    },
    onFailure: ({ message }) => refused(`it does not fit: ${message}`)
  })
}

/** The tag of an error result. */
export const tagOf = ({ value }: Event.CallResult): unknown => (value as { readonly _tag?: unknown } | null)?._tag

/** What an agent and its sub-agents used of an invocation in earlier runs, and the milliseconds that those took. */
export const usedBefore = (
  events: ReadonlyArray<Event.Event>,
  invocation: string,
  belongs: (event: Event.Event) => boolean
) => {
  const own = events.filter((event) => event.invocation === invocation && belongs(event))
  const models = own.filter((event) => event.kind === "model")
  const usages = own.flatMap((event) =>
    (event.kind === "model" || event.kind === "compacted") && event.usage !== undefined ? [event.usage] : []
  )
  const refused = own.filter((event) => event.kind === "call" && event.overLimit === true).length
  return {
    elapsed: own.reduce((sum, event) => sum + (event.kind === "ended" ? event.elapsed : 0), 0),
    steps: models.length,
    toolCalls: models.reduce((sum, { calls }) => sum + calls.length, 0) - refused,
    inputTokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0)
  }
}

/** The milliseconds that a sub-agent worked in earlier runs of an invocation: in each, from its first event to its last. */
export const workedBefore = (
  events: ReadonlyArray<Event.Event>,
  invocation: string,
  belongs: (event: Event.Event) => boolean
): number => {
  let worked = 0
  let first: number | undefined
  let last = 0
  for (const event of events) {
    if (event.invocation !== invocation) continue
    if (event.kind === "ended") {
      if (first !== undefined) worked += last - first
      first = undefined
    } else if (belongs(event)) {
      first ??= event.time
      last = event.time
    }
  }
  return worked
}

/**
 * The calls that have no result and wait for no answer, neither their own nor one in a sub-agent of theirs; those of a
 * sub-agent before the one that delegates to it, as they would have ended.
 */
export const unfinishedCalls = (
  events: ReadonlyArray<Event.Event>,
  waiting: ReadonlyArray<Interrupt.Open> = foldQuestions(events)
): ReadonlyArray<{ readonly event: Event.Event; readonly call: Event.Call }> => {
  const ended = new Set(events.flatMap((event) => event.kind === "call" ? [event.call] : []))
  const waits = (id: string) => waiting.some(({ call }) => isCallWithin(id, call))
  return events.flatMap((event) =>
    event.kind === "model"
      ? event.calls.filter(({ id }) => !ended.has(id) && !waits(id)).map((call) => ({ event, call }))
      : []
  ).toSorted((one, other) => other.event.path.length - one.event.path.length)
}
