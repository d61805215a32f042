/**
 * Sessions of other tools, in and out.
 *
 * @since 0.1.0
 */
export * as Adk from "./Adk.ts"
export * as Imported from "./Imported.ts"
