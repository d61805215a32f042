/**
 * What it takes to import each module of the package, as it is built: `npm run bench:import [-- --rounds 5 --json FILE]`.
 *
 * Each in fresh processes, interleaved. All of them import effect, which is what most of it goes into, so that stands
 * beside.
 */
import { parseArgs } from "node:util"
import { entryPoints } from "./harness/entries.ts"
import { writeJson } from "./harness/report.ts"
import { rounds } from "./harness/rounds.ts"
import { spread } from "./harness/spread.ts"
import { digits, table } from "./harness/table.ts"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, json: { type: "string" } } })

const effect = ["effect", "effect/ai"]
const trials = [[], effect, ...entryPoints().map((entry) => [entry])].map((modules) => ({
  name: modules.join(" and ") || "nothing",
  args: [
    "--input-type=module",
    "--eval",
    `${modules.map((module) => `await import("${module}");`).join(" ")}
const { system, user } = process.cpuUsage()
console.log((system + user) / 1000)`
  ]
}))
const measured = await rounds(trials, { times: Number(values.rounds) })
const rows = trials.map(({ name }, index) => ({ name, cpu: spread(measured[index] ?? []) }))
writeJson(values.json, { rows })
const [start = 0, beside = 0] = rows.map(({ cpu }) => cpu.median)
console.log(table(
  ["CPU ms of a process", "median", "least", "most", "without its start", "of effect"],
  rows.map(({ cpu: { max, median, min }, name }, index) => [
    index === 0 ? name : name.split(" and ").map((module) => `\`${module}\``).join(" and "),
    digits(median),
    digits(min),
    digits(max),
    index === 0 ? "" : digits(median - start),
    index < 2 ? "" : digits((median - start) / (beside - start))
  ])
))
