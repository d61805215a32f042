/**
 * Sessions, artifacts, credentials and memories in SQL databases.
 *
 * @since 0.1.0
 */
export * as SqlArtifacts from "./SqlArtifacts.ts"
export * as SqlCredentials from "./SqlCredentials.ts"
export * as SqlMemories from "./SqlMemories.ts"
export * as SqlStore from "./SqlStore.ts"
