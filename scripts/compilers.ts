/** The TypeScript versions that the library supports, newest first, and how the scripts call them. */
import { spawn } from "node:child_process"
import { resolve } from "node:path"

export interface Compiler {
  readonly version: string
  readonly path: string
}

export const newest: Compiler = { version: "7.0", path: resolve("node_modules/@typescript/native/bin/tsc") }

export const compilers: ReadonlyArray<Compiler> = [
  newest,
  { version: "6.0", path: resolve("node_modules/typescript/bin/tsc6") },
  { version: "5.9", path: resolve("node_modules/@tsd/typescript/typescript/bin/tsc") }
]

export interface Diagnostic {
  readonly file: string
  readonly line: number
  readonly text: string
}

export interface Compilation {
  readonly ok: boolean
  readonly output: string
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Compiles with the arguments of the command line; a message keeps all its lines. */
export const compile = (compiler: Compiler, args: ReadonlyArray<string>, cwd = process.cwd()): Promise<Compilation> =>
  new Promise((done) => {
    let output = ""
    const tsc = spawn(process.execPath, [compiler.path, ...args, "--pretty", "false"], { cwd })
    for (const stream of [tsc.stdout, tsc.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => output += text)
    }
    tsc.on("close", (code) => done({ ok: code === 0, output, diagnostics: parse(output, cwd) }))
  })

const parse = (output: string, cwd: string): ReadonlyArray<Diagnostic> => {
  const diagnostics: Array<Diagnostic> = []
  for (const line of output.split("\n")) {
    const start = /^(?:(\S.*)\((\d+),\d+\): )?error (TS\d+: .*)$/.exec(line)
    const last = diagnostics.at(-1)
    if (start !== null) {
      diagnostics.push({ file: resolve(cwd, start[1] ?? ""), line: Number(start[2] ?? 0), text: start[3] ?? "" })
    } else if (last !== undefined && line.startsWith(" ")) {
      diagnostics[diagnostics.length - 1] = { ...last, text: `${last.text}\n${line}` }
    }
  }
  return diagnostics
}
