/**
 * Opens an agent's loop: its supplied values, its context, its plan and its state, for the root and for a sub-agent
 * alike. Layer 5.
 */
import { Context, Effect, Result, type Schema } from "effect"
import { Prompt } from "effect/ai"
import * as Actions from "../Actions.ts"
import type { Definition } from "../Agent.ts"
import { HookFailed, type StateError } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import * as StateDelta from "../StateDelta.ts"
import { Asker, CurrentAgent, isTarget, targetOf, ToolCall } from "./call.ts"
import { flatten, runIn } from "./context.ts"
import { accessOf, type ContractValue } from "./contract.ts"
import { foldState, inheritedValues, isWithin, spawnOf } from "./fold.ts"
import { CurrentFork, Fork } from "./fork.ts"
import { type Failure, Frame, type FrameOptions } from "./frame.ts"
import { deepFreeze } from "./freeze.ts"
import { foldHistory } from "./history.ts"
import { type Holder, holdersOf, receiverOf, transferTool } from "./holders.ts"
import { Meter } from "./meter.ts"
import { makePlan } from "./plan.ts"
import { orRefused, unlessCancelled } from "./results.ts"
import { baseOf } from "./rows.ts"
import type { Delegation, RunOptions } from "./run.ts"
import type { Author, Entry } from "./stamp.ts"
import { usedBefore, workedBefore } from "./start.ts"
import * as Supply from "./supply.ts"

const ours = new Set<string>([CurrentFork.key, ToolCall.key, CurrentAgent.key, Asker.key])

/** A context without anything of a surrounding agent: what an agent may see is added by name. */
const prune = (context: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(
    new Map([...context.mapUnsafe].filter(([key]) => !ours.has(key) && !isTarget(key) && !Supply.isContextKey(key)))
  )

/** What the loop of an agent is opened with. */
interface Opening extends Omit<FrameOptions, "plan"> {
  readonly holder: Holder
  /** The context around the agent: the run's, or that of the plan above it. */
  readonly around: Context.Context<never>
}

/** The values that middleware provides, from the outside in; one that the caller supplies wins. */
const provisions = Effect.fnUntraced(
  function*({ above, around, holder, run, thread }: Opening, start: Context.Context<never>) {
    // the caller's value wins over middleware's; one from above does not, where the agent's contract does not name it
    const caller = above === undefined ? around : start
    let context = start
    for (const { name, provides } of holder.definition.middleware) {
      for (const { key, contract, effect } of provides) {
        const supplied = Supply.lookup(caller, key.name)
        const rows = yield* run.rowsOf(contract.touches.map(({ field }) => field))
        const owner = `the provision of '${key.name}' by '${name}'`
        const fork = new Fork(owner, accessOf(contract), baseOf(thread.values, rows))
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

/** Opens the loop of an agent in a conversation. */
const openFrame = Effect.fnUntraced(function*(opening: Opening): Effect.fn.Return<Frame, Failure> {
  const { around, holder, ...options } = opening
  const { contract, definition, reach } = holder
  const supplied = yield* Effect.fromResult(Supply.take(contract, around))
  const tools = [...definition.tools.keys(), ...(holder.tool === undefined ? [] : [transferTool])]
  const named = Context.add(Supply.put(prune(around), supplied), CurrentAgent, {
    parentTools: Object.freeze(tools),
    parentMiddleware: Object.freeze(definition.middleware.map(({ name }) => name)),
    toolContext: supplied
  })
  const base = reach.reduce((context, name) => Context.add(context, targetOf(name), { name }), named)
  const context = definition.middleware.length === 0 ? base : yield* provisions(opening, base)
  const frame = new Frame({ ...options, plan: makePlan(holder, flatten(context)) })
  opening.thread.frames.set(holder.name, frame)
  return frame
})

/** Opens a conversation where the log left it, with the loop of the agent that it began with. */
export const openThread = (
  agent: { readonly definition: Definition; readonly contract: ContractValue },
  values: Map<string, Schema.Json>,
  opening: Omit<Opening, "holder" | "thread">
): Effect.Effect<Frame, Failure> => {
  const holders = holdersOf(agent)
  const { author, run } = opening
  const history = foldHistory(run.log, author.id)
  // nothing was said in this invocation: where an answer to a pending call began it, no message says who goes on
  if (history.last.invocation !== run.options.invocation) history.holder = receiverOf(holders, history.holder)
  return openFrame({
    ...opening,
    holder: holders.get(agent.definition.name) as Holder,
    thread: {
      holders,
      frames: new Map(),
      values,
      history,
      temp: []
    }
  })
}

/** Opens the loop of an agent that a conversation was transferred to, and those above it. */
export const openHolder: RunOptions["openHolder"] = Effect.fnUntraced(function*(frame, name) {
  const { author, parent, prefix, run, thread } = frame
  const opened = thread.frames.get(name)
  if (opened !== undefined) return opened
  const [root] = thread.frames.values()
  const holder = thread.holders.get(name)
  if (holder?.above === undefined) {
    if (name !== "") {
      yield* Effect.logWarning(`the agent '${name}' held this conversation, and is not among those it may go to now`)
    }
    return root ?? frame
  }
  const above = yield* openHolder(frame, holder.above.name)
  const path = Object.freeze([...author.path.slice(0, -1), name])
  const meter = meterOf(
    frame,
    (root ?? frame).meter,
    name,
    holder.definition.limits,
    (event) => isWithin(author.id, event) && event.path[path.length - 1] === name
  )
  return yield* openFrame({
    run,
    holder,
    around: above.plan.context,
    author: { id: author.id, path },
    meter,
    prefix,
    parent,
    above,
    thread
  })
})

/** What an agent below another has used, where it worked in earlier runs of the invocation. */
const meterOf = (
  { run }: Frame,
  parent: Meter,
  agent: string,
  limits: Definition["limits"],
  belongs: (event: Event.Event) => boolean
): Meter => {
  const { invocation } = run.options
  const meter = new Meter(agent, limits, parent, run.now(), workedBefore(run.log, invocation, belongs))
  meter.resume(usedBefore(run.log, invocation, belongs))
  return meter
}

/** Starts a sub-agent, or finds it in the log where it was: it is never started twice. */
export const openChild: RunOptions["openChild"] = Effect.fnUntraced(function*(parent, delegation) {
  const { run } = parent
  const { subAgent, call, number } = delegation
  const { definition } = subAgent.agent
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
  const meter = isNew
    ? new Meter(author.id, definition.limits, parent.meter, run.now(), 0)
    : meterOf(parent, parent.meter, author.id, definition.limits, (event) => isWithin(author.id, event))
  const child = yield* openThread(subAgent.agent, values, {
    run,
    around: parent.plan.context,
    author,
    meter,
    prefix: `${call.id}/`,
    parent,
    above: parent
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
  { actions, subAgent, call, step, task, parameters, fork, rows }: Delegation
): Effect.Effect<Map<string, Schema.Json> | Event.CallResult, Failure> => {
  const { run } = parent
  const message = deepFreeze(Prompt.userMessage({ content: [Prompt.textPart({ text: task })] }))
  let inherited: Result.Result<Map<string, Schema.Json>, StateError> = Result.succeed(parent.values)
  const committed = parent.commitAll(
    fork,
    rows,
    (delta, shared) => {
      const hasAsked = !Actions.isEmpty(actions)
      const before: ReadonlyArray<Entry> = StateDelta.isEmpty(delta) && shared === undefined && !hasAsked ? [] : [{
        author: parent.author,
        body: {
          kind: "hook",
          middleware: "session",
          hook: "delegate",
          delta,
          ...(shared !== undefined && { shared }),
          ...(hasAsked && { actions })
        }
      }]
      const spawned = {
        agent: parent.author.id,
        call: call.id,
        base: subAgent.snapshot === "step" ? step.sequence : run.revision + before.length,
        ...(parameters !== undefined && { parameters })
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
