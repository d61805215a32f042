/**
 * What becomes of a mistake that the compiler let through. A case calls `verdict` with what it does, and with what it
 * should see if the mistake were handled; the harness beside it calls `asked` whenever the model is asked, and wraps in
 * `Told` what the model was given as the text of an error.
 */
import { isDeepStrictEqual } from "node:util"

let asks = 0

/** The model was asked. */
export const asked = (): void => void asks++

/** The error of a tool, as the text that the model was given instead of a result. */
export class Told {
  readonly told: string

  constructor(text: unknown) {
    this.told = String(text)
  }
}

const toldIn = (value: unknown): Told | undefined =>
  value instanceof Told
    ? value
    : Array.isArray(value)
    ? value.map(toldIn).find((told) => told !== undefined)
    : undefined

const say = (verdict: string, shows: string) => console.log(`@@${JSON.stringify({ verdict, shows })}`)

const sentence = (error: unknown) => error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/**
 * Runs a case. It is `start` where it fails before the model is asked, `run` where it fails later, `model` where the
 * model alone is told, `fine` where it gives what is right, and `silent` where it gives anything else.
 */
export const verdict = async (run: () => Promise<unknown>, right?: unknown): Promise<void> => {
  const before = asks
  try {
    const value = await run()
    const told = toldIn(value)
    if (told !== undefined) say("model", told.told)
    else say(right !== undefined && isDeepStrictEqual(value, right) ? "fine" : "silent", JSON.stringify(value))
  } catch (error) {
    say(asks === before ? "start" : "run", sentence(error))
  }
}
