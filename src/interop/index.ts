/**
 * Sessions of other tools, in and out.
 *
 * @since 0.1.0
 */
export * as Adk from "./Adk.ts"
export * as Imported from "./Imported.ts"
export * as Prompts from "./Prompts.ts"
export * as Sagents from "./Sagents.ts"
export * as UiMessages from "./UiMessages.ts"
