/**
 * Mutation testing of the kernel: changes src/ a little, a thousand times, and counts the changes that no test notices.
 *
 *     npm run mutation                      all modules of the table
 *     npm run mutation -- Reducer internal/field     some of them
 *     npm run mutation -- --survivors Reducer        what the last run left alive, without running again
 *
 * A module is tried with its own tests, those of the table. Reports are kept under .cache/mutation. The table in
 * docs/mutation.md is written by `--update`, where modules without a report keep their rows. Fails where a module stands
 * below `least`.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"

/** Of a hundred mutants, so many must be noticed. */
const least = 85

/** The modules, lowest layer first, and the tests that say what they do. */
const modules: Readonly<Record<string, ReadonlyArray<string>>> = {
  Reducer: ["Reducer", "State"],
  StateDelta: ["StateDelta"],
  Precedence: ["Precedence"],
  ToolContext: ["ToolContext", "mistakes/run-time"],
  State: ["State", "StateSerializer", "migrations", "internal/migration"],
  Contract: ["Contract", "ToolContext"],
  "internal/json": ["internal/json", "StateDelta"],
  "internal/freeze": ["internal/freeze"],
  "internal/ast": ["internal/ast"],
  "internal/migration": ["internal/migration", "migrations", "State", "StateSerializer"],
  "internal/field": ["internal/field", "State", "Reducer", "StateSerializer"],
  "internal/contract": ["internal/contract", "Contract", "Toolkit"],
  "internal/changes": ["internal/changes"],
  "internal/shape": ["internal/shape", "internal/changes", "Contract"],
  "internal/declared": ["internal/declared", "State", "StateSerializer", "migrations", "Contract"],
  "internal/schedule": ["runner/schedule"],
  "internal/redaction": ["internal/redaction", "History"],
  "internal/document": ["SessionDocument"],
  "internal/snapshot": ["properties/snapshot", "Session"],
  StateSerializer: ["StateSerializer", "migrations"],
  SessionDocument: ["SessionDocument"]
}

interface Mutant {
  readonly status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "RuntimeError" | "CompileError" | "Ignored"
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: Record<"start" | "end", { readonly line: number; readonly column: number }>
}

interface Report {
  readonly files: Record<string, { readonly source: string; readonly mutants: ReadonlyArray<Mutant> }>
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    survivors: { type: "boolean", default: false },
    update: { type: "boolean", default: false }
  }
})
const names = positionals.length === 0 ? Object.keys(modules) : positionals
const unknown = names.filter((name) => !Object.hasOwn(modules, name))
if (unknown.length > 0) {
  console.error(`no such module in the table of scripts/mutation.ts: ${unknown.join(" ")}`)
  process.exit(2)
}

const folder = join(".cache", "mutation")
const fileOf = (name: string, kind: string) => join(folder, `${name.replaceAll("/", "-")}.${kind}.json`)

const run = (name: string): boolean => {
  const config = JSON.parse(readFileSync("stryker.config.json", "utf8")) as object
  const file = fileOf(name, "config")
  mkdirSync(folder, { recursive: true })
  // one that cannot be tried has no report
  rmSync(fileOf(name, "report"), { force: true })
  writeFileSync(
    file,
    JSON.stringify({
      ...config,
      mutate: [`src/${name}.ts`],
      jsonReporter: { fileName: fileOf(name, "report") }
    })
  )
  const tests = (modules[name] ?? []).map((test) => `test/${test}.test.ts`)
  const { status } = spawnSync(
    process.execPath,
    [
      join("node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
      "run",
      file
    ],
    { stdio: "inherit", env: { ...process.env, MUTATION_TESTS: tests.join(",") } }
  )
  return status === 0
}

const mutantsOf = (name: string) => {
  const file = fileOf(name, "report")
  if (!existsSync(file)) return undefined
  const report = JSON.parse(readFileSync(file, "utf8")) as Report
  return report.files[`src/${name}.ts`]
}

const noticed = ["Killed", "Timeout"]
const alive = ["Survived", "NoCoverage"]

const row = (name: string) => {
  const mutants = mutantsOf(name)?.mutants ?? []
  const count = (kinds: ReadonlyArray<string>) => mutants.filter(({ status }) => kinds.includes(status)).length
  const [killed, left] = [count(noticed), count(alive)]
  const score = killed + left === 0 ? undefined : (100 * killed) / (killed + left)
  return { name, killed, left, uncovered: count(["NoCoverage"]), score }
}

const survivors = (name: string): void => {
  const found = mutantsOf(name)
  const lines = found?.source.split("\n") ?? []
  for (const { location: { end, start }, mutatorName, replacement = "", status } of found?.mutants ?? []) {
    if (!alive.includes(status)) continue
    const text = lines[start.line - 1]?.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined)
    const becomes = replacement.replaceAll(/\s+/g, " ").slice(0, 60)
    console.log(`src/${name}.ts:${start.line}:${start.column} ${mutatorName} ${text} => ${becomes}`)
  }
}

const failed = values.survivors ? [] : names.filter((name) => !run(name))
if (values.survivors) names.forEach(survivors)

const rows = names.map(row).filter(({ score }) => score !== undefined)
const lineOf = ({ killed, left, name, score = 0, uncovered }: ReturnType<typeof row>): string =>
  `| \`${name}\` | ${killed + left} | ${killed} | ${left} | ${uncovered} | ${score.toFixed(1)} % |`
const head = [
  "| module | mutants | noticed | survived | of them in code that no test runs | score |",
  "| --- | --- | --- | --- | --- | --- |"
]
console.log([...head, ...rows.map(lineOf)].join("\n"))

if (values.update) {
  const page = join("docs", "mutation.md")
  const text = readFileSync(page, "utf8")
  const known = new Map(text.split("\n").map((line) => [/^\| `(.*?)`/.exec(line)?.[1], line]))
  const lines = Object.keys(modules).flatMap((name) => {
    const measured = row(name)
    return measured.score === undefined ? known.get(name) ?? [] : lineOf(measured)
  })
  writeFileSync(
    page,
    text.replace(
      /(<!-- table -->\n)[^]*?(\n<!-- \/table -->)/,
      (_, a, b) => `${a}\n${[...head, ...lines].join("\n")}\n${b}`
    )
  )
}
const low = rows.filter(({ score = 0 }) => score < least)
for (const { name, score = 0 } of low) console.log(`FAIL ${name}: ${score.toFixed(1)} % is below ${least} %`)
for (const name of failed) console.log(`FAIL ${name}: its mutants could not be tried`)
process.exit(low.length + failed.length === 0 ? 0 : 1)
