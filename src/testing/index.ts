/**
 * What tests of agents and tools need.
 *
 * @since 0.1.0
 */
export * as ScriptedModel from "./ScriptedModel.ts"
export * as ToolTest from "./ToolTest.ts"
