/**
 * What an agent is told, with places for supplied values and for State.
 *
 * A template's names are checked by the compiler, and what it reads is required of whoever runs the agent. Braces need
 * no escape. A value that is or holds a redacted one is refused: it must not reach the model. Other instructions may
 * stand in a place, such as the text of an artifact.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import { type Context, type Effect, Option, Redacted } from "effect"
import type * as Contract from "./Contract.ts"
import { holdsRedacted } from "./internal/ast.ts"
import { contractOf, type ContractValue, type KeyDefinition, type Lookup, mergeContracts } from "./internal/contract.ts"
import type { FieldDefinition } from "./internal/field.ts"
import type * as State from "./State.ts"

/**
 * What an agent is told at each model call: a template, or what an Effect makes.
 *
 * @category models
 * @since 0.1.0
 */
export interface Instructions<out Needs> {
  readonly "~needs": Needs
  readonly contract: ContractValue
  readonly "~text":
    | {
      readonly _tag: "Template"
      /** The instructions that stand in places. */
      readonly nested: ReadonlyArray<Instructions<any>>
      /** Takes the texts of the nested ones, in their order. */
      readonly render: (lookup: Lookup, texts: ReadonlyArray<string>) => string
    }
    | { readonly _tag: "Effect"; readonly effect: Effect.Effect<string, unknown, any> }
}

type Part = string | number | Contract.AnyKey | Contract.FieldOf<unknown> | Instructions<unknown>
interface Place {
  readonly name: string
  readonly "~key"?: KeyDefinition
  readonly "~field"?: FieldDefinition
}
type ValueIn<P> = P extends Context.Key<any, infer Type> ? Type
  : P extends State.Ref<string, infer Type, any> ? Type
  : never
type Refused<P> = P extends Part ? Extract<ValueIn<P>, Redacted.Redacted<any>> : P
type Shown<P> = [Refused<P>] extends [never] ? P
  : P extends Part ? "a redacted value must not reach the model"
  : Part
type NeedOf<P> = P extends State.AnyField ? P["~reads"]
  : P extends Context.Key<infer Identifier, any> ? Identifier
  : P extends Instructions<infer Needs> ? Needs
  : never

const shown = (value: unknown): string => {
  if (Redacted.isRedacted(value)) throw new TypeError("a redacted value must not reach the model")
  if (Option.isOption(value)) return Option.isNone(value) ? "" : shown(value.value)
  if (typeof value === "object") return JSON.stringify(value)
  return `${value as string | number | bigint | boolean | undefined}`
}

/**
 * Instructions with places for context keys and fields, for plain texts and numbers, and for other instructions. An
 * optional field without a value is an empty text.
 *
 * **Example** (Who is asking)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Contract, Instructions, ToolContext } from "tenon"
 *
 * const Env = ToolContext.make({ tenant: Schema.String })
 * const instructions = Instructions.template`You work for ${Env.tenant}.`
 *
 * instructions.contract.requires.map(({ name }) => name) // => ["tenant"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const template = <const P extends ReadonlyArray<unknown>>(
  text: TemplateStringsArray,
  ...parts: { readonly [I in keyof P]: Shown<P[I]> }
): Instructions<NeedOf<P[number]>> => {
  const pieces = parts as unknown as ReadonlyArray<string | number | Instructions<any> | Place>
  const places = pieces.filter((piece) => typeof piece !== "string" && typeof piece !== "number")
  const nested = places.filter((place) => "~text" in place)
  const named = places.filter((place): place is Place => !("~text" in place))
  for (const place of named) {
    const schema = place["~key"]?.schema
    if (schema !== undefined && holdsRedacted(schema)) {
      throw new TypeError(`a redacted value must not reach the model: '${place.name}' holds one`)
    }
  }
  const own = contractOf({
    context: named.filter((place) => place["~key"] !== undefined),
    reads: named.filter((place) => place["~field"] !== undefined)
  })
  return {
    "~needs": undefined as never,
    contract: mergeContracts([own, ...nested.map(({ contract }) => contract)]),
    "~text": {
      _tag: "Template",
      nested,
      render: ({ key, field }, texts) =>
        pieces.reduce<string>((out, piece, index) => {
          const value = typeof piece === "string" || typeof piece === "number" ?
            piece
            : "~text" in piece ?
            texts[nested.indexOf(piece)]
            : piece["~key"] === undefined ?
            field(piece["~field"] as FieldDefinition)
            : key(piece["~key"])
          return `${out}${shown(value)}${text[index + 1] ?? ""}`
        }, text[0] ?? "")
    }
  }
}

/**
 * Instructions that an Effect makes at each model call, out of what it declares. It cannot write; where it fails, the
 * run fails.
 *
 * **Example** (The documents that are at hand)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Instructions, State } from "tenon"
 *
 * const Library = State.make("library", { titles: State.field(Schema.Array(Schema.String), { initial: [] }) })
 * const instructions = Instructions.make(
 *   { reads: [Library.titles] },
 *   Effect.map(Library.titles.get, (titles) => `You know ${titles.length} documents.`)
 * )
 *
 * instructions.contract.touches.map(({ mode, field }) => `${mode} ${field.name}`) // => ["read library.titles"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const D extends Contract.Services = []
>(
  contract: Pick<Contract.Options<C, R, [], [], [], D>, "context" | "reads" | "dependencies">,
  effect: Effect.Effect<string, unknown, Contract.Touched<C, R, [], [], [], D>>
): Instructions<Contract.Touched<C, R, [], [], [], D>> => ({
  "~needs": undefined as never,
  contract: contractOf(contract),
  "~text": { _tag: "Effect", effect }
})
