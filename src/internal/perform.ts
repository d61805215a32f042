/**
 * One call of a step, from its fork to its event; a delegating call runs another frame between its hooks. Layer 5.
 */
import { Effect, Result, Schema } from "effect"
import type { AnySubAgent } from "../Agent.ts"
import type * as Event from "../Event.ts"
import type { Row } from "../SessionStore.ts"
import type * as StateDelta from "../StateDelta.ts"
import type { Recorded } from "./asking.ts"
import { attempt, type Ended, type Handling } from "./attempt.ts"
import { approve } from "./check.ts"
import { type Begun, begunBy } from "./fold.ts"
import { Fork } from "./fork.ts"
import type { Failure, Frame, Outcome } from "./frame.ts"
import { handle } from "./handle.ts"
import type { Step } from "./history.ts"
import { jsonCodec } from "./json.ts"
import { eventsFrom } from "./log.ts"
import type { CallInProgress } from "./progress.ts"
import { noQuestions } from "./questions.ts"
import { reconcile } from "./reconcile.ts"
import { failure, ofDefect, orRefused } from "./results.ts"
import { returnedBy } from "./returned.ts"
import type { Entry } from "./stamp.ts"
import { tagOf, unfinishedCalls } from "./start.ts"
import { askFor, type Batch, close, closed, leftOpen, type Over, type Ready } from "./step.ts"

/** Runs one call, and appends its end, or its question. */
export const perform: (
  batch: Batch,
  ready: Ready,
  answers: ReadonlyMap<number, Recorded>,
  tries?: number
) => Effect.Effect<Over, Failure> = Effect.fnUntraced(
  function*(batch, ready, answers, tries = 3) {
    const { frame, step } = batch
    const { call, planned, parameters } = ready
    // a copy: a sub-agent changes rows while its call is under way
    const rows = new Map(yield* frame.run.rowsOf(planned.shared))
    const fork = new Fork(`the call '${call.id}' of '${call.tool}'`, planned.access(parameters), frame.base(rows))
    const found = ready.mayHaveRun === true ? yield* reconcile(frame, ready, fork) : undefined
    if (ready.mayHaveRun === true && found === undefined) return yield* performAnew(batch, ready, answers, tries)
    const begun = planned.subAgent === undefined
      ? undefined
      : begunBy(eventsFrom(frame.run.log, step.sequence), frame.childId(frame.numberOf(step, ready.index)))
    const inProgress = frame.beginCall(call, fork, begun?.actions)
    const handling: Handling<ChildEnd, Failure> = found !== undefined
      ? () => Effect.succeed(found)
      : planned.subAgent === undefined
      ? (given) => handle(planned, given, call.id, frame.run.showing(frame.author, call))
      : delegate({ batch, ready, subAgent: planned.subAgent, fork, rows, inProgress })
    const outcome = yield* attempt({
      plan: frame.plan,
      planned: found === undefined ? planned : { ...planned, refused: found },
      parameters: begun === undefined ? parameters : begunWith(planned.subAgent, begun) ?? parameters,
      fork,
      call: inProgress,
      answers,
      handling,
      begun: begun?.asked
    })
    if (outcome._tag === "Asked") {
      yield* askFor(batch, call, outcome)
      return "waiting"
    }
    const endedBy = (result: Event.CallResult, mayRepeat: boolean): Effect.Effect<Over, Failure> =>
      mayRepeat && tries > 1 && tagOf(result) === "StateConflict"
        ? perform(batch, ready, answers, tries - 1)
        : Effect.as(close(batch, call, result), "done")
    if (outcome._tag === "Suspended") {
      const { value } = outcome
      // nothing of a sub-agent that was not started is there yet
      if (value._tag === "Unstarted") return yield* endedBy(value.result, true)
      if (value._tag === "Paused") batch.open.push(...value.open)
      else batch.limited = value
      return "waiting"
    }
    if (planned.subAgent !== undefined) yield* closeBelow(frame, step, call)
    const { author } = frame
    const left: ReadonlyArray<Entry> = outcome.pending === undefined
      ? []
      : [{ author, body: { kind: "asked", question: leftOpen(frame, call, outcome.pending) } }]
    const committed = yield* frame.commitAll(fork, rows, (delta, shared) => [
      { author, body: callBody(call, outcome, delta, shared) },
      ...left
    ]).pipe(orRefused(call.tool))
    // a sub-agent goes on where it was
    if (!("kind" in committed)) {
      return yield* endedBy(committed, planned.repeatable || planned.subAgent !== undefined || found !== undefined)
    }
    step.results.set(call.id, committed as Event.CallEnded)
    if (outcome.pending !== undefined) frame.thread.history.transcript.waiting.add(call.id)
    return "done"
  }
)

/** What a sub-agent was called with: a hook may have edited the arguments before it began. */
const begunWith = (subAgent: AnySubAgent | undefined, { parameters, task }: Begun): unknown =>
  subAgent?.parameters === undefined
    ? { task }
    : Result.getOrUndefined(Schema.decodeUnknownResult(jsonCodec(subAgent.parameters))(parameters))

/** Runs a call of which it is known that it did not run before. It is approved now, if it was not then. */
const performAnew = (
  batch: Batch,
  ready: Ready,
  answers: ReadonlyMap<number, Recorded>,
  tries: number
): Effect.Effect<Over, Failure> =>
  Effect.flatMap(
    answers.has(0) ? Effect.succeed(ready) : approve(batch, ready, noQuestions),
    (decision): Effect.Effect<Over, Failure> => {
      if (decision === undefined) return Effect.succeed("waiting")
      return "planned" in decision
        ? perform(batch, { ...decision, mayHaveRun: false }, answers, tries)
        : Effect.as(close(batch, ready.call, decision), "done")
    }
  )

/** Ends what a sub-agent left open that does not go on. */
const closeBelow = ({ run }: Frame, step: Step, { id }: Event.Call): Effect.Effect<unknown, Failure> => {
  const result = failure("Cancelled", "the sub-agent ended before this call did")
  // nothing of it is in the log before the step that delegates to it
  const below = unfinishedCalls(eventsFrom(run.log, step.sequence), []).filter(({ call }) =>
    call.id.startsWith(`${id}/`)
  )
  return run.appendAll(
    below.map(({ event, call }) => ({ author: { id: event.agent, path: event.path }, body: closed(call, result) }))
  )
}

const callBody = (
  call: Event.Call,
  ended: Ended,
  delta: StateDelta.StateDelta,
  shared: Event.Shared | undefined
): Event.Body => ({
  kind: "call",
  call: call.id,
  tool: call.tool,
  result: ended.result,
  delta,
  actions: ended.actions,
  ...(shared !== undefined && { shared })
})

/** How a sub-agent's loop ends without an answer, or why there is none. */
type ChildEnd = Extract<Outcome, { readonly _tag: "Paused" | "Limited" }> | {
  readonly _tag: "Unstarted"
  readonly result: Event.CallResult
}

/** A call that a sub-agent takes on. */
interface Delegated {
  readonly batch: Batch
  readonly ready: Ready
  readonly subAgent: AnySubAgent
  readonly fork: Fork
  readonly rows: Map<string, Row>
  readonly inProgress: CallInProgress
}

const descend = Effect.fnUntraced(function*(
  { batch: { frame, step }, fork, inProgress, ready: { call, index, planned }, rows, subAgent }: Delegated,
  parameters: unknown
) {
  const number = frame.numberOf(step, index)
  const told = yield* Effect.catchDefect(
    Effect.sync(() => ({
      task: subAgent.taskOf(parameters),
      parameters: subAgent.parameters && Schema.encodeSync(jsonCodec(subAgent.parameters))(parameters)
    })),
    (defect) => ofDefect(call.tool, defect)
  )
  if (!("task" in told)) return told
  const opened = yield* frame.openChild({
    actions: inProgress.actions,
    subAgent,
    call,
    number,
    step,
    ...told,
    fork,
    rows
  })
  if (!("child" in opened)) return opened
  const { child, isNew } = opened
  const outcome = yield* Effect.catchTag(
    child.converse(!isNew),
    ["ModelFailed", "OutputInvalid", "SubAgentFailed"],
    (error) => Effect.succeed({ _tag: "Failed", message: error.message } as const)
  )
  // hooks after the call see what the sub-agent committed
  for (const [name, row] of yield* frame.run.rowsOf(planned.shared)) rows.set(name, row)
  return { child, outcome }
})

/** Runs a sub-agent as far as it can go. */
const delegate = (delegated: Delegated): Handling<ChildEnd, Failure> =>
(
  parameters,
  stop
) => {
  const { batch: { frame }, fork, inProgress, subAgent } = delegated
  const { maxDepth } = frame.run.options
  if (frame.depth >= maxDepth) {
    return Effect.succeed(failure("DepthReached", `sub-agents may be nested ${maxDepth} deep`))
  }
  return Effect.matchCauseEffect(descend(delegated, parameters), {
    // what fails the session fails the run
    onFailure: (cause): Effect.Effect<Event.CallResult> => stop(Effect.failCause(cause)),
    onSuccess: (looped): Effect.Effect<Event.CallResult> => {
      if (!("child" in looped)) return stop(Effect.succeed({ _tag: "Unstarted", result: looped }))
      const { child, outcome } = looped
      if (outcome._tag === "Failed") return Effect.succeed(failure("SubAgentFailed", outcome.message))
      if (outcome._tag === "Paused") return stop(Effect.succeed(outcome))
      if (outcome._tag === "Limited") {
        // its own limit is the child's failure; one from above ends the run
        return outcome.meter.isWithin(child.meter)
          ? Effect.succeed(failure("LimitReached", outcome.error.message))
          : stop(Effect.succeed(outcome))
      }
      fork.adopt(returnedBy(child, subAgent))
      const { actions } = inProgress.shape
      const asked = outcome.escalated === true
        ? Effect.andThen(actions.skipSummarization, actions.escalate)
        : Effect.void
      return Effect.as(asked, { isFailure: false, value: outcome.output === undefined ? outcome.text : outcome.output })
    }
  })
}
