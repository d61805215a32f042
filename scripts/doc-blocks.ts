/**
 * Type-checks and runs every ```ts block of README.md, docs/*.md and the JSDoc of src/; each stands for itself.
 * A statement `expr // => value` asserts that they are deeply equal; a block ```ts no-run is only type-checked.
 * Run it with --conditions=tenon-source: the blocks import the library by name and get its source.
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

const blocksOf = (source: string): ReadonlyArray<Block> => {
  const text = readFileSync(source, "utf8")
  return [...text.matchAll(/^[ \t]*(?:\*[ \t]*)?```ts\b([^\n]*)\n([\s\S]*?)^[ \t]*(?:\*[ \t]*)?```/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length
    const code = source.endsWith(".md") ? match[2] ?? "" : (match[2] ?? "").replaceAll(/^[ \t]*\* ?/gm, "")
    const file = `${out}/${source.replaceAll(/[^\w.-]+/g, "_")}.${line}.ts`
    // the assertions' import takes the place of the fence, so that lines keep their numbers
    const head = `${"\n".repeat(line - 1)}import * as __assert from "node:assert"\n`
    writeFileSync(file, `${head}${withAssertions(code)}\nvoid __assert\nexport {}\n`)
    return { file, source, line, run: !/\bno-run\b/.test(match[1] ?? "") }
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
const sources = ["README.md", "docs/**/*.md", "src/**/*.ts"].flatMap((pattern) => globSync(pattern).sort())
const blocks = sources.flatMap(blocksOf)
const { diagnostics } = blocks.length === 0 ? { diagnostics: [] } : await compile(newest, ["-p", out])

const failures = new Map<string, Array<string>>()
const report = ({ file }: Block, problem: string) => failures.set(file, [...failures.get(file) ?? [], problem])
for (const block of blocks) {
  for (const { file, line, text } of diagnostics) {
    if (file === block.file) report(block, `${block.source}:${line} ${text}`)
  }
}
const foreign = diagnostics.filter(({ file }) => !blocks.some((block) => block.file === file))
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
