/**
 * Import direction and absence of cycles over src/. A module imports only from its own layer or a lower one; edge
 * folders never import each other; nobody imports src/index.ts. Type-only imports have a direction but make no cycle.
 * Only cli/ and sql/ stand on Node's own modules.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import ts from "typescript"

/** Every module of src/ outside the edge folders, lowest layer first. */
const layers: ReadonlyArray<ReadonlyArray<string>> = [
  [
    "internal/types",
    "internal/messages",
    "internal/freeze",
    "internal/json",
    "internal/place",
    "internal/text",
    "internal/ast",
    "internal/field",
    "internal/migration",
    "internal/fork",
    "internal/call",
    "internal/context",
    "internal/contract",
    "internal/supply",
    "internal/shape",
    "internal/declared",
    "internal/changes",
    "ToolContext",
    "State",
    "Reducer",
    "StateDelta",
    "Precedence",
    "Contract"
  ],
  [
    "internal/parts",
    "internal/handlers",
    "internal/summary",
    "Tool",
    "Toolkit",
    "ToolCall",
    "Actions",
    "Interrupt",
    "Reconcile",
    "Instructions",
    "Event",
    "Middleware",
    "AgentError"
  ],
  ["Agent", "SubAgent", "Transfer", "Compose", "internal/holders", "internal/limits", "internal/together"],
  [
    "internal/fold",
    "internal/transcript",
    "internal/history",
    "internal/log",
    "internal/snapshot",
    "internal/rows",
    "internal/writes",
    "internal/pages",
    "internal/recall",
    "internal/watchers",
    "internal/stamp",
    "internal/commit",
    "internal/session",
    "StateSerializer",
    "internal/document",
    "Session",
    "SessionDocument",
    "SessionStore",
    "internal/journal",
    "internal/holder",
    "KvsStore",
    "ArtifactStore",
    "Artifacts",
    "MemoryStore",
    "CredentialStore",
    "Credentials"
  ],
  [
    "internal/schedule",
    "internal/meter",
    "internal/plan",
    "internal/redaction",
    "internal/run",
    "internal/again",
    "internal/around",
    "internal/results",
    "internal/asking",
    "internal/handle",
    "internal/progress",
    "internal/attempt",
    "internal/questions",
    "internal/step",
    "internal/check",
    "internal/reconcile",
    "internal/returned",
    "internal/perform",
    "internal/batch",
    "internal/output",
    "internal/model",
    "internal/telemetry",
    "internal/hooks",
    "internal/inbox",
    "internal/instructions",
    "internal/script",
    "internal/late",
    "internal/generate",
    "internal/turn",
    "internal/loop",
    "internal/frame",
    "internal/open",
    "internal/start",
    "internal/compatible",
    "internal/closing",
    "internal/stretch",
    "internal/execute",
    "History",
    "AgentRunner",
    "ModelPlan"
  ],
  ["index"]
]

/** The topmost layer: folders with a subpath each. */
const edges: ReadonlyArray<string> = ["ai-sdk", "cli", "interop", "middleware", "sql", "testing"]

/** The edges that stand on Node's own modules. */
const onNode: ReadonlyArray<string | undefined> = ["cli", "sql"]

interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
}

const importsOf = (file: string): ReadonlyArray<Import> => {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest)
  const found: Array<Import> = []
  const add = (node: ts.Node | undefined, typeOnly: boolean) => {
    if (node !== undefined && ts.isStringLiteral(node)) found.push({ specifier: node.text, typeOnly })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const src = resolve("src")
const files = globSync("src/**/*.ts").map((file) => resolve(file)).sort()
const nameOf = (file: string) => relative(src, file).replaceAll("\\", "/").replace(/\.ts$/, "")
const edgeOf = (name: string) => edges.find((edge) => name.startsWith(`${edge}/`))
const layerOf = (name: string) => {
  if (edgeOf(name) !== undefined) return layers.length
  const layer = layers.findIndex((names) => names.includes(name))
  return layer === -1 ? undefined : layer
}

const problems = new Map<string, Array<string>>(files.map((file) => [nameOf(file), []]))
const valueImports = new Map<string, ReadonlyArray<string>>()
for (const file of files) {
  const name = nameOf(file)
  const report = (problem: string) => problems.get(name)?.push(problem)
  const layer = layerOf(name)
  if (layer === undefined) report("is in no layer: add it to the table at the top of scripts/layers.ts")

  const values: Array<string> = []
  for (const { specifier, typeOnly } of importsOf(file)) {
    if (/^tenon(\/|$)/.test(specifier)) report(`imports "${specifier}": inside src/, import the file`)
    if (specifier.startsWith("node:") && !onNode.includes(edgeOf(name))) {
      report(`imports "${specifier}": only ${onNode.join("/ and ")}/ need Node`)
    }
    if (!specifier.startsWith(".")) continue
    const target = nameOf(join(dirname(file), specifier))
    if (!specifier.endsWith(".ts") || !problems.has(target)) {
      report(`imports "${specifier}", which is no file of src/`)
      continue
    }
    if (!typeOnly) values.push(target)
    const targetLayer = layerOf(target)
    if (target === "index") report("imports index, which is for users")
    else if (edgeOf(name) !== undefined && edgeOf(target) !== undefined && edgeOf(name) !== edgeOf(target)) {
      report(`imports ${target}: edge folders do not import each other`)
    } else if (layer !== undefined && targetLayer !== undefined && targetLayer > layer) {
      report(`imports ${target}, which is in a higher layer (${targetLayer + 1} > ${layer + 1})`)
    }
  }
  valueImports.set(name, values)
}

const finished = new Set<string>()
const walk = (name: string, path: ReadonlyArray<string>): void => {
  if (path.includes(name)) problems.get(name)?.push(`cycle: ${[...path.slice(path.indexOf(name)), name].join(" -> ")}`)
  if (path.includes(name) || finished.has(name)) return
  for (const target of valueImports.get(name) ?? []) walk(target, [...path, name])
  finished.add(name)
}
for (const name of valueImports.keys()) walk(name, [])

let failed = 0
for (const [name, found] of problems) {
  if (found.length > 0) failed++
  for (const problem of found) console.log(`FAIL src/${name}.ts ${problem}`)
}
if (failed === 0) console.log("ok")
console.log(`${files.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
