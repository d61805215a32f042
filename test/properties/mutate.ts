/**
 * Documents that went wrong: a valid one with some of its places dropped, moved, retyped or buried, and JSON of no shape
 * at all.
 */
import { inspect } from "node:util"
import type * as Random from "./random.ts"

/** So many lists, one in another. */
const buried = (value: unknown, levels: number): unknown => {
  let out = value
  for (let level = 0; level < levels; level++) out = level % 2 === 0 ? [out] : { in: out }
  return out
}

/** Values that something somewhere does not expect, made anew each time. */
const odd: ReadonlyArray<() => unknown> = [
  () => null,
  () => true,
  () => 0,
  () => -0,
  () => -1,
  () => 1.5,
  () => 2 ** 53 + 2,
  () => -(2 ** 63),
  () => 1e308,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => "",
  () => "1e400",
  () => "NaN",
  () => "\ud800 alone",
  () => "\0",
  () => "=A==",
  () => "2024-13-45T99:99:99Z",
  () => "http://[",
  () => "__proto__",
  () => "x".repeat(100_000),
  () => [],
  () => ({}),
  () => JSON.parse(`{"__proto__":{"polluted":true}}`),
  () => JSON.parse(`{"constructor":{"prototype":{"polluted":true}}}`),
  () => Array.from({ length: 1_000 }, (_, index) => index)
]

const names = ["__proto__", "constructor", "toString", "", "a.b", "\ud800", "0", "kind", "length"]
const depths = [3, 100, 499, 501, 600, 1_100, 6_000, 20_000]

/** A value of no shape. */
export const anything = (random: Random.Random, levels = 4): unknown => {
  if (random.once(40)) return buried(1, random.pick(depths))
  if (levels === 0 || random.once(3)) return random.pick(odd)()
  const parts = Array.from({ length: random.int(4) }, () => anything(random, levels - 1))
  return random.once(2)
    ? parts
    : fromEntries(parts.map((part) => [random.once(3) ? random.pick(names) : `k${random.int(5)}`, part]))
}

const fromEntries = (entries: ReadonlyArray<readonly [string, unknown]>): object => {
  const out = {}
  for (const [key, value] of entries) {
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return out
}

// ----- places ---------------------------------------------------------------------

/** A place in a document: what stands under a key of a list or an object. */
interface Place {
  readonly of: Record<string, unknown> | Array<unknown>
  readonly key: string
}

const placesIn = (value: unknown, levels = 40): ReadonlyArray<Place> =>
  levels === 0 || typeof value !== "object" || value === null ? [] : Object.entries(value).flatMap(([key, inner]) => [
    { of: value as Place["of"], key },
    ...placesIn(inner, levels - 1)
  ])

const at = ({ of, key }: Place): unknown => (of as Record<string, unknown>)[key]

const put = ({ of, key }: Place, value: unknown): void => {
  Object.defineProperty(of, key, { value, enumerable: true, configurable: true, writable: true })
}

const drop = ({ of, key }: Place): void => {
  if (Array.isArray(of)) of.splice(Number(key), 1)
  else delete of[key]
}

/** A value of another type that looks like it. */
const retyped = (value: unknown, random: Random.Random): unknown => {
  if (typeof value === "number") return random.pick([String(value), [value], value + 0.5, -value, value * 2 ** 40])
  if (typeof value === "string") {
    return random.pick([value.length, [value], { value }, value.slice(1), `${value}\u0000`])
  }
  if (Array.isArray(value)) return random.pick([{ ...value }, value[0], value.length])
  if (typeof value === "object" && value !== null) {
    return random.pick([Object.entries(value), Object.values(value)[0], ""])
  }
  return [value]
}

const mutations: ReadonlyArray<(place: Place, random: Random.Random, places: ReadonlyArray<Place>) => void> = [
  (place) => drop(place),
  (place, random) => put(place, random.pick(odd)()),
  (place, random) => put(place, anything(random)),
  (place, random) => put(place, retyped(at(place), random)),
  (place, random) => put(place, buried(at(place), random.pick(depths))),
  ({ of, key }, random) => {
    const value = at({ of, key })
    if (Array.isArray(of)) of.splice(random.int(of.length + 1), 0, value)
    else put({ of, key: random.pick(names) }, random.pick(odd)())
  },
  (place) => {
    const value = at(place)
    if (Array.isArray(value)) put(place, [...value, ...value])
    else if (typeof value === "number") put(place, value + 1)
    else drop(place)
  },
  ({ of, key }, random) => {
    // the values of a document that must not be told stay where they are not told: only numbers and lists change places
    const others = Object.keys(of).filter((other) => typeof at({ of, key: other }) !== "string")
    const other = others.length === 0 || typeof at({ of, key }) === "string" ? key : random.pick(others)
    const [one, two] = [at({ of, key }), at({ of, key: other })]
    put({ of, key }, two)
    put({ of, key: other }, one)
  }
]

/** A copy of a document in which something went wrong; sometimes nothing, sometimes everything. */
export const mutated = (random: Random.Random, document: unknown): unknown => {
  if (random.once(15)) return anything(random)
  const root = { document: structuredClone(document) }
  for (let times = random.int(3); times >= 0; times--) {
    const places = placesIn(root)
    if (places.length === 0) break
    random.pick(mutations)(random.pick(places), random, places)
  }
  return root.document
}

/** The same of a text: JSON that went wrong, and text that is none. */
export const mutatedText = (random: Random.Random, text: string): string => {
  if (random.once(4)) {
    const from = random.int(text.length + 1)
    return random.pick([
      text.slice(0, from),
      text.slice(from),
      `${text.slice(0, from)}${random.pick(["1e400", "\"", "}", "\\u0000", "\\ud800", "null", "[".repeat(20_000)])}${
        text.slice(from)
      }`,
      text.replace(/\d+/, "1e400"),
      `${"[".repeat(20_000)}${text}${"]".repeat(20_000)}`
    ])
  }
  return writeDown(mutated(random, JSON.parse(text)))
}

/** JSON, also of what is too deep for `JSON.stringify`. */
export const writeDown = (value: unknown): string => {
  const out: Array<string> = []
  // what is left to write, last first: texts as they are, and values
  const left: Array<{ readonly text: string } | { readonly value: unknown }> = [{ value }]
  while (left.length > 0) {
    const next = left.pop() as (typeof left)[number]
    if ("text" in next) out.push(next.text)
    else if (typeof next.value !== "object" || next.value === null) out.push(JSON.stringify(next.value) ?? "null")
    else {
      const isList = Array.isArray(next.value)
      const entries = Object.entries(next.value)
      left.push({ text: isList ? "]" : "}" })
      entries.toReversed().forEach(([key, inner], index) => {
        left.push({ value: inner })
        if (!isList) left.push({ text: `${JSON.stringify(key)}:` })
        if (index < entries.length - 1) left.push({ text: "," })
      })
      left.push({ text: isList ? "[" : "{" })
    }
  }
  return out.join("")
}

/** A value as a person looks at it. */
export const shown = (value: unknown): string => inspect(value, { depth: 8, maxStringLength: 200, maxArrayLength: 20 })
