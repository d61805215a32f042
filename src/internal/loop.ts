/**
 * What an agent does over and over: model call, batch of calls, model call, … until an answer, a pause or a failure.
 * Layer 5.
 */
import { Cause, Effect, Exit, Result } from "effect"
import { OutputInvalid } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import { hookProblem } from "./attempt.ts"
import { runBatch } from "./batch.ts"
import { textOf } from "./fold.ts"
import type { Completed, Failure, Frame, Outcome, Paused } from "./frame.ts"
import { deepFreeze } from "./freeze.ts"
import { isComplete, type Step, toolMessage, transferOf } from "./history.ts"
import { hooked } from "./hooks.ts"
import { inWords } from "./json.ts"
import type { PlannedHook } from "./plan.ts"
import { turnOf } from "./script.ts"
import { agentSpan } from "./telemetry.ts"
import { isWhole } from "./transcript.ts"
import { answered, askModel, askScript } from "./turn.ts"

/** Another agent goes on with the conversation. */
interface Transferred {
  readonly _tag: "Transferred"
}

type Looped = Outcome | Transferred

const statuses = { Completed: "completed", Transferred: "transferred", Paused: "paused", Limited: "failed" } as const

const statusOf = (exit: Exit.Exit<Looped, unknown>): Middleware.RunEnd["status"] =>
  Exit.isFailure(exit) ? "failed" : statuses[exit.value._tag]

/** A pause of a hook ends the loop as one of a call does. */
const orPaused = <E extends Failure | Paused>(
  effect: Effect.Effect<Looped, E>
): Effect.Effect<Looped, Exclude<E, Paused>> =>
  Effect.catchIf(effect, (error): error is E & Paused => error._tag === "Paused", Effect.succeed) as Effect.Effect<
    Looped,
    Exclude<E, Paused>
  >

/** What failed first is what is told: a failure, then a limit. A pause holds the questions of calls and of a hook. */
const toldFirst = (
  ended: Exit.Exit<Looped, Failure>,
  cause: Cause.Cause<Failure | Paused>
): Effect.Effect<void, Failure | Paused> => {
  if (Exit.isFailure(ended)) return Effect.failCause(ended.cause)
  if (ended.value._tag === "Limited") return Effect.void
  const before = ended.value._tag === "Paused" ? ended.value.open : []
  return Effect.failCause(
    Cause.map(cause, (error) => error._tag === "Paused" ? { ...error, open: [...before, ...error.open] } : error)
  )
}

/** How often a model is asked again for an answer that fits. */
const corrections = 2

// ----- before and after a step ------------------------------------------------

/** May the next model call be made? */
const limit = ({ meter, run }: Frame): Outcome | undefined => {
  const exceeded = meter.beforeModel(run.now())
  return exceeded && { _tag: "Limited", ...exceeded }
}

/** Runs the hooks before a step. They take time and tokens, and others ask meanwhile: limits are checked again. */
const beforeStep: (frame: Frame) => Effect.Effect<Outcome | undefined, Failure | Paused> = Effect.fnUntraced(
  function*(frame) {
    const { invocation } = frame.run.options
    const { transcript } = frame.thread.history
    const number = frame.steps + 1
    for (const hook of frame.plan.hooks.beforeStep) {
      const start: Middleware.StepStart = {
        agent: frame.author.id,
        invocation,
        step: number,
        entries: transcript.entries,
        compactions: transcript.held,
        within: (range) => transcript.within(range, invocation)
      }
      const decided = yield* hooked<Middleware.Compact | undefined>(frame, hook, `${number}.`, start)
      if (decided !== undefined) yield* compact(frame, hook, decided)
    }
    return limit(frame)
  }
)

/** Appends what a hook puts in place of earlier messages. */
const compact = (
  { author, meter, run, thread: { history: { transcript } } }: Frame,
  hook: PlannedHook,
  { messages, range, usage }: Middleware.Compact
): Effect.Effect<void, Failure> => {
  const reach = transcript.reach(range, run.options.invocation)
  if (reach === undefined) return Effect.void
  if (!isWhole(messages)) return Effect.fail(hookProblem(hook, "its messages part a call from its result"))
  const body: Event.Body = {
    kind: "compacted",
    middleware: hook.middleware,
    ...reach,
    messages: deepFreeze(messages),
    ...(usage !== undefined && { usage })
  }
  return Effect.map(run.append(author, body), ([event]) => {
    transcript.compact(event as Event.Compacted)
    if (usage !== undefined) meter.countModel(usage)
  })
}

/** The text of what the model said last. */
const lastText = ({ thread }: Frame): string => thread.history.said.map(textOf).join("")

/** Ends a step whose calls all have results; tells whether the invocation ends with it. */
const settle = (frame: Frame, step: Step): Result.Result<Looped, OutputInvalid> | undefined => {
  const { history } = frame.thread
  history.transcript.answer(step, toolMessage(step))
  history.step = undefined
  const named = transferOf(step)
  // who hands over to itself goes on
  const to = named === frame.name ? undefined : named
  if (to !== undefined) history.holder = to
  // a script knows by itself when it is over
  if (frame.plan.definition.script !== undefined) return undefined
  const ended = step.calls.map(({ id }) => step.results.get(id) as Event.CallEnded)
  const last = (asked: (actions: Event.CallEnded["actions"]) => boolean | undefined) =>
    ended.findLast(({ actions }) => asked(actions) === true)
  const shown = last(({ skipSummarization }) => skipSummarization)
  const escalated = last(({ escalate }) => escalate)
  if (shown === undefined && escalated === undefined && last(({ end }) => end) === undefined) {
    return to === undefined ? undefined : Result.succeed({ _tag: "Transferred" })
  }
  const said = shown === undefined ? lastText(frame) : ""
  const result = shown ?? (said === "" ? escalated : undefined)
  const text = result === undefined ? said : inWords(result.result.value)
  return Result.map(
    completed(frame, text, result?.result.value),
    (done) => escalated === undefined ? done : { ...done, escalated: true }
  )
}

/** The end of an agent that answers with a text, or with the value in it. */
const completed = (
  { author, name: agent, output }: Frame,
  text: string,
  value?: unknown
): Result.Result<Completed, OutputInvalid> => {
  if (output === undefined) return Result.succeed({ _tag: "Completed", agent, text })
  return Result.mapBoth(value === undefined ? output.read(text) : output.fit(value), {
    onSuccess: (fitting) => ({ _tag: "Completed", agent, text, output: fitting } as const),
    onFailure: (problem) => new OutputInvalid({ agent: author.id, problem })
  })
}

// ----- the loop ---------------------------------------------------------------

const loop: (frame: Frame) => Effect.Effect<Looped, Failure | Paused> = Effect.fnUntraced(function*(frame) {
  const { meter, misfits, plan: { definition: { script }, hooks }, thread: { history } } = frame
  while (true) {
    const { step } = history
    if (step !== undefined) {
      if (!isComplete(step)) {
        const ended = yield* runBatch(frame, step)
        if (ended !== undefined) return ended
      }
      const settled = settle(frame, step)
      if (settled !== undefined) return yield* Effect.fromResult(settled)
      misfits.length = 0
      continue
    }
    // a message that came meanwhile joins here
    const isJoined = frame.mayJoin && (yield* frame.join())
    if (history.answered && !isJoined) {
      const done = completed(frame, lastText(frame))
      if (Result.isSuccess(done)) {
        misfits.length = 0
        return script !== undefined && script.escalates(turnOf(frame))
          ? { ...done.success, escalated: true }
          : done.success
      }
      if (script !== undefined || misfits.push(done.failure.problem) > corrections) return yield* done.failure
      history.answered = false
    }
    const limited = limit(frame) ?? (hooks.beforeStep.length === 0 ? undefined : yield* beforeStep(frame))
    if (limited !== undefined) return limited
    meter.startModel()
    yield* script === undefined ? askModel(frame) : askScript(frame, script)
  }
})

/** Appends an answer that a hook of the run gives. */
const say = (frame: Frame, hook: PlannedHook, { parts }: Middleware.Answer): Effect.Effect<void, Failure> => {
  const { step } = frame.thread.history
  if ((step !== undefined && !isComplete(step)) || parts.some(({ type }) => type === "tool-call")) {
    return Effect.fail(hookProblem(hook, "its answer leaves calls without a result"))
  }
  if (step !== undefined) settle(frame, step)
  frame.meter.startModel()
  return answered(frame, frame.steps + 1, parts, "stop")
}

const afterStart: (frame: Frame, start: Middleware.RunStart) => Effect.Effect<Looped, Failure | Paused> = Effect
  .fnUntraced(function*(frame, start) {
    for (const hook of frame.plan.hooks.beforeRun) {
      const answer = yield* hooked<Middleware.Answer | undefined>(frame, hook, "", start)
      if (answer === undefined) continue
      yield* say(frame, hook, answer)
      break
    }
    return yield* loop(frame)
  })

const afterRun: (frame: Frame, end: Middleware.RunEnd) => Effect.Effect<void, Failure | Paused> = Effect.fnUntraced(
  function*(frame, end) {
    for (const hook of frame.plan.hooks.afterRun) {
      const answer = yield* hooked<Middleware.Answer | undefined>(frame, hook, `${frame.steps}.`, end)
      if (answer !== undefined && end.status === "completed") yield* say(frame, hook, answer)
    }
  }
)

/** Runs the hooks after a run. An answer that one gives stands in place of a completed run's. */
const finish = (
  frame: Frame,
  start: Middleware.RunStart,
  ended: Exit.Exit<Looped, Failure>
): Effect.Effect<Looped, Failure | Paused> =>
  afterRun(frame, { ...start, status: statusOf(ended) }).pipe(
    Effect.catchCause((cause) => toldFirst(ended, cause)),
    Effect.andThen(
      Effect.flatMap(
        ended,
        (outcome): Effect.Effect<Looped, Failure> =>
          outcome._tag === "Completed" && frame.thread.history.answered
            ? Effect.map(Effect.fromResult(completed(frame, lastText(frame))), (said) => ({ ...outcome, ...said }))
            : Effect.succeed(outcome)
      )
    )
  )

/** Writes an answer into the field that keeps it. */
const keep = (frame: Frame, { output, text }: Completed): Effect.Effect<void, Failure | Paused> => {
  const { keep: kept } = frame.plan
  if (kept === undefined || (output === undefined && text === "")) return Effect.void
  const value = output === undefined ? text : frame.output?.decode(output)
  return hooked<void>(frame, kept, `${frame.steps}.`, value)
}

/** The loop between the hooks of a run; after-hooks see how it ended, also when it failed. */
const runHooked = (frame: Frame, resumed: boolean): Effect.Effect<Looped, Failure> => {
  frame.watch()
  const { ref, invocation } = frame.run.options
  const start: Middleware.RunStart = { agent: frame.author.id, session: ref.session, invocation, resumed }
  const looped = afterStart(frame, start).pipe(
    orPaused,
    Effect.exit,
    Effect.flatMap((exit) => frame.plan.hooks.afterRun.length === 0 ? exit : finish(frame, start, exit)),
    Effect.tap((outcome) => outcome._tag === "Completed" ? keep(frame, outcome) : Effect.void),
    orPaused
  )
  return agentSpan(frame, looped)
}

/** Runs whoever holds a conversation, and each agent that it is transferred to, as far as they can go. */
export const converse: (frame: Frame, resumed: boolean) => Effect.Effect<Outcome, Failure> = Effect.fnUntraced(
  function*(frame, resumed) {
    let outcome = yield* runHooked(yield* frame.holding(), resumed)
    while (outcome._tag === "Transferred") {
      frame.run.passOn(frame.author.id)
      outcome = yield* runHooked(yield* frame.holding(), false)
    }
    return outcome
  }
)
