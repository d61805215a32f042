/**
 * Sessions in SQL databases.
 *
 * @since 0.1.0
 */
export * as SqlStore from "./SqlStore.ts"
