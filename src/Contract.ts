/**
 * What a declaration requires of the ToolContext, reads, writes and combines of State, and asks: as a type, as a value,
 * as JSON, and as a table for people.
 *
 * As a type it is one union of identifiers, as Effect's `R` is: `ToolContext.Key`, `State.Read`, `State.Write`,
 * `State.Combine`, `State.Owner` and `Interrupt.Asks`. A tool carries the union as its effect/ai requirements, so
 * effect/ai itself refuses a handler that touches more.
 *
 * Layer 1, contract.
 *
 * @since 0.1.0
 */
import { type Context, Result, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import type { ToolCall } from "./internal/call.ts"
import { changesOf, textOf } from "./internal/changes.ts"
import {
  ContractAnnotation,
  contractOf,
  type ContractValue as Contract,
  declaring,
  type KeyDefinition,
  mergeContracts,
  toolContract,
  toolLeaf
} from "./internal/contract.ts"
import { facts, fingerprintOf as printed, snapshotOf, SnapshotSchema } from "./internal/declared.ts"
import { problemOf, type SectionDefinition } from "./internal/field.ts"
import type { Held } from "./internal/types.ts"
import type * as State from "./State.ts"
import type * as ToolContext from "./ToolContext.ts"

// ===== types =================================================================

/** Any context key of a `ToolContext`, for constraints; a service of Effect is none. @since 0.1.0 */
export interface AnyKey extends Context.Key<any, any> {
  readonly "~key": KeyDefinition
}

/** Context keys, as an option lists them. @since 0.1.0 */
export type Keys = ReadonlyArray<AnyKey>

/** Any service that is no context key, for constraints. @since 0.1.0 */
export interface AnyService extends Context.Key<any, any> {
  readonly "~key"?: never
}

/** Services, as an option lists them. @since 0.1.0 */
export type Services = ReadonlyArray<AnyService>

/** A field, or an entry named by a parameter of type `Parameters`. @since 0.1.0 */
export interface FieldOf<in Parameters> extends State.AnyField {
  readonly "~parameter"?: (_: Parameters) => void
}

/** Fields, or entries named by parameters of type `Parameters`, as an option lists them. @since 0.1.0 */
export type Fields<Parameters = never> = ReadonlyArray<FieldOf<Parameters>>

/** Fields with a reducer, as an option lists them. @since 0.1.0 */
export type Reduced = ReadonlyArray<State.AnyReduced>

/** Any interrupt, for constraints. @since 0.1.0 */
export interface AnyInterrupt {
  readonly name: string
  readonly "~asks": any
}

/** Interrupts, as an option lists them. @since 0.1.0 */
export type Asks = ReadonlyArray<AnyInterrupt>

/**
 * The options that every declaration with a contract has.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<C, R, W, B, I, D> {
  /** The context keys that are required. */
  readonly context?: C
  /** The fields that are read. */
  readonly reads?: R
  /** The fields that are written; they may be read and combined too. */
  readonly writes?: W
  /** The fields that are only combined: neither read nor set. */
  readonly combines?: B
  /** The interrupts that may be raised. */
  readonly asks?: I
  /** Other services, which each run must have; as in effect/ai. */
  readonly dependencies?: D
}

/** The options that give a right or ask for a value. @since 0.1.0 */
export type Lists = "context" | "reads" | "writes" | "combines" | "asks"

/**
 * The identifiers of a contract. Property reads only; the `infer` drops the alias, so that messages list the
 * identifiers themselves.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Touched<
  C extends Keys,
  R extends Fields,
  W extends Fields,
  B extends Reduced,
  I extends Asks,
  D extends Services
> =
  | C[number]["Identifier"]
  | R[number]["~reads"]
  | W[number]["~writes"]
  | B[number]["~combines"]
  | I[number]["~asks"]
  | D[number]["Identifier"] extends infer Identifiers ? Identifiers : never

export type {
  /**
   * A contract as a value.
   *
   * @category models
   * @since 0.1.0
   */
  Contract,
  /**
   * A context key as it was declared.
   *
   * @category models
   * @since 0.1.0
   */
  KeyDefinition
}

/**
 * A contract with the contracts that it is made of: an agent over its tools, hooks and sub-agents.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tree {
  readonly kind: "tool" | "toolkit" | "hook" | "instructions" | "middleware" | "agent" | "sub-agent" | "transfer"
  readonly name: string
  readonly contract: Contract
  readonly parts: ReadonlyArray<Tree>
  /** Of a tool, and of a sub-agent as its parent's model calls it. */
  readonly tool?: AiTool.Any
  /** Of an agent: what it answers with, where that is no text. */
  readonly output?: Schema.Constraint | undefined
  /** The sections that it brings along, touched or not. */
  readonly sections?: ReadonlyArray<SectionDefinition>
}

/** Anything that has a contract: a tool, a toolkit, a hook, middleware, an agent, a sub-agent. @since 0.1.0 */
export type Declaration =
  | AiTool.Any
  | { readonly tools: Record<string, AiTool.Any> }
  | { readonly contractTree: Tree }

// ===== reading ===============================================================

/**
 * The contract of a declaration, with its parts.
 *
 * @category getters
 * @since 0.1.0
 */
export const tree = (declaration: Declaration): Tree => {
  if ("contractTree" in declaration) return declaration.contractTree
  if (!("tools" in declaration)) return toolLeaf(declaration)
  const parts = Object.values(declaration.tools).map(toolLeaf)
  return { kind: "toolkit", name: "toolkit", contract: mergeContracts(parts.map(({ contract }) => contract)), parts }
}

/**
 * The contract of a declaration.
 *
 * **Example** (A tool that counts)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Contract, Reducer, State, Tool } from "tenon"
 *
 * const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 * const Count = Tool.make("count", { combines: [Search.count] })
 *
 * Contract.of(Count).touches.map(({ field, mode }) => `${mode} ${field.name}`) // => ["combine search.count"]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const of = (declaration: Declaration): Contract => tree(declaration).contract

// ===== adding ================================================================

/**
 * Adds a contract to a tool that exists already, whatever its kind: user-defined, dynamic or defined by a provider. The
 * tool stays what it is; its handler has the call, as that of `Tool.make` has.
 *
 * **Example** (Somebody else's tool)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Tool } from "effect/ai"
 * import { Contract, ToolContext } from "tenon"
 *
 * const Env = ToolContext.make({ userId: Schema.Int })
 * const Fetch = Contract.on(Tool.make("fetch", { success: Schema.String }), { context: [Env.userId] })
 *
 * Contract.of(Fetch).requires.map(({ name }) => name) // => ["userId"]
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const on = <
  T extends AiTool.Any,
  const C extends Keys = [],
  const R extends Fields<AiTool.Parameters<T>> = [],
  const W extends Fields<AiTool.Parameters<T>> = [],
  const B extends Reduced = [],
  const I extends Asks = [],
  const D extends Services = [],
  O = {}
>(
  tool: T,
  contract: Held<O, Lists> & Options<C, R, W, B, I, D> & { readonly exclusive?: boolean | string }
): With<T, Touched<C, R, W, B, I, D> | Declared<Exclude<Undeclared<T>, C[number]["Identifier"]>>> => {
  const known = toolContract(tool)
  return declaring(tool.annotate(ContractAnnotation, mergeContracts([known, contractOf(contract)]))) as never
}

/** The call, by which one knows a contract that names all of its keys. */
type Declared<Left> = [Left] extends [never] ? ToolCall : never

/** The complaint about context keys that only effect/ai's own `dependencies` name: those leave nothing at run time. */
export type UndeclaredKeys = "declare these keys with Tool.make or Contract.on"

/** The context keys of tools that have no contract; one that has a contract requires the call too. @since 0.1.0 */
export type Undeclared<T> = T extends unknown
  ? ToolCall extends AiTool.Requirements<T> ? never : Extract<AiTool.Requirements<T>, ToolContext.AnyKey>
  : never

/**
 * A tool of the same kind that needs more.
 *
 * @category utility types
 * @since 0.1.0
 */
export type With<T, Needs> = T extends AiTool.Dynamic<infer Name, infer Config, infer Own> ?
  AiTool.Dynamic<Name, Config, Own | Needs>
  : T extends AiTool.ProviderDefined<infer _Id, infer Name, infer Config, infer _Handler>
    ? T & AiTool.Tool<Name, Pick<Config, "parameters" | "success" | "failure" | "failureMode">, Needs>
  : T extends AiTool.Tool<infer Name, infer Config, infer Own> ? AiTool.Tool<Name, Config, Own | Needs>
  : never

// ===== showing ===============================================================

/**
 * A contract as a document, to be kept beside a program: what it requires, stores, asks and calls, by JSON Schema.
 *
 * **Details**
 *
 * It is the same for the same contract, in the order of its keys too, whatever order things are declared in. The
 * `fingerprint` changes with anything else in it.
 *
 * **Gotchas**
 *
 * A JSON Schema does not say everything: of conversions and of checks that it has no word for it holds the names, in
 * comments. What a check of one's own does, nobody can compare.
 *
 * @category models
 * @since 0.1.0
 */
export const Snapshot = SnapshotSchema

/** @since 0.1.0 */
export type Snapshot = typeof Snapshot.Type

/** A document that is no contract, or one that somebody edited. @category errors @since 0.1.0 */
export class SnapshotError extends Schema.TaggedError<SnapshotError>()("SnapshotError", {
  path: Schema.Array(Schema.String),
  problem: Schema.String
}) {
  override get message(): string {
    return `the contract ${this.path.length === 0 ? "" : `at '${this.path.join(".")}' `}does not fit: ${this.problem}`
  }
}

/**
 * A contract as a document: a file of it, kept with the program, shows what a change does to it.
 *
 * **Example** (The fields that are kept)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Contract, State, Tool } from "tenon"
 *
 * const Search = State.make("search", { last: State.optional(Schema.String) })
 * const { sections } = Contract.toJson(Tool.make("find", { writes: [Search.last] }))
 *
 * sections["search"]?.fields["last"] // => { kind: "optional", scope: "session", schema: { type: "string" } }
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const toJson = (declaration: Declaration): Snapshot => snapshotOf(tree(declaration))

const decodeSnapshot = Schema.decodeUnknownResult(Snapshot)

/**
 * Reads a contract back from a document. Fails with the place of what does not fit.
 *
 * @category encoding
 * @since 0.1.0
 */
export const decode = (input: unknown): Result.Result<Snapshot, SnapshotError> =>
  Result.flatMap(
    Result.mapError(decodeSnapshot(input), (error) => new SnapshotError(problemOf(error))),
    (snapshot) =>
      snapshot.fingerprint === printed(snapshot) ? Result.succeed(snapshot) : Result.fail(
        new SnapshotError({ path: ["fingerprint"], problem: "the document was edited: write it anew from the program" })
      )
  )

/**
 * A short text that changes when the contract does.
 *
 * @category getters
 * @since 0.1.0
 */
export const fingerprint = (declaration: Declaration): string => toJson(declaration).fingerprint

// ===== comparing =============================================================

/**
 * One difference between two contracts.
 *
 * @category models
 * @since 0.1.0
 */
export const Change = Schema.Struct({
  /** Where: `keys.tenant`, `sections.search.count`, `interrupts.confirm.answer`, `assistant/find.parameters.query`. */
  path: Schema.String,
  kind: Schema.Literals([
    "added",
    "removed",
    "renamed",
    "required",
    "widened",
    "narrowed",
    "changed",
    "scope",
    "reducer",
    "version",
    "migration",
    "touches"
  ]),
  /** May a stored session, or whoever runs the program or answers its questions, not get on with it? */
  breaks: Schema.Boolean,
  problem: Schema.String,
  /** What to do about it, where it breaks something. */
  cure: Schema.optionalKey(Schema.String)
})

/** @since 0.1.0 */
export interface Change extends Schema.Schema.Type<typeof Change> {}

/**
 * What differs between two contracts, and what of it breaks: stored sessions, those who supply the context keys, those
 * who answer the questions.
 *
 * **Details**
 *
 * What takes more than before breaks nothing; nor does a raised version of a section whose migrations take what was stored.
 * A schema of which nobody can tell whether it takes less than before is `changed`, and breaks.
 *
 * **Example** (A field that became another)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Contract, State, Tool } from "tenon"
 *
 * const before = State.make("cart", { items: State.field(Schema.Int, { initial: 0 }) })
 * const after = State.make("cart", { items: State.field(Schema.String, { initial: "" }) })
 * const changes = Contract.diff(
 *   Contract.toJson(Tool.make("add", { writes: [before.items] })),
 *   Tool.make("add", { writes: [after.items] })
 * )
 *
 * changes.map(({ breaks, kind, path }) => [path, kind, breaks]) // => [["sections.cart.items", "narrowed", true]]
 * ```
 *
 * @category comparing
 * @since 0.1.0
 */
export const diff = (before: Snapshot, after: Snapshot | Declaration): ReadonlyArray<Change> =>
  changesOf(before, "fingerprint" in after ? after : toJson(after))

/**
 * Changes as a text for people: what breaks first, each with its place and its cure.
 *
 * **Example** (A tool that is gone)
 *
 * ```ts
 * import { Contract, Tool, Toolkit } from "tenon"
 *
 * const before = Contract.toJson(Toolkit.make(Tool.make("search", {}), Tool.make("read", {})))
 * const kit = Toolkit.make(Tool.make("find", { formerly: ["search"] }), Tool.make("read", {}))
 *
 * Contract.report(Contract.diff(before, kit)).split("\n") // => ["This does not:", "  toolkit/search: it is 'find' now, and takes its calls"]
 * ```
 *
 * @category comparing
 * @since 0.1.0
 */
export const report = (changes: ReadonlyArray<Change>): string => textOf(changes)

// ===== as a table ============================================================

const columns = ["requires", "reads", "writes", "combines", "asks"] as const

interface Row {
  readonly label: string
  readonly all: ReturnType<typeof facts>
}

const rowsOf = (node: Tree, depth = 0): ReadonlyArray<Row> => [
  { label: `${"  ".repeat(depth)}${node.kind} ${node.name}`, all: facts(node.contract) },
  ...node.parts.flatMap((part) => rowsOf(part, depth + 1))
]

/**
 * A contract as a table of plain text for people: one row a declaration, indented by the tree.
 *
 * **Details**
 *
 * A table that is wider than `width` becomes a list: each declaration with a line for what it requires, reads, writes,
 * combines and asks, where there is something. A name that alone is wider stays whole.
 *
 * **Example** (One tool)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Contract, Tool, ToolContext } from "tenon"
 *
 * const Env = ToolContext.make({ tenant: Schema.String })
 * const Find = Tool.make("find", { context: [Env.tenant] })
 *
 * Contract.table(Find).split("\n") // => ["           requires", "tool find  tenant"]
 * Contract.table(Find, { width: 16 }).split("\n") // => ["tool find", "    requires  tenant"]
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const table = (declaration: Declaration, options?: { readonly width?: number | undefined }): string => {
  const rows = rowsOf(tree(declaration))
  const lines = tableOf(rows)
  const width = options?.width ?? Number.POSITIVE_INFINITY
  return (lines.every((line) => line.length <= width) ? lines : listOf(rows, width)).join("\n")
}

const tableOf = (nodes: ReadonlyArray<Row>): ReadonlyArray<string> => {
  // a column that nobody fills says nothing
  const shown = columns.filter((column) => nodes.some(({ all }) => all[column].length > 0))
  const rows = [
    ["", ...shown],
    ...nodes.flatMap(({ label, all }) =>
      aligned([[label], ...shown.map((column) => all[column].length === 0 ? ["–"] : wrapped(all[column], cellWidth))])
    )
  ]
  const widths = ["", ...shown].map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ").trimEnd())
}

/** The rows as a list: the facts stand further in than the parts, so that one tells them apart. */
const listOf = (rows: ReadonlyArray<Row>, width: number): ReadonlyArray<string> =>
  rows.flatMap(({ label, all }) => [
    label,
    ...columns.flatMap((column) => {
      const head = `${" ".repeat(label.search(/\S/) + 4)}${column.padEnd(10)}`
      return wrapped(all[column], width - head.length)
        .map((names, index) => `${index === 0 ? head : " ".repeat(head.length)}${names}`)
    })
  ])

/** The most that the names in a cell take of a line; a longer name stands alone. */
const cellWidth = 26

/** Names in lines, as many in each as fit. */
const wrapped = (names: ReadonlyArray<string>, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + name.length + 2 <= width) lines[lines.length - 1] = `${last}, ${name}`
    else lines.push(name)
  }
  return lines
}

/** Cells of several lines as rows of one line each. */
const aligned = (cells: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(
    { length: Math.max(...cells.map((lines) => lines.length)) },
    (_, line) => cells.map((lines) => lines[line] ?? "")
  )
