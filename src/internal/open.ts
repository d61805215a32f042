/**
 * Opens an agent's loop: its supplied values, its context, its plan and its state, for the root and for a sub-agent
 * alike. Layer 5.
 */
import { Clock, Context, Effect, Result, type Schema } from "effect"
import { Prompt } from "effect/ai"
import type { Definition } from "../Agent.ts"
import { HookFailed, type StateError } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import * as StateDelta from "../StateDelta.ts"
import { orRefused, unlessCancelled } from "./attempt.ts"
import { Asker, CurrentAgent, ToolCall } from "./call.ts"
import { runIn } from "./context.ts"
import { accessOf, type ContractValue } from "./contract.ts"
import { foldHistory, foldState, inheritedValues, spawnOf } from "./fold.ts"
import { CurrentFork, Fork } from "./fork.ts"
import { type Failure, Frame } from "./frame.ts"
import { deepFreeze } from "./freeze.ts"
import { Meter } from "./meter.ts"
import { makePlan } from "./plan.ts"
import type { Delegation, Opened, Run } from "./run.ts"
import type { Author, Entry } from "./stamp.ts"
import { usedBefore, workedBefore } from "./start.ts"
import * as Supply from "./supply.ts"

const ours = new Set<string>([CurrentFork.key, ToolCall.key, CurrentAgent.key, Asker.key])

/** A context without anything of a surrounding agent: what an agent may see is added by name. */
const prune = (context: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(
    new Map([...context.mapUnsafe].filter(([key]) => !ours.has(key) && !Supply.isContextKey(key)))
  )

interface Opening {
  readonly run: Run
  readonly definition: Definition
  readonly contract: ContractValue
  /** The context around the agent: the run's, or that of the parent's plan. */
  readonly around: Context.Context<never>
  readonly author: Author
  readonly meter: Meter
  readonly prefix: string
  readonly parent: Frame | undefined
  readonly values: Map<string, Schema.Json>
}

/** The values that middleware provides, from the outside in; one that the caller supplies wins. */
const provisions = Effect.fnUntraced(
  function*({ run, definition, around, parent, values }: Opening, start: Context.Context<never>) {
    // the caller's value wins over middleware's; a parent's does not, where the child's contract does not name it
    const caller = parent === undefined ? around : start
    let context = start
    for (const { name, provides } of definition.middleware) {
      for (const { key, contract, effect } of provides) {
        const supplied = Supply.lookup(caller, key.name)
        const rows = yield* run.rowsOf(contract.touches.map(({ field }) => field))
        const fork = new Fork(
          `the provision of '${key.name}' by '${name}'`,
          accessOf(contract),
          (field) => rows.has(field) ? rows.get(field)?.value : values.get(field)
        )
        const inner = Context.add(context, CurrentFork, fork)
        const failed = (problem: string) => new HookFailed({ middleware: name, hook: `provides ${key.name}`, problem })
        const value: unknown = supplied !== undefined ?
          supplied :
          yield* runIn(effect, inner).pipe(
            Effect.catchCause((cause) => unlessCancelled(cause, Effect.fail(failed("it gave no value")))),
            Effect.ensuring(Effect.sync(() => fork.close()))
          )
        const taken = Supply.take(
          { ...contract, requires: [key] },
          Supply.put(context, { [key.name]: value })
        )
        context = Supply.put(context, yield* Effect.fromResult(taken))
      }
    }
    return context
  }
)

/** Opens an agent's loop where the log left it. */
export const openFrame = (opening: Opening): Effect.Effect<Frame, Failure> =>
  Effect.gen(function*() {
    const { run, definition, contract, around, author, meter, prefix, parent, values } = opening
    const supplied = yield* Effect.fromResult(Supply.take(contract, around))
    const base = Context.add(Supply.put(prune(around), supplied), CurrentAgent, {
      parentTools: Object.freeze([...definition.tools.keys()]),
      parentMiddleware: Object.freeze(definition.middleware.map(({ name }) => name)),
      toolContext: supplied
    })
    const context = definition.middleware.length === 0 ? base : yield* provisions(opening, base)
    const plan = makePlan(definition, context)
    return new Frame({
      run,
      plan,
      author,
      meter,
      prefix,
      parent,
      values,
      history: foldHistory(run.log, author.id)
    })
  })

/** Starts a sub-agent, or finds it in the log where it was: it is never started twice. */
export const openChild = (parent: Frame, delegation: Delegation): Effect.Effect<Opened, Failure> =>
  Effect.gen(function*() {
    const { run } = parent
    const { subAgent, call, number } = delegation
    const { definition, contract } = subAgent.agent
    const author: Author = {
      id: parent.childId(number),
      path: Object.freeze([...parent.author.path, definition.name])
    }
    const opened = run.children.get(author.id)
    if (opened !== undefined) return { child: opened, isNew: false }
    const isNew = spawnOf(run.log, author.id) === undefined
    const started = isNew ? yield* spawn(parent, author, delegation) : undefined
    if (started !== undefined && "isFailure" in started) return started
    const values = started !== undefined && subAgent.snapshot === "spawn"
      ? started
      : yield* Effect.fromResult(restore(parent, author.id))
    const meter = new Meter(
      author.id,
      definition.limits,
      parent.meter,
      yield* Clock.currentTimeMillis,
      isNew ? 0 : workedBefore(run.log, run.options.invocation, author.id)
    )
    if (!isNew) meter.resume(usedBefore(run.log, run.options.invocation, author.id))
    const child = yield* openFrame({
      run,
      definition,
      contract,
      around: parent.plan.context,
      author,
      meter,
      prefix: `${call.id}/`,
      parent,
      values
    })
    run.children.set(author.id, child)
    return { child, isNew }
  })

/**
 * Commits what hooks before the call did, and appends the event that a sub-agent begins with, at once: the sub-agent
 * starts from it. Gives the parent's state as it was then, or why the sub-agent was not started.
 */
const spawn = (
  parent: Frame,
  author: Author,
  { subAgent, call, step, task, fork, rows }: Delegation
): Effect.Effect<Map<string, Schema.Json> | Event.CallResult, Failure> => {
  const { run } = parent
  const message = deepFreeze(Prompt.userMessage({ content: [Prompt.textPart({ text: task })] }))
  let inherited: Result.Result<Map<string, Schema.Json>, StateError> = Result.succeed(parent.values)
  const committed = parent.commitAll(
    fork,
    rows,
    (delta, shared) => {
      const before: ReadonlyArray<Entry> = StateDelta.isEmpty(delta) && shared === undefined ? [] : [{
        author: parent.author,
        body: {
          kind: "hook",
          middleware: "session",
          hook: "delegate",
          delta,
          ...(shared !== undefined && { shared })
        }
      }]
      const spawned = {
        agent: parent.author.id,
        call: call.id,
        base: subAgent.snapshot === "step" ? step.sequence : run.log.length + before.length
      }
      return [...before, { author, body: { kind: "input", message, delta: StateDelta.empty, spawn: spawned } }]
    },
    () => {
      inherited = inheritedValues(parent.values, run.log, run.options.sections)
    }
  )
  return Effect.flatMap(orRefused(call.tool)(committed), (event): Effect.Effect<
    Map<string, Schema.Json> | Event.CallResult,
    StateError
  > => {
    if (!("kind" in event)) return Effect.succeed(event)
    fork.restart()
    return Effect.fromResult(inherited)
  })
}

/** A child's state out of the log; its temp fields, which are in no event, out of what its parent has now. */
const restore = ({ run, values }: Frame, agent: string): Result.Result<Map<string, Schema.Json>, StateError> => {
  const { sections } = run.options
  return Result.flatMap(foldState(run.log, agent, sections), (fold) =>
    Result.map(fold.finish(sections), () => {
      for (const { child, fields } of sections.values()) {
        for (const { name, scope } of Object.values(fields)) {
          const value = values.get(name)
          if (scope === "temp" && child === "inherit" && value !== undefined) fold.values.set(name, value)
        }
      }
      return fold.values
    }))
}
