/**
 * The calls of one step: checked all together, then run as their contracts allow. Layer 5.
 */
import { Clock, Deferred, Effect, Semaphore } from "effect"
import type * as Event from "../Event.ts"
import { failure } from "./attempt.ts"
import { approve, check } from "./check.ts"
import type { Step } from "./fold.ts"
import type { Failure, Frame, Outcome } from "./frame.ts"
import { perform } from "./perform.ts"
import { awaitsApproval, noQuestions, type Questions, questionsOf, wasGuarded } from "./questions.ts"
import { outcomeUnknown } from "./reconcile.ts"
import { claimsOf, dependencies } from "./schedule.ts"
import { type Batch, close, type Over, type Ready } from "./step.ts"

/** What a call touches; a person may still edit what waits for an approval, so that it may come to touch any entry. */
const claims = ({ planned, parameters }: Ready, anyEntry: boolean) =>
  anyEntry
    ? claimsOf(planned.contract, parameters).map((claim) => ({ ...claim, entry: undefined }))
    : claimsOf(planned.contract, parameters)

/**
 * How a call goes on that an earlier run may have begun. It runs again where it may, and where a question held it up; one
 * that waited for another never ran. Where somebody can find out what became of it, it never runs twice without that.
 */
const goesOn = (
  { frame, step }: Batch,
  { call, planned }: Ready,
  { answers }: Questions,
  neverRan: boolean
): "runs" | "reconciles" | "ends" => {
  if (frame.isFresh(step) || planned.subAgent !== undefined || planned.repeatable || neverRan) return "runs"
  const isAnswered = answers.size > 0 && frame.run.options.answered.has(call.id)
  if (planned.reconcile === undefined) return isAnswered ? "runs" : "ends"
  // an approval alone is asked before anything runs
  return isAnswered && answers.size === 1 && answers.has(0) ? "runs" : "reconciles"
}

/** Runs calls of which each waits for the earlier ones that it conflicts with. */
const runAll = (
  waits: ReadonlyArray<ReadonlyArray<number>>,
  run: (index: number) => Effect.Effect<Over, Failure>,
  concurrency: number
): Effect.Effect<void, Failure> => {
  if (waits.length === 1) return Effect.asVoid(run(0))
  if (waits.every((list) => list.length === 0)) {
    return Effect.forEach(waits, (_, index) => run(index), { concurrency, discard: true })
  }
  const slots = Semaphore.makeUnsafe(concurrency)
  const over = waits.map(() => Deferred.makeUnsafe<Over>())
  const one = (list: ReadonlyArray<number>, index: number): Effect.Effect<void, Failure> =>
    Effect.gen(function*() {
      let state: Over = "done"
      for (
        const earlier of list
      ) if ((yield* Deferred.await(over[earlier] as Deferred.Deferred<Over>)) === "waiting") state = "waiting"
      if (state === "done") state = yield* slots.withPermit(run(index))
      yield* Deferred.succeed(over[index] as Deferred.Deferred<Over>, state)
    })
  return Effect.forEach(waits, one, { concurrency: "unbounded", discard: true })
}

/** Why an agent cannot go on after a batch. */
const ended = ({ limited, open }: Batch): Outcome | undefined =>
  limited ?? (open.length > 0 ? { _tag: "Paused", open } : undefined)

/**
 * Runs the calls of a step that have no result yet, as far as they can go. Gives an outcome where the agent cannot go
 * on: questions are open, or a limit was reached.
 */
export const runBatch: (frame: Frame, step: Step) => Effect.Effect<Outcome | undefined, Failure> = Effect.fnUntraced(
  function*(frame, step) {
    const batch: Batch = { frame, step, open: [], limited: undefined }
    const isFresh = frame.isFresh(step)
    const exceeded = isFresh
      ? frame.meter.beforeCalls(yield* Clock.currentTimeMillis, step.calls.length)
      : frame.meter.overCalls()
    if (exceeded !== undefined) {
      for (const call of step.calls) {
        if (step.results.has(call.id)) continue
        yield* close(batch, call, failure("LimitReached", exceeded.error.message), true)
      }
      return { _tag: "Limited", ...exceeded }
    }
    if (isFresh) frame.meter.countCalls(step.calls.length)

    // by far the most steps ask for one call, which nothing can conflict with
    if (isFresh && step.calls.length === 1) {
      const call = step.calls[0] as Event.Call
      const known = yield* check(frame, step, call, 0)
      if (!("planned" in known)) {
        yield* close(batch, call, known)
        return undefined
      }
      if (known.planned.approval === false) {
        yield* perform(batch, known, noQuestions.answers)
        return ended(batch)
      }
    }

    // names, arguments and approvals of all calls, before any handler runs
    const questions = isFresh
      ? new Map<string, Questions>()
      : questionsOf(frame.run.log, new Set(step.calls.map(({ id }) => id)))
    const before = new Set(step.results.keys())
    const checked: Array<Ready> = []
    for (const [index, call] of step.calls.entries()) {
      const known = yield* check(frame, step, call, index)
      if ("planned" in known) checked.push(known)
      else if (!step.results.has(call.id)) yield* close(batch, call, known)
    }
    const asks = ({ call }: Ready) => questions.get(call.id) ?? noQuestions
    const claimedAtFirst = dependencies(checked.map((ready) => claims(ready, wasGuarded(asks(ready)))))
    const neverRan = (place: number) =>
      (claimedAtFirst[place] ?? []).some((earlier) => !before.has((checked[earlier] as Ready).call.id))
    const approved: Array<Ready> = []
    const asked = new Set<number>()
    const guarded = new Set<number>()
    for (const [place, ready] of checked.entries()) {
      const own = asks(ready)
      if (step.results.has(ready.call.id)) approved.push(ready)
      else if (own.open.length > 0) {
        batch.open.push(...own.open)
        asked.add(ready.index)
        if (awaitsApproval(own)) guarded.add(ready.index)
        approved.push(ready)
      } else {
        const next = goesOn(batch, ready, own, neverRan(place))
        let decision: Ready | Event.CallResult | undefined = ready
        if (next === "ends") decision = outcomeUnknown(ready.call.tool)
        // what may have run is approved only once it is known that it did not, or as it was approved then
        else if (next === "runs" || own.answers.has(0)) decision = yield* approve(batch, ready, own)
        if (decision === undefined) {
          asked.add(ready.index)
          guarded.add(ready.index)
        }
        if (decision !== undefined && !("planned" in decision)) yield* close(batch, ready.call, decision)
        // one that was refused stays in its place: a later call may have waited for it
        const stays = decision !== undefined && "planned" in decision ? decision : ready
        approved.push(next === "reconciles" ? { ...stays, mayHaveRun: true } : stays)
      }
    }

    const claimed = dependencies(approved.map((ready) => claims(ready, guarded.has(ready.index))))
    // a call that is over waits for nothing, and holds up nobody
    const waits = claimed.map((list, place) => step.results.has((approved[place] as Ready).call.id) ? [] : list)
    yield* runAll(waits, (place) => {
      const ready = approved[place] as Ready
      if (step.results.has(ready.call.id)) return Effect.succeed("done" as const)
      if (asked.has(ready.index)) return Effect.succeed("waiting" as const)
      return perform(batch, ready, asks(ready).answers)
    }, frame.run.options.concurrency)

    return ended(batch)
  }
)
