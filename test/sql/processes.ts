/** Programs of the tests, each in a process of its own. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

interface Ended {
  readonly lines: ReadonlyArray<string>
  readonly signal: NodeJS.Signals | null
}

/** Runs a program of `fixtures`, kills it once it has said enough, and gives what it had said and how it ended. */
export const run = (
  program: string,
  argument: unknown,
  isEnough: (lines: ReadonlyArray<string>) => boolean = () => false
): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const file = fileURLToPath(new URL(`fixtures/${program}.ts`, import.meta.url))
    const node = ["--conditions=tenon-source", "--disable-warning=ExperimentalWarning"]
    const running = spawn(process.execPath, [...node, file, JSON.stringify(argument)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines: Array<string> = []
    createInterface(running.stdout).on("line", (line) => {
      lines.push(line)
      if (isEnough(lines)) running.kill("SIGKILL")
    })
    running.on("close", (_code, signal) => resume(Effect.succeed({ lines, signal })))
    return Effect.sync(() => void running.kill("SIGKILL"))
  })
