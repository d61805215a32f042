/** Compares loops: what a step costs in each, in runs of some lengths and with kits of some sizes. */
import { fileURLToPath } from "node:url"
import { rounds } from "./rounds.ts"
import { type Spread, spread } from "./spread.ts"
import { table } from "./table.ts"

/** A loop, and the module that exports it. */
export interface Contestant {
  readonly name: string
  readonly module: string
  readonly loop: string
}

export interface Options {
  readonly rounds: number
  readonly calls: number
  readonly steps: ReadonlyArray<number>
  readonly tools: ReadonlyArray<number>
  readonly flags?: ReadonlyArray<string>
}

/** What one loop took in one setting. */
export interface Row {
  readonly name: string
  readonly steps: number
  readonly tools: number
  readonly cpu: Spread
  readonly rounds: ReadonlyArray<number>
}

const step = fileURLToPath(new URL("step.ts", import.meta.url))

export const compare = async (
  contestants: ReadonlyArray<Contestant>,
  options: Options
): Promise<ReadonlyArray<Row>> => {
  const settings = options.tools.flatMap((tools) =>
    options.steps.flatMap((steps) => contestants.map((contestant) => ({ ...contestant, steps, tools })))
  )
  const trials = settings.map(({ loop, module, name, steps, tools }) => ({
    name: `${name}, ${steps} steps, ${tools} tools`,
    args: [step, module, loop, String(steps), String(options.calls)],
    env: { TOOLS: String(tools) }
  }))
  const results = await rounds(trials, { times: options.rounds, flags: options.flags ?? [] })
  return settings.map(({ name, steps, tools }, index) => {
    const numbers = results[index] ?? []
    return { name, steps, tools, cpu: spread(numbers), rounds: numbers }
  })
}

/** The median of a loop over that of another one, in one setting. */
export const ratio = (
  rows: ReadonlyArray<Row>,
  [name, other]: readonly [string, string],
  steps: number,
  tools: number
): number => {
  const median = (wanted: string): number =>
    rows.find((row) => row.name === wanted && row.steps === steps && row.tools === tools)?.cpu.median ?? Number.NaN
  return median(name) / median(other)
}

/** A row for each loop, with minimum and median, and how much of it `beside` takes at a hundred steps. */
export const loopTable = (rows: ReadonlyArray<Row>, beside: string): string => {
  const settings = [...new Map(rows.map((row) => [`${row.steps}:${row.tools}`, row])).values()]
  const names = [...new Set(rows.map(({ name }) => name))]
  const many = new Set(rows.map(({ tools }) => tools)).size > 1
  const title = ({ steps, tools }: Row): string => `${steps} steps${many ? `, ${tools} tools` : ""}`
  return table(
    ["CPU µs a step, minimum / median", ...settings.flatMap((setting) => [title(setting), `${beside}, of it`])],
    names.map((name) => [
      name,
      ...settings.flatMap(({ steps, tools }) => {
        const row = rows.find((each) => each.name === name && each.steps === steps && each.tools === tools)
        const cell = row === undefined ? "" : `${row.cpu.min.toFixed(0)} / ${row.cpu.median.toFixed(0)}`
        const share = ratio(rows, [beside, name], steps, tools)
        return [cell, Number.isFinite(share) ? share.toFixed(2) : ""]
      })
    ])
  )
}
