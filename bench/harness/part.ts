/**
 * Measures one part in this process: `node part.ts MODULE PART` prints the CPU microseconds of one time, user and system time
 * of the whole process.
 *
 * A part takes how many times it is to be done. It warms up for a while first, and is measured for as long as tells it
 * from the clock's grain.
 */
import { pathToFileURL } from "node:url"

const [path = "", name = ""] = process.argv.slice(2)

/** Does a part so many times, or a few times more; gives how often it was. */
export type Part = (times: number) => Promise<number>

const { parts } = await import(pathToFileURL(path).href) as { readonly parts: Readonly<Record<string, Part>> }
const part = parts[name]
if (part === undefined) throw new Error(`no part '${name}' in ${path}`)

/** What so many times take, and one of them. */
const cpu = async (times: number): Promise<readonly [all: number, each: number]> => {
  const before = process.cpuUsage()
  const done = await part(times)
  const { system, user } = process.cpuUsage(before)
  return [user + system, (user + system) / done]
}

const warmUp = 400_000
const long = 600_000

let times = 1
let spent = 0
let each = 0
while (spent < warmUp) {
  const [took, one] = await cpu(times)
  spent += took
  each = one
  if (took < warmUp / 4) times *= 2
}
const [, measured] = await cpu(Math.max(1, Math.ceil(long / Math.max(each, 0.001))))
process.stdout.write(`${measured}\n`, () => process.exit(0))
