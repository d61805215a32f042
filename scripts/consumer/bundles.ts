/**
 * What the packed package weighs in a program for a browser, minified, and that it wants nothing of Node there.
 * The sizes stand in `bundle-sizes.json` and may differ by 2 %; `--update` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { gzipSync } from "node:zlib"
import { bundlers } from "./bundlers.ts"
import { withProject } from "./project.ts"
import { reporting } from "./report.ts"

interface Size {
  readonly bytes: number
  readonly gzip: number
}
type Sizes = Record<string, Record<string, Size>>

const file = "scripts/consumer/bundle-sizes.json"
const tolerance = 0.02
const { update } = parseArgs({ options: { update: { type: "boolean", default: false } } }).values

const using = (from: string, ...names: ReadonlyArray<string>) =>
  `import { ${[...new Set(names.map((name) => name.split(".")[0]))].join(", ")} } from "${from}"\nconsole.log(${
    names.join(", ")
  })\n`

/** What a program imports, by what it is for. */
const programs: Readonly<Record<string, string>> = {
  // what a program has anyway that uses schemas and layers of effect
  "effect alone": using(
    "effect",
    "Schema.Struct",
    "Schema.toCodecJson",
    "Layer.empty",
    "Context.empty",
    "Effect.runPromise"
  ),
  "effect with its ai": using("effect", "Schema.Struct", "Layer.empty", "Effect.runPromise")
    + using("effect/ai", "Tool.make", "Toolkit.make", "LanguageModel.make"),
  "context": using("tenon", "ToolContext.make"),
  "kernel": using("tenon", "ToolContext.make", "State.make", "Tool.make"),
  "runner": using(
    "tenon",
    "ToolContext.make",
    "State.make",
    "Tool.make",
    "Toolkit.layer",
    "Agent.make",
    "AgentRunner.run",
    "SessionStore.layerMemory"
  ),
  "runner, sessions in a browser": using("tenon", "Agent.make", "AgentRunner.run", "KvsStore.layer"),
  "all of tenon": `import * as all from "tenon"\nconsole.log(all)\n`
}

/** The entry points that a browser may load; the others are for servers. */
const inBrowser = ["tenon/ai-sdk", "tenon/interop", "tenon/middleware", "tenon/testing"]
const onServer = ["tenon/sql"]

const within = ({ bytes, gzip }: Size, limit: Size | undefined): boolean =>
  limit !== undefined && Math.abs(bytes / limit.bytes - 1) <= tolerance && Math.abs(gzip / limit.gzip - 1) <= tolerance

const shown = ({ bytes, gzip }: Size) => `${bytes} B, ${gzip} B gzipped`

await reporting(({ check }) =>
  withProject(async ({ dir, write }) => {
    const limits = JSON.parse(readFileSync(file, "utf8")) as Sizes
    const sizes: Sizes = {}
    for (const [program, source] of Object.entries(programs)) {
      write("entry.js", source)
      for (const [bundler, bundle] of Object.entries(bundlers)) {
        const { builtins, code } = await bundle(dir, "entry.js")
        const size = { bytes: Buffer.byteLength(code), gzip: gzipSync(code).length }
        sizes[program] = { ...sizes[program], [bundler]: size }
        const limit = limits[program]?.[bundler]
        const ok = builtins.length === 0 && (update || within(size, limit))
        const was = limit === undefined ? "nothing" : shown(limit)
        check(
          ok,
          `${program}, ${bundler}: ${shown(size)}`,
          `it was ${was}; it wants ${builtins.join() || "nothing"} of Node`
        )
      }
    }
    for (const entry of [...inBrowser, ...onServer]) {
      write("entry.js", `import * as all from "${entry}"\nconsole.log(all)\n`)
      for (const [bundler, bundle] of Object.entries(bundlers)) {
        const { builtins } = await bundle(dir, "entry.js")
        const ok = (builtins.length > 0) === onServer.includes(entry)
        check(ok, `${entry}, ${bundler}: wants ${builtins.join(", ") || "nothing"} of Node`)
      }
    }
    if (update) writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`)
  })
)
