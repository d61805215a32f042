/**
 * Middleware that many agents need.
 *
 * @since 0.1.0
 */
export * as Budget from "./Budget.ts"
export * as Compaction from "./Compaction.ts"
export * as ConversationTitle from "./ConversationTitle.ts"
export * as DebugLog from "./DebugLog.ts"
export * as Guardrails from "./Guardrails.ts"
export * as HumanApproval from "./HumanApproval.ts"
export * as Memory from "./Memory.ts"
export * as RepairHistory from "./RepairHistory.ts"
export * as ResultCache from "./ResultCache.ts"
export * as SpanAttributes from "./SpanAttributes.ts"
export * as TodoList from "./TodoList.ts"
export * as ToolRetry from "./ToolRetry.ts"
export * as ToolTimeout from "./ToolTimeout.ts"
export * as VirtualFiles from "./VirtualFiles.ts"
