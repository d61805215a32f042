/**
 * What a module of the package weighs in a program, minified, and compressed by gzip: `npm run bench:size [-- --json FILE]`.
 *
 * Alone is its own code, with effect left outside; with effect is all that a bundler puts beside it, where everything
 * that the module exports is used.
 */
import { build } from "esbuild"
import { parseArgs } from "node:util"
import { gzipSync } from "node:zlib"
import { entryPoints } from "./harness/entries.ts"
import { writeJson } from "./harness/report.ts"
import { table } from "./harness/table.ts"

const { values } = parseArgs({ options: { json: { type: "string" } } })

interface Size {
  readonly minified: number
  readonly gzip: number
}

const size = async (entry: string, external: ReadonlyArray<string>): Promise<Size> => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${entry}"`, resolveDir: ".", loader: "js" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    write: false,
    external: [...external]
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  return { minified: code.length, gzip: gzipSync(code).length }
}

const sizes = await Promise.all(
  entryPoints().map(async (entry) => ({
    entry,
    alone: await size(entry, ["effect", "effect/*", "@ai-sdk/*"]),
    withEffect: await size(entry, ["@ai-sdk/*"])
  }))
)
writeJson(values.json, { sizes })

const kilobytes = ({ gzip, minified }: Size): string => `${(minified / 1000).toFixed(1)} / ${(gzip / 1000).toFixed(1)}`
console.log(table(
  ["kB, minified / gzip", "alone", "with effect"],
  sizes.map(({ alone, entry, withEffect }) => [`\`${entry}\``, kilobytes(alone), kilobytes(withEffect)])
))
