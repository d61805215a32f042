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

/** The ends of the calls that a script asked for in this invocation, in the order in which it asked. */
const endsOf = ({ author, name, run, thread }: Frame): ReadonlyArray<Event.CallEnded> => {
  const { invocation } = run.options
  // by who goes on for them: an agent may have had another name
  const own = run.log.filter((event) =>
    event.agent === author.id && event.invocation === invocation &&
    holderIn(thread.holders, event.path.at(-1)) === name
  )
  const ended = new Map(own.flatMap((event) => event.kind === "call" ? [[event.call, event] as const] : []))
  return own.flatMap((event) => event.kind === "model" ? event.calls.flatMap(({ id }) => ended.get(id) ?? []) : [])
}

/** What a script knows. */
export const turnOf = (frame: Frame): Turn => {
  const { author, run } = frame
  const messages = run.log.flatMap((event) =>
    event.kind === "input" && event.agent === author.id && event.invocation === run.options.invocation
      ? [textOf(event.message)]
      : []
  )
  return {
    message: messages.join("\n\n"),
    answers: endsOf(frame).map(({ actions, result, tool }): Answered => ({
      agent: tool,
      value: result.value as Answered["value"],
      escalated: actions.escalate === true
    }))
  }
}

const problemOf = ({ value }: Event.CallResult): string => {
  const { message } = value as { readonly message?: unknown }
  return typeof message === "string" ? message : JSON.stringify(value)
}

/** What a script says next; a sub-agent that failed ends it. */
export const partsOf = (
  frame: Frame,
  { next }: Script
): Result.Result<ReadonlyArray<Response.AnyPart>, SubAgentFailed> => {
  const failed = endsOf(frame).find(({ result }) => result.isFailure)
  if (failed !== undefined) {
    return Result.fail(
      new SubAgentFailed({ agent: frame.author.id, subAgent: failed.tool, problem: problemOf(failed.result) })
    )
  }
  const decided = next(turnOf(frame))
  if (decided._tag === "Call") {
    return Result.succeed(
      decided.calls.map(({ agent, task }) =>
        Response.makePart("tool-call", { id: agent, name: agent, params: { task }, providerExecuted: false })
      )
    )
  }
  const { value } = decided
  const text = frame.output === undefined && typeof value === "string" ? value : JSON.stringify(value)
  return Result.succeed([Response.makePart("text", { text })])
}
