/**
 * Every sentence that both the compiler and a run-time error can show, written once. Layer 1.
 */

/** What a group of context keys is itself called by. */
export const groupKeys = ["layer", "layerUnknown"] as const

/** The sentence at a reserved name, as a type. */
export type ReservedName<Name extends string> = `'${Name}' is a reserved name: the agent supplies it`

/** The sentence at a reserved name, as a value. */
export const reservedName = <Name extends string>(name: Name): ReservedName<Name> =>
  `'${name}' is a reserved name: the agent supplies it`

/** The sentence at a name that a group of keys needs for itself, as a type. */
export type TakenName<Name extends string> = `'${Name}' is taken by ToolContext itself`

/** The sentence at a name that a group of keys needs for itself, as a value. */
export const takenName = <Name extends string>(name: Name): TakenName<Name> =>
  `'${name}' is taken by ToolContext itself`
