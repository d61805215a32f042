/**
 * The calls of one step: checked all together, then run as their contracts allow. Layer 5.
 */
import { Clock, Deferred, Effect, Hash, Result, Schema, Semaphore } from "effect"
import * as Actions from "../Actions.ts"
import type { AnySubAgent } from "../Agent.ts"
import type * as Event from "../Event.ts"
import * as Interrupt from "../Interrupt.ts"
import * as StateDelta from "../StateDelta.ts"
import { attempt, type Ended, failure, handle, type Handling, type Recorded } from "./attempt.ts"
import { runIn } from "./context.ts"
import type { Step } from "./fold.ts"
import { Fork, StateWriteError } from "./fork.ts"
import type { Failure, Frame, Outcome } from "./frame.ts"
import type { PlannedTool } from "./plan.ts"
import { claimsOf, dependencies } from "./schedule.ts"

/** A call that may run: its tool is known, its arguments fit. */
interface Ready {
  readonly index: number
  readonly call: Event.Call
  readonly planned: PlannedTool
  readonly parameters: unknown
}

type Over = "done" | "waiting"

/** What one batch collects while its calls run. */
interface Batch {
  readonly frame: Frame
  readonly step: Step
  readonly open: Array<Interrupt.Open>
  limited: Extract<Outcome, { readonly _tag: "Limited" }> | undefined
}

// ----- questions ------------------------------------------------------------------

interface Questions {
  readonly open: ReadonlyArray<Interrupt.Open>
  readonly answers: ReadonlyMap<number, Recorded>
}

const noQuestions: Questions = { open: [], answers: new Map() }

export const questionId = (call: string, number: number): string => `${call}?${number}`
const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf("?") + 1))

/** What was asked by each call of a step, and what was answered. */
const questionsOf = (frame: Frame, step: Step): ReadonlyMap<string, Questions> => {
  const out = new Map<string, { open: Map<string, Interrupt.Open>; answers: Map<number, Recorded> }>()
  const asked = new Map<string, Interrupt.Open>()
  const calls = new Set(step.calls.map(({ id }) => id))
  for (const event of frame.run.log) {
    if (event.kind === "asked" && calls.has(event.question.call)) {
      const { question } = event
      const own = out.get(question.call) ?? { open: new Map(), answers: new Map() }
      asked.set(question.id, question)
      own.open.set(question.id, question)
      own.answers.delete(numberIn(question.id))
      out.set(question.call, own)
    }
    if (event.kind !== "answered") continue
    const question = asked.get(event.question)
    const own = question && out.get(question.call)
    if (question === undefined || own === undefined) continue
    own.open.delete(question.id)
    own.answers.set(numberIn(question.id), { name: question.name, question: question.question, answer: event.answer })
  }
  return new Map([...out].map(([call, { open, answers }]) => [call, { open: [...open.values()], answers }]))
}

// ----- ends -----------------------------------------------------------------------

/** Appends a result that no attempt made. */
const close = (batch: Batch, call: Event.Call, result: Event.CallResult): Effect.Effect<void, Failure> => {
  const { frame, step } = batch
  const body: Event.Body = {
    kind: "call",
    call: call.id,
    tool: call.tool,
    result,
    delta: StateDelta.empty,
    actions: Actions.none
  }
  return Effect.map(frame.run.append(frame.author, body), ([event]) => {
    step.results.set(call.id, event as Extract<Event.Event, { kind: "call" }>)
  })
}

const unknownTool = (frame: Frame, name: string) =>
  failure("ToolNotFound", `there is no tool '${name}'; there are: ${frame.plan.toolNames.join(", ")}`)

const unfinished = new Set(["length", "content-filter", "error"])

/** Decodes a call's arguments; gives a result instead where the call cannot run. */
const check = (frame: Frame, step: Step, call: Event.Call, index: number): Effect.Effect<Ready | Event.CallResult> => {
  const planned = frame.plan.tools.get(call.tool)
  if (planned === undefined) return Effect.succeed(unknownTool(frame, call.tool))
  if (unfinished.has(step.finish)) {
    return Effect.succeed(failure("NotRun", `the model's answer ended early (${step.finish}): the call was not run`))
  }
  return decodeArguments(planned, call.parameters).pipe(
    Effect.map((parameters): Ready | Event.CallResult => ({ index, call, planned, parameters })),
    Effect.catch(({ message }) =>
      Effect.succeed(failure("InvalidArguments", `the arguments of '${call.tool}' do not fit: ${message}`))
    )
  )
}

const decodeArguments = (planned: PlannedTool, parameters: unknown): Effect.Effect<unknown, Schema.SchemaError> =>
  runIn(planned.decode(parameters), planned.context)

// ----- approval -------------------------------------------------------------------

const hashOf = (call: Event.Call): string =>
  (Hash.string(JSON.stringify([call.tool, call.parameters])) >>> 0).toString(16).padStart(8, "0")

const ask = (
  batch: Batch,
  call: Event.Call,
  number: number,
  name: string,
  question: Schema.Json
): Effect.Effect<void, Failure> => {
  const { frame } = batch
  const open: Interrupt.Open = {
    id: questionId(call.id, number),
    name,
    question,
    call: call.id,
    tool: call.tool,
    agentPath: frame.author.path
  }
  return Effect.map(frame.run.append(frame.author, { kind: "asked", question: open }), () => {
    batch.open.push(open)
  })
}

const decodeDecision = Schema.decodeUnknownResult(Interrupt.Decision)

/**
 * What a person decided about a call, or a question to one: a call to run, a result instead, or nothing yet. The
 * decision is bound to the arguments that the person saw.
 */
const approve = (
  batch: Batch,
  ready: Ready,
  questions: Questions
): Effect.Effect<Ready | Event.CallResult | undefined, Failure> => {
  const { planned, call, parameters } = ready
  const { approval } = planned
  if (approval === false) return Effect.succeed(ready)
  const recorded = questions.answers.get(0)
  const hash = hashOf(call)
  if (recorded !== undefined && (recorded.question as { readonly hash?: string }).hash === hash) {
    const decision = decodeDecision(recorded.answer)
    if (Result.isSuccess(decision)) return decided(ready, decision.success)
  }
  return Effect.gen(function*() {
    const needed = approval === true ? true : yield* wantsApproval(batch.frame, ready, approval(parameters))
    if (needed === false) return ready
    const reason = typeof needed === "string" ? { reason: needed } : {}
    yield* ask(batch, call, 0, "approval", {
      tool: call.tool,
      arguments: call.parameters as Schema.Json,
      hash,
      ...reason
    })
    return undefined
  })
}

const decided = (ready: Ready, decision: Interrupt.Decision): Effect.Effect<Ready | Event.CallResult> => {
  switch (decision.decision) {
    case "approve":
      return Effect.succeed(ready)
    case "reject":
      return Effect.succeed(failure("Rejected", decision.reason ?? "a person rejected this call"))
    case "edit":
      return decodeArguments(ready.planned, decision.arguments).pipe(
        Effect.map((parameters): Ready | Event.CallResult => ({ ...ready, parameters })),
        Effect.catch(({ message }) =>
          Effect.succeed(
            failure("InvalidArguments", `the edited arguments of '${ready.call.tool}' do not fit: ${message}`)
          )
        )
      )
  }
}

/** Runs an approval's Effect as the handler would run, and keeps nothing that it wrote. A defect asks a person. */
const wantsApproval = (frame: Frame, ready: Ready, effect: Effect.Effect<boolean | string, never, any>) =>
  Effect.gen(function*() {
    const { planned, parameters } = ready
    const rows = yield* frame.run.rowsOf(planned.shared)
    const fork = new Fork(`the approval of '${planned.tool.name}'`, planned.access(parameters), frame.base(rows))
    return yield* frame.inCall(planned, ready.call, fork, effect).pipe(
      Effect.catchDefect(() => Effect.succeed<boolean | string>(true)),
      Effect.ensuring(Effect.sync(() => fork.close()))
    )
  })

// ----- running --------------------------------------------------------------------

const runTool = (
  batch: Batch,
  ready: Ready,
  answers: ReadonlyMap<number, Recorded>,
  tries = 3
): Effect.Effect<Over, Failure> =>
  Effect.gen(function*() {
    const { frame, step } = batch
    const { call, planned, parameters } = ready
    const rows = yield* frame.run.rowsOf(planned.shared)
    const fork = new Fork(`the call '${call.id}' of '${call.tool}'`, planned.access(parameters), frame.base(rows))
    const handling: Handling<ChildEnd, Failure> = planned.subAgent === undefined
      ? (given) => handle(planned, given, call.id)
      : delegate(batch, ready, planned.subAgent, fork)
    const outcome = yield* attempt(
      frame.plan,
      planned,
      parameters,
      fork,
      frame.beginCall(call, fork),
      answers,
      handling
    )
    if (outcome._tag === "Asked") {
      yield* ask(batch, call, outcome.number, outcome.name, outcome.question)
      return "waiting"
    }
    if (outcome._tag === "Suspended") {
      if (outcome.value._tag === "Paused") batch.open.push(...outcome.value.open)
      else batch.limited = outcome.value
      return "waiting"
    }
    const committed = yield* frame.commit(fork, rows, (delta, shared) => callBody(call, outcome, delta, shared)).pipe(
      Effect.map((event): Event.Event | Event.CallResult => event),
      Effect.catchDefect((defect) =>
        defect instanceof StateWriteError
          ? Effect.succeed(failure("InvalidStateWrite", defect.message))
          : Effect.die(defect)
      ),
      Effect.catchTag("StateConflict", (conflict) => Effect.succeed(failure("StateConflict", conflict.message)))
    )
    if ("kind" in committed) {
      step.results.set(call.id, committed as Extract<Event.Event, { kind: "call" }>)
      return "done"
    }
    const conflicted = (committed.value as { readonly _tag?: string })._tag === "StateConflict"
    if (conflicted && planned.repeatable && tries > 1) return yield* runTool(batch, ready, answers, tries - 1)
    yield* close(batch, call, committed)
    return "done"
  })

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

/** How a sub-agent's loop ends without an answer. */
type ChildEnd = Extract<Outcome, { readonly _tag: "Paused" | "Limited" }>

/** Runs a sub-agent as far as it can go. */
const delegate = (batch: Batch, ready: Ready, subAgent: AnySubAgent, fork: Fork): Handling<ChildEnd, Failure> =>
(
  parameters,
  stop
) => {
  const { frame, step } = batch
  const { call, index } = ready
  const { maxDepth } = frame.run.options
  if (frame.depth >= maxDepth) {
    return Effect.succeed(failure("DepthReached", `sub-agents may be nested ${maxDepth} deep`))
  }
  const { task } = parameters as { readonly task: string }
  const looped = Effect.flatMap(
    frame.openChild(subAgent, call, frame.numberOf(step, index), step, task),
    (child) => Effect.map(child.loop(), (outcome) => ({ child, outcome }))
  )
  return Effect.matchCauseEffect(looped, {
    onFailure: (cause) => stop(Effect.failCause(cause)),
    onSuccess: ({ child, outcome }): Effect.Effect<Event.CallResult> => {
      if (outcome._tag === "Paused") return stop(Effect.succeed(outcome))
      if (outcome._tag === "Limited") {
        // its own limit is the child's failure; one from above ends the run
        return outcome.meter === child.meter
          ? Effect.succeed(failure("LimitReached", outcome.error.message))
          : stop(Effect.succeed(outcome))
      }
      fork.adopt(frame.returnedBy(subAgent, child))
      return Effect.succeed({ isFailure: false, value: outcome.text })
    }
  })
}

const claims = ({ planned, parameters }: Ready) => claimsOf(planned.contract, parameters)

/** After a crash: a call that may have run runs again only if it may; one that waited for another never ran. */
const mayRun = (batch: Batch, ready: Ready, questions: Questions, neverRan: boolean): boolean => {
  const { planned, call } = ready
  if (batch.frame.isFresh(batch.step) || planned.subAgent !== undefined || planned.repeatable || neverRan) return true
  return questions.answers.size > 0 && batch.frame.run.options.answered.has(call.id)
}

/** Runs calls of which each waits for the earlier ones that it conflicts with. */
const runAll = (
  waits: ReadonlyArray<ReadonlyArray<number>>,
  run: (index: number) => Effect.Effect<Over, Failure>,
  concurrency: number
): Effect.Effect<void, Failure> => {
  if (waits.length === 1) return Effect.asVoid(run(0))
  const slots = Semaphore.makeUnsafe(concurrency)
  if (waits.every((list) => list.length === 0)) {
    return Effect.forEach(waits, (_, index) => run(index), { concurrency, discard: true })
  }
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

/**
 * Runs the calls of a step that have no result yet, as far as they can go. Gives an outcome where the agent cannot go
 * on: questions are open, or a limit was reached.
 */
export const runBatch = (frame: Frame, step: Step): Effect.Effect<Outcome | undefined, Failure> =>
  Effect.gen(function*() {
    const batch: Batch = { frame, step, open: [], limited: undefined }
    if (frame.isFresh(step)) {
      const exceeded = frame.meter.beforeCalls(yield* Clock.currentTimeMillis, step.calls.length)
      if (exceeded !== undefined) {
        for (const call of step.calls) yield* close(batch, call, failure("LimitReached", exceeded.error.message))
        return { _tag: "Limited", ...exceeded }
      }
      frame.meter.countCalls(step.calls.length)
    }

    // names, arguments and approvals of all calls, before any handler runs
    const questions = frame.isFresh(step) ? new Map<string, Questions>() : questionsOf(frame, step)
    const before = new Set(step.results.keys())
    const checked: Array<Ready> = []
    for (const [index, call] of step.calls.entries()) {
      const known = yield* check(frame, step, call, index)
      if ("planned" in known) checked.push(known)
      else if (!step.results.has(call.id)) yield* close(batch, call, known)
    }
    const approved: Array<Ready> = []
    const asked = new Set<number>()
    for (const ready of checked) {
      const own = questions.get(ready.call.id) ?? noQuestions
      if (step.results.has(ready.call.id)) approved.push(ready)
      else if (own.open.length > 0) {
        batch.open.push(...own.open)
        asked.add(ready.index)
        approved.push(ready)
      } else {
        const decision = yield* approve(batch, ready, own)
        if (decision === undefined) asked.add(ready.index)
        if (decision !== undefined && !("planned" in decision)) yield* close(batch, ready.call, decision)
        // one that was refused stays in its place: a later call may have waited for it
        approved.push(decision !== undefined && "planned" in decision ? decision : ready)
      }
    }

    const waits = dependencies(approved.map(claims))
    // a person may have edited arguments since: what waited did so by those that the model gave
    const waited = frame.isFresh(step) ? waits : dependencies(checked.map(claims))
    yield* runAll(waits, (place) => {
      const ready = approved[place] as Ready
      const { call } = ready
      if (step.results.has(call.id)) return Effect.succeed("done" as const)
      if (asked.has(ready.index)) return Effect.succeed("waiting" as const)
      const own = questions.get(call.id) ?? noQuestions
      const neverRan = (waited[place] ?? []).some((earlier) => !before.has((approved[earlier] as Ready).call.id))
      if (!mayRun(batch, ready, own, neverRan)) {
        return Effect.as(
          close(
            batch,
            call,
            failure("OutcomeUnknown", `the run ended while '${call.tool}' ran: whether it took effect is unknown`)
          ),
          "done" as const
        )
      }
      return runTool(batch, ready, own.answers)
    }, frame.run.options.concurrency)

    if (batch.limited !== undefined) return batch.limited
    return batch.open.length > 0 ? { _tag: "Paused", open: batch.open } : undefined
  })
