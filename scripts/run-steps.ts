/**
 * Runs a group of steps one after another: `test` is every package.json script named `test:…`, in their order.
 * Names each as it runs, shows the output of those that fail, goes on, and ends with `N passed, N failed`.
 * A step counts by its vitest report, else by its own last line `N passed, N failed`, else as one.
 * `--list` names the steps; `--only NAME` (repeatable) runs those alone. `test:crash` runs only where it is named.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { parseArgs, styleText } from "node:util"

interface Counts {
  readonly passed: number
  readonly failed: number
}

/** They run where they are named: vitest has a part of them. */
const apart: ReadonlySet<string> = new Set(["crash"])

// for what hangs: a busy machine takes several times as long as an idle one
const timeLimit = 20 * 60_000

const { positionals: [group = ""], values } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean" }, only: { type: "string", multiple: true } }
})
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> }
const steps = Object.entries(scripts)
  .filter(([script]) => script.startsWith(`${group}:`))
  .map(([script, command]) => ({ name: script.slice(group.length + 1), command }))

const unknown = (values.only ?? []).filter((name) => !steps.some((step) => step.name === name))
if (steps.length === 0 || unknown.length > 0) {
  console.error(`no such ${steps.length === 0 ? "group" : "step"}: ${[group, ...unknown].join(" ")}`)
  process.exit(2)
}
if (values.list === true) {
  for (const step of steps) console.log(`${step.name.padEnd(10)}  ${step.command}`)
  process.exit(0)
}

const run = (command: string): Promise<{ readonly ok: boolean; readonly output: string }> =>
  new Promise((done) => {
    let output = ""
    const env = { ...process.env, NO_COLOR: "1" }
    const child = spawn(command, { env, shell: true, stdio: ["ignore", "pipe", "pipe"], timeout: timeLimit })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => output += text)
    }
    child.on("close", (code, signal) => {
      done({ ok: code === 0, output: signal === null ? output : `${output}\nended by ${signal}` })
    })
  })

const vitestCounts = (report: string): Counts | undefined => {
  if (!existsSync(report)) return undefined
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, "utf8")) as Record<string, number>
  return { passed: numPassedTests ?? 0, failed: numFailedTests ?? 0 }
}

const ownCounts = (output: string): Counts | undefined => {
  const last = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split("\n").at(-1) ?? "")
  return last === null ? undefined : { passed: Number(last[1]), failed: Number(last[2]) }
}

const selected = steps.filter(({ name }) => values.only === undefined ? !apart.has(name) : values.only.includes(name))
const width = Math.max(...selected.map((step) => step.name.length)) + 2
const started = performance.now()
const total = { passed: 0, failed: 0 }
for (const { command, name } of selected) {
  process.stdout.write(`  ${name.padEnd(width)}`)
  const report = /--outputFile\.json=(\S+)/.exec(command)?.[1]
  if (report !== undefined) rmSync(report, { force: true })

  const start = performance.now()
  const { ok, output } = await run(command)
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`

  const counted = report === undefined ? ownCounts(output) : vitestCounts(report)
  const { failed, passed } = counted ?? { passed: ok ? 1 : 0, failed: 0 }
  // a step that ran nothing, or stopped without a failed count, has failed all the same
  const failures = ok && passed > 0 ? failed : Math.max(failed, 1)
  total.passed += passed
  total.failed += failures

  const verdict = failures === 0 ? styleText("green", "ok  ") : styleText("red", "FAIL")
  const counts = counted === undefined ? "" : `${passed} passed${failures === 0 ? "" : `, ${failures} failed`}`
  console.log(`${verdict}  ${seconds.padStart(7)}  ${counts}`.trimEnd())
  if (failures > 0) console.log(`\n$ ${command}\n${output.trim() || "(no output)"}\n`)
}

console.log(
  `\n${selected.length} ${selected.length === 1 ? "step" : "steps"} in ${
    ((performance.now() - started) / 1000).toFixed(0)
  } s`
)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
