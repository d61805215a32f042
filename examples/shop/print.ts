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

/** A text that fits one line of this width. */
export const short = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`

/** Bytes, with the unit that suits them. */
export const bytes = (count: number): string =>
  count < 1000 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`

/** Shows how far a long work is: one line that changes on a terminal, a line now and then elsewhere. */
export const progress = (done: number, all: number, what: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!process.stdout.isTTY) {
      const step = Math.max(25, Math.ceil(all / 4))
      return done % step === 0 && done < all ? line(dim(`${done} of ${all} ${what}`)) : Effect.void
    }
    return Effect.sync(() => {
      process.stdout.write(done < all ? `\r${dim(`${done} of ${all} ${what}`)}` : "\r\u001b[K")
    })
  })
