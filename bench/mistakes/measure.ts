/** Measures the cases of one folder: compiles them together, and runs those that compile. */
import { spawn } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, join, relative, resolve } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { compile, type Diagnostic, newest } from "../../scripts/compilers.ts"

/**
 * `compile`: the compiler refuses it. `start`: it fails before the model is asked. `run`: it fails while it runs.
 * `model`: only the model is told. `silent`: something else comes out than should, and nobody is told.
 * `fine`: it is handled. `none`: there is no such mistake here.
 */
export type Verdict = "compile" | "start" | "run" | "model" | "silent" | "fine" | "none"

export interface Outcome {
  readonly verdict: Verdict
  /** The first line of the compiler's message, of the error, or what came out. */
  readonly shows: string
}

export interface Measured {
  readonly versions: Readonly<Record<string, string>>
  readonly cases: Readonly<Record<string, Outcome>>
}

const here = import.meta.dirname
const root = resolve(here, "../..")

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

/** The folders, in the order of the page. */
export const peers = ["tenon", "ai", "openai-agents", "langgraph", "mastra", "adk", "effect-ai"]

// ----- what a case says of itself --------------------------------------------------

interface Case {
  readonly file: string
  readonly name: string
  /** Why there is no such mistake here. */
  readonly none: string | undefined
  /** The lines of the statement under a comment `// mistake`, counted from 1. */
  readonly marked: ReadonlyArray<number>
}

const readCase = (file: string): Case => {
  const lines = readFileSync(file, "utf8").split("\n")
  const marked: Array<number> = []
  for (let at = 0; at < lines.length; at++) {
    if (!/^\s*\/\/ mistake\b/.test(lines[at] ?? "")) continue
    while (at + 1 < lines.length && lines[at + 1]?.trim() !== "") marked.push(++at + 1)
  }
  const [head = ""] = /^(\/\/ .*\n)+/.exec(lines.join("\n")) ?? []
  const none = /^\/\/ Not applicable: ([^]+)$/.exec(head)?.[1]?.replaceAll("\n// ", " ").trim()
  return { file, name: basename(file, ".ts"), none, marked }
}

/** The cases of a folder. */
export const casesOf = (peer: string): ReadonlyArray<Case> =>
  globSync(join(here, peer, "[0-9]*.ts")).sort().map(readCase)

// ----- installing, compiling, running ----------------------------------------------

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const start = (command: string, args: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv = {}) =>
  new Promise<Ended>((done) => {
    const output = { stdout: "", stderr: "" }
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 10 * 60_000
    })
    child.stdout.setEncoding("utf8").on("data", (text: string) => output.stdout += text)
    child.stderr.setEncoding("utf8").on("data", (text: string) => output.stderr += text)
    child.on("close", (code) => done({ code, ...output }))
  })

/** The versions that a folder asks for; Tenon's own is this repository's. */
const versionsOf = (peer: string): Readonly<Record<string, string>> =>
  peer === "tenon"
    ? { effect: readJson(join(root, "package.json")).devDependencies.effect }
    : readJson(join(here, peer, "package.json")).dependencies

const isInstalled = (peer: string) =>
  Object.entries(versionsOf(peer)).every(([name, version]) => {
    const [manifest] = globSync(join(here, peer, "node_modules", name, "package.json"))
    return manifest !== undefined && readJson(manifest).version === version
  })

const install = async (peer: string): Promise<void> => {
  if (peer === "tenon" || isInstalled(peer)) return
  console.error(`${peer}: npm install`)
  const { code, stderr } = await start("npm", ["install", "--ignore-scripts", "--prefer-offline"], join(here, peer))
  if (code !== 0) throw new Error(`${peer}: npm install failed\n${stderr}`)
}

/** Without what differs from run to run and from machine to machine. */
const firstLine = (text: string): string => {
  const line = stripVTControlCharacters(text)
    .replaceAll(root, ".")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

// both give a text where the case itself is at fault

const refused = ({ file, marked }: Case, errors: ReadonlyArray<Diagnostic>): Outcome | string => {
  const stray = errors.find(({ line }) => !marked.includes(line))
  const first = errors.find(({ line }) => marked.includes(line))
  if (stray === undefined && first !== undefined) {
    const [message = ""] = first.text.split("\n")
    // Tenon's source wants exact optional properties, of which the compiler speaks where they do not matter
    return { verdict: "compile", shows: firstLine(message.replace(/ with 'exactOptionalPropertyTypes: true'.*$/, ".")) }
  }
  return `${relative(root, file)}:${stray?.line}: an error beside the mistake\n${stray?.text}`
}

const quiet = {
  NODE_ENV: "test",
  NO_COLOR: "1",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  LANGCHAIN_TRACING_V2: "false"
}

const ran = async ({ file }: Case): Promise<Outcome | string> => {
  const args = ["--conditions=tenon-source", "--no-warnings", file]
  const { code, stderr, stdout } = await start(process.execPath, args, root, quiet)
  const said = /^@@(.+)$/m.exec(stdout)?.[1]
  if (said === undefined) return `${relative(root, file)} says nothing, and ends with ${code}\n${stderr}`
  const { shows, verdict } = JSON.parse(said) as Outcome
  return { verdict, shows: firstLine(shows) }
}

/** One after another in as many lanes as there are processors. */
const inLanes = async <A, B>(items: ReadonlyArray<A>, f: (item: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  const left = items.entries()
  const lane = async () => {
    for (const [at, item] of left) results[at] = await f(item)
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, lane))
  return results
}

/** The outcome of every case of a folder. */
export const measure = async (peer: string): Promise<Measured> => {
  await install(peer)
  console.error(`${peer}: compiling`)
  const { diagnostics } = await compile(newest, ["-p", join(here, peer)], root)
  const cases = casesOf(peer)
  const foreign = diagnostics.find(({ file }) => !cases.some((one) => one.file === file))
  if (foreign !== undefined) throw new Error(`${relative(root, foreign.file)}:${foreign.line}: ${foreign.text}`)

  console.error(`${peer}: running`)
  const problems: Array<string> = []
  const outcomes = await inLanes(cases, async (one): Promise<readonly [string, Outcome] | undefined> => {
    if (one.none !== undefined) return [one.name, { verdict: "none", shows: one.none }]
    const errors = diagnostics.filter(({ file }) => file === one.file)
    const outcome = errors.length > 0 ? refused(one, errors) : await ran(one)
    if (typeof outcome === "object") return [one.name, outcome]
    problems.push(outcome)
    return undefined
  })
  if (problems.length > 0) throw new Error(problems.join("\n"))
  return { versions: versionsOf(peer), cases: Object.fromEntries(outcomes.filter((outcome) => outcome !== undefined)) }
}
