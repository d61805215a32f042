/**
 * The packed package under each compiler, library checks on: README's programs, a server's, and large agents, each with
 * its declarations. What they say must compile again, and name nothing that a consumer may not import.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { compile, type Compiler, compilers, newest } from "../compilers.ts"
import { pinned, type Project, withProject } from "./project.ts"
import { type Report, reporting } from "./report.ts"
import { declared, large, snippets, type Sources } from "./sources.ts"

interface Setting {
  readonly compiler: Compiler
  readonly module: "nodenext" | "bundler"
  readonly exact: boolean
}

const [, middle, oldest] = compilers as [Compiler, Compiler, Compiler]

/** All settings of the newest compiler, and two that differ in everything of the others, which take long. */
const settings: ReadonlyArray<Setting> = [
  { compiler: oldest, module: "nodenext", exact: true },
  { compiler: middle, module: "bundler", exact: false },
  { compiler: newest, module: "nodenext", exact: true },
  { compiler: newest, module: "nodenext", exact: false },
  { compiler: newest, module: "bundler", exact: true },
  { compiler: newest, module: "bundler", exact: false }
]

const optionsOf = ({ exact, module }: Omit<Setting, "compiler">, ...more: ReadonlyArray<string>) => {
  const kind = module === "bundler" ? "esnext" : module
  const modules = `--module ${kind} --moduleResolution ${module} --allowImportingTsExtensions --types node`
  const strict = `--strict --target es2022 --skipLibCheck false --exactOptionalPropertyTypes ${exact}`
  return [...modules.split(" "), ...strict.split(" "), ...more]
}

const emitting = (
  out: string,
  files: Iterable<string>
) => ["--declaration", "--emitDeclarationOnly", "--outDir", out, ...files]

/** Where the declarations import what the package keeps to itself. */
const leaksIn = (dir: string): ReadonlyArray<string> =>
  globSync("**/*.d.ts", { cwd: dir }).flatMap((file) =>
    [...readFileSync(join(dir, file), "utf8").matchAll(/"tenon\/(?:[\w-]+\/)?internal\/[^"]+"\)?[.\w]*/g)]
      .map(([name]) => `${file}: ${name}`)
  )

const again = async ({ check }: Report, dir: string, out: string, setting: Omit<Setting, "compiler">, what: string) => {
  const files = globSync(`${out}/*.d.ts`, { cwd: dir })
  const { ok, output } = await compile(newest, optionsOf(setting, "--noEmit", ...files), dir)
  check(ok && files.length > 0, `${what}: they compile again`, output)
  const leaks = leaksIn(join(dir, out))
  check(leaks.length === 0, `${what}: they import what anybody may import`, leaks.join("\n"))
}

const program = async (report: Report, dir: string, files: ReadonlyArray<string>, setting: Setting): Promise<void> => {
  const { compiler, exact, module } = setting
  const what = `TypeScript ${compiler.version}, ${module}${exact ? ", exact optional properties" : ""}`
  const out = `out-${compiler.version}-${module}-${exact}`
  const { ok, output } = await compile(compiler, optionsOf(setting, ...emitting(out, files)), dir)
  report.check(ok, `${what}: ${files.length} programs`, output)
  if (existsSync(join(dir, out))) await again(report, dir, out, setting, `${what}, their declarations`)
}

const written = ({ write }: Project, sources: Sources): ReadonlyArray<string> => {
  for (const [file, text] of sources) write(file, text)
  return [...sources.keys()]
}

/** Provider packages do not stand a check of their own declarations. */
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

await reporting((report) =>
  withProject(async (project) => {
    const { copy, dir, install, write } = project
    // the provider's declarations want those of a package that it does not bring along
    install(pinned("@types/node"), pinned("@ai-sdk/provider"), pinned("@types/json-schema"))
    const files = [...written(project, snippets), ...written(project, large), copy("everything.ts")]
    const left = [...settings]
    const next = async (): Promise<void> => {
      const setting = left.shift()
      if (setting === undefined) return
      await program(report, dir, files, setting)
      await next()
    }
    await Promise.all([next(), next()])

    // some tests of types are wrong once everything is exported; what they declare is written down all the same
    const nodenext = { module: "nodenext", exact: true } as const
    await compile(newest, optionsOf(nodenext, ...emitting("out-declared", written(project, declared))), dir)
    await again(report, dir, "out-declared", nodenext, "declarations of everything that the package makes")

    install(pinned("@ai-sdk/openai-compatible"))
    write("bridge.ts", bridge)
    const options = ["--module", "nodenext", "--strict", "--noEmit", "--skipLibCheck", "true", "--target", "es2022"]
    const { ok, output } = await compile(newest, [...options, "bridge.ts"], dir)
    report.check(ok, "a model of a provider's package", output)
  })
)
