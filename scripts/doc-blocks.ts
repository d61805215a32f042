/**
 * Type-checks and runs every ```ts block of README.md, docs/*.md and the JSDoc of src/; each stands for itself.
 * A statement `expr // => value` asserts that they are deeply equal; a block ```ts no-run is only type-checked.
 * A comment above `// @ts-expect-error` that quotes the compiler must be a line of what it says there; `…` stands for
 * anything.
 * Run it with --conditions=tenon-source: the blocks import the library by name and get its source. Names of files, or
 * patterns, restrict it to those.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import ts from "typescript"
import { compile, newest } from "./compilers.ts"

interface Block {
  readonly file: string
  readonly source: string
  /** Of its opening fence. */
  readonly line: number
  readonly run: boolean
  /** What the block says that the compiler says. */
  readonly quotes: ReadonlyArray<Quote>
}

interface Quote {
  readonly text: string
  /** Of the statement that is wrong. */
  readonly line: number
}

const timeLimit = 20_000
const out = resolve(".cache/doc-blocks")

/** Turns `expr // => value`, `const name = expr // => value` and `console.log(expr) // => value` into assertions. */
const withAssertions = (code: string): string => {
  const edits: Array<{ readonly from: number; readonly to: number; readonly text: string }> = []
  const source = ts.createSourceFile("block.ts", code, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    const comment = ts.getTrailingCommentRanges(code, node.end)?.[0]
    const value = comment && /^\/\/ => (.+)$/.exec(code.slice(comment.pos, comment.end))?.[1]
    if (value !== undefined && ts.isExpressionStatement(node)) {
      const actual = /^console\.log\((.+)\)$/s.exec(node.expression.getText())?.[1] ?? node.expression.getText()
      edits.push({ from: node.getStart(), to: node.end, text: `__assert.deepStrictEqual(${actual}, ${value});` })
    } else if (value !== undefined && ts.isVariableStatement(node)) {
      const name = node.declarationList.declarations.at(-1)?.name.getText() ?? ""
      edits.push({ from: node.end, to: node.end, text: `; __assert.deepStrictEqual(${name}, ${value});` })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return edits.reduceRight((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), code)
}

const directive = /\/\/ @ts-expect-error\b/

const commentOf = (line: string | undefined) => /^\s*\/\/ (.+)$/.exec(line ?? "")?.[1]?.trim()

/** The comments directly above a directive that look like a message: a capital, and something quoted or left out. */
const quotesOf = (code: string, firstLine: number): ReadonlyArray<Quote> => {
  const lines = code.split("\n")
  return lines.flatMap((line, at) => {
    if (!directive.test(line)) return []
    let from = at
    while (commentOf(lines[from - 1]) !== undefined) from--
    const text = lines.slice(from, at).map(commentOf).join(" ")
    return /^[A-Z].*(?: '|…)/.test(text) ? [{ text, line: firstLine + at + 1 }] : []
  })
}

/** Is it, from end to end, one of the lines that a diagnostic has? */
const isQuoted = ({ text }: Quote, diagnostic: string): boolean => {
  const pattern = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll("…", ".*")
  const whole = new RegExp(`^(?:TS\\d+:)?\\s*${pattern}$`)
  return diagnostic.split("\n").some((line) => whole.test(line))
}

/** Where a block stands a second time, without its directives: there the compiler says what they hold back. */
const unguarded = (file: string) => file.replace(/\.ts$/, ".unguarded.ts")

const blocksOf = (source: string): ReadonlyArray<Block> => {
  const text = readFileSync(source, "utf8")
  return [...text.matchAll(/^[ \t]*(?:\*[ \t]*)?```ts\b([^\n]*)\n([\s\S]*?)^[ \t]*(?:\*[ \t]*)?```/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length
    const code = source.endsWith(".md") ? match[2] ?? "" : (match[2] ?? "").replaceAll(/^[ \t]*\* ?/gm, "")
    const file = `${out}/${source.replaceAll(/[^\w.-]+/g, "_")}.${line}.ts`
    // the assertions' import takes the place of the fence, so that lines keep their numbers
    const head = `${"\n".repeat(line - 1)}import * as __assert from "node:assert"\n`
    const program = `${head}${withAssertions(code)}\nvoid __assert\nexport {}\n`
    writeFileSync(file, program)
    const quotes = quotesOf(code, line + 1)
    if (quotes.length > 0) writeFileSync(unguarded(file), program.replaceAll(new RegExp(directive, "g"), "//"))
    return { file, source, line, run: !/\bno-run\b/.test(match[1] ?? ""), quotes }
  })
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
writeFileSync(
  `${out}/tsconfig.json`,
  JSON.stringify({
    extends: "../../tsconfig.json",
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, plugins: [] },
    include: ["*.ts"]
  })
)
const named = process.argv.slice(2)
const sources = (named.length > 0 ? named : ["README.md", "docs/**/*.md", "src/**/*.ts"])
  .flatMap((pattern) => globSync(pattern).sort())
const blocks = sources.flatMap(blocksOf)
const { diagnostics } = blocks.length === 0 ? { diagnostics: [] } : await compile(newest, ["-p", out])

const failures = new Map<string, Array<string>>()
const report = ({ file }: Block, problem: string) => failures.set(file, [...failures.get(file) ?? [], problem])
for (const block of blocks) {
  for (const { file, line, text } of diagnostics) {
    if (file === block.file) report(block, `${block.source}:${line} ${text}`)
  }
  for (const quote of block.quotes) {
    const said = diagnostics.filter(({ file, line }) => file === unguarded(block.file) && line === quote.line)
      .map(({ text }) => text)
    if (said.some((text) => isQuoted(quote, text))) continue
    const instead = said.length === 0 ? "nothing" : said.join("\n")
    report(block, `${block.source}:${quote.line} quotes: ${quote.text}\nthe compiler says: ${instead}`)
  }
}
const foreign = diagnostics.filter(({ file }) =>
  !blocks.some((block) => file === block.file || (block.quotes.length > 0 && file === unguarded(block.file)))
)
for (const { file, line, text } of foreign) console.log(`FAIL ${file}:${line} ${text}`)

let current: Block | undefined
process.on("unhandledRejection", (error) => {
  if (current !== undefined) report(current, `${current.source}:${current.line} not handled: ${String(error)}`)
})
for (const block of blocks.filter((block) => block.run && !failures.has(block.file))) {
  current = block
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end in ${timeLimit / 1000} s`)), timeLimit)
  })
  try {
    await Promise.race([import(pathToFileURL(block.file).href), late])
  } catch (error) {
    const message = error instanceof Error ? error.stack ?? error.message : String(error)
    report(block, `${block.source}:${block.line} ${message}`)
  }
  clearTimeout(timer)
}

for (const problem of [...failures.values()].flat()) console.log(`FAIL ${problem}`)
const failed = failures.size + (foreign.length > 0 ? 1 : 0)
console.log(`${blocks.length - failures.size} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
