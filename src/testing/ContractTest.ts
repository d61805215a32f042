/**
 * What an application's own tests say about contracts: which keys an agent requires, what a tool may write, which calls may
 * overlap.
 *
 * Each assertion takes what it is about as a value, and throws a `ContractTestFailed` that names each culprit, where it comes
 * from, and what to do. Where the types know the contract, the compiler refuses the same mistakes. They need no test runner.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Context, Effect, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import type * as Agent from "../Agent.ts"
import * as Contract from "../Contract.ts"
import { type ContractValue, toolContract } from "../internal/contract.ts"
import type { Mode } from "../internal/fork.ts"
import { makePlan } from "../internal/plan.ts"
import { type Claim, claimsOf, conflict } from "../internal/schedule.ts"
import type { Complain, Fits } from "../internal/types.ts"
import type * as Interrupt from "../Interrupt.ts"
import type * as State from "../State.ts"
import type * as ToolContext from "../ToolContext.ts"

// ===== types =================================================================

type Needs<D> = D extends { readonly "~needs": infer N } ? N
  : D extends { readonly "~middleware": { readonly needs: infer N } } ? N
  : D extends { readonly tools: infer Tools } ? AiTool.Requirements<Tools[keyof Tools]>
  : AiTool.Requirements<D>

/** The names of some identifiers; none where the types do not know them one by one. */
type NamesOf<I extends { readonly name: string }> = string extends I["name"] ? never : I["name"]

/** The context keys that a declaration requires, by name. @category utility types @since 0.1.0 */
export type Required<D> = NamesOf<Extract<Needs<D>, ToolContext.AnyKey>>

/** The fields that a declaration may write or combine, by full name. @category utility types @since 0.1.0 */
export type Written<D> = NamesOf<Extract<Needs<D>, State.Write<string, any> | State.Combine<string, any>>>

/** The fields whose values a declaration may see, by full name: a field that is written may be read too. @category utility types @since 0.1.0 */
export type Seen<D> = NamesOf<Extract<Needs<D>, State.Read<string, any>>>

/** What a declaration may ask, by the interrupt's name; approvals aside. @category utility types @since 0.1.0 */
export type Asked<D> = NamesOf<Extract<Needs<D>, Interrupt.AnyAsks>>

type Names = ReadonlyArray<string>

/** A list of just these names, or the complaint. What the types do not know of a declaration is checked at run time alone. */
type Just<N extends Names, Actual extends string, D> = [0 extends 1 & Needs<D> ? never : 0] extends [never] ? N
  : Fits<
    N,
    | Complain<"name these too, the declaration has them", Exclude<Actual, N[number]>>
    | Complain<"take these out, the declaration does not have them", Exclude<N[number], Actual | "approval">>
  >

// ===== errors ================================================================

/** One thing that is not as a test says, and what to do about it. @category models @since 0.1.0 */
export const Problem = Schema.Struct({
  /** A key, a field, an interrupt, or `*` for everything that an exclusive tool keeps off. */
  name: Schema.String,
  problem: Schema.String,
  cure: Schema.String
})

/** @since 0.1.0 */
export interface Problem extends Schema.Schema.Type<typeof Problem> {}

/** A contract is not what a test says. @category errors @since 0.1.0 */
export class ContractTestFailed extends Schema.TaggedError<ContractTestFailed>()("ContractTestFailed", {
  /** What the test is about, by name. */
  subject: Schema.String,
  problems: Schema.NonEmptyArray(Problem)
}) {
  override get message(): string {
    const lines = this.problems.map(({ cure, problem }) => `\n  ${problem}: ${cure}`)
    return `${this.subject}: the contract is not what the test says${lines.join("")}`
  }
}

const failWith = (subject: string, problems: ReadonlyArray<Problem>): void => {
  const [first, ...others] = problems
  if (first !== undefined) throw new ContractTestFailed({ subject, problems: [first, ...others] })
}

// ===== what a declaration has ==================================================

/** The innermost parts that have something, each as its way from the root. */
const holders = (
  { contract, kind, name, parts }: Contract.Tree,
  has: (contract: ContractValue) => boolean,
  above: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  if (!has(contract)) return []
  const way = [...above, `${kind} '${name}'`]
  const inner = parts.flatMap((part) => holders(part, has, way))
  return inner.length > 0 ? inner : [way.join(" › ")]
}

interface Aspect {
  /** What it says of a declaration that has a name: "requires 'tenant'". */
  readonly verb: string
  readonly option: string
  readonly namesIn: (contract: ContractValue) => ReadonlyArray<string>
}

const touching = (...modes: ReadonlyArray<Mode>): Aspect["namesIn"] => ({ touches }) =>
  touches.filter(({ mode }) => modes.includes(mode)).map(({ field }) => field.name)

const requiring: Aspect = {
  verb: "require",
  option: "context",
  namesIn: (contract) => contract.requires.map(({ name }) => name)
}
const writing: Aspect = { verb: "write", option: "writes` or `combines", namesIn: touching("write", "combine") }
const seeing: Aspect = { verb: "see", option: "reads` or `writes", namesIn: touching("read", "write") }
const asking: Aspect = { verb: "ask", option: "asks", namesIn: ({ asks }) => asks.map(({ name }) => name) }

const just = (declaration: Contract.Declaration, { namesIn, option, verb }: Aspect, names: Names): void => {
  const tree = Contract.tree(declaration)
  const actual = new Set(namesIn(tree.contract))
  failWith(`${tree.kind} '${tree.name}'`, [
    ...[...actual].filter((name) => !names.includes(name)).map((name) => ({
      name,
      problem: `'${name}' is missing in the test, which ${
        holders(tree, (contract) => namesIn(contract).includes(name)).join(" and ")
      } may ${verb}`,
      cure: `name it in the test, or take it out of \`${option}\` there`
    })),
    ...names.filter((name) => !actual.has(name)).map((name) => ({
      name,
      problem: `'${name}' is in the test, and nothing here may ${verb} it`,
      cure: `take it out of the test, or declare it under \`${option}\``
    }))
  ])
}

// ===== assertions ============================================================

/**
 * Asserts that a declaration requires just these context keys: one more fails, and one less.
 *
 * **Example** (What an agent wants of whoever runs it)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Agent, Tool, ToolContext, Toolkit } from "tenon"
 * import { ContractTest } from "tenon/testing"
 *
 * const Env = ToolContext.make({ tenant: Schema.String, user: Schema.String })
 * const Find = Tool.make("find", { context: [Env.tenant] })
 * const Mail = Tool.make("mail", { context: [Env.user] })
 * const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: Toolkit.make(Find, Mail) })
 *
 * ContractTest.requires(Assistant, ["tenant", "user"])
 *
 * // @ts-expect-error
 * const incomplete = () => ContractTest.requires(Assistant, ["tenant"])
 * ```
 *
 * @category assertions
 * @since 0.1.0
 */
export const requires = <const D extends Contract.Declaration, const N extends Names>(
  declaration: D,
  keys: Just<N, Required<D>, D>
): void => just(declaration, requiring, keys as Names)

/**
 * Asserts that a declaration may write or combine just these fields, by full name. What a sub-agent writes counts where it
 * comes back.
 *
 * **Example** (The only thing that a tool leaves behind)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Reducer, State, Tool } from "tenon"
 * import { ContractTest } from "tenon/testing"
 *
 * const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
 *
 * ContractTest.writes(Tool.make("find", { combines: [Search.count] }), ["search.count"])
 * ```
 *
 * @category assertions
 * @since 0.1.0
 */
export const writes = <const D extends Contract.Declaration, const N extends Names>(
  declaration: D,
  fields: Just<N, Written<D>, D>
): void => just(declaration, writing, fields as Names)

/**
 * Asserts that a declaration may see the values of just these fields, by full name. A field that is written may be seen.
 *
 * @category assertions
 * @since 0.1.0
 */
export const sees = <const D extends Contract.Declaration, const N extends Names>(
  declaration: D,
  fields: Just<N, Seen<D>, D>
): void => just(declaration, seeing, fields as Names)

/**
 * Asserts that a declaration may ask just these questions, by the interrupt's name; a guarded tool asks for its
 * `"approval"`.
 *
 * @category assertions
 * @since 0.1.0
 */
export const asks = <const D extends Contract.Declaration, const N extends Names>(
  declaration: D,
  questions: Just<N, Asked<D>, D>
): void => just(declaration, asking, questions as Names)

/**
 * Asserts that a declaration neither writes nor combines any field.
 *
 * **Example** (A tool that only looks)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { State, Tool } from "tenon"
 * import { ContractTest } from "tenon/testing"
 *
 * const Cart = State.make("cart", { items: State.field(Schema.Int, { initial: 0 }) })
 *
 * ContractTest.writesNothing(Tool.make("show", { reads: [Cart.items] }))
 *
 * // @ts-expect-error
 * const writing = () => ContractTest.writesNothing(Tool.make("add", { writes: [Cart.items] }))
 * ```
 *
 * @category assertions
 * @since 0.1.0
 */
export const writesNothing = <const D extends Contract.Declaration>(
  declaration: Fits<D, Complain<"this may write nothing, and writes these fields", Written<D>>>
): void => just(declaration as D, writing, [])

/**
 * Asserts that a declaration never stops for an answer, an approval included.
 *
 * @category assertions
 * @since 0.1.0
 */
export const asksNothing = <const D extends Contract.Declaration>(
  declaration: Fits<D, Complain<"this may ask nothing, and asks these", Asked<D>>>
): void => just(declaration as D, asking, [])

// ===== conflicts =============================================================

/** A tool, or a sub-agent, which is called as one. @category models @since 0.1.0 */
export type Callable = AiTool.Any | { readonly tool: AiTool.Any }

/** What a model calls something with. */
type Parameters<T> = T extends { readonly tool: AiTool.Any } ? unknown : AiTool.Parameters<T>

const toolOf = (callable: Callable): AiTool.Any => "tool" in callable ? callable.tool : callable

/** A tool's contract, with that of the hooks around its calls where it belongs to an agent: as the runner plans it. */
const planned = (tool: AiTool.Any, agent: Agent.Any | undefined): ContractValue => {
  if (agent === undefined) return toolContract(tool)
  const { definition } = agent
  const name = tool.name as string
  if (definition.tools.get(name) !== tool) throw new TypeError(`'${agent.name}' has no such tool: '${name}'`)
  // nothing runs, but no plan is made of a tool without a handler
  const handler = { name, handler: () => Effect.never, context: Context.empty() }
  const { tools } = makePlan(
    { definition: { ...definition, tools: new Map([[name, tool]]) }, tool: undefined },
    Context.makeUnsafe(new Map([[tool.id, handler]]))
  )
  return tools.get(name)?.contract ?? toolContract(tool)
}

const verbs = { read: "reads", write: "writes", combine: "combines" } as const
const commuting = "a reducer whose combines commute (`Reducer.sum` of integers, `max`, `min`, `union`)"
const byEntry = "make it a record and name the entry by a parameter, `.at(\"…\")`"

const cureOf = (a: Claim, b: Claim): string => {
  if (a.entry !== undefined && b.entry !== undefined) {
    return "both touch one entry: calls for two entries do not conflict, name such in `parameters`"
  }
  const modes = new Set([a.mode, b.mode])
  if (modes.size === 1 && modes.has("combine")) return `give it ${commuting}; its own keeps the order of calls`
  if (!modes.has("read")) return `give it ${commuting}, and declare it under \`combines\` in both; or ${byEntry}`
  return `keep what is read in a field of its own; or ${byEntry}`
}

const exclusion = /^exclusive (?<name>[^]*)$/

const problemOf = (a: Claim, b: Claim, [one, other]: readonly [string, string]): Problem => {
  const { resource } = a
  if (resource === "*") {
    return {
      name: resource,
      problem: `${a.mode === "write" ? one : other} is exclusive, so no call may overlap it`,
      cure:
        "name what it is exclusive about, `exclusive: \"files\"`, and give that name to the tools that it must not meet"
    }
  }
  const shared = exclusion.exec(resource)?.groups?.["name"]
  return shared === undefined
    ? {
      name: resource,
      problem: `${one} ${verbs[a.mode]} '${resource}', and ${other} ${verbs[b.mode]} it`,
      cure: cureOf(a, b)
    }
    : {
      name: shared,
      problem: `${one} and ${other} are both exclusive about '${shared}'`,
      cure: "give them two names, if they may meet"
    }
}

/**
 * Asserts that calls of two tools may overlap in one step: neither waits for the other. It is the runner's own rule that
 * decides.
 *
 * **Details**
 *
 * Tools that name an entry by a parameter conflict where both name the same: without `parameters` they do. With an
 * `agent`, its hooks around calls count too, as they do when it runs.
 *
 * **Gotchas**
 *
 * The compiler cannot tell: whether combines commute, and which entries are touched, is no type.
 *
 * **Example** (Two tools that count)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Reducer, State, Tool } from "tenon"
 * import { ContractTest } from "tenon/testing"
 *
 * const Search = State.make("search", {
 *   count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
 *   last: State.optional(Schema.String)
 * })
 * const Find = Tool.make("find", { combines: [Search.count] })
 * const Look = Tool.make("look", { combines: [Search.count], writes: [Search.last] })
 *
 * ContractTest.noConflict(Find, Look)
 * // two calls of one tool, too
 * ContractTest.noConflict(Find, Find)
 * ```
 *
 * @category assertions
 * @since 0.1.0
 */
export const noConflict = <const A extends Callable, const B extends Callable>(
  one: A,
  other: B,
  options?: {
    /** What each of the two is called with. */
    readonly parameters?: readonly [Parameters<A>, Parameters<B>]
    readonly agent?: Agent.Any
  }
): void => {
  const tools = [toolOf(one), toolOf(other)] as const
  const claims = tools.map((tool, index) =>
    claimsOf(planned(tool, options?.agent), options?.parameters?.[index as 0 | 1])
  )
  const [first = [], second = []] = claims
  const names = tools.map(({ name }) => `'${name}'`) as unknown as readonly [string, string]
  failWith(
    names.join(" beside "),
    first.flatMap((a) =>
      second.filter((b) => a.resource === b.resource && conflict(a, b)).map((b) => problemOf(a, b, names))
    )
  )
}
