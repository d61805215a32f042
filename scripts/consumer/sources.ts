/** Sources of a consumer's, as files by name: what README shows, what the type tests say, and large agents. */
import { globSync, readFileSync } from "node:fs"

export type Sources = ReadonlyMap<string, string>

/** README's programs, but those that need a package of somebody else. */
export const snippets: Sources = new Map(
  [...readFileSync("README.md", "utf8").matchAll(/^```ts[^\n]*\n(.+?)^```/gms)]
    .map(([, code = ""], index) => [`readme-${index + 1}.ts`, code] as const)
    .filter(([, code]) => !/from "@(?:ai-sdk|effect)\//.test(code))
)

/** Everything that a file declares, exported: the compiler then has to write all of it down. */
const exporting = (code: string): string =>
  code.replaceAll(/^(?:declare )?(?:abstract )?(?:const|class|type|interface|function) /gm, "export $&")

const exported = (pattern: string): Sources =>
  new Map(
    globSync(pattern).map((file) => {
      const [, ...parts] = file.replaceAll("\\", "/").split("/")
      const code = readFileSync(file, "utf8").replaceAll(`from "../`, `from "./`)
      return [parts.join("-"), exporting(code)] as const
    })
  )

/** What the type tests declare: at least one of everything that the package makes. */
export const declared: Sources = new Map(
  [...exported("type-tests/*.ts"), ...exported("type-tests/{middleware,testing}/*.ts")]
    // a table of this repository's tests
    .filter(([name]) => name !== "Precedence.test-d.ts")
)

/** Agents of 50 tools, of 30 middlewares, of sub-agents in 5 levels. */
export const large: Sources = exported("type-tests/perf/{agent-50,middleware-30,sub-agents-5x10}.ts")
