/**
 * What the types cost: type instantiations of each fixture in type-tests/perf/, less those of its baseline.ts.
 * The counts are the same on every run, so limits.json holds them exactly; `--update` writes what was measured, there and
 * into the table of docs/guide/declarations.md. Some hold beside others, whatever they are.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, resolve } from "node:path"
import { compile, newest } from "./compilers.ts"

const cache = resolve(".cache/type-perf")
mkdirSync(cache, { recursive: true })

const measure = async (name: string): Promise<number> => {
  const project = `${cache}/${name}.json`
  const files = [resolve(`type-tests/perf/${name}.ts`)]
  // against dist, as a user compiles: what the library does inside then costs nothing here
  const what = { files, include: [], exclude: [], compilerOptions: { customConditions: [] } }
  writeFileSync(project, JSON.stringify({ extends: "../../type-tests/tsconfig.json", ...what }))
  // one checker: the count then depends on nothing but the program
  const { ok, output } = await compile(newest, ["-p", project, "--extendedDiagnostics", "--checkers", "1"])
  const count = /^Instantiations:\s+(\d+)/m.exec(output)?.[1]
  if (!ok || count === undefined) throw new Error(`${name} does not compile\n${output}`)
  return Number(count)
}

const limitsFile = "type-tests/perf/limits.json"
const limits = JSON.parse(readFileSync(limitsFile, "utf8")) as Record<string, number>
const names = globSync("type-tests/perf/*.ts").map((file) => basename(file, ".ts")).sort()
const fixtures = names.filter((name) => name !== "baseline")
const baseline = fixtures.length === 0 ? 0 : await measure("baseline")

const measured: Record<string, number> = {}
let failed = 0
for (const name of fixtures) {
  const cost = await measure(name) - baseline
  const limit = limits[name]
  const ok = limit !== undefined && cost <= limit
  measured[name] = cost
  if (!ok) failed++
  const against = limit === undefined
    ? "no limit yet"
    : `limit ${limit}${cost < limit ? ", which --update lowers" : ""}`
  console.log(`${ok ? "ok  " : "FAIL"} ${name}: ${cost} instantiations, ${against}`)
}

/** How much one may cost beside another: the same tools without contracts, or the same tools in one agent. */
const beside: ReadonlyArray<readonly [name: string, other: string, most: number]> = [
  ["agent-10", "plain-10", 2],
  ["agent-50", "plain-50", 1.1],
  ["agent-100", "plain-100", 1],
  ["agent-200", "plain-200", 1],
  ["sub-agents-5x10", "agent-50", 1.02]
]
const ratioOf = (name: string, other: string): number => (measured[name] ?? Number.NaN) / (measured[other] ?? 1)

if (process.argv.includes("--update")) {
  writeFileSync(limitsFile, `${JSON.stringify(measured, null, 2)}\n`)
  failed = 0
  const page = "docs/guide/declarations.md"
  const number = (name: string) => (measured[name] ?? 0).toLocaleString("en-US")
  const rows = beside.map(([name, other]) =>
    `| \`${name}\` | ${number(name)} | \`${other}\` | ${number(other)} | ${ratioOf(name, other).toFixed(2)} |`
  )
  const table = [
    "| of | instantiations | beside | instantiations | ratio |",
    "| --- | --: | --- | --: | --: |",
    ...rows
  ]
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(
      /(<!-- costs -->\n)[^]*?(<!-- \/costs -->)/,
      (_, begin, end) => `${begin}\n${table.join("\n")}\n\n${end}`
    )
  )
}
for (const [name, other, most] of beside) {
  const ratio = ratioOf(name, other)
  if (!(ratio <= most)) failed++
  console.log(`${ratio <= most ? "ok  " : "FAIL"} ${name} of ${other}: ${ratio.toFixed(2)}, at most ${most}`)
}
console.log(`${fixtures.length + beside.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
