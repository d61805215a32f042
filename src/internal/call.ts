/**
 * The call that a handler runs in, as the rest of Tenon passes it around. Layer 1, because the merged view shows it;
 * its public face is `ToolCall`.
 */
import { Context, type Effect } from "effect"
import type { Prompt } from "effect/ai"
import type { AskDefinition } from "./contract.ts"

/**
 * The right to transfer the conversation to an agent of this name. In an error of `run`: nobody of this name is in
 * reach, list the agent under `transfers`.
 */
export interface To<out Name extends string> {
  readonly name: Name
  readonly "~to": true
}

/** An agent that the conversation may be transferred to, as a service that its loop provides. */
export interface Target<out Name extends string> extends Context.Key<To<Name>, { readonly name: Name }> {}

const targetPrefix = "tenon/Transfer/"

/** The service of a target; two of one name are the same. */
export const targetOf = <const Name extends string>(name: Name): Target<Name> =>
  Context.Service<To<Name>, { readonly name: Name }>(targetPrefix + name)

/** Is this the service key of a target? */
export const isTarget = (key: string): boolean => key.startsWith(targetPrefix)

/** What a handler may ask of the loop besides its result. Dropped with the call's delta when the call fails. */
export interface ActionRequests {
  /** This call's result is the final answer: the model is not asked to put it into words. */
  readonly skipSummarization: Effect.Effect<void>
  /** The agent has answered with this step: the model is not asked again. */
  readonly end: Effect.Effect<void>
  /**
   * As `end`, in this agent and in every one above it: what this one says, or else this call's result, is the answer of
   * the whole run; or of the nearest `Compose.loop` above, which it ends.
   */
  readonly escalate: Effect.Effect<void>
  /**
   * Another agent goes on with the conversation once the calls of this step are over. Where several calls of a step ask
   * for it, the last in the model's order holds.
   */
  readonly transfer: <Name extends string>(target: Target<Name>) => Effect.Effect<void, never, To<Name>>
}

/** The identity and surroundings of one call. */
export interface Shape {
  /** Always there and unique in the session; also the idempotency key for the world outside. */
  readonly id: string
  /** The id that the model's provider gave, as it came; providers repeat or leave them out. */
  readonly providerId: string
  readonly tool: string
  /** The agent's id: its name, or for a sub-agent its parent's id and the number of the delegating call. */
  readonly agent: string
  /** The names of the agents from the root down to this one. */
  readonly agentPath: ReadonlyArray<string>
  readonly app: string
  /** Whose session it is, where the run says so. */
  readonly user: string | undefined
  readonly session: string
  readonly invocation: string
  /** The step of the agent in which the model asked for the call, from 1. */
  readonly step: number
  /** The text that started the invocation; in a sub-agent, its task. */
  readonly userInput: string
  /** The agent's messages before the model asked for this call; read-only. */
  readonly history: ReadonlyArray<Prompt.Message>
  readonly actions: ActionRequests
}

export class ToolCall extends Context.Service<ToolCall, Shape>()("tenon/ToolCall") {}

/** What the merged view shows of the agent around a call. */
export interface Surroundings {
  readonly parentTools: ReadonlyArray<string>
  readonly parentMiddleware: ReadonlyArray<string>
  readonly toolContext: Readonly<Record<string, unknown>>
}

export class CurrentAgent extends Context.Service<CurrentAgent, Surroundings>()("tenon/CurrentAgent") {}

/** The agent that asks the model, for a model that wants to know; by its id, and the names down to it. */
export class AskingAgent extends Context.Service<AskingAgent, {
  readonly id: string
  readonly path: ReadonlyArray<string>
}>()("tenon/AskingAgent") {}

/** What an attempt does with its k-th question; provided by the loop, or by a test. */
export class Asker extends Context.Service<Asker, {
  readonly ask: (definition: AskDefinition, question: unknown) => Effect.Effect<unknown>
  /** Leaves a question open when the call ends. */
  readonly pending: (definition: AskDefinition, question: unknown) => Effect.Effect<void>
}>()("tenon/Interrupt/Asker") {}
