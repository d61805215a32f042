/** What bundlers make of a module of a consumer's project, for a browser. */
import * as esbuild from "esbuild"
import { join } from "node:path"
import * as vite from "vite"

export interface Bundle {
  readonly code: string
  /** The modules of Node that it would want. */
  readonly builtins: ReadonlyArray<string>
}

export type Bundler = (dir: string, entry: string) => Promise<Bundle>

export const byEsbuild: Bundler = async (dir, entry) => {
  const builtins = new Set<string>()
  const { outputFiles } = await esbuild.build({
    absWorkingDir: dir,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
    write: false,
    plugins: [{
      name: "builtins",
      setup: (build) => {
        build.onResolve({ filter: /^node:/ }, ({ path }) => {
          builtins.add(path)
          return { path, external: true }
        })
      }
    }]
  })
  return { code: outputFiles[0]?.text ?? "", builtins: [...builtins].sort() }
}

export const byVite: Bundler = async (dir, entry) => {
  const builtins = new Set<string>()
  const built = await vite.build({
    root: dir,
    configFile: false,
    logLevel: "silent",
    build: { write: false, modulePreload: false, rollupOptions: { input: join(dir, entry) } },
    plugins: [{
      name: "builtins",
      enforce: "pre",
      resolveId: (id) => {
        if (!id.startsWith("node:")) return null
        builtins.add(id)
        return { id, external: true }
      }
    }]
  })
  const outputs = [built].flat().flatMap((each) => "output" in each ? each.output : [])
  return {
    code: outputs.map((each) => each.type === "chunk" ? each.code : "").join(""),
    builtins: [...builtins].sort()
  }
}

export const bundlers: Readonly<Record<string, Bundler>> = { esbuild: byEsbuild, vite: byVite }
