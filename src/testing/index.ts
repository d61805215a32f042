/**
 * What tests of agents, tools and stores need.
 *
 * @since 0.1.0
 */
export * as ScriptedModel from "./ScriptedModel.ts"
export * as SessionStoreTest from "./SessionStoreTest.ts"
export * as ToolTest from "./ToolTest.ts"
