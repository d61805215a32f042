/** The packed package as a program's dependency: each entry point, two programs and the command, on each Node. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { closed, importsOf, open } from "./exports.ts"
import { nodes } from "./nodes.ts"
import { withProject } from "./project.ts"
import { reporting } from "./report.ts"

const firstSnippet = /^```ts\n(.+?)^```/ms.exec(readFileSync("README.md", "utf8"))?.[1] ?? ""

await reporting(({ check, skip }) =>
  withProject(async ({ copy, dir, run, write }) => {
    write("first.ts", firstSnippet)
    write("imports.mjs", importsOf)
    const everything = copy("everything.ts")
    const later = copy("later.ts")
    const command = join(dir, "node_modules/tenon/dist/cli/main.js")

    await Promise.all(
      nodes().map(async ({ path, version }) => {
        if (path === undefined) return skip(`Node ${version}: npm has none for ${process.platform}-${process.arch}`)
        const on = `Node ${version}:`
        const imports = await run(path, "imports.mjs")
        check(imports.ok, `${on} imports ${open.length} modules, and none of ${closed.length} others`, imports.output)

        const first = await run(path, "first.ts")
        check(first.ok && first.output.includes("It is under MIT."), `${on} the first program of README`, first.output)
        const all = await run(path, everything)
        check(all.ok && all.output.includes("everything works"), `${on} a program with all entry points`, all.output)

        const shown = await run(path, command, "contract", "show", everything)
        const shows = shown.output.includes("tool find") && shown.output.includes("tenant")
        check(shown.ok && shows, `${on} the command shows a contract`, shown.output)
      })
    )

    const codes: Array<number | null> = []
    for (const args of [[everything], [everything, "--update"], [everything], [later]]) {
      const checked = await run(process.execPath, command, "contract", "check", ...args, "--snapshot", "contract.json")
      codes.push(checked.code)
    }
    check(codes.join() === "2,0,0,1", `the command checks a contract: it ended with ${codes.join(", ")}`)
    const byName = await run("npx", "--no-install", "tenon", "--version")
    check(byName.ok, "npm knows the command by its name", byName.output)
  })
)
