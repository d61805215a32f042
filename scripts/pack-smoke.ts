/**
 * Packs the built package, installs it beside effect in a fresh project and uses it there: as an ES module, from
 * TypeScript with library checks on (each compiler, each module resolution), through a bundler, for its size, and as the
 * command that comes with it.
 */
import { build } from "esbuild"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compile, compilers, newest } from "./compilers.ts"

/** The most that importing one module may add to what a program that uses effect's own Schema and layers has, minified. */
const sizeLimit = 20_000
const sizedImport = `import { ToolContext } from "tenon"; console.log(ToolContext.make)`
const effectAlone =
  `import { Context, Effect, Layer, Schema } from "effect"; console.log(Schema.Struct, Schema.toCodecJson, Layer.empty, Context.empty, Effect.runPromise)`

const usage = `
import { Schema } from "effect"
import { Agent, State, Tool, ToolContext, Toolkit } from "tenon"
import { Adk, UiMessages } from "tenon/interop"
import { TodoList } from "tenon/middleware"
import { ToolTest } from "tenon/testing"
export const Env = ToolContext.make({ tenant: Schema.String })
export const Search = State.make("search", { last: State.optional(Schema.String) })
export const Find = Tool.make("find", { context: [Env.tenant], writes: [Search.last] })
export const Assistant = Agent.make("assistant", {
  instructions: "Help.",
  toolkit: Toolkit.make(Find),
  middleware: [TodoList.make()]
})
export const layer = ToolTest.layer
export const session = Adk.importSession({}, { keys: { last: Search.last } })
export const history = UiMessages.toHistory([])
`
/** A subpath for which another package must be there, and only for its types. */
const bridge = `
import { Layer } from "effect"
import { LanguageModel } from "effect/ai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { AiSdk } from "tenon/ai-sdk"
const local = createOpenAICompatible({ name: "local", baseURL: "http://127.0.0.1" })
export const model: Layer.Layer<LanguageModel.LanguageModel> = AiSdk.layer(local("m"), { temperature: 0 })
// @ts-expect-error a text is no model
AiSdk.layer("m")
`
/** A later state of the agent that `usage` declares: its tool is gone. */
const later = `
import { Agent } from "tenon"
export const Assistant = Agent.make("assistant", { instructions: "Help." })
`
const resolutions = [["nodenext", "nodenext"], ["esnext", "bundler"]] as const

let passed = 0
let failed = 0
const report = (ok: boolean, what: string) => {
  if (ok) passed++
  else failed++
  console.log(`${ok ? "ok  " : "FAIL"} ${what}`)
}

const dir = mkdtempSync(join(tmpdir(), "tenon-pack-"))
const inDir = (command: string, ...args: ReadonlyArray<string>) =>
  execFileSync(command, args, { cwd: dir, encoding: "utf8", stdio: "pipe" })

try {
  const versionOf = (name: string): string =>
    (JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }).version
  const version = versionOf("effect")
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", dir]
  const tarball = execFileSync("npm", pack, { encoding: "utf8" }).trim()
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }))
  inDir("npm", "install", "--prefer-offline", "--ignore-scripts", "--silent", tarball, `effect@${version}`)
  report(true, `${tarball} installs beside effect ${version}`)

  writeFileSync(join(dir, "main.mjs"), usage)
  writeFileSync(join(dir, "bridge.mjs"), `import { AiSdk } from "tenon/ai-sdk"; export const { layer } = AiSdk`)
  inDir(process.execPath, "main.mjs")
  inDir(process.execPath, "bridge.mjs")
  report(true, "imports as an ES module, the bridge too without a provider's package")

  const codeOf = (...args: ReadonlyArray<string>): number => {
    const { status } = spawnSync("npx", ["--no-install", "tenon", "contract", ...args], { cwd: dir, stdio: "pipe" })
    return status ?? -1
  }
  const table = inDir("npx", "--no-install", "tenon", "contract", "show", "main.mjs")
  report(table.includes("tool find") && table.includes("tenant"), "the command shows a contract")
  writeFileSync(join(dir, "later.mjs"), later)
  const codes = [
    codeOf("check", "main.mjs", "--snapshot", "contract.json"),
    codeOf("check", "main.mjs", "--snapshot", "contract.json", "--update"),
    codeOf("check", "main.mjs", "--snapshot", "contract.json"),
    codeOf("check", "later.mjs", "--snapshot", "contract.json")
  ]
  report(codes.join() === "2,0,0,1", `the command checks a contract: it ended with ${codes.join(", ")}`)

  writeFileSync(join(dir, "main.ts"), usage)
  for (const compiler of compilers) {
    await Promise.all(resolutions.map(async ([module, resolution]) => {
      const options = ["--module", module, "--moduleResolution", resolution, "--skipLibCheck", "false"]
      const args = [
        "--declaration",
        "--emitDeclarationOnly",
        "--outDir",
        `out-${compiler.version}`,
        "--strict",
        "--target",
        "es2022",
        ...options,
        "main.ts"
      ]
      const { ok, output } = await compile(compiler, args, dir)
      report(ok, `types, TypeScript ${compiler.version}, ${resolution}${ok ? "" : `\n${output}`}`)
    }))
  }

  const provider = `@ai-sdk/openai-compatible@${versionOf("@ai-sdk/openai-compatible")}`
  inDir("npm", "install", "--prefer-offline", "--ignore-scripts", "--silent", provider)
  writeFileSync(join(dir, "bridge.ts"), bridge)
  // the provider packages' own declarations do not stand the check
  const options = ["--module", "nodenext", "--strict", "--noEmit", "--skipLibCheck", "true", "--target", "es2022"]
  const { ok, output } = await compile(newest, [...options, "bridge.ts"], dir)
  report(ok, `types of the bridge, TypeScript ${newest.version}${ok ? "" : `\n${output}`}`)

  const size = async (contents: string): Promise<number> => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: dir, loader: "js" },
      bundle: true,
      minify: true,
      format: "esm",
      logLevel: "silent",
      write: false
    })
    return outputFiles[0]?.contents.length ?? Number.NaN
  }
  const added = (await size(sizedImport)) - (await size(effectAlone))
  report(
    added <= sizeLimit,
    `${sizedImport.split(";")[0]} adds ${added} B to effect's own, minified, limit ${sizeLimit} B`
  )
} catch (error) {
  report(false, error instanceof Error ? error.message : String(error))
} finally {
  rmSync(dir, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
