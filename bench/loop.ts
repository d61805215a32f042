/**
 * CPU time of a step beside effect/ai's own loops: `npm run bench [-- --rounds 5 --calls 5000 --steps 10,100,1000 --json FILE]`.
 *
 * One process per contestant and round, interleaved. Ratios are of medians, and mean something within one run. TOOLS=50
 * puts more tools into the kit, MODEL=hand-written takes effect/ai's share of a model call out.
 */
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { compare, type Contestant, loopTable } from "./harness/loops.ts"
import { numbers, writeJson } from "./harness/report.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    calls: { type: "string", default: "5000" },
    steps: { type: "string", default: "10,100,1000" },
    json: { type: "string" }
  }
})

const from = (file: string): string => fileURLToPath(new URL(`loops/${file}.ts`, import.meta.url))
const contestants: ReadonlyArray<Contestant> = [
  { name: "chat", module: from("effect-ai"), loop: "chat" },
  { name: "lean", module: from("effect-ai"), loop: "lean" },
  { name: "tenon", module: from("tenon"), loop: "tenon" }
]
// Chat has its tools run by effect/ai's part of a model, which a hand-written one has not
const chosen = contestants.filter(({ name }) => name !== "chat" || process.env["MODEL"] !== "hand-written")

const rows = await compare(chosen, {
  rounds: Number(values.rounds),
  calls: Number(values.calls),
  steps: numbers(values.steps),
  tools: [Number(process.env["TOOLS"] ?? 1)],
  flags: ["--conditions=tenon-source"]
})
writeJson(values.json, { rows })
console.log(loopTable(rows, "tenon"))
