/**
 * The calls of one step: checked all together, then run as their contracts allow. Layer 5.
 */
import { Deferred, Effect, Exit, Semaphore } from "effect"
import type * as Event from "../Event.ts"
import { approve, check } from "./check.ts"
import { isCallWithin } from "./fold.ts"
import type { Failure, Frame, Outcome } from "./frame.ts"
import type { Step } from "./history.ts"
import { perform } from "./perform.ts"
import { awaitsApproval, noQuestions, type Questions, questionsOf, wasGuarded } from "./questions.ts"
import { outcomeUnknown } from "./reconcile.ts"
import { failure } from "./results.ts"
import { claimsOf, dependencies } from "./schedule.ts"
import { type Batch, close, type Over, type Ready } from "./step.ts"

/** What a call touches; a person may still edit what waits for an approval, so that it may come to touch any entry. */
const claims = ({ planned, parameters }: Ready, anyEntry: boolean) =>
  anyEntry
    ? claimsOf(planned.contract, parameters).map((claim) => ({ ...claim, entry: undefined }))
    : claimsOf(planned.contract, parameters)

type GoesOn = "runs" | "reconciles" | "ends"

/**
 * How a call goes on that an earlier run may have begun. It runs again where it may, and where a question held it up; one
 * that waited for another never ran. Where somebody can find out what became of it, it never runs twice without that.
 */
const goesOn = ({ frame }: Batch, { call, planned }: Ready, { answers }: Questions): GoesOn => {
  if (planned.subAgent !== undefined || planned.repeatable) return "runs"
  const isAnswered = answers.size > 0 && frame.run.answered.has(call.id)
  if (planned.reconcile === undefined) return isAnswered ? "runs" : "ends"
  // an approval alone is asked before anything runs
  return isAnswered && answers.size === 1 && answers.has(0) ? "runs" : "reconciles"
}

/** A call as it may run now; or whether it is over, or waits for an answer. */
const admit: (batch: Batch, ready: Ready, own: Questions, next: GoesOn) => Effect.Effect<Ready | Over, Failure> = Effect
  .fnUntraced(function*(batch, ready, own, next) {
    if (own.open.length > 0) {
      batch.open.push(...own.open)
      return "waiting"
    }
    // what may have run is approved only once it is known that it did not, or as it was approved then
    const decision = next === "ends"
      ? outcomeUnknown(ready.call.tool)
      : next === "runs" || own.answers.has(0)
      ? yield* approve(batch, ready, own)
      : ready
    if (decision === undefined) return "waiting"
    if ("planned" in decision) return next === "reconciles" ? { ...decision, mayHaveRun: true } : decision
    yield* close(batch, ready.call, decision)
    return "done"
  })

const mayWait = ({ planned }: Ready): boolean => planned.mayStop || planned.approval !== false

/** What a call waits for: that others are over, or an answer. */
interface Waited {
  readonly came: Deferred.Deferred<void>
  waiting: number
}

/** How the calls of a batch run: each at first, again when an answer came, and whether it need not wait for one. */
interface Running {
  readonly run: (place: number) => Effect.Effect<Over, Failure>
  readonly again: (place: number) => Effect.Effect<Over, Failure>
  readonly isAnswered: (place: number) => boolean
  /** The place of a call, or of the one that a call is below. */
  readonly placeOf: (call: string) => number
  /** May any of them come to wait? */
  readonly mayWait: boolean
}

/**
 * Runs calls of which each waits for the earlier ones that it conflicts with. One that waits for an answer goes on with
 * it as long as another runs; when none can, all is over that can be.
 */
const runAll = (
  waits: ReadonlyArray<ReadonlyArray<number>>,
  { again, isAnswered, mayWait, placeOf, run }: Running,
  concurrency: number,
  awaiting: Set<(call: string) => void>
): Effect.Effect<void, Failure> => {
  if (waits.length === 1) return Effect.asVoid(run(0))
  if (!mayWait && waits.every((list) => list.length === 0)) {
    return Effect.forEach(waits, (_, place) => run(place), { concurrency, discard: true })
  }
  const slots = Semaphore.makeUnsafe(concurrency)
  const made = (): Waited => ({ came: Deferred.makeUnsafe<void>(), waiting: 0 })
  const over = waits.map(made)
  const answers = waits.map(made)
  const stuck = Deferred.makeUnsafe<void>()
  let busy = waits.length
  const rest = () => {
    busy -= 1
    if (busy === 0) Deferred.doneUnsafe(stuck, Exit.void)
  }
  const wait = (waited: Waited) =>
    Effect.suspend(() => {
      if (Deferred.isDoneUnsafe(waited.came)) return Effect.void
      waited.waiting += 1
      rest()
      return Deferred.await(waited.came)
    })
  // whoever is woken is busy from here on, not only once its fiber runs
  const wake = (waited: Waited) => {
    busy += waited.waiting
    Deferred.doneUnsafe(waited.came, Exit.void)
  }
  const one = (earlier: ReadonlyArray<number>, place: number): Effect.Effect<void, Failure> =>
    Effect.gen(function*() {
      for (const each of earlier) yield* wait(over[each] as Waited)
      let state = yield* slots.withPermit(run(place))
      while (state === "waiting") {
        if (!isAnswered(place)) yield* wait(answers[place] as Waited)
        answers[place] = made()
        state = yield* slots.withPermit(again(place))
      }
      wake(over[place] as Waited)
      rest()
    })
  const tell = (call: string) => {
    const waited = answers[placeOf(call)]
    if (waited !== undefined && waited.waiting > 0) wake(waited)
  }
  return Effect.suspend(() => {
    awaiting.add(tell)
    return Effect.raceFirst(
      Effect.forEach(waits, one, { concurrency: "unbounded", discard: true }),
      Deferred.await(stuck)
    )
  }).pipe(Effect.ensuring(Effect.sync(() => awaiting.delete(tell))))
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
    const isFresh = frame.takeFresh(step)
    const exceeded = isFresh
      ? frame.meter.beforeCalls(frame.run.now(), step.calls.length)
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
      else {
        const admitted = yield* admit(
          batch,
          ready,
          own,
          isFresh || neverRan(place) ? "runs" : goesOn(batch, ready, own)
        )
        if (admitted === "waiting") asked.add(place)
        if (admitted === "waiting" && (own.open.length === 0 || awaitsApproval(own))) guarded.add(place)
        // one that was refused stays in its place: a later call may have waited for it
        approved.push(typeof admitted === "string" ? ready : admitted)
      }
    }

    const claimed = dependencies(approved.map((ready, place) => claims(ready, guarded.has(place))))
    // a call that is over waits for nothing, and holds up nobody
    const waits = claimed.map((list, place) => step.results.has((approved[place] as Ready).call.id) ? [] : list)
    const idAt = (place: number) => (checked[place] as Ready).call.id
    yield* runAll(
      waits,
      {
        run: (place) => {
          const ready = approved[place] as Ready
          if (step.results.has(ready.call.id)) return Effect.succeed("done")
          return asked.has(place) ? Effect.succeed("waiting") : perform(batch, ready, asks(ready).answers)
        },
        again: (place) => {
          const ready = checked[place] as Ready
          const { id } = ready.call
          batch.open = batch.open.filter(({ call }) => !isCallWithin(id, call))
          const own = questionsOf(frame.run.log, new Set([id])).get(id) ?? noQuestions
          return Effect.flatMap(
            admit(batch, ready, own, goesOn(batch, ready, own)),
            (admitted) =>
              typeof admitted === "string" ? Effect.succeed(admitted) : perform(batch, admitted, own.answers)
          )
        },
        isAnswered: (place) => frame.run.isAnswered(batch.open.filter(({ call }) => isCallWithin(idAt(place), call))),
        placeOf: (call) => checked.findIndex(({ call: { id } }) => isCallWithin(id, call)),
        mayWait: asked.size > 0 || approved.some(mayWait)
      },
      frame.run.options.concurrency,
      frame.run.awaiting
    )

    return ended(batch)
  }
)
