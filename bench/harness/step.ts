/**
 * Measures one loop in this process: `node step.ts MODULE LOOP STEPS CALLS` prints the CPU microseconds of a step, user and
 * system time of the whole process, compiler and collector threads included.
 *
 * A loop takes a number of steps and gives the number of tool calls that really happened. Runs to warm up make a
 * thousand calls, or are three, whatever the loop.
 */
import { pathToFileURL } from "node:url"

const [path = "", loop = "", ...numbers] = process.argv.slice(2)
const [steps = 1, calls = 1] = numbers.map(Number)

const loops = await import(pathToFileURL(path).href) as Record<string, (steps: number) => Promise<number>>
const run = loops[loop]
if (run === undefined) throw new Error(`no loop '${loop}' in ${path}`)

const repeat = async (times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    const made = await run(steps)
    if (made !== steps) throw new Error(`'${loop}' made ${made} calls in ${steps} steps`)
  }
}

await repeat(Math.max(3, Math.round(1000 / steps)))
const times = Math.max(1, Math.round(calls / steps))
const before = process.cpuUsage()
await repeat(times)
const { system, user } = process.cpuUsage(before)
// a framework may keep timers or handles that would hold the process
process.stdout.write(`${(user + system) / (times * steps)}\n`, () => process.exit(0))
