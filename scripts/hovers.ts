/**
 * Holds what an editor shows of each name in `type-tests/hovers.ts` to a length, written out in full: what an editor cuts
 * off counts too. `// at most 400: why` above a statement gives its names more room. `node scripts/hovers.ts [--show]`.
 */
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import ts from "typescript"

/** In characters: what an editor shows without scrolling. */
const longest = 300
/** Nothing is cut off: TypeScript would shorten a hover to some 500 characters whatever the type. */
const uncut = 1_000_000

const { values: { show = false } } = parseArgs({ options: { show: { type: "boolean" } } })
const { sys } = ts
const file = resolve("type-tests/hovers.ts")
const config = ts.getParsedCommandLineOfConfigFile("type-tests/tsconfig.json", { noErrorTruncation: true }, {
  ...sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"))
  }
})
const service = ts.createLanguageService({
  directoryExists: (path) => sys.directoryExists(path),
  fileExists: (path) => sys.fileExists(path),
  getCurrentDirectory: () => sys.getCurrentDirectory(),
  getDirectories: (path) => sys.getDirectories(path),
  readDirectory: (...args) => sys.readDirectory(...args),
  readFile: (path) => sys.readFile(path),
  getCompilationSettings: () => config?.options ?? {},
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => {
    const text = sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getDefaultLibFileName: ts.getDefaultLibFilePath
})
const wrong = service.getSemanticDiagnostics(file)
for (const { messageText } of wrong) console.error(ts.flattenDiagnosticMessageText(messageText, "\n"))

const source = service.getProgram()?.getSourceFile(file)

/** The names that a statement declares, parameters of functions in it included. */
const namesIn = (node: ts.Node): ReadonlyArray<ts.Identifier> => {
  const name = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)
    ? node.name
    : undefined
  const own = name !== undefined && ts.isIdentifier(name) ? [name] : []
  return [...own, ...node.getChildren(source).flatMap(namesIn)]
}

const roomOf = (statement: ts.Statement): number => {
  const comments = source?.text.slice(statement.getFullStart(), statement.getStart(source)) ?? ""
  return Number(/\/\/ at most (\d+): ./.exec(comments)?.[1] ?? longest)
}

let passed = 0
let failed = wrong.length
for (const statement of source?.statements ?? []) {
  const most = roomOf(statement)
  for (const name of namesIn(statement)) {
    const info = service.getQuickInfoAtPosition(file, name.getStart(source), uncut)
    const hover = ts.displayPartsToString(info?.displayParts)
    const isGood = hover !== "" && hover.length <= most
    if (isGood) passed++
    else failed++
    if (show || !isGood) console.log(`${hover.length} characters${isGood ? "" : `, at most ${most}`}\n${hover}\n`)
  }
}
console.log(`${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
