/** A project of a consumer: an empty folder with the packed package and effect, and nothing of this repository. */
import { execFileSync, spawn } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface Ran {
  readonly ok: boolean
  readonly code: number | null
  readonly output: string
}

export interface Project {
  readonly dir: string
  readonly write: (file: string, text: string) => void
  /** Copies a file of `scripts/consumer/programs`. */
  readonly copy: (program: string) => string
  readonly install: (...packages: ReadonlyArray<string>) => void
  readonly run: (command: string, ...args: ReadonlyArray<string>) => Promise<Ran>
}

/** A package in the version that this repository has. */
export const pinned = (name: string): string => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }
  return `${name}@${version}`
}

const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("npm", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim()

const run = (cwd: string): Project["run"] => (command, ...args) =>
  new Promise((done) => {
    let output = ""
    const child = spawn(command, args, { cwd, timeout: 120_000 })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => output += text)
    }
    child.on("error", (error) => done({ ok: false, code: null, output: error.message }))
    child.on("close", (code) => done({ ok: code === 0, code, output }))
  })

/** Packs what was built, installs it beside effect in a fresh folder, and removes the folder in the end. */
export const withProject = async (use: (project: Project) => Promise<void>): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), "tenon-consumer-"))
  const write: Project["write"] = (file, text) => {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), text)
  }
  const copy: Project["copy"] = (program) => {
    copyFileSync(`scripts/consumer/programs/${program}`, join(dir, program))
    return program
  }
  const install: Project["install"] = (...packages) => {
    npm(dir, "install", "--prefer-offline", "--ignore-scripts", "--silent", ...packages)
  }
  try {
    const tarball = npm(".", "pack", "--ignore-scripts", "--silent", "--pack-destination", dir)
    write("package.json", JSON.stringify({ private: true, type: "module" }))
    install(`./${tarball}`, pinned("effect"))
    await use({ dir, write, copy, install, run: run(dir) })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
