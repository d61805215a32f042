/**
 * CPU time of a step beside other frameworks, each with a fake model in memory: `npm run bench:peers -- --help`.
 *
 * Builds this package, installs of `bench/peers` what is needed, and compares loops as `bench/loop.ts` does, in the same
 * processes with the same flags. This package is what a user gets: its built modules, by its own name.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { compare, type Contestant, loopTable, ratio } from "./harness/loops.ts"
import { numbers, writeJson } from "./harness/report.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A contestant, with the folder whose packages it needs, if it needs others than this package has. */
interface Peer extends Contestant {
  readonly folder?: string
}

const own = (name: string, module: string, loop: string): Peer => ({ name, module: at(`loops/${module}.ts`), loop })
const peer = (name: string, folder: string, loop: string): Peer => ({
  name,
  module: at(`peers/${folder}/loops.ts`),
  loop,
  folder
})
const peers: ReadonlyArray<Peer> = [
  own("tenon", "tenon", "tenon"),
  own("effect-ai", "effect-ai", "chat"),
  own("effect-ai-lean", "effect-ai", "lean"),
  peer("ai", "ai", "withContext"),
  peer("ai-no-context", "ai", "withoutContext"),
  peer("openai-agents", "openai-agents", "run"),
  peer("langchain", "langchain", "run"),
  peer("mastra", "mastra", "run"),
  peer("adk", "adk", "run")
]
const names = peers.map(({ name }) => name)

const help = `npm run bench:peers [-- OPTIONS]

  --only NAMES    some of ${names.join(",")}
  --rounds N      processes for each contestant and setting (5)
  --calls N       tool calls that are measured in each (3000)
  --steps LIST    lengths of a run (10,100)
  --long          runs of 1000 steps too
  --tools LIST    tools in the kit (what TOOLS says, or 1)
  --json FILE     writes every number too
  --help          this text

The last line has the ratios of median CPU a step at 100 steps: tenon over effect/ai's Chat, and over the AI SDK
with a context schema.`

const failed = (why: string): never => {
  console.error(why)
  process.exit(1)
}

const options = () => {
  try {
    return parseArgs({
      options: {
        only: { type: "string", default: names.join() },
        rounds: { type: "string", default: "5" },
        calls: { type: "string", default: "3000" },
        steps: { type: "string", default: "10,100" },
        long: { type: "boolean", default: false },
        tools: { type: "string", default: process.env["TOOLS"] ?? "1" },
        json: { type: "string" },
        help: { type: "boolean", default: false }
      }
    }).values
  } catch (error) {
    return failed(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  }
}
const values = options()
if (values.help) {
  console.log(help)
  process.exit(0)
}
const positive = (name: "rounds" | "calls" | "steps" | "tools"): ReadonlyArray<number> => {
  const all = numbers(values[name])
  return all.every((number) => Number.isInteger(number) && number > 0)
    ? all
    : failed(`--${name} takes whole numbers from 1, not '${values[name]}'.`)
}
const [[times = 1], [calls = 1], tools] = [positive("rounds"), positive("calls"), positive("tools")]
const steps = [...positive("steps"), ...(values.long ? [1000] : [])]
const only = values.only.split(",")
const unknown = only.filter((name) => !names.includes(name))
if (unknown.length > 0) failed(`There is no contestant ${unknown.join(", ")}. There are ${names.join(", ")}.`)
const chosen = peers.filter(({ name }) => only.includes(name))

// ----- what must be there -----------------------------------------------------------

const progress = (text: string): boolean => process.stderr.write(`${text}\n`)

progress("builds tenon")
execFileSync("npm", ["run", "--silent", "build"], { cwd: at(".."), stdio: ["ignore", 2, 2] })

/** Installs what a folder's lock says, unless that is what is there. */
const install = (folder: string): void => {
  const cwd = at(`peers/${folder}`)
  const mark = `${cwd}/node_modules/.installed`
  const lock = readFileSync(`${cwd}/package-lock.json`, "utf8")
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return
  progress(`installs ${folder}`)
  // no script of a package runs: none of them needs one for this
  const { status, stderr } = spawnSync("npm", ["ci", "--prefer-offline", "--ignore-scripts", "--loglevel=error"], {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32"
  })
  if (status !== 0) {
    failed(
      `The packages of bench/peers/${folder} could not be installed. They come from the npm registry, so this needs a ` +
        `network, or npm's cache from an earlier time; \`--only tenon,effect-ai\` needs neither.\n\n${stderr}`
    )
  }
  writeFileSync(mark, lock)
}
for (const folder of new Set(chosen.flatMap(({ folder }) => folder ?? []))) install(folder)

// ----- the comparison ---------------------------------------------------------------

const rows = await compare(chosen, { rounds: times, calls, steps, tools })
writeJson(values.json, { calls, rows })
for (const count of tools) {
  console.log(`\n${count} ${count === 1 ? "tool" : "tools"} in the kit\n`)
  console.log(loopTable(rows.filter((row) => row.tools === count), "tenon"))
}
const [kit = 1] = tools
const beside = (other: string): number => ratio(rows, ["tenon", other], 100, kit)
if (Number.isFinite(beside("effect-ai")) && Number.isFinite(beside("ai"))) {
  console.log(`\ntenon: ${beside("effect-ai").toFixed(2)} of effect-ai, ${beside("ai").toFixed(2)} of ai`)
} else {
  progress("No ratios: they need tenon, effect-ai and ai in runs of 100 steps.")
}
