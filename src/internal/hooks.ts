/**
 * Hooks of a run, of a model call and on events, each on a fork of its own; those of a tool call are part of its
 * attempt. Layer 5.
 */
import { Cause, Context, Effect, Tracer } from "effect"
import { Prompt } from "effect/ai"
import type { HookFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import { stoppable } from "./asking.ts"
import { hookFailed, hookProblem, runHook } from "./attempt.ts"
import { runIn } from "./context.ts"
import { CurrentFork, Fork } from "./fork.ts"
import type { Failure, Frame, Paused } from "./frame.ts"
import type { Plan, PlannedHook } from "./plan.ts"
import { noQuestions, questionsOf } from "./questions.ts"
import { ask } from "./step.ts"

const ownerOf = ({ kind, middleware }: PlannedHook) => `the hook '${kind}' of '${middleware}'`

/** Runs a hook on a fork, which ends with it. */
const onFork = <A, E>(
  frame: Frame,
  hook: PlannedHook,
  run: (context: Context.Context<never>) => Effect.Effect<A, E>
) =>
  Effect.flatMap(frame.run.rowsOf(hook.shared), (rows) =>
    Effect.withFiber((fiber) => {
      const fork = new Fork(ownerOf(hook), hook.access, frame.base(rows))
      const around = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
      const context = Context.add(frame.hookContext, CurrentFork, fork)
      const traced = around === undefined ? context : Context.add(context, Tracer.ParentSpan, around)
      return Effect.map(
        Effect.ensuring(run(traced), Effect.sync(() => fork.close())),
        (value) => ({ value, fork, rows })
      )
    }))

/**
 * Runs a hook of a run or of a model call, and commits an event when it wrote. A question of its own pauses; `at` says
 * where in the run it stands.
 */
export const hooked = <A>(
  frame: Frame,
  hook: PlannedHook,
  at: string,
  input: unknown,
  tries = 3
): Effect.Effect<A, Failure | Paused> =>
  onFork(frame, hook, (context) => {
    const ran = runHook<A>(hook, input)
    return hook.contract.asks.length === 0 ? runIn(ran, context) : asking(frame, hook, at, ran, context)
  }).pipe(
    Effect.flatMap(({ fork, rows, value }) => {
      if (fork.pending.length === 0) return Effect.succeed(value)
      const committed = frame.commit(fork, rows, (delta, shared) => ({
        kind: "hook",
        middleware: hook.middleware,
        hook: hook.kind,
        delta,
        ...(shared !== undefined && { shared })
      }))
      return committed.pipe(
        Effect.catchDefect((defect) => Effect.fail(hookFailed(hook, Cause.die(defect)))),
        Effect.as(value)
      )
    }),
    Effect.catchIf(
      (error) => error._tag === "StateConflict" && tries > 1,
      () => hooked<A>(frame, hook, at, input, tries - 1)
    )
  )

/** Runs a hook that may ask; its questions go by its place in the run. */
const asking = <A>(
  frame: Frame,
  hook: PlannedHook,
  at: string,
  ran: Effect.Effect<A, HookFailed, any>,
  context: Context.Context<never>
): Effect.Effect<A, Failure | Paused> => {
  const call = `${frame.place}${at}${hook.place}`
  const { answers, open } = questionsOf(frame.run.log, new Set([call])).get(call) ?? noQuestions
  if (open.length > 0) return Effect.fail({ _tag: "Paused", open })
  const body = (_: unknown, inner: Context.Context<never>) =>
    Effect.map(runIn(ran, inner), (value) => ({ _tag: "Value", value }) as const)
  return Effect.flatMap(
    stoppable<{ readonly _tag: "Value"; readonly value: A }, never, never>(
      { owner: ownerOf(hook), asks: hook.contract.asks, answers },
      body,
      context
    ),
    (outcome): Effect.Effect<A, Failure | Paused> => {
      if (outcome._tag === "Value") return Effect.succeed(outcome.value)
      if (outcome._tag === "Suspended") return outcome.value
      return Effect.flatMap(
        ask(frame, { call, tool: "", hook: hook.place }, { ...outcome, lifetime: undefined }),
        (asked) => Effect.fail<Paused>({ _tag: "Paused", open: [asked] })
      )
    }
  )
}

/** Runs the hooks on an event; they only read. */
export const observe = (frame: Frame, event: Event.Event): Effect.Effect<void, Failure> =>
  Effect.forEach(
    frame.plan.hooks.onEvent,
    (hook) => onFork(frame, hook, (context) => runIn(runHook<void>(hook, event), context)),
    { discard: true }
  )

/** A request as a hook changed it. */
export const changed = (
  plan: Plan,
  hook: PlannedHook,
  request: Middleware.ModelRequest,
  { instructions, messages = request.messages, tools = request.tools }: Middleware.Change
): Effect.Effect<Middleware.ModelRequest, HookFailed> => {
  const unknown = tools.find((name) => !plan.toolNames.includes(name))
  if (unknown !== undefined) {
    return Effect.fail(hookProblem(hook, `it shows a tool '${unknown}' that the agent does not have`))
  }
  if (instructions === undefined) return Effect.succeed({ ...request, messages, tools })
  const history = messages.findIndex(({ role }) => role !== "system")
  const end = history === -1 ? messages.length : history
  return Effect.succeed({
    ...request,
    tools,
    messages: [...messages.slice(0, end), Prompt.systemMessage({ content: instructions }), ...messages.slice(end)]
  })
}
