/**
 * docs/errors.md: each mistake that the compiler finds, with what it says and the cure, out of type-tests/errors.
 * `--check` fails where the file is not what comes out.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, resolve } from "node:path"
import { compile, newest } from "./compilers.ts"

const target = "docs/errors.md"
const files = globSync("type-tests/errors/*.ts").sort().map((file) => resolve(file))
mkdirSync(".cache", { recursive: true })
const project = resolve(".cache/error-docs.json")
writeFileSync(project, JSON.stringify({ extends: "../type-tests/tsconfig.json", files, include: [], exclude: [] }))
const { diagnostics } = await compile(newest, ["-p", project])

const isMark = (line: string | undefined) => /^\s*\/\/ error: /.test(line ?? "")

/** The first statement that is marked, and what the compiler says of it. */
const exampleOf = (file: string, lines: ReadonlyArray<string>) => {
  let from = lines.findIndex(isMark)
  while (isMark(lines[from])) from++
  let to = from
  while (to + 1 < lines.length && lines[to + 1]?.trim() !== "") to++
  const statement = lines.slice(from, to + 1)
  const indent = Math.min(...statement.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)))
  const found = diagnostics.find((error) => error.file === file && error.line > from && error.line <= to + 1)
  return { statement: statement.map((line) => line.slice(indent)).join("\n"), said: found?.text ?? "" }
}

/** The compiler's first lines: the rest goes from type to type. */
const shortened = (said: string): string =>
  said.split("\n").slice(0, 3)
    .map((line) => line.replaceAll(`${process.cwd()}/`, ""))
    .map((line) => line.length <= 240 ? line : `${line.slice(0, 239)}…`)
    .join("\n")

const sections = files.map((file) => {
  const lines = readFileSync(file, "utf8").split("\n")
  const [, id = "", words = ""] = /^(M\d+)-(.+)$/.exec(basename(file, ".ts")) ?? []
  const cure = /^\/\/ cure: (.+)$/.exec(lines[1] ?? "")?.[1]
  if (cure === undefined) throw new Error(`${file}: its second line is no '// cure: …'`)
  const { said, statement } = exampleOf(file, lines)
  const title = words.replaceAll("-", " ")
  return [
    `## ${id}: ${title}`,
    `\`\`\`typescript\n${statement}\n\`\`\``,
    `\`\`\`text\n${shortened(said)}\n\`\`\``,
    cure
  ].join("\n\n")
})

const text = [
  "# What the compiler says",
  [
    "Mistakes that do not compile, each with what TypeScript " + newest.version +
    " says of it first, and the cure. The whole programs stand in",
    "[type-tests/errors](../type-tests/errors); the messages are checked on three versions of TypeScript. This file is made of",
    "them: `npm run errors`."
  ].join("\n"),
  ...sections
].join("\n\n") + "\n"

if (process.argv.includes("--check")) {
  const isSame = readFileSync(target, "utf8") === text
  console.log(isSame ? "1 passed, 0 failed" : `FAIL ${target} is out of date: npm run errors\n0 passed, 1 failed`)
  process.exit(isSame ? 0 : 1)
}
mkdirSync("docs", { recursive: true })
writeFileSync(target, text)
