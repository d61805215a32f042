/**
 * One attempt at a tool call: before-hooks, handler and after-hooks on one fork. Layer 5.
 *
 * What goes wrong in the handler is an error result of the call. A question ends the attempt. A hook that fails, fails
 * the run.
 */
import { Cause, Context, Deferred, type Duration, Effect, Exit, Option, Result, Schema, Tracer } from "effect"
import { AiError, type Prompt } from "effect/ai"
import * as Actions from "../Actions.ts"
import { HookFailed, StateConflict } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import { around } from "./around.ts"
import { Asker, type Shape, type Target, ToolCall } from "./call.ts"
import { runIn } from "./context.ts"
import type { AskDefinition } from "./contract.ts"
import { textOf } from "./fold.ts"
import { ContractViolation, CurrentFork, type Fork, StateWriteError, undeclaredAsk } from "./fork.ts"
import { deepFreeze } from "./freeze.ts"
import { jsonCodec } from "./json.ts"
import type { KitCall, Plan, PlannedHook, PlannedTool } from "./plan.ts"
import { toolSpan } from "./telemetry.ts"

/** An answer that was given to the k-th question of a call. */
export interface Recorded {
  readonly name: string
  readonly question: Schema.Json
  readonly answer: Schema.Json
}

/** A question that ended an attempt. */
export interface Raised {
  readonly _tag: "Asked"
  readonly number: number
  readonly name: string
  readonly question: Schema.Json
  readonly lifetime: Duration.Input | undefined
}

export interface Ended {
  readonly _tag: "Ended"
  readonly result: Event.CallResult
  readonly actions: Actions.Actions
  /** What stays open although the call has ended. */
  readonly pending: Left | undefined
}

/** A question that outlives its call. */
export interface Left {
  readonly name: string
  readonly question: Schema.Json
}

/** An attempt whose call goes on later, or not at all: `value` says why. */
export interface Suspended<A> {
  readonly _tag: "Suspended"
  readonly value: A
}

export type Outcome<A> = Ended | Raised | Suspended<A>

/** What ends an attempt from within its handler, whatever the handler would catch. */
type Stop<A, E> = Deferred.Deferred<Raised | Suspended<A>, E>

/** What runs between the hooks of a call. */
export type Handling<A, E> = (
  parameters: unknown,
  stop: (end: Effect.Effect<A, E>) => Effect.Effect<never>
) => Effect.Effect<Event.CallResult, never, any>

// ----- results ------------------------------------------------------------------

/** An error result, as the model reads it. */
export const failure = (tag: string, message: string): Event.CallResult =>
  deepFreeze({ isFailure: true, value: { _tag: tag, message } })

/** The result of a tool that took too long. */
export const timedOut = (tool: string): Event.CallResult =>
  failure("TimedOut", `the tool '${tool}' took longer than it may`)

/** Frames that are not the author's. */
const elsewhere = /node_modules|\(<anonymous>\)|\(node:/

/** Where a defect comes from, without its message: that may hold what no one outside should see. */
export const placeOf = (defect: unknown): string => {
  if (defect instanceof ContractViolation) return defect.message
  if (!(defect instanceof Error)) return `a ${typeof defect}, not an Error`
  const frames = defect.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? []
  const frame = frames.find((line) => !elsewhere.test(line)) ?? frames[0]
  return frame === undefined ? defect.name : `${defect.name}${frame.replace("    at", " at")}`
}

export const ofDefect = (tool: string, defect: unknown): Effect.Effect<Event.CallResult> =>
  defect instanceof StateWriteError
    ? Effect.succeed(failure("InvalidStateWrite", defect.message))
    : Effect.as(
      Effect.logError(`the tool '${tool}' died: ${placeOf(defect)}`),
      failure("ToolDied", `the tool '${tool}' failed unexpectedly`)
    )

/** A commit that was refused is a result of its call. */
export const orRefused =
  (tool: string) =>
  <A, E>(effect: Effect.Effect<A, E | StateConflict>): Effect.Effect<A | Event.CallResult, Exclude<E, StateConflict>> =>
    effect.pipe(
      // a reducer of one's own may throw on the value that it meets
      Effect.catchDefect((defect) => ofDefect(tool, defect)),
      Effect.catchIf(
        (error): error is StateConflict => error instanceof StateConflict,
        (conflict) => Effect.succeed(failure("StateConflict", conflict.message))
      )
    ) as Effect.Effect<A | Event.CallResult, Exclude<E, StateConflict>>

/** What a tool's own error, or effect/ai's, is as a result. */
export const ofFailure = (planned: PlannedTool, error: unknown): Effect.Effect<Event.CallResult, never, any> => {
  const { name } = planned.tool
  if (Schema.isSchemaError(error)) {
    return Effect.succeed(failure("InvalidResult", `the tool '${name}' gave an invalid result`))
  }
  if (AiError.isAiError(error) || AiError.isAiErrorReason(error)) {
    const reason = AiError.isAiError(error) ? error.reason : error
    return Effect.succeed(failure(reason._tag, reason.message))
  }
  return Effect.matchEffect(planned.encodeFailure(error), {
    onSuccess: (value) => Effect.succeed(deepFreeze({ isFailure: true, value: value ?? null })),
    onFailure: () => Effect.succeed(failure("ToolFailed", `the tool '${name}' failed`))
  })
}

/** The result of a handler that did not succeed; a fiber that is cancelled stays so. */
const ofCause = (planned: PlannedTool, cause: Cause.Cause<unknown>): Effect.Effect<Event.CallResult, never, any> => {
  const failed = Cause.findErrorOption(cause)
  const defect = cause.reasons.find(Cause.isDieReason)
  if (defect !== undefined) return ofDefect(planned.tool.name as string, defect.defect)
  if (Option.isSome(failed)) return ofFailure(planned, failed.value)
  return Effect.succeed(failure("Cancelled", `the tool '${planned.tool.name}' was cancelled`))
}

// ----- the handler ----------------------------------------------------------------

const noPreliminary = () => Effect.void

/** What a handler gave, as a result. */
export const succeeded = (planned: PlannedTool, value: unknown): Effect.Effect<Event.CallResult, unknown, any> =>
  Effect.map(planned.encode(value), (encoded): Event.CallResult => {
    const modelOutput = planned.tool.toModelOutput?.(value)
    // the handler may keep what it returned, and a schema need not copy
    return deepFreeze({ isFailure: false, value: encoded ?? null, ...(modelOutput !== undefined && { modelOutput }) })
  })

/** Shows an encoded preliminary result to who looks at the run. */
export type Show = (result: Schema.Json) => Effect.Effect<unknown>

/** Shows a handler's preliminary results, encoded as its result is; what comes after its end is dropped. */
const showing = (planned: PlannedTool, context: Context.Context<CurrentFork>, show: Show) =>
(
  result: unknown
): Effect.Effect<void> => {
  const unlessOver = (then: Effect.Effect<unknown>) =>
    Effect.suspend(() => Context.get(context, CurrentFork).isClosed ? Effect.void : Effect.asVoid(then))
  const shown = Effect.matchEffect(planned.encode(result), {
    onSuccess: (encoded) => unlessOver(show(deepFreeze((encoded ?? null) as Schema.Json))),
    onFailure: () => Effect.logWarning(`the tool '${planned.tool.name}' gave a preliminary result that does not fit`)
  })
  return unlessOver(runIn(shown, context))
}

/** A handler's own run; what goes wrong in it is an error result. */
export const handle = (
  planned: PlannedTool,
  parameters: unknown,
  id: string,
  show: Show | undefined
): Effect.Effect<Event.CallResult, never, any> =>
  show === undefined
    ? handled(planned, parameters, id, undefined)
    : Effect.withFiber(({ context }) =>
      handled(planned, parameters, id, showing(planned, context as Context.Context<CurrentFork>, show))
    )

const handled = (
  planned: PlannedTool,
  parameters: unknown,
  id: string,
  preliminary: ReturnType<typeof showing> | undefined
) => {
  const { handler, kitCall } = planned
  if (kitCall !== undefined) return handledByKit(planned, Effect.suspend(() => kitCall(parameters, id, preliminary)))
  const called = { toolCallId: id, preliminary: preliminary ?? noPreliminary }
  return inTime(planned, Effect.suspend(() => handler(parameters, called)), (value) => succeeded(planned, value))
}

/** Runs what a call is handled by, within the tool's time; whatever goes wrong is an error result. */
const inTime = <A>(
  planned: PlannedTool,
  handled: Effect.Effect<A, unknown, any>,
  resultOf: (value: A) => Effect.Effect<Event.CallResult, unknown, any>
): Effect.Effect<Event.CallResult, never, any> => {
  const timed: Effect.Effect<Option.Option<A>, unknown, any> = planned.timeout === undefined
    ? Effect.asSome(handled)
    : Effect.timeoutOption(handled, planned.timeout)
  return timed.pipe(
    Effect.flatMap((value) =>
      Option.isSome(value)
        ? resultOf(value.value)
        : Effect.succeed(timedOut(planned.tool.name as string))
    ),
    Effect.catchCause((cause) => unlessCancelled(cause, ofCause(planned, cause)))
  )
}

const handledByKit = (
  planned: PlannedTool,
  called: ReturnType<KitCall>
): Effect.Effect<Event.CallResult, never, any> =>
  // encoded again from the value: effect/ai's own encoding need not be JSON
  inTime(planned, called, (last): Effect.Effect<Event.CallResult, unknown, any> => {
    if (Option.isNone(last)) {
      return Effect.succeed(failure("NoResult", `the tool '${planned.tool.name}' gave no result`))
    }
    const { isFailure, result } = last.value
    return isFailure ? ofFailure(planned, result) : succeeded(planned, result)
  })

/** What a cause comes to. Code that interrupts itself failed; a fiber that is cancelled from outside goes on ending. */
export const unlessCancelled = <A, E, R>(
  cause: Cause.Cause<unknown>,
  result: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.flatMap(Effect.exit(Effect.yieldNow), (exit) => Exit.isSuccess(exit) ? result : Effect.interrupt)
    : result

// ----- hooks ----------------------------------------------------------------------

/** A hook's own failure, by name and without what it held. */
export const hookFailed = (hook: PlannedHook, cause: Cause.Cause<unknown>): HookFailed =>
  hookProblem(hook, causeOf(cause))

/** What a hook did wrong, in a sentence. */
export const hookProblem = ({ kind, middleware }: PlannedHook, problem: string): HookFailed =>
  new HookFailed({ middleware, hook: kind, problem })

/** What went wrong, by name and without what it held. */
export const causeOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (error instanceof StateWriteError) return error.message
  return typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : placeOf(error)
}

/** A hook's own run; what goes wrong in it fails the run. */
export const runHook = <A>(hook: PlannedHook, input: unknown): Effect.Effect<A, HookFailed, any> =>
  Effect.catchCause(
    Effect.suspend(() => hook.run(input)) as Effect.Effect<A, unknown, any>,
    (cause) => unlessCancelled(cause, Effect.fail(hookFailed(hook, cause)))
  )

const misfit = (tool: string, { middleware }: PlannedHook, { message }: Schema.SchemaError): Event.CallResult =>
  failure("InvalidArguments", `the arguments of '${tool}' that '${middleware}' gave do not fit: ${message}`)

/** A handler between its hooks. */
const betweenHooks = Effect.fnUntraced(function*(
  plan: Plan,
  planned: PlannedTool,
  given: unknown,
  fork: Fork,
  handling: (parameters: unknown) => Effect.Effect<Event.CallResult, never, any>,
  begun: boolean,
  call: CallInProgress
) {
  const tool = planned.tool.name as string
  let parameters = given
  let decided = planned.refused
  for (const hook of decided === undefined && !begun ? plan.hooks.beforeTool : []) {
    const verdict: Middleware.Verdict | undefined = yield* runHook<Middleware.Verdict | undefined>(hook, {
      tool,
      parameters
    })
    if (verdict?._tag === "Result") decided = yield* givenBy(hook, verdict)
    if (verdict?._tag === "Refuse") decided = failure("Refused", verdict.reason)
    if (verdict?._tag === "Edit") {
      const checked = yield* Effect.result(planned.check(verdict.parameters))
      if (Result.isFailure(checked)) decided = misfit(tool, hook, checked.failure)
      else if (namesAnother(planned, given, checked.success)) {
        return yield* hookProblem(hook, "its edit names another entry than the call was let in for")
      } else parameters = checked.success
    }
    if (decided !== undefined) break
  }
  let result: Event.CallResult
  if (decided !== undefined) result = decided
  else if (planned.around.length > 0) {
    result = yield* around(planned, parameters, call, handling(parameters), aroundHook)(fork, 1)
  } else {
    // a fork of its own: it ends with the handler, so that a leaked fiber cannot write while after-hooks run
    const own = fork.nested()
    const forget = call.mark()
    result = yield* Effect.provideService(handling(parameters), CurrentFork, own)
    own.close()
    // what a failed handler asked for goes with its delta
    if (result.isFailure) forget()
    else fork.adopt(own.pending)
  }
  for (const hook of plan.hooks.afterTool) {
    const other = yield* runHook<Middleware.Result | undefined>(hook, { tool, parameters, result })
    if (other !== undefined) result = yield* givenBy(hook, other)
  }
  return result
})

/** Do edited arguments name another entry than the one that the call waited for? */
const namesAnother = ({ contract }: PlannedTool, given: unknown, edited: unknown): boolean =>
  contract.touches.some(({ parameter }) =>
    parameter !== undefined &&
    (given as Record<string, unknown>)[parameter] !== (edited as Record<string, unknown>)[parameter]
  )

const isJson = Schema.is(Schema.Json)

/** A result that a hook gives: a copy, since the hook may keep it, of what must be JSON. */
const givenBy = (
  hook: PlannedHook,
  { result }: Middleware.Result
): Effect.Effect<Event.CallResult, HookFailed> =>
  isJson(result.value)
    ? Effect.succeed(deepFreeze({ isFailure: result.isFailure, value: JSON.parse(JSON.stringify(result.value)) }))
    : Effect.fail(hookProblem(hook, "its result is not JSON"))

/** Runs a hook around a handler. What it was given last it gives on as it is. */
const aroundHook: Parameters<typeof around>[4] = (hook, input, isLast) =>
  Effect.flatMap(
    runHook<Middleware.Result>(hook, input),
    (given) => isLast(given.result) ? Effect.succeed(given.result) : givenBy(hook, given)
  )

// ----- questions ------------------------------------------------------------------

/** What an attempt that is over waits for: its cancellation, also where a handler would not be cancelled. */
const forever = Effect.interruptible(Effect.never)

const encodeQuestion = (definition: AskDefinition, question: unknown): Schema.Json =>
  Result.getOrThrowWith(
    Schema.encodeUnknownResult(jsonCodec(definition.question))(question),
    () => new TypeError(`the question of '${definition.name}' does not fit its schema`)
  )

/** Who may ask what. */
export interface Asking {
  readonly owner: string
  readonly asks: ReadonlyArray<AskDefinition>
}

/** How many questions an attempt has asked. */
interface Counter {
  asked: number
}

/** Gives recorded answers to the next questions, and ends the attempt at the first one without. */
const asker = <A, E>(
  { asks, owner }: Asking,
  answers: ReadonlyMap<number, Recorded>,
  stop: Stop<A, E>,
  counter: Counter,
  leave: (left: Left) => void
): Asker["Service"] => {
  // by name alone, an answer would be checked by another schema than its question
  const mayAsk = (definition: AskDefinition): void => {
    if (!asks.includes(definition)) throw undeclaredAsk(owner, definition.name)
  }
  return {
    ask: (definition, question) =>
      Effect.suspend(() => {
        mayAsk(definition)
        const number = ++counter.asked
        const encoded = encodeQuestion(definition, question)
        const recorded = answers.get(number)
        const same = recorded?.name === definition.name && JSON.stringify(recorded.question) === JSON.stringify(encoded)
        if (recorded !== undefined && same) {
          const answer = Schema.decodeResult(jsonCodec(definition.answer))(recorded.answer)
          if (Result.isSuccess(answer)) return Effect.succeed(answer.success)
        }
        const raised = {
          _tag: "Asked",
          number,
          name: definition.name,
          question: deepFreeze(encoded),
          lifetime: definition.lifetime
        } as const
        return Effect.andThen(Deferred.succeed(stop, raised), forever)
      }),
    pending: (definition, question) =>
      Effect.sync(() => {
        mayAsk(definition)
        leave({ name: definition.name, question: deepFreeze(encodeQuestion(definition, question)) })
      })
  }
}

// ----- the attempt ----------------------------------------------------------------

export interface CallInProgress extends Counter {
  readonly shape: Shape
  readonly actions: () => Actions.Actions
  readonly pending: () => Left | undefined
  /** Forgets what was asked of the loop since then, once. */
  readonly mark: () => () => void
  /** Leaves a question open when the call ends. */
  readonly leave: (left: Left) => void
}

/** The call as its handler sees it, and what it asked of the loop. */
export const beginCall = (
  call: Event.Call,
  at: Pick<Shape, "agent" | "agentPath" | "app" | "user" | "session" | "invocation" | "step">,
  messages: ReadonlyArray<Prompt.Message>,
  input: Prompt.Message | undefined,
  fork: Fork,
  /** What was asked of the loop before, by hooks that do not run again. */
  asked: Actions.Actions = Actions.none
): CallInProgress => {
  let actions = asked
  let pending: Left | undefined
  const leave = (left: Left): void => {
    if (at.agentPath.length > 1) {
      throw new ContractViolation(`${fork.owner} cannot end pending: its agent ends before it`)
    }
    if (pending !== undefined) throw new ContractViolation(`${fork.owner} can leave one question open`)
    pending = left
  }
  const request = (action: Actions.Actions): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (fork.isClosed) {
        return Effect.die(new ContractViolation(`${fork.owner} has ended: it can ask for nothing any more`))
      }
      actions = { ...actions, ...action }
      return Effect.void
    })
  const end = messages.findLastIndex(({ role }) => role === "assistant")
  const shape: Shape = Object.freeze({
    id: call.id,
    providerId: call.providerId,
    tool: call.tool,
    agent: at.agent,
    agentPath: at.agentPath,
    app: at.app,
    user: at.user,
    session: at.session,
    invocation: at.invocation,
    step: at.step,
    // looked up when somebody asks
    get userInput() {
      return textOf(input)
    },
    get history() {
      return Object.freeze(messages.slice(0, end))
    },
    actions: Object.freeze({
      skipSummarization: request({ skipSummarization: true }),
      end: request({ end: true }),
      escalate: request({ escalate: true }),
      transfer: <Name extends string>(target: Target<Name>) =>
        Effect.flatMap(target, ({ name }) => request({ transfer: name }))
    })
  })
  const mark = () => {
    let before: { readonly actions: Actions.Actions; readonly pending: Left | undefined } | undefined = {
      actions,
      pending
    }
    return () => {
      if (before !== undefined) ({ actions, pending } = before)
      before = undefined
    }
  }
  return { shape, actions: () => actions, pending: () => pending, leave, mark, asked: 0 }
}

/** Runs one attempt. The fork is closed when it is over, however it ends. */
export const attempt = <A, E>(
  plan: Plan,
  planned: PlannedTool,
  parameters: unknown,
  fork: Fork,
  call: CallInProgress,
  answers: ReadonlyMap<number, Recorded>,
  handling: Handling<A, E>,
  /** Of a call that goes on after its before-hooks: how many questions those had asked. */
  begun?: number
): Effect.Effect<Outcome<A>, HookFailed | E> =>
  toolSpan(planned.tool.name as string, call.shape.id, (span) => {
    const inner = Context.add(
      Context.add(Context.add(planned.context, CurrentFork, fork), ToolCall, call.shape),
      Tracer.ParentSpan,
      span
    )
    const ended = (result: Event.CallResult): Outcome<A> => {
      if (result.isFailure && isPlain) {
        fork.discard()
        return { _tag: "Ended", result, actions: Actions.none, pending: undefined }
      }
      return { _tag: "Ended", result, actions: call.actions(), pending: call.pending() }
    }
    const isPlain = plan.hooks.beforeTool.length + plan.hooks.afterTool.length + planned.around.length === 0
    const body = (stop: (end: Effect.Effect<A, E>) => Effect.Effect<never>, context: Context.Context<never>) =>
      Effect.map(
        runIn<Event.CallResult, HookFailed>(
          isPlain
            ? handling(parameters, stop)
            : betweenHooks(
              plan,
              planned,
              parameters,
              fork,
              (edited) => handling(edited, stop),
              begun !== undefined,
              call
            ),
          context
        ),
        ended
      )
    const { asks } = planned.contract
    if (begun !== undefined) call.asked = begun
    const attempted = planned.mayStop
      ? stoppable({ owner: fork.owner, asks }, body, inner, answers, call, call.leave)
      : body(never, inner)
    return Effect.ensuring(attempted, Effect.sync(() => fork.close()))
  })

const never = () => forever

/** What may be ended from within: by a question, or because it goes on later. */
export const stoppable = <B, A, E>(
  who: Asking,
  body: (
    stop: (end: Effect.Effect<A, E>) => Effect.Effect<never>,
    context: Context.Context<never>
  ) => Effect.Effect<B, HookFailed>,
  context: Context.Context<never>,
  answers: ReadonlyMap<number, Recorded>,
  counter: Counter = { asked: 0 },
  leave: (left: Left) => void = () => {
    throw new ContractViolation("only a call can end pending")
  }
): Effect.Effect<B | Raised | Suspended<A>, HookFailed | E> =>
  Effect.suspend(() => {
    const stopped: Stop<A, E> = Deferred.makeUnsafe()
    const stop = (end: Effect.Effect<A, E>) =>
      Effect.andThen(
        Deferred.complete(stopped, Effect.map(end, (value): Suspended<A> => ({ _tag: "Suspended", value }))),
        forever
      )
    return Effect.raceFirst(
      body(stop, Context.add(context, Asker, asker(who, answers, stopped, counter, leave))),
      Deferred.await(stopped)
    )
  })
