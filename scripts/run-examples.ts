/** Runs every example against the source, offline and without input; each must end with exit code 0. */
import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"

/** What would make `main.ts` ask a provider. */
const online = /^TENON_(BASE_URL|MODEL|API_KEY)$|^(OPENAI|ANTHROPIC|GOOGLE_GENERATIVE_AI)_API_KEY$/
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !online.test(name)))

const files = globSync("examples/*.ts").sort()
let failed = 0
for (const file of files) {
  const { error, output, status } = spawnSync(process.execPath, ["--conditions=tenon-source", file], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000
  })
  if (status !== 0) failed++
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${file}`)
  if (status !== 0) console.log([...output, error?.message].join(""))
}
console.log(`${files.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
