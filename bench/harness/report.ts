/** Says what was measured, and on what. */
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"

/** Writes results as JSON, with the machine that they come from, where a file is named. */
export const writeJson = (file: string | undefined, results: object): void => {
  if (file === undefined) return
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model,
    cores: cpus().length
  }
  writeFileSync(file, `${JSON.stringify({ machine, ...results }, null, 2)}\n`)
}

/** Numbers, as `10,100` in an option. */
export const numbers = (text: string): ReadonlyArray<number> => text.split(",").map(Number)
