/** Two JSON values, and where they differ. The order of keys does not count, and `100` is `100.0`. */
import { Option, type Schema } from "effect"

/** A place, what was expected there and what is. */
export interface Difference {
  readonly place: string
  readonly expected: Schema.Json | undefined
  readonly actual: Schema.Json | undefined
}

const isObject = (
  value: Schema.Json | undefined
): value is { readonly [key: string]: Schema.Json } | ReadonlyArray<Schema.Json> =>
  typeof value === "object" && value !== null

/** Every place where two values differ; none for equal values. */
export const differences = (
  expected: Schema.Json | undefined,
  actual: Schema.Json | undefined,
  place: ReadonlyArray<string> = []
): ReadonlyArray<Difference> => {
  if (expected === actual) return []
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return [{ place: place.join("."), expected, actual }]
  }
  const [left, right] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))]
  return [...new Set([...left.keys(), ...right.keys()])]
    .flatMap((key) => differences(left.get(key), right.get(key), [...place, key]))
}

const parsed = (text: string): Schema.Json =>
  Option.getOrElse(Option.liftThrowable(JSON.parse)(text) as Option.Option<Schema.Json>, () => text)

/** Where two results differ: as values when they are JSON, as texts otherwise. */
export const textDifferences = (expected: string, actual: string): ReadonlyArray<Difference> =>
  expected === actual ? [] : differences(parsed(expected), parsed(actual))

const shown = (value: Schema.Json | undefined): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}

/** A difference for people: `items.0.price: 12 expected, 13 found`. */
export const describe = ({ place, expected, actual }: Difference): string =>
  `${place === "" ? "" : `${place}: `}${shown(expected)} expected, ${shown(actual)} found`
