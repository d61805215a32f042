/** What `exports` of package.json lets in, and what it does not. */
import { globSync, readFileSync } from "node:fs"

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports: Record<string, object | string | null>
}
const names = globSync("dist/**/*.js").map((file) => file.replaceAll("\\", "/").replace(/^dist\/(.+)\.js$/, "$1"))
  .sort()
const has = (name: string, barred: string) =>
  barred.endsWith("*") ? name.startsWith(barred.slice(0, -1)) : name === barred

const barred = Object.keys(exports).filter((key) => exports[key] === null).map((key) => key.slice(2))
const isOpen = (name: string): boolean => !barred.some((each) => has(name, each))

/** Every module that may be imported: the entries by name, and each public module by its path. */
export const open: ReadonlyArray<string> = [
  ...Object.keys(exports).filter((key) => !key.includes("*") && key !== "./package.json" && exports[key] !== null)
    .map((key) => key.replace(/^\./, "tenon")),
  ...names.filter(isOpen).map((name) => `tenon/${name}`)
]

/** Every module of the package that nobody may import. */
export const closed: ReadonlyArray<string> = names.filter((name) => !isOpen(name)).map((name) => `tenon/${name}`)

/** Imports what may be imported, and finds the rest refused. */
export const importsOf = `
import assert from "node:assert/strict"
for (const name of ${JSON.stringify(open)}) await import(name)
for (const name of ${JSON.stringify(closed)}) {
  await assert.rejects(import(name), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" }, name)
}
`
