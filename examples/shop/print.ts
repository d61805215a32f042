/** How the examples write on the terminal: colour where it is one, plain text elsewhere and where NO_COLOR is set. */
import { Console, Effect } from "effect"
import { styleText } from "node:util"

export const bold = (text: string): string => styleText("bold", text)
export const dim = (text: string): string => styleText("dim", text)
export const good = (text: string): string => styleText("green", text)
export const bad = (text: string): string => styleText("red", text)
export const accent = (text: string): string => styleText("cyan", text)

export const line = (text = ""): Effect.Effect<void> => Console.log(text)

export const problem = (text: string): Effect.Effect<void> => Console.error(text)

/** A heading, with an empty line before it. */
export const heading = (text: string): Effect.Effect<void> => Console.log(`\n${bold(text)}`)

/** How wide a line may be: as the terminal, if it tells its width, and never so narrow that nothing fits. */
export const lineWidth = Math.max(60, process.stdout.columns || 100)

/** A text that fits one line of this width. */
export const short = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`

/** Bytes, with the unit that suits them. */
export const bytes = (count: number): string =>
  count < 1000 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`

const terminal = process.stdout.isTTY

/** Takes the progress away, so that a line can stand there. */
export const clearProgress: Effect.Effect<void> = Effect.sync(() => {
  if (terminal) process.stdout.write("\r\u001b[K")
})

/** Shows how far a long work is: one line that changes on a terminal, a line now and then elsewhere. */
export const progress = (done: number, all: number, what: string): Effect.Effect<void> => {
  const text = dim(`${done} of ${all} ${what}`)
  if (done === all) return clearProgress
  if (terminal) return Effect.sync(() => process.stdout.write(`\r${text}`))
  return done % Math.max(25, Math.ceil(all / 4)) === 0 ? line(text) : Effect.void
}
