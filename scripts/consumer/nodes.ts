/** The Nodes that a consumer may have: the oldest line that `engines` names, that of this repository, the newest. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { resolve } from "node:path"

export interface Node {
  readonly version: string
  /** Where it could be had. */
  readonly path: string | undefined
}

const others = ["22.23.5", "26.12.1"]
const windows = process.platform === "win32"
const platform = `node-${windows ? "win" : process.platform}-${process.arch}`

/** Takes a Node from npm, as a package of this platform alone, where it is not here yet. */
const fetched = (version: string): Node => {
  const home = resolve(".cache/nodes", version)
  const path = resolve(home, "node_modules", platform, "bin", windows ? "node.exe" : "node")
  if (!existsSync(path)) {
    try {
      const args = ["install", "--prefix", home, "--no-save", "--silent", `${platform}@${version}`]
      execFileSync("npm", args, { stdio: "pipe", shell: windows })
    } catch {
      return { version, path: undefined }
    }
  }
  return { version, path: existsSync(path) ? path : undefined }
}

export const nodes = (): ReadonlyArray<Node> => [
  { version: process.versions.node, path: process.execPath },
  ...others.map(fetched)
]
