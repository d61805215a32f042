/**
 * What the calls of one step share while they run: the frame, the questions that are open, and how a call gets its end
 * without an attempt. Layer 5.
 */
import { Duration, Effect } from "effect"
import * as Actions from "../Actions.ts"
import type * as Event from "../Event.ts"
import type * as Interrupt from "../Interrupt.ts"
import * as StateDelta from "../StateDelta.ts"
import type { Left, Raised } from "./asking.ts"
import type { Failure, Frame, Outcome } from "./frame.ts"
import type { Step } from "./history.ts"
import type { PlannedTool } from "./plan.ts"
import { questionId } from "./questions.ts"

/** A call that may run: its tool is known, its arguments fit. */
export interface Ready {
  readonly index: number
  readonly call: Event.Call
  readonly planned: PlannedTool
  readonly parameters: unknown
  /** What became of it before is to be found out first. */
  readonly mayHaveRun?: boolean
}

export type Over = "done" | "waiting"

/** What one batch collects while its calls run. */
export interface Batch {
  readonly frame: Frame
  readonly step: Step
  open: Array<Interrupt.Open>
  limited: Extract<Outcome, { readonly _tag: "Limited" }> | undefined
}

/** The end of a call that no attempt made. */
export const closed = (call: Pick<Event.Call, "id" | "tool">, result: Event.CallResult): Event.Body => ({
  kind: "call",
  call: call.id,
  tool: call.tool,
  result,
  delta: StateDelta.empty,
  actions: Actions.none
})

/** Appends a result that no attempt made. */
export const close = (
  batch: Batch,
  call: Event.Call,
  result: Event.CallResult,
  isOverLimit = false
): Effect.Effect<void, Failure> => {
  const { frame, step } = batch
  const body = { ...closed(call, result), ...(isOverLimit && { overLimit: true }) }
  return Effect.map(frame.run.append(frame.author, body), ([event]) => {
    step.results.set(call.id, event as Event.CallEnded)
  })
}

/** Who asks: a call, or a hook outside of one. */
export type Asking = Pick<Interrupt.Open, "call" | "tool" | "hook">

/** The k-th question of a call or of a hook. */
export type Question = Pick<Raised, "number" | "name" | "question" | "lifetime">

/** Appends a question, which stays open until somebody answers. */
export const ask = (
  frame: Frame,
  asking: Asking,
  { lifetime, name, number, question }: Question
): Effect.Effect<Interrupt.Open, Failure> =>
  Effect.suspend(() => {
    const open: Interrupt.Open = {
      id: questionId(asking.call, number),
      name,
      question,
      ...asking,
      ...(lifetime !== undefined && { expires: frame.run.now() + Duration.toMillis(lifetime) }),
      agentPath: frame.author.path
    }
    return Effect.as(frame.run.append(frame.author, { kind: "asked", question: open }), open)
  })

/** The question that a call leaves open when it ends. */
export const leftOpen = (frame: Frame, { id, tool }: Event.Call, { name, question }: Left): Interrupt.Open => ({
  id: `${id}?pending`,
  name,
  question,
  call: id,
  tool,
  mode: "pending",
  agentPath: frame.author.path
})

/** Appends a question of a call. */
export const askFor = (
  batch: Batch,
  { id, tool }: Event.Call,
  question: Question
): Effect.Effect<void, Failure> =>
  Effect.map(ask(batch.frame, { call: id, tool }, question), (open) => {
    batch.open.push(open)
  })
