/**
 * Typed context and state for the tools of LLM agents, in reading order.
 *
 * @since 0.1.0
 */

// what a tool may rely on
export * as ToolContext from "./ToolContext.ts"
export * as State from "./State.ts"
export * as Reducer from "./Reducer.ts"
export * as StateDelta from "./StateDelta.ts"
export * as Precedence from "./Precedence.ts"
export * as Contract from "./Contract.ts"

// what one can declare
export * as Tool from "./Tool.ts"
export * as Toolkit from "./Toolkit.ts"
export * as ToolCall from "./ToolCall.ts"
export * as Actions from "./Actions.ts"
export * as Interrupt from "./Interrupt.ts"
export * as Instructions from "./Instructions.ts"
export * as Event from "./Event.ts"
export * as Middleware from "./Middleware.ts"
export * as AgentError from "./AgentError.ts"

// how declarations compose
export * as Agent from "./Agent.ts"
export * as SubAgent from "./SubAgent.ts"

// how a session is kept
export * as StateSerializer from "./StateSerializer.ts"
export * as Session from "./Session.ts"
export * as SessionStore from "./SessionStore.ts"

// how it all runs
export * as AgentRunner from "./AgentRunner.ts"
