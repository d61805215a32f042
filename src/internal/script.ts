/**
 * What stands in place of a model, read out of the log at each of its steps. Layer 5.
 */
import { Result } from "effect"
import { Response } from "effect/ai"
import type { Answered, Script, Turn } from "../Agent.ts"
import { SubAgentFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import { textOf } from "./fold.ts"
import type { Frame } from "./frame.ts"
import { holderIn } from "./holders.ts"
import { inWords } from "./json.ts"

/** Is an event of a script's own, in its conversation? By who goes on for it: an agent may have had another name. */
const isOwn = ({ name, thread }: Frame) => ({ path }: Event.Event): boolean =>
  holderIn(thread.holders, path.at(-1)) === name

/** A conversation in this invocation; a message that comes once the script has answered begins it anew. */
const turnIn = (frame: Frame): ReadonlyArray<Event.Event> => {
  const { author, run } = frame
  const own = isOwn(frame)
  const said = run.log.filter((event) => event.agent === author.id && event.invocation === run.options.invocation)
  const told = said.findLastIndex(({ kind }) => kind === "input")
  const answered = said.findLastIndex((event, index) =>
    index < told && event.kind === "model" && event.calls.length === 0 && own(event)
  )
  return said.slice(answered + 1)
}

/** The ends of the calls that a script asked for, in the order in which it asked. */
const endsOf = (frame: Frame, turn: ReadonlyArray<Event.Event>): ReadonlyArray<Event.CallEnded> => {
  const own = turn.filter(isOwn(frame))
  const ended = new Map(own.flatMap((event) => event.kind === "call" ? [[event.call, event] as const] : []))
  return own.flatMap((event) => event.kind === "model" ? event.calls.flatMap(({ id }) => ended.get(id) ?? []) : [])
}

/** What a script knows. */
export const turnOf = (frame: Frame, turn: ReadonlyArray<Event.Event> = turnIn(frame)): Turn => ({
  message: turn.flatMap((event) => event.kind === "input" ? [textOf(event.message)] : []).join("\n\n"),
  answers: endsOf(frame, turn).map(({ actions, result, tool }): Answered => ({
    agent: tool,
    value: result.value as Answered["value"],
    escalated: actions.escalate === true
  }))
})

const problemOf = ({ value }: Event.CallResult): string => {
  const { message } = value as { readonly message?: unknown }
  return typeof message === "string" ? message : JSON.stringify(value)
}

/** What a script says next; a sub-agent that failed ends it. */
export const partsOf = (
  frame: Frame,
  { next }: Script
): Result.Result<ReadonlyArray<Response.AnyPart>, SubAgentFailed> => {
  const turn = turnIn(frame)
  const failed = endsOf(frame, turn).find(({ result }) => result.isFailure)
  if (failed !== undefined) {
    return Result.fail(
      new SubAgentFailed({ agent: frame.author.id, subAgent: failed.tool, problem: problemOf(failed.result) })
    )
  }
  const decided = next(turnOf(frame, turn))
  if (decided._tag === "Call") {
    return Result.succeed(
      decided.calls.map(({ agent, task }) =>
        Response.makePart("tool-call", { id: agent, name: agent, params: { task }, providerExecuted: false })
      )
    )
  }
  const { value } = decided
  const text = frame.output === undefined ? inWords(value) : JSON.stringify(value)
  return Result.succeed([Response.makePart("text", { text })])
}
