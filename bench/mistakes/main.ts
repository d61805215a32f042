/**
 * Measures what becomes of the same mistakes in Tenon and elsewhere, and writes results.json here, docs/comparison.md and
 * the table in README.md. `--only ai,tenon` measures these folders alone; `--check` writes nothing, and fails where what is
 * written says something else. Ends with `N passed, N failed`, a case each.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { newest } from "../../scripts/compilers.ts"
import { measure, type Measured, peers } from "./measure.ts"
import { excerpt, page, type Results } from "./page.ts"
import { control, rows } from "./rows.ts"

const { values } = parseArgs({ options: { only: { type: "string" }, check: { type: "boolean", default: false } } })
const selected = values.only?.split(",") ?? peers
const unknown = selected.filter((peer) => !peers.includes(peer))
if (unknown.length > 0) {
  console.error(`no such folder: ${unknown.join(", ")}; there are ${peers.join(", ")}`)
  process.exit(2)
}

const resultsFile = join(import.meta.dirname, "results.json")
const pageFile = "docs/comparison.md"
const readme = "README.md"

/** README.md with the table in it. */
const withExcerpt = (text: string, of: Results): string =>
  text.replace(
    /(<!-- mistakes -->\n)[^]*?(<!-- \/mistakes -->)/,
    (_, begin, end) => `${begin}\n${excerpt(of)}\n\n${end}`
  )

/** A text without what a formatter adds to a table. */
const unaligned = (text: string): string => text.replaceAll(/ {2,}/g, " ").replaceAll(/-{3,}/g, "---")
const written: Results = JSON.parse(readFileSync(resultsFile, "utf8"))

/** What is wrong with the cases of a folder themselves. */
const problemsOf = ({ cases }: Measured): ReadonlyArray<string> => {
  const expected = [control, ...rows.map(({ name }) => name)]
  return [
    ...expected.filter((name) => cases[name] === undefined).map((name) => `${name} is missing`),
    ...Object.keys(cases).filter((name) => !expected.includes(name)).map((name) => `${name} is no row`),
    ...cases[control]?.verdict === "fine" ? [] : [`the control is ${JSON.stringify(cases[control])}`]
  ]
}

/** What differs from what is written. */
const changesOf = (peer: string, { cases, versions }: Measured): ReadonlyArray<string> => {
  const before = written.peers[peer]
  if (!isDeepStrictEqual(before?.versions, versions)) return [`measured with ${JSON.stringify(before?.versions)}`]
  return Object.entries(cases).flatMap(([name, { shows, verdict }]) => {
    const was = before?.cases[name]?.verdict
    return was === verdict ? [] : [`${name} was ${was}, and is ${verdict}: ${shows}`]
  })
}

let passed = 0
let failed = 0
const measured: Record<string, Measured> = {}
for (const peer of selected) {
  const found = measured[peer] = await measure(peer)
  const problems = [...problemsOf(found), ...values.check ? changesOf(peer, found) : []]
  for (const problem of problems) console.log(`FAIL ${peer}: ${problem}`)
  failed += problems.length
  passed += Object.keys(found.cases).length - problems.length
}

const inOrder = peers.flatMap((peer) => {
  const found = measured[peer] ?? written.peers[peer]
  return found === undefined ? [] : [[peer, found] as const]
})
const results: Results = { typescript: newest.version, peers: Object.fromEntries(inOrder) }
if (!values.check) {
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(pageFile, page(results))
  writeFileSync(readme, withExcerpt(readFileSync(readme, "utf8"), results))
} else {
  const text = readFileSync(readme, "utf8")
  const isRight = {
    [pageFile]: readFileSync(pageFile, "utf8") === page(written),
    [readme]: unaligned(text) === unaligned(withExcerpt(text, written))
  }
  for (const file of Object.keys(isRight).filter((file) => isRight[file] !== true)) {
    console.log(`FAIL ${file} is not what results.json says: npm run mistakes`)
    failed++
  }
}
console.log(`${Math.max(passed, 0)} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
