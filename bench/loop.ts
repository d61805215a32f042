/**
 * CPU time of a step beside effect/ai's own loops, in one run: `npm run bench [-- --rounds 5 --calls 5000 --steps 10,100,1000]`.
 *
 * One process per contestant and round, interleaved; CPU is user and system time of the whole process, compiler and
 * collector threads included. Ratios are of medians. TOOLS=50 puts more tools into the kit, MODEL=hand-written takes
 * effect/ai's share of a model call out.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { contestants } from "./contestants.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    calls: { type: "string", default: "5000" },
    steps: { type: "string", default: "10,100,1000" },
    one: { type: "string" }
  }
})

const measure = async (name: string, steps: number): Promise<number> => {
  const run = contestants[name]
  if (run === undefined) throw new Error(`no contestant '${name}'`)
  const times = Math.max(1, Math.round(Number(values.calls) / steps))
  for (let i = 0; i < Math.max(3, Math.round(1000 / steps)); i++) {
    if (await run(steps) !== steps) throw new Error(`${name} made another number of calls`)
  }
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await run(steps)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (times * steps)
}

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

if (values.one !== undefined) {
  const [name = "", steps = ""] = values.one.split(":")
  console.log(await measure(name, Number(steps)))
} else {
  const sizes = values.steps.split(",").map(Number)
  // Chat has its tools run by effect/ai's part of a model, which a hand-written one has not
  const names = Object.keys(contestants).filter((name) => name !== "chat" || process.env["MODEL"] !== "hand-written")
  const results = new Map<string, Array<number>>()
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const steps of sizes) {
      for (const name of names) {
        const args = [
          ...process.execArgv,
          fileURLToPath(import.meta.url),
          "--one",
          `${name}:${steps}`,
          "--calls",
          values.calls
        ]
        const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
        if (status !== 0) throw new Error(`${name}: ${stderr}`)
        results.set(`${name}:${steps}`, [...results.get(`${name}:${steps}`) ?? [], Number(stdout)])
        process.stderr.write(`\r${round + 1}/${values.rounds} ${name} ${steps} steps      `)
      }
    }
  }
  process.stderr.write("\r")
  const of = (name: string, steps: number) => results.get(`${name}:${steps}`) ?? []
  console.log("| CPU µs a step, minimum / median | " + sizes.map((steps) => `${steps} steps`).join(" | ") + " |")
  console.log("|---|" + sizes.map(() => "---").join("|") + "|")
  for (const name of names) {
    const cells = sizes.map((steps) =>
      `${Math.min(...of(name, steps)).toFixed(0)} / ${median(of(name, steps)).toFixed(0)}`
    )
    console.log(`| ${name} | ${cells.join(" | ")} |`)
  }
  for (const steps of sizes) {
    const ratio = (other: string) => (median(of("tenon", steps)) / median(of(other, steps))).toFixed(2)
    const others = names.filter((name) => name !== "tenon").map((name) => `${ratio(name)} of ${name}`)
    console.log(`tenon at ${steps} steps: ${others.join(", ")}`)
  }
}
