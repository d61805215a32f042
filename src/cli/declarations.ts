/**
 * Declarations in a user's module. Layer 6, edge `cli`.
 */
import { Effect } from "effect"
import { Tool as AiTool } from "effect/ai"
import { CliError } from "effect/cli"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as Contract from "../Contract.ts"

/** The command was used wrongly: says what is wrong, and what there is. */
export const misuse = (problem: string): CliError.UserError =>
  new CliError.UserError({ cause: problem, userMessage: problem })

/** What a failed import or a failed reading says of itself. */
export const wordsOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** What tells declarations is the same in every copy of the package, so that the user's own need not be this one. */
const isDeclaration = (value: unknown): value is Contract.Declaration => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false
  return "contractTree" in value || AiTool.TypeId in value || "~effect/ai/Toolkit" in value
}

interface Exported {
  readonly name: string
  readonly declaration: Contract.Declaration
}

const described = ({ declaration, name }: Exported): string => {
  const tree = Contract.tree(declaration)
  return `  ${name}: ${tree.kind} ${tree.name}`
}

const listed = (found: ReadonlyArray<Exported>, all: ReadonlyArray<string>): string =>
  found.length > 0
    ? `it exports these:\n${found.map(described).join("\n")}`
    : all.length === 0
    ? "it exports nothing"
    : `it exports ${all.join(", ")}, and none of them has a contract: export an agent, a tool, a toolkit or middleware`

/** The one that is meant where nobody says so: what is exported by default, else the only agent, else the only one. */
const meant = (found: ReadonlyArray<Exported>): Exported | undefined => {
  const agents = found.filter(({ declaration }) => Contract.tree(declaration).kind === "agent")
  return found.find(({ name }) => name === "default") ??
    (agents.length === 1 ? agents[0] : found.length === 1 ? found[0] : undefined)
}

/** The declaration that a module exports. */
export const load = Effect.fnUntraced(function*(path: string, name: string | undefined) {
  const file = resolve(path)
  if (!existsSync(file)) return yield* misuse(`there is no file '${path}'`)
  const module = yield* Effect.tryPromise({
    try: () => import(pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>,
    catch: (error) => misuse(`'${path}' cannot be imported: ${wordsOf(error)}`)
  })
  const found = Object.entries(module).flatMap(([key, value]): ReadonlyArray<Exported> =>
    isDeclaration(value) ? [{ name: key, declaration: value }] : []
  )
  const wanted = name === undefined ? meant(found) : found.find((each) => each.name === name)
  if (wanted !== undefined) return wanted.declaration
  const problem = name !== undefined
    ? `'${path}' exports no declaration '${name}'`
    : found.length === 0
    ? `'${path}' exports no declaration`
    : `say which declaration of '${path}' is meant, with --export`
  return yield* misuse(`${problem}; ${listed(found, Object.keys(module))}`)
})
