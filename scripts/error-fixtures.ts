/**
 * The text of compile errors, under every supported TypeScript. A fixture, type-tests/errors/ID-what-is-wrong.ts,
 * begins with a line `// text` that one of its errors must contain, and one `// cure: text` for docs/errors.md. A comment `// error: text` (or several in a row)
 * marks the statement below it, up to a blank line: one error there must have all the texts in its first three lines.
 * An error anywhere else fails the fixture.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, resolve } from "node:path"
import { compile, compilers, type Diagnostic } from "./compilers.ts"

interface Mark {
  readonly texts: ReadonlyArray<string>
  /** The lines of the marked statement, counted from 1. */
  readonly from: number
  readonly to: number
}

const errorText = (line: string | undefined) => /^\s*\/\/ error: (.+)$/.exec(line ?? "")?.[1]?.trim()

const marksOf = (lines: ReadonlyArray<string>): ReadonlyArray<Mark> => {
  const marks: Array<Mark> = []
  for (let at = 0; at < lines.length; at++) {
    const texts: Array<string> = []
    for (let text = errorText(lines[at]); text !== undefined; text = errorText(lines[++at])) texts.push(text)
    if (texts.length === 0) continue
    const from = at + 1
    while (at + 1 < lines.length && lines[at + 1]?.trim() !== "" && errorText(lines[at + 1]) === undefined) at++
    marks.push({ texts, from, to: at + 1 })
  }
  return marks
}

const problemsOf = (file: string, errors: ReadonlyArray<Diagnostic>): ReadonlyArray<string> => {
  const lines = readFileSync(file, "utf8").split("\n")
  const headline = /^\/\/ (?!error: )(.+)$/.exec(lines[0] ?? "")?.[1]
  const marks = marksOf(lines)
  const within = (mark: Mark) => errors.filter(({ line }) => line >= mark.from && line <= mark.to)
  const shown = (found: ReadonlyArray<Diagnostic>) =>
    found.length === 0 ? "no error" : found.map(({ line, text }) => `line ${line}: ${text}`).join("\n")

  const problems: Array<string> = []
  if (headline === undefined) problems.push("does not begin with a line `// text the compiler must show`")
  else if (!errors.some(({ text }) => text.includes(headline))) {
    problems.push(`no error contains the text of its first line: ${headline}\n${shown(errors)}`)
  }
  if (marks.length === 0) problems.push("marks no line with `// error: text`")
  for (const mark of marks) {
    const found = within(mark)
    const first = found.map(({ text }) => text.split("\n").slice(0, 3).join("\n"))
    if (!first.some((text) => mark.texts.every((expected) => text.includes(expected)))) {
      problems.push(`line ${mark.from}: expected ${mark.texts.join(" + ")}\ngot ${shown(found)}`)
    }
  }
  const elsewhere = errors.filter((error) => !marks.some((mark) => within(mark).includes(error)))
  if (elsewhere.length > 0) problems.push(`unmarked error\n${shown(elsewhere)}`)
  return problems
}

const files = globSync("type-tests/errors/*.ts").sort().map((file) => resolve(file))
mkdirSync(".cache", { recursive: true })
const project = resolve(".cache/error-fixtures.json")
writeFileSync(project, JSON.stringify({ extends: "../type-tests/tsconfig.json", files, include: [], exclude: [] }))

let passed = 0
let failed = 0
for (const compiler of compilers) {
  const { diagnostics } = await compile(compiler, ["-p", project])
  // an error outside the fixtures, in the library say, makes every answer worthless
  const foreign = diagnostics.filter(({ file }) => !files.includes(file))
  for (const { file, line, text } of foreign) {
    console.log(`FAIL ${file}:${line}, TypeScript ${compiler.version}: ${text}`)
  }
  for (const file of files) {
    const problems = problemsOf(file, diagnostics.filter((diagnostic) => diagnostic.file === file))
    if (problems.length === 0 && foreign.length === 0) passed++
    else failed++
    for (const problem of problems) {
      console.log(`FAIL ${basename(file)}, TypeScript ${compiler.version}: ${problem.replaceAll("\n", "\n     ")}`)
    }
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
