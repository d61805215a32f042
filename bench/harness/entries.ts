/** The modules that the package exports, by the names that they are imported by. */
import { readFileSync } from "node:fs"

export const entryPoints = (): ReadonlyArray<string> => {
  const { exports, name } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly name: string
    readonly exports: Readonly<Record<string, unknown>>
  }
  return Object.entries(exports)
    .filter(([path, target]) => target !== null && !path.includes("*") && !path.endsWith(".json"))
    .map(([path]) => name + path.slice(1))
}
