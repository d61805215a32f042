/**
 * A test runner for Stryker that stays in one process. Its own runner for vitest imports all of Effect anew for each
 * mutant, which takes a hundred times as long as the tests. Here only a mutant that is made while modules load has
 * them loaded again, and those of src/ and test/ alone.
 */
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import {
  determineHitLimitReached,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult
} from "@stryker-mutator/api/test-runner"
import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { collected, type Test } from "./suite.ts"

/** What the instrumented code looks at. */
interface Namespace {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> } | undefined
}

const namespace = ((globalThis as { __stryker__?: Namespace }).__stryker__ ??= {})
const suite = new URL("./suite.ts", import.meta.url).href
const files = (process.env["MUTATION_TESTS"] ?? "").split(",")

/** Node keeps a module by its address; another generation has another. */
let generation = 0
const javascript = new Map<string, string>()

const hook = (root: string) =>
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "@effect/vitest") return { url: suite, format: "module", shortCircuit: true }
      const found = next(specifier, context)
      const own = found.url.startsWith(root) && !found.url.includes("/node_modules/")
      return own ? { ...found, url: `${found.url}?${generation}` } : found
    },
    load(url, context, next) {
      const [file = ""] = url.split("?")
      if (!url.startsWith(root) || !file.endsWith(".ts")) return next(url, context)
      let source = javascript.get(file)
      if (source === undefined) {
        source = stripTypeScriptTypes(readFileSync(fileURLToPath(file), "utf8"))
        javascript.set(file, source)
      }
      return { format: "module", source, shortCircuit: true }
    }
  })

const messageOf = (error: unknown) => error instanceof Error ? error.message : String(error)

class InProcess implements TestRunner {
  private tests: ReadonlyMap<string, Test> | undefined

  capabilities() {
    return { reloadEnvironment: true }
  }

  init(): Promise<void> {
    hook(pathToFileURL(`${process.cwd()}/`).href)
    return Promise.resolve()
  }

  private async load(): Promise<ReadonlyMap<string, Test>> {
    generation++
    const tests = new Map<string, Test>()
    for (const file of files) {
      await import(`${pathToFileURL(join(process.cwd(), file)).href}?${generation}`)
      for (const test of collected()) tests.set(`${file}#${test.name}`, test)
    }
    return tests
  }

  private async run(tests: ReadonlyMap<string, Test>, only: ReadonlyArray<string>, bail: boolean) {
    const results: Array<TestResult> = []
    for (const id of only) {
      const [fileName = "", ...rest] = id.split("#")
      const about = { id, name: rest.join("#"), fileName: join(process.cwd(), fileName) }
      const start = performance.now()
      namespace.currentTestId = id
      try {
        await tests.get(id)?.run()
        results.push({ ...about, timeSpentMs: performance.now() - start, status: TestStatus.Success })
      } catch (error) {
        results.push({
          ...about,
          timeSpentMs: performance.now() - start,
          status: TestStatus.Failed,
          failureMessage: messageOf(error)
        })
        if (bail) break
      } finally {
        namespace.currentTestId = undefined
      }
    }
    return results
  }

  async dryRun(_options: DryRunOptions): Promise<DryRunResult> {
    this.tests = await this.load()
    const tests = await this.run(this.tests, [...this.tests.keys()], false)
    return {
      status: DryRunStatus.Complete,
      tests,
      ...(namespace.mutantCoverage === undefined ? {} : { mutantCoverage: namespace.mutantCoverage })
    }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    namespace.hitCount = 0
    namespace.hitLimit = options.hitLimit
    const atLoad = options.mutantActivation === "static"
    try {
      namespace.activeMutant = atLoad ? options.activeMutant.id : undefined
      if (atLoad || options.reloadEnvironment) this.tests = undefined
      const tests = this.tests ?? await this.load()
      namespace.activeMutant = options.activeMutant.id
      const results = await this.run(tests, options.testFilter ?? [...tests.keys()], !options.disableBail)
      this.tests = atLoad ? undefined : tests
      return toMutantRunResult(
        determineHitLimitReached(namespace.hitCount, options.hitLimit) ??
          { status: DryRunStatus.Complete, tests: results }
      )
    } catch (error) {
      // the modules do not even load: no test can pass
      this.tests = undefined
      collected()
      return toMutantRunResult({
        status: DryRunStatus.Complete,
        tests: [{
          id: "load",
          name: "load",
          timeSpentMs: 0,
          status: TestStatus.Failed,
          failureMessage: messageOf(error)
        }]
      })
    } finally {
      namespace.activeMutant = undefined
    }
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, "in-process", Object.assign(InProcess, { inject: [] as const }))
]
