/** Holds what an editor shows of the names in `type-tests/hovers.ts` to a length: `node scripts/hovers.ts [--show]`. */
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import ts from "typescript"

/** In characters: what an editor shows without scrolling. */
const longest = 650

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
const names = source?.statements.filter(ts.isVariableStatement)
  .flatMap(({ declarationList }) => declarationList.declarations.map(({ name }) => name)) ?? []
let failed = wrong.length
for (const name of names) {
  const hover = ts.displayPartsToString(service.getQuickInfoAtPosition(file, name.getStart(source))?.displayParts)
  const isLong = hover.length > longest
  if (isLong) failed++
  if (show || isLong) console.log(`${hover.length} ${isLong ? `characters, more than ${longest}` : ""}\n${hover}\n`)
}
console.log(`${names.length + wrong.length - failed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
