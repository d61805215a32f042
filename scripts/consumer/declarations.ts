/**
 * How much the compiler writes into the declarations of an agent of 50 tools, with annotations and without, as
 * docs/guide/declarations.md tells. The bytes stand in `declaration-sizes.json` and may differ by 2 %; `--update` writes
 * them anew.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { compile, newest } from "../compilers.ts"
import { withProject } from "./project.ts"
import { reporting } from "./report.ts"

const file = "scripts/consumer/declaration-sizes.json"
const tolerance = 0.02
const { update } = parseArgs({ options: { update: { type: "boolean", default: false } } }).values

// ----- one agent in two files, twice ---------------------------------------------------

const source = readFileSync("type-tests/perf/agent-50.ts", "utf8")
const count = 50
const at = source.indexOf("const A = ")
const imports = source.slice(0, source.indexOf("\nconst Env"))
const tools = source.slice(0, at).replaceAll(/^const /gm, "export const ")
const agent = /^const A = .+$/m.exec(source)?.[0] ?? ""
const listed = Array.from({ length: count }, (_, tool) => `typeof T${tool}`).join(", ")

const agentFile = (declaration: string, kit: string) =>
  `${imports}\nimport { Kit } from "./${kit}.ts"\n${declaration}\nexport ${agent}\n`

const sources: Readonly<Record<string, string>> = {
  "tools": tools,
  "agent": agentFile("", "tools"),
  "tools-annotated": tools
    .replace("const Kit =", `const Kit: AiToolkit.Toolkit<AiToolkit.ToolsByName<[${listed}]>> =`)
    .replace("const KitLive =", "const KitLive: Layer.Layer<AiTool.HandlersFor<typeof Kit.tools>> ="),
  "agent-annotated": agentFile("type Tools = (typeof Kit.tools)[keyof typeof Kit.tools]", "tools-annotated")
    .replace("const A =", `const A: Agent.Agent<"a", AiTool.Requirements<Tools>, Tools> =`)
}

/** The annotation says all that the compiler found, and no more. */
const same = `
import { A as Long } from "./out/agent.js"
import { A as Short } from "./out/agent-annotated.js"
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true : false
export const needs: Same<typeof Long["~needs"], typeof Short["~needs"]> = true
export const there: typeof Long = Short
export const back: typeof Short = Long
`

const options = ["--strict", "--target", "es2022", "--module", "nodenext", "--allowImportingTsExtensions"]

await reporting(({ check }) =>
  withProject(async ({ dir, write }) => {
    for (const [name, text] of Object.entries(sources)) write(`${name}.ts`, text)
    const files = Object.keys(sources).map((name) => `${name}.ts`)
    const emitting = ["--declaration", "--emitDeclarationOnly", "--rewriteRelativeImportExtensions", "--outDir", "out"]
    const emitted = await compile(newest, [...options, ...emitting, ...files], dir)
    check(emitted.ok, "the agents compile", emitted.output)
    write("same.ts", same)
    const compared = await compile(newest, [...options, "--skipLibCheck", "false", "--noEmit", "same.ts"], dir)
    check(compared.ok, "with an annotation the agent has the same type", compared.output)

    const limits = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>
    const sizes = Object.fromEntries(
      Object.keys(sources).map((name) => [name, statSync(join(dir, "out", `${name}.d.ts`)).size])
    )
    for (const [name, size] of Object.entries(sizes)) {
      const limit = limits[name] ?? Number.NaN
      check(update || Math.abs(size / limit - 1) <= tolerance, `${name}.d.ts: ${size} B`, `it was ${limit} B`)
    }
    if (update) writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`)
  })
)
