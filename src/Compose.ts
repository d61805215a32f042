/**
 * Agents in a fixed order, without a model that decides: one after the other, side by side, or again and again.
 *
 * A composition is an agent: it runs, pauses, resumes and is cancelled as any other, may be a sub-agent or a target of a
 * transfer, and its steps count as steps. Each member works in a conversation of its own, as every sub-agent does: what
 * it hands on is its answer, and the fields that it `returns`. A member that fails ends the composition. A message that
 * comes meanwhile waits until the composition has answered, and begins it anew.
 *
 * (Google's ADK calls these workflow agents.)
 *
 * Layer 3, compose.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import * as Agent from "./Agent.ts"
import { inWords } from "./internal/json.ts"
import type { Itself, Repeated, SubNeeds, SubTools, Together } from "./internal/together.ts"
import type { Complain, Fits, Other } from "./internal/types.ts"
import type * as SubAgent from "./SubAgent.ts"

// ===== models ================================================================

type S_ = ReadonlyArray<SubAgent.Any | Agent.Any>
type Members = ReadonlyArray<SubAgent.Any>

/**
 * The options of every composition.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Name extends string, S extends S_> {
  /** The members, in order. */
  readonly subAgents: Fits<
    S,
    | Together<SubTools<S>, SubNeeds<S>>
    | Complain<"wrap these agents in SubAgent.make", Exclude<S[number], SubAgent.Any>["name"]>
    | Complain<"rename one of these sub-agents", Repeated<S>>
    | Complain<"an agent cannot contain itself", Itself<Name, S>>
  >
  readonly description?: string
  readonly limits?: Agent.Limits
  /**
   * What a member is told to do. Without it: the message, and below it what the members before it answered, each under
   * its name. One that throws fails the run with `HookFailed`, by the composition's name.
   */
  readonly task?: (turn: Agent.Turn, member: S[number]["name"]) => string
}

type Last<S extends S_> = S extends readonly [...S_, infer One extends S_[number]] ? One["~output"]
  : S[number]["~output"]
/** The members that run for sure: not those of a list whose length is open, nor one of two that are chosen between. */
type Sure<S extends S_> = number extends S["length"] ? never
  : { readonly [I in keyof S]: [Other<S[I]["name"]>] extends [never] ? S[I] : never }[number]
type ByName<S extends S_> =
  & { readonly [One in Sure<S> as One["name"]]: One["~output"] }
  & { readonly [One in Exclude<S[number], Sure<S>> as One["name"]]?: One["~output"] } extends infer Answers ?
  { readonly [Name in keyof Answers]: Answers[Name] }
  : never

// ===== making ================================================================

const told = ({ answers, message }: Agent.Turn): string =>
  [message, ...answers.map(({ agent, value }) => `${agent}:\n${inWords(value)}`)].join("\n\n")

const lastOf = ({ answers }: Agent.Turn): Schema.Json => answers.at(-1)?.value ?? ""

const escalated = ({ answers }: Agent.Turn): boolean => answers.some((answer) => answer.escalated)

/** What a member may answer with, who else its conversation may come to included. */
const outputOf = ({ tool }: SubAgent.Any): Schema.Constraint => tool.successSchema

/** A schema of what one of several members answers; none where all answer with a text. */
const oneOf = (members: Members): Schema.Constraint | undefined => {
  const schemas = [...new Set(members.map(outputOf))]
  if (schemas.length > 1) return Schema.Union(schemas)
  return schemas[0] === Schema.String ? undefined : schemas[0]
}

/** Everything that a composition is made of. */
interface Parts {
  readonly name: string
  readonly options: Omit<Options<string, S_>, "subAgents" | "task">
  readonly members: Members
  readonly output: Schema.Constraint | undefined
  readonly script: Agent.Script
}

const compose = ({ members, name, options, output, script }: Parts): Agent.Any => {
  const typed = members.find(({ parameters }) => parameters !== undefined)
  if (members.length === 0) throw new TypeError(`'${name}' has no members`)
  if (typed !== undefined) {
    throw new TypeError(`'${typed.name}' has parameters of its own: a composition gives its members a task in words`)
  }
  const { description, limits } = options
  const agent: Agent.Any = Agent.make(name, {
    instructions: "",
    subAgents: members as never,
    ...(description !== undefined && { description }),
    ...(limits !== undefined && { limits }),
    ...(output !== undefined && { output: output as typeof Schema.String })
  }) as never
  return { ...agent, definition: { ...agent.definition, script } }
}

/** Calls a member a step, in order and over again, up to so many; the last answer is the answer. */
const inTurn = (
  members: Members,
  calls: number,
  task: (turn: Agent.Turn, member: string) => string = told
): Agent.Script["next"] =>
(turn) => {
  const { length } = turn.answers
  const member = members[length % members.length]
  return length >= calls || escalated(turn) || member === undefined
    ? { _tag: "Answer", value: lastOf(turn) }
    : { _tag: "Call", calls: [{ agent: member.name, task: task(turn, member.name) }] }
}

// ===== constructors ==========================================================

/**
 * One agent after the other; the last one's answer is the answer. One that escalates ends it early, and the agents above
 * it too.
 *
 * **Example** (A draft and a review)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, Compose, SessionStore, SubAgent } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Writer = SubAgent.make(Agent.make("writer", { instructions: "Write." }))
 * const Editor = SubAgent.make(Agent.make("editor", { instructions: "Correct the draft." }))
 * const Report = Compose.sequential("report", { subAgents: [Writer, Editor] })
 *
 * const model = ScriptedModel.layer({
 *   writer: [ScriptedModel.text("Teh tides.")],
 *   editor: [ScriptedModel.text("The tides.")]
 * })
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Report, { session: "s-1", input: "On tides." }).pipe(
 *     Effect.provide([model, SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && result.text // => "The tides."
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const sequential = <const Name extends string, const S extends S_>(
  name: Name,
  options: Options<Name, S>
): Agent.Agent<Name, SubNeeds<S>, SubTools<S>, Last<S>> => {
  const members = options.subAgents as unknown as Members
  return compose({
    name,
    options,
    members,
    output: oneOf(members.slice(-1)),
    script: { next: inTurn(members, members.length, options.task), escalates: escalated }
  }) as never
}

/**
 * All agents on the same message, side by side where their contracts allow it; the answer is a record of their answers,
 * by name. All of them end, also where one escalates: nothing of the others is lost.
 *
 * **Details**
 *
 * Members that read the same state of their parent run one after the other; `SubAgent.make(…, { snapshot: "step" })`
 * lets them start from the state at the step, and overlap.
 *
 * **Example** (Two opinions)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, Compose, SessionStore, SubAgent } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Pro = SubAgent.make(Agent.make("pro", { instructions: "Speak for it." }))
 * const Con = SubAgent.make(Agent.make("con", { instructions: "Speak against it." }))
 * const Debate = Compose.parallel("debate", { subAgents: [Pro, Con] })
 *
 * const model = ScriptedModel.layer({ pro: [ScriptedModel.text("Yes.")], con: [ScriptedModel.text("No.")] })
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Debate, { session: "s-1", input: "Shall we?" }).pipe(
 *     Effect.provide([model, SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && result.output // => { pro: "Yes.", con: "No." }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parallel = <const Name extends string, const S extends S_>(
  name: Name,
  options: Options<Name, S>
): Agent.Agent<Name, SubNeeds<S>, SubTools<S>, ByName<S>> => {
  const members = options.subAgents as unknown as Members
  const task = options.task ?? told
  return compose({
    name,
    options,
    members,
    output: Schema.Struct(Object.fromEntries(members.map((member) => [member.name, outputOf(member)]))),
    script: {
      next: (turn) =>
        turn.answers.length === 0
          ? { _tag: "Call", calls: members.map(({ name: agent }) => ({ agent, task: task(turn, agent) })) }
          : { _tag: "Answer", value: Object.fromEntries(turn.answers.map(({ agent, value }) => [agent, value])) },
      escalates: escalated
    }
  }) as never
}

/**
 * The agents one after the other, again and again: until one escalates, which ends the loop alone, or `times` rounds are
 * over. The last answer is the answer.
 *
 * **Example** (Until it is good)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, Compose, SessionStore, SubAgent, Tool, ToolCall, Toolkit } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Accept = Tool.make("accept", {})
 * const AcceptLive = Toolkit.layer(Toolkit.make(Accept), {
 *   accept: () => Effect.flatMap(ToolCall.ToolCall, ({ actions }) => actions.escalate)
 * })
 * const Writer = SubAgent.make(Agent.make("writer", { instructions: "Write." }))
 * const Critic = SubAgent.make(Agent.make("critic", { instructions: "Judge.", toolkit: Toolkit.make(Accept) }))
 * const Draft = Compose.loop("draft", { subAgents: [Writer, Critic], times: 3 })
 *
 * const model = ScriptedModel.layer({
 *   writer: [ScriptedModel.text("one"), ScriptedModel.text("two")],
 *   critic: [ScriptedModel.text("Again."), { text: "Good.", calls: [{ tool: "accept" }] }]
 * })
 * const result = await Effect.runPromise(
 *   AgentRunner.run(Draft, { session: "s-1", input: "A line." }).pipe(
 *     Effect.provide([AcceptLive, model, SessionStore.layerMemory])
 *   )
 * )
 * result._tag === "Completed" && result.text // => "Good."
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const loop = <const Name extends string, const S extends S_>(
  name: Name,
  options: Options<Name, S> & {
    /** How many rounds at the most. */
    readonly times: number
  }
): Agent.Agent<Name, SubNeeds<S>, SubTools<S>, S[number]["~output"]> => {
  const members = options.subAgents as unknown as Members
  const { times } = options
  if (times !== Number.POSITIVE_INFINITY && !(Number.isInteger(times) && times > 0)) {
    throw new TypeError(`'${name}' goes round a whole number of times, and once at least: not ${times}`)
  }
  return compose({
    name,
    options,
    members,
    output: oneOf(members),
    script: { next: inTurn(members, members.length * times, options.task), escalates: () => false }
  }) as never
}
