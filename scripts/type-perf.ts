/**
 * What the types cost: type instantiations of each fixture in type-tests/perf/, less those of its baseline.ts.
 * The counts are the same on every run, so limits.json holds them exactly; `--update` writes what was measured.
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
if (process.argv.includes("--update")) {
  writeFileSync(limitsFile, `${JSON.stringify(measured, null, 2)}\n`)
  failed = 0
}
console.log(`${fixtures.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
