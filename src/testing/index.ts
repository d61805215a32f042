/**
 * What tests of agents, tools and stores need.
 *
 * @since 0.1.0
 */
export * as ArtifactStoreTest from "./ArtifactStoreTest.ts"
export * as ContractTest from "./ContractTest.ts"
export * as CredentialStoreTest from "./CredentialStoreTest.ts"
export * as Evaluation from "./Evaluation.ts"
export * as EvaluationReport from "./EvaluationReport.ts"
export * as Generate from "./Generate.ts"
export * as MemoryStoreTest from "./MemoryStoreTest.ts"
export * as Recording from "./Recording.ts"
export * as Scorer from "./Scorer.ts"
export * as ScriptedModel from "./ScriptedModel.ts"
export * as SessionStoreTest from "./SessionStoreTest.ts"
export * as TestAgent from "./TestAgent.ts"
export * as ToolTest from "./ToolTest.ts"
export * as Trajectory from "./Trajectory.ts"
