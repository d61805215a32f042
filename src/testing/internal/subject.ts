/**
 * The small agent around what a test is about. Layer 6, edge `testing`.
 */
import { type Layer, Option, Result } from "effect"
import type { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import * as Agent from "../../Agent.ts"
import * as Compose from "../../Compose.ts"
import type { FieldDefinition } from "../../internal/field.ts"
import type * as Middleware from "../../Middleware.ts"
import type * as State from "../../State.ts"
import * as SubAgent from "../../SubAgent.ts"
import * as Toolkit from "../../Toolkit.ts"

/** What can be put under test. */
export type AnySubject = Agent.Any | Agent.AnySubAgent | Middleware.Any | AiToolkit.Any | AiTool.Any

/** How a sub-agent is made of the agent under test. */
export interface Placing {
  readonly returns: ReadonlyArray<{ readonly name: string }>
  readonly snapshot: "spawn" | "step"
}

const small = (options: object): Agent.Any => Agent.make("agent", { instructions: "", ...options })

/** The agent that a test runs: the subject itself, or the smallest one that has it. */
export const agentOf = (subject: AnySubject): Agent.Any => {
  if ("definition" in subject) return subject
  if ("returned" in subject) return small({ subAgents: [subject] })
  if ("hooks" in subject) return small({ middleware: [subject] })
  return small({ toolkit: "tools" in subject ? subject : Toolkit.make(subject) })
}

/** An agent as somebody else's sub-agent: what it is told goes on to it, and what it answers is the answer. */
export const below = (agent: Agent.Any, { returns, snapshot }: Placing): Agent.Any => {
  const child = SubAgent.make(agent, { returns: returns as never, snapshot })
  return Compose.sequential(`parent of ${agent.name}`, { subAgents: [child] as never }) as Agent.Any
}

/** Handlers for some of an agent's tools. */
export const mocked = (agent: Agent.Any, mocks: Readonly<Record<string, unknown>>): Layer.Layer<never> => {
  const tools = Object.keys(mocks).map((name) => {
    const tool = agent.definition.handled.get(name)
    if (tool === undefined) throw new TypeError(`'${agent.name}' has no tool '${name}' that takes a handler`)
    return tool
  })
  return Toolkit.layer(Toolkit.make(...tools), mocks as never) as Layer.Layer<never>
}

/** The values that a session starts with, by the full names of fields, as writes that come with its first message. */
export const assignments = (
  agent: Agent.Any,
  values: Readonly<Record<string, unknown>>
): ReadonlyArray<State.Assignment> => {
  const sections = [...agent.definition.sections.values()]
  const fields = new Map(sections.flatMap((each) => Object.values(each.fields)).map((each) => [each.name, each]))
  return Object.entries(values).flatMap(([name, given]) => {
    const definition = fields.get(name)
    if (definition === undefined) throw new TypeError(`'${name}' is no field of '${agent.name}'`)
    const value = definition.kind === "optional" ? given as Option.Option<unknown> : Option.some(given)
    if (!Option.isOption(value)) {
      throw new TypeError(`'${name}' is optional: give an Option, Option.some(…) or Option.none(), not a bare value`)
    }
    return Option.isNone(value) ? [] : [assignment(definition, value.value)]
  })
}

const assignment = (definition: FieldDefinition, given: unknown): State.Assignment => {
  const { name: field } = definition
  const value = Result.getOrThrowWith(
    definition.encode(given),
    ({ path, problem }) => new TypeError(`the value for '${[field, ...path].join(".")}' does not fit: ${problem}`)
  )
  return { "~tenon/Assignment": definition, operation: { op: "set", field, value } }
}
