/**
 * Typed context and state for the tools of LLM agents, in reading order.
 *
 * @since 0.1.0
 */

// what a tool may rely on
export * as Contract from "./Contract.ts"
export * as Precedence from "./Precedence.ts"
export * as Reducer from "./Reducer.ts"
export * as State from "./State.ts"
export * as StateDelta from "./StateDelta.ts"
export * as ToolContext from "./ToolContext.ts"

// what one can declare
export * as Actions from "./Actions.ts"
export * as AgentError from "./AgentError.ts"
export * as Event from "./Event.ts"
export * as Instructions from "./Instructions.ts"
export * as Interrupt from "./Interrupt.ts"
export * as Middleware from "./Middleware.ts"
export * as Reconcile from "./Reconcile.ts"
export * as Tool from "./Tool.ts"
export * as ToolCall from "./ToolCall.ts"
export * as Toolkit from "./Toolkit.ts"

// how declarations compose
export * as Agent from "./Agent.ts"
export * as Compose from "./Compose.ts"
export * as SubAgent from "./SubAgent.ts"
export * as Transfer from "./Transfer.ts"

// how a session is kept
export * as KvsStore from "./KvsStore.ts"
export * as Session from "./Session.ts"
export * as SessionDocument from "./SessionDocument.ts"
export * as SessionStore from "./SessionStore.ts"
export * as StateSerializer from "./StateSerializer.ts"

// what is kept beside sessions
export * as Artifacts from "./Artifacts.ts"
export * as ArtifactStore from "./ArtifactStore.ts"
export * as Credentials from "./Credentials.ts"
export * as CredentialStore from "./CredentialStore.ts"
export * as MemoryStore from "./MemoryStore.ts"

// how it all runs
export * as AgentRunner from "./AgentRunner.ts"
export * as History from "./History.ts"
export * as ModelPlan from "./ModelPlan.ts"
