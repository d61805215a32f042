/**
 * Where two JSON values differ first. Layer 6, edge `testing`.
 */
import type { Schema } from "effect"

export interface Difference {
  readonly path: string
  readonly asked: Schema.Json | undefined
  readonly recorded: Schema.Json | undefined
}

type Parts = Readonly<Record<string, Schema.Json | undefined>>

const isParts = (value: Schema.Json | undefined): value is Schema.Json & Parts =>
  typeof value === "object" && value !== null

const within = (path: string, key: string, isIndex: boolean): string =>
  isIndex ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`

/** Its own property: a key may be the name of something that every object has. */
const ownOf = (parts: Parts, key: string): Schema.Json | undefined => Object.hasOwn(parts, key) ? parts[key] : undefined

/** The first place, in the order of what was recorded, in which two values are not the same. */
export const firstDifference = (
  asked: Schema.Json | undefined,
  recorded: Schema.Json | undefined,
  path = ""
): Difference | undefined => {
  if (!isParts(asked) || !isParts(recorded) || Array.isArray(asked) !== Array.isArray(recorded)) {
    return asked === recorded ? undefined : { path, asked, recorded }
  }
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(asked)])) {
    const found = firstDifference(ownOf(asked, key), ownOf(recorded, key), within(path, key, Array.isArray(asked)))
    if (found !== undefined) return found
  }
  return undefined
}

const around = 40

/** A text from shortly before the place at which it differs. */
const from = (text: string, place: number): string => {
  const start = Math.max(0, place - around)
  const end = place + around
  return JSON.stringify(`${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`)
}

const shown = (value: Schema.Json | undefined, place: number): string => {
  if (value === undefined) return "nothing"
  if (typeof value === "string") return from(value, place)
  const text = JSON.stringify(value)
  return text.length > 2 * around ? `${text.slice(0, 2 * around)}…` : text
}

/** A difference in words. */
export const told = ({ asked, path, recorded }: Difference): string => {
  let place = 0
  if (typeof asked === "string" && typeof recorded === "string") {
    while (asked[place] === recorded[place]) place++
  }
  return `${path} is ${shown(asked, place)}, and was recorded as ${shown(recorded, place)}`
}
