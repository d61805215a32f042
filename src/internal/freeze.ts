/**
 * Copies that nobody can change. Layer 1.
 *
 * Plain objects, arrays, dates, maps and sets are copied and made immutable (a `Date` or a `Map` cannot be frozen, so
 * the copy's own methods refuse). Instances of other classes are kept as they are: they are values of Effect's data
 * types, or opaque to us.
 */

import { Hash, Option, Result } from "effect"

const frozen = new WeakSet<object>()

const refuse = (kind: string) => () => {
  throw new TypeError(`this ${kind} is read-only: it was supplied to a tool or read from State`)
}

const dateSetters = Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith("set"))
const collectionSetters = ["set", "add", "delete", "clear"]

const settersOf = (value: object): readonly [kind: string, setters: ReadonlyArray<string>] => {
  if (value instanceof Date) return ["date", dateSetters]
  if (value instanceof Map) return ["map", collectionSetters]
  if (value instanceof Set) return ["set", collectionSetters]
  return ["object", []]
}

/** Freezes an object where it stands; not what it holds. */
const lock = <A extends object>(value: A): A => {
  if (Object.isFrozen(value)) return value
  const [kind, setters] = settersOf(value)
  for (const setter of setters) {
    if (setter in value) Object.defineProperty(value, setter, { value: refuse(kind), enumerable: false })
  }
  return Object.freeze(value)
}

/** Is this a plain object or an array, so that its own properties are all there is to it? */
const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const copyPlain = (value: object): object => {
  const out = Object.create(Object.getPrototypeOf(value) as object | null) as Record<PropertyKey, unknown>
  for (const key of Reflect.ownKeys(value)) {
    const frozenValue = deepFreeze((value as Record<PropertyKey, unknown>)[key])
    if (key !== "__proto__" && Object.prototype.propertyIsEnumerable.call(value, key)) out[key] = frozenValue
    else {
      // an assignment to `__proto__` would set the prototype, and make any other hidden property show
      const enumerable = Object.prototype.propertyIsEnumerable.call(value, key)
      Object.defineProperty(out, key, { value: frozenValue, enumerable })
    }
  }
  return Object.freeze(out)
}

const copy = (value: object): object => {
  if (Array.isArray(value)) return Object.freeze(value.map(deepFreeze))
  if (value instanceof Date) return lock(new Date(value))
  if (value instanceof Map) return lock(new Map([...value].map(([k, v]) => [deepFreeze(k), deepFreeze(v)])))
  if (value instanceof Set) return lock(new Set([...value].map(deepFreeze)))
  if (isPlain(value)) return copyPlain(value)
  if (Option.isOption(value)) return Option.map(value, deepFreeze)
  if (Result.isResult(value)) return Result.mapBoth(value, { onSuccess: deepFreeze, onFailure: deepFreeze })
  return value
}

/** An immutable copy; a value that is one already is returned as it is. */
export const deepFreeze = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || frozen.has(value)) return value
  const out = copy(value)
  if (out !== value) frozen.add(out)
  return out as A
}

/** Whether a value is an immutable copy all through, so that it can be handed out again and again. */
export const isShareable = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return true
  if (Option.isOption(value) && Option.isNone(value)) return true
  if (!frozen.has(value)) return false
  if (value instanceof Map) return [...value].every(([k, v]) => isShareable(k) && isShareable(v))
  if (value instanceof Set || Array.isArray(value)) return [...value].every(isShareable)
  if (value instanceof Date) return true
  if (Option.isOption(value)) return Option.isSome(value) && isShareable(value.value)
  if (Result.isResult(value)) return isShareable(Result.merge(value))
  return Object.values(value).every(isShareable)
}

/**
 * Freezes what was just made, and nobody else has, where it stands. What `deepFreeze` makes is remembered, so that it is
 * copied once; for all that a store gives to be so takes longer than to read it.
 */
export const freezeRead = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  if (!Array.isArray(value) && !isPlain(value)) return value
  for (const each of Object.values(value)) freezeRead(each)
  return Object.freeze(value)
}

const owned = new WeakSet<object>()

/**
 * Freezes what is ours alone where it stands, instances of classes included. Effect's data types, which are immutable
 * and may keep caches, stay.
 */
export const freezeOwned = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || owned.has(value)) return value
  owned.add(value)
  if (Option.isOption(value)) Option.map(value, freezeOwned)
  else if (Result.isResult(value)) Result.mapBoth(value, { onSuccess: freezeOwned, onFailure: freezeOwned })
  else if (!ArrayBuffer.isView(value) && !Hash.isHash(value)) freezeAll(value)
  return value
}

const freezeAll = (value: object): void => {
  lock(value)
  if (value instanceof Map || value instanceof Set) { for (const entry of value.entries()) entry.forEach(freezeOwned) }
  for (const key of Reflect.ownKeys(value)) freezeOwned((value as Record<PropertyKey, unknown>)[key])
}

const nothing = Object.freeze({})
frozen.add(nothing)

/** Makes the properties of an object that is ours immutable: each a copy, but for empty ones; then the object itself. */
const freezeShallow = (value: object): void => {
  const properties = value as Record<string, unknown>
  for (const key in properties) {
    const held = properties[key]
    if (typeof held !== "object" || held === null || frozen.has(held)) continue
    properties[key] = isPlain(held) && Object.keys(held).length === 0 ? nothing : deepFreeze(held)
  }
  Object.freeze(value)
}

/** A message of a prompt that was just made, with its parts. */
interface Made {
  readonly content: string | ReadonlyArray<object>
}

/** Freezes a message that was just made, and its parts, where they stand; what they hold of others is copied. */
export const freezeMade = <A extends Made>(message: A): A => {
  const { content } = message
  if (typeof content !== "string") {
    for (const part of content) freezeShallow(part)
    frozen.add(Object.freeze(content))
  }
  freezeShallow(message)
  return message
}
