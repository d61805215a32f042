/**
 * Rounds of fresh processes, interleaved: what else the machine does then meets all that is compared.
 *
 * All processes get the same flags of Node. Progress goes to stderr.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"

/** What one process measures. It prints its number last. */
export interface Trial {
  readonly name: string
  readonly args: ReadonlyArray<string>
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

const progress = (text: string): boolean =>
  process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${text}` : `${text}\n`)

const quiet = "--disable-warning=ExperimentalWarning"

/** Gives the numbers of each trial, a number for each round. */
export const rounds = async (
  trials: ReadonlyArray<Trial>,
  { flags = [], times }: { readonly times: number; readonly flags?: ReadonlyArray<string> }
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const results = trials.map((): Array<number> => [])
  for (let round = 1; round <= times; round++) {
    for (const [index, { args, cwd, env, name }] of trials.entries()) {
      progress(`round ${round} of ${times}: ${name}`)
      const number = await promisify(execFile)(process.execPath, [quiet, ...flags, ...args], {
        cwd,
        env: { ...process.env, NODE_ENV: "production", ...env },
        maxBuffer: 2 ** 26
      }).then(({ stdout }) => Number(stdout.trim().split("\n").at(-1)), (error: { readonly stderr: string }) => {
        throw new Error(`${name} failed\n${error.stderr}`)
      })
      if (!Number.isFinite(number)) throw new Error(`${name} measured nothing`)
      results[index]?.push(number)
    }
  }
  if (process.stderr.isTTY) progress("")
  return results
}
