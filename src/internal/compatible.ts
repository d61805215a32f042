/**
 * Whether a program still takes what a session holds: open questions and calls, kept answers, and where fields are kept.
 * Layer 5.
 *
 * A call of a tool that never was is no mismatch: the log says so of it. Nor is a question that a call left pending, for
 * which nobody waits, nor a conversation at rest whose holder is gone: the agent that it began with goes on.
 */
import { Clock, type Context, Effect, Exit, Result, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import type * as Agent from "../Agent.ts"
import { ContractMismatch, type Mismatch } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Ref } from "../SessionStore.ts"
import { inputWith } from "./again.ts"
import { runIn } from "./context.ts"
import { type AskDefinition, formerNames } from "./contract.ts"
import { problemOf } from "./field.ts"
import { foldQuestions, isCallWithin, keyOf, sectionOf, type Sections, sharedIn, spawnOf } from "./fold.ts"
import { type Holder, type Holders, holdersOf } from "./holders.ts"
import { jsonCodec } from "./json.ts"
import { outputOf } from "./output.ts"
import { asksOf, unfinishedCalls } from "./start.ts"

type Log = ReadonlyArray<Event.Event>

type Author = Pick<Event.Event, "agent" | "path">

const nameOf = ({ path }: Author): string => path.at(-1) ?? ""

/** Who may hold the conversation of an agent's id; nobody where the call that delegates to it has no sub-agent any more. */
const holdersIn = (root: Agent.Any, log: Log, agent: string): Holders | undefined => {
  const spawn = spawnOf(log, agent)
  if (spawn === undefined) return holdersOf(root)
  for (const event of log) {
    const call = event.kind === "model" ? event.calls.find(({ id }) => id === spawn.call) : undefined
    if (call === undefined) continue
    const subAgent = holderOf(root, log, event)?.definition.subAgents.find(({ name }) => name === call.tool)
    return subAgent && holdersOf(subAgent.agent)
  }
  return undefined
}

/** The agent that an event is of, as the program has it; the one that a conversation began with may have another name. */
const holderOf = (root: Agent.Any, log: Log, author: Author): Holder | undefined => {
  const holders = holdersIn(root, log, author.agent)
  const began = log.find(({ agent }) => agent === author.agent)
  return holders?.get(nameOf(author)) ??
    (began !== undefined && nameOf(began) === nameOf(author) ? holders?.values().next().value : undefined)
}

/** The tool of that name, or one that had it; those of a run-time toolkit are told by their names alone. */
const toolOf = ({ definition: { dynamic, tools }, tool: transfer }: Holder, name: string): AiTool.Any | undefined =>
  tools.get(name) ??
    (transfer?.name === name ? transfer : undefined) ??
    dynamic.flatMap(({ kit, prefix }) =>
      Object.entries(kit.tools as Record<string, AiTool.Any>).map(([key, tool]) => ({ name: prefix + key, tool }))
    )
      .find((each) => each.name === name)?.tool ??
    [...tools.values()].find((tool) => formerNames(tool).includes(name))

const abandon = "or give it up (AgentRunner.abandon)"

// ----- calls -----------------------------------------------------------------------

/** Why the arguments of a call that waits, and so did fit, do not fit any more. */
const misfit = (
  { definition }: Holder,
  tool: AiTool.Any,
  parameters: unknown,
  context: Context.Context<never>
): Effect.Effect<string | undefined> => {
  const schema = tool.parametersSchema
  // hooks after a call may have asked about arguments that never did
  const mayBeRefused = definition.middleware.some(({ hooks }) => hooks.some(({ kind }) => kind === "afterTool"))
  if (mayBeRefused || !Schema.isSchema(schema) || AiTool.isDynamic(tool)) return Effect.undefined
  return Effect.map(
    Effect.exit(runIn(Schema.decodeUnknownEffect(jsonCodec(schema))(parameters), context)),
    // what a schema needs may come with the handler: only a refusal is one
    Exit.match({
      onSuccess: () => undefined,
      onFailure: (cause) =>
        cause.reasons.flatMap((reason) => reason._tag === "Fail" ? [problemOf(reason.error).problem] : [])[0]
    })
  )
}

/** The calls without a result that the program cannot go on with. */
const lostCalls = Effect.fnUntraced(function*(root: Agent.Any, log: Log, context: Context.Context<never>) {
  const found: Array<Mismatch> = []
  const waits = new Set(
    log.flatMap((event) =>
      event.kind === "asked" ? [event.question.call] : event.kind === "input" && event.spawn ? [event.spawn.call] : []
    )
  )
  // the delegating ones first: with them goes what is below them
  for (const { call: { id, parameters, tool: name, unknown }, event } of unfinishedCalls(log, []).toReversed()) {
    const wasShown = event.kind !== "model" || event.shown?.includes(name) !== false
    if (unknown === true || !wasShown || found.some(({ at }) => isCallWithin(at, id))) continue
    const lost = (problem: string, cure: string) =>
      found.push({ kind: "call", at: id, event: event.sequence, problem, cure: `${cure}, ${abandon}` })
    const holder = holderOf(root, log, event)
    if (holder === undefined) {
      lost(`there is no agent '${nameOf(event)}' any more, which asked for it`, "keep the agent until it is over")
      continue
    }
    const tool = toolOf(holder, name)
    if (tool === undefined) {
      lost(
        `'${holder.name}' has no tool '${name}' any more`,
        `name it under 'formerly' of the tool that took its place, finish it with the earlier program`
      )
      continue
    }
    const problem = waits.has(id) && event.redacted === undefined
      ? yield* misfit(holder, tool, parameters, context)
      : undefined
    if (problem !== undefined) {
      lost(`its arguments do not fit '${name}' any more: ${problem}`, "finish it with the earlier program")
    }
  }
  return found
})

// ----- questions -------------------------------------------------------------------

const problemWith = (
  holder: Holder | undefined,
  { hook, name, question }: Event.Asked["question"],
  definition: AskDefinition | undefined,
  isRedacted: boolean
): string | undefined => {
  if (hook !== undefined && holder?.definition.middleware.some((each) => hook.startsWith(`${each.name}.`)) !== true) {
    return `there is no middleware any more whose hook '${hook}' asked it`
  }
  if (definition === undefined) return `the program does not ask '${name}' any more`
  if (isRedacted) return undefined
  const decoded = Schema.decodeUnknownResult(jsonCodec(definition.question))(question)
  return Result.isSuccess(decoded)
    ? undefined
    : `it does not fit the question of '${name}' any more: ${problemOf(decoded.failure).problem}`
}

/** The questions that are waited for, and that the program cannot understand. */
const lostQuestions = (root: Agent.Any, log: Log, now: number): ReadonlyArray<Mismatch> => {
  const asks = asksOf(root)
  const waiting = new Map(
    foldQuestions(log)
      .filter(({ expires, mode }) => mode !== "pending" && (expires === undefined || expires > now))
      .map((question) => [question.id, question])
  )
  return log.flatMap((event): ReadonlyArray<Mismatch> => {
    if (event.kind !== "asked" || waiting.get(event.question.id) !== event.question) return []
    const { question } = event
    const holder = holderOf(root, log, event)
    const problem = problemWith(holder, question, asks.get(question.name), event.redacted !== undefined)
    return problem === undefined ? [] : [{
      kind: "question",
      at: question.id,
      event: event.sequence,
      problem,
      cure: `answer it with the program that asked it, ${abandon}`
    }]
  })
}

// ----- fields ----------------------------------------------------------------------

/** The fields that an event wrote in the session, and those that sessions share. One that nobody wrote is nowhere. */
const fieldsOf = (event: Event.Event) => ({
  own: "delta" in event ? event.delta.operations.map(({ field }) => field) : [],
  shared: sharedIn(event)
})

/** The fields that the session has in another scope than the program. */
const movedFields = (sections: Sections, log: Log): ReadonlyArray<Mismatch> => {
  const found = new Map<string, Mismatch>()
  for (const event of log) {
    const { own, shared } = fieldsOf(event)
    const look = (name: string, isOwn: boolean): void => {
      const scope = sections.get(sectionOf(name))?.fields[keyOf(name)]?.scope
      if (scope === undefined || (scope === "session") === isOwn && scope !== "temp" || found.has(name)) return
      found.set(name, {
        kind: "field",
        at: name,
        event: event.sequence,
        problem: `its scope is '${scope}' now, and it was kept ${isOwn ? "in the session" : "for several sessions"}`,
        cure: "give the field another name, or the scope that it had"
      })
    }
    for (const name of own) look(name, true)
    for (const name of shared) look(name, false)
  }
  return [...found.values()]
}

// ----- answers ---------------------------------------------------------------------

/** The answer that is kept for a message that comes again, where its agent answers otherwise now. */
const lostAnswer = (root: Agent.Any, log: Log, key: string): ReadonlyArray<Mismatch> => {
  const input = inputWith(log, key)
  const end = log.find((event): event is Event.Ended =>
    event.kind === "ended" && event.answer !== undefined && event.invocation === input?.invocation
  )
  const schema = holdersOf(root).get(end?.answer?.agent ?? "")?.definition.output
  if (end?.answer?.output === undefined || schema === undefined || end.redacted !== undefined) return []
  const fit = outputOf(schema).fit(end.answer.output)
  return Result.isSuccess(fit) ? [] : [{
    kind: "answer",
    at: end.invocation,
    event: end.sequence,
    problem: `it does not fit the output of '${end.answer.agent}' any more: ${fit.failure}`,
    cure: "send the message anew, under another key"
  }]
}

/** Fails where a program cannot go on with a session. Nothing has been written by then. */
export const compatible = Effect.fnUntraced(function*(
  root: Agent.Any,
  { session }: Ref,
  log: Log,
  sections: Sections,
  key: string | undefined,
  context: Context.Context<never>
) {
  const calls = yield* lostCalls(root, log, context)
  const questions = lostQuestions(root, log, yield* Clock.currentTimeMillis)
    .filter(({ at }) => !calls.some((call) => isCallWithin(call.at, at.slice(0, at.lastIndexOf("?")))))
  const answers = key === undefined ? [] : lostAnswer(root, log, key)
  const found = [...calls, ...questions, ...movedFields(sections, log), ...answers]
  if (found.length > 0) return yield* new ContractMismatch({ session, found })
})
