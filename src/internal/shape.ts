/**
 * What a schema's values look like, as JSON Schema, and what takes what of two of them. Layer 1.
 *
 * A comparison says that a value fits, that one does not, or that it cannot tell: never that one fits that may not.
 */
import { Schema } from "effect"
import { memoize } from "effect/Function"
import { hiddenIn } from "./ast.ts"
import { canonical, inWords } from "./json.ts"

/** A JSON Schema, with its definitions in it. */
export type Shape = Schema.JsonObject

/** What of a JSON Schema does not say which values fit. */
const annotations: ReadonlySet<string> = new Set([
  "$comment",
  "$defs",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "contentSchema"
])

const inOrder = (json: unknown): Shape => JSON.parse(canonical(json as Schema.Json)) as Shape

/** A JSON Schema that somebody wrote, with its keys in order. */
export const shapeOfJson = inOrder

const documentOf = (schema: Schema.Constraint): Shape => {
  // what a JSON Schema does not say, effect says in words where it has some
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema, {
    includeAnnotationKey: (key) => key === "expected"
  })
  return { ...root, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) } as Shape
}

/**
 * The JSON Schema of a schema's encoded values. What it cannot say of the schema stands in its comment: conversions and
 * checks by name.
 */
export const shapeOf: (schema: Schema.Constraint) => Shape = memoize((schema) => {
  const hidden = hiddenIn(schema)
  return inOrder({ ...documentOf(schema), ...(hidden.length > 0 && { $comment: hidden.join("; ") }) })
})

// ===== comparing =============================================================

/** Why a value of one shape may not fit another. */
export interface Misfit {
  readonly path: ReadonlyArray<string>
  readonly problem: string
  /** Is there a value that does not fit for certain? */
  readonly isCertain: boolean
}

/** A part of a shape, with the definitions that its references name. */
interface Part {
  readonly node: Shape
  readonly root: Shape
}

type Fit = Misfit | undefined

const misfit = (problem: string, isCertain = true): Misfit => ({ path: [], problem, isCertain })

const at = (segment: string, fit: Fit): Fit => fit === undefined ? undefined : { ...fit, path: [segment, ...fit.path] }

const isObject = (json: unknown): json is Shape => typeof json === "object" && json !== null && !Array.isArray(json)

const asShape = (json: Schema.Json | undefined): Shape => json === false ? { not: {} } : isObject(json) ? json : {}

const listOf = (json: Schema.Json | undefined): ReadonlyArray<Schema.Json> => Array.isArray(json) ? json : []

/** A property of its own; an object also has a `toString`. */
export const own = <A>(of: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined

const record = (json: Schema.Json | undefined): Readonly<Record<string, Schema.Json>> => isObject(json) ? json : {}

/** What is left of a node without its annotations, and without words that say nothing. */
const bare = (node: Shape): Shape =>
  Object.fromEntries(
    Object.entries(node).filter(([key, value]) =>
      !annotations.has(key) && !(key === "expected" && value === "JSON value")
    )
  )

/** How a keyword that the one shape has must stand to the other's, for the other's values to fit. */
const bounds: Readonly<Record<string, (value: number, wanted: number) => boolean>> = {
  minimum: (value, wanted) => value >= wanted,
  maximum: (value, wanted) => value <= wanted,
  exclusiveMinimum: (value, wanted) => value >= wanted,
  exclusiveMaximum: (value, wanted) => value <= wanted,
  minLength: (value, wanted) => value >= wanted,
  maxLength: (value, wanted) => value <= wanted,
  minItems: (value, wanted) => value >= wanted,
  maxItems: (value, wanted) => value <= wanted,
  minProperties: (value, wanted) => value >= wanted,
  maxProperties: (value, wanted) => value <= wanted
}

/** What a bound is as good as where there is none. */
const weakest: Readonly<Record<string, number>> = { minLength: 0, minItems: 0, minProperties: 0 }

/** Of two bounds the one that holds both. */
const stronger = (key: string, one: Schema.Json, other: Schema.Json): Schema.Json | undefined => {
  const bound = bounds[key]
  if (key === "expected") return `${inWords(one)}; ${inWords(other)}`
  return bound === undefined || typeof one !== "number" || typeof other !== "number"
    ? undefined
    : bound(one, other)
    ? one
    : other
}

/** Of two things that a value must be, both; `undefined` where no one node says so. */
const together = (one: Shape, other: Shape): Shape | undefined => {
  const out: Record<string, Schema.Json> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const known = out[key]
    const both = known === undefined || canonical(known) === canonical(value) ? value : stronger(key, known, value)
    if (both === undefined) return undefined
    out[key] = both
  }
  return out
}

/** A node without references and without what says nothing; `undefined` where it cannot be brought together. */
const plain = ({ node, root }: Part): Shape | undefined => {
  let current = bare(node)
  for (let depth = 0; typeof current["$ref"] === "string"; depth++) {
    const { $ref: ref, ...rest } = current
    const found = own(record(root["$defs"]), ref.replace(/^#\/(\$defs|definitions)\//, ""))
    const merged = found === undefined || depth > 32 ? undefined : together(bare(asShape(found)), rest)
    if (merged === undefined) return undefined
    current = merged
  }
  const { allOf, ...rest } = current
  const merged = listOf(allOf).reduce<Shape | undefined>((all, each) => {
    const member = plain({ node: asShape(each), root })
    return all === undefined || member === undefined ? undefined : together(all, member)
  }, rest)
  // effect's schema of an object without properties
  return merged !== undefined && canonical(merged["not"] ?? null) === `{"type":"null"}`
    ? { ...without(merged, "not"), type: "object" }
    : merged
}

const without = (node: Shape, key: string): Shape =>
  Object.fromEntries(Object.entries(node).filter(([each]) => each !== key))

/** The members of a union, each with what stands beside the union. */
const members = (node: Shape): ReadonlyArray<Shape> | undefined => {
  const key = "anyOf" in node ? "anyOf" : "oneOf" in node ? "oneOf" : undefined
  if (key === undefined) {
    const { type } = node
    return Array.isArray(type) ? type.map((each) => ({ ...node, type: each })) : undefined
  }
  const beside = without(node, key)
  return listOf(node[key]).map((each) => together(beside, asShape(each)) ?? { ...beside, allOf: [each] })
}

const literals = (node: Shape): ReadonlyArray<Schema.Json> | undefined =>
  "const" in node ? [node["const"]] : Array.isArray(node["enum"]) ? node["enum"] : undefined

const typeOf = (json: Schema.Json): string =>
  json === null ? "null" : Array.isArray(json) ? "array" : Number.isInteger(json) ? "integer" : typeof json

const isOfType = (type: Schema.Json | undefined, wanted: Schema.Json | undefined): boolean =>
  wanted === undefined || type === wanted || (type === "integer" && wanted === "number")

/** The keywords that are compared one by one, elsewhere. */
const structural: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "prefixItems",
  "items",
  "expected"
])

/** Do all values of one shape fit another? */
class Comparison {
  private readonly seen = new Map<Shape, Set<Shape>>()
  /** Is a property that the other does not know lost? */
  private readonly isKeeping: boolean

  constructor(isKeeping: boolean) {
    this.isKeeping = isKeeping
  }

  fits(value: Part, wanted: Part): Fit {
    const known = this.seen.get(value.node) ?? new Set()
    // a recursive shape fits as long as nothing on the way round does not
    if (known.has(wanted.node)) return undefined
    this.seen.set(value.node, known.add(wanted.node))
    const left = plain(value)
    const right = plain(wanted)
    if (right !== undefined && Object.keys(right).length === 0) return undefined
    if (left === undefined || right === undefined) {
      return canonical(bare(value.node)) === canonical(bare(wanted.node)) &&
          canonical(value.root["$defs"] ?? null) === canonical(wanted.root["$defs"] ?? null)
        ? undefined
        : misfit("it changed", false)
    }
    return this.plainFits({ node: left, root: value.root }, { node: right, root: wanted.root })
  }

  private plainFits(value: Part, wanted: Part): Fit {
    const { node: left } = value
    const { node: right } = wanted
    if (canonical(left["not"] ?? null) === "{}") return undefined
    const choices = members(left)
    if (choices !== undefined) {
      return first(choices.map((node) => () => this.fits({ node, root: value.root }, wanted)))
    }
    const values = literals(left)
    if (values !== undefined && values.length > 1) {
      return first(
        values.map((each) => () =>
          this.plainFits({ node: { ...without(left, "enum"), const: each }, root: value.root }, wanted)
        )
      )
    }
    const taken = members(right)
    if (taken !== undefined) {
      const fits = taken.map((node) => this.fits(value, { node, root: wanted.root }))
      if (fits.includes(undefined)) return undefined
      const [only, ...others] = fits.filter((fit) => fit !== undefined && fit.path.length > 0)
      // of an object that one member nearly takes, say where it does not
      return only !== undefined && others.length === 0
        ? only
        : misfit(`${described(left)} is not taken any more`, fits.every((fit) => fit?.isCertain === true))
    }
    return this.oneFits(value, wanted)
  }

  private oneFits(value: Part, wanted: Part): Fit {
    const { node: left } = value
    const { node: right } = wanted
    const [literal] = literals(left) ?? []
    const type = left["type"] ?? (literal === undefined ? undefined : typeOf(literal))
    const allowed = literals(right)
    if (allowed !== undefined) {
      if (literal === undefined) {
        return misfit(`only ${allowed.map((each) => JSON.stringify(each)).join(", ")} is taken`, type !== "boolean")
      }
      if (!allowed.some((each) => canonical(each) === canonical(literal))) {
        return misfit(`${JSON.stringify(literal)} is not taken any more`)
      }
    }
    if (!isOfType(type, right["type"])) {
      return misfit(
        `${described(left)} does not fit ${described(right)}`,
        type !== undefined || Object.keys(left).length === 0
      )
    }
    return this.keywords(left, right, literal) ??
      (right["type"] === "object" ? this.objects(value, wanted) : undefined) ??
      (right["type"] === "array" ? this.arrays(value, wanted) : undefined)
  }

  private keywords(left: Shape, right: Shape, literal: Schema.Json | undefined): Fit {
    let isTold = false
    for (const [key, wanted] of Object.entries(right)) {
      if (structural.has(key)) continue
      const mine = left[key]
      if (mine !== undefined && canonical(mine) === canonical(wanted)) continue
      const bound = bounds[key]
      isTold = true
      if (bound === undefined || typeof wanted !== "number") return misfit(`'${key}' changed`, false)
      const value = typeof mine === "number" ? mine : weakest[key]
      const isKnown = literal === undefined && (typeof mine === "number" || mine === undefined)
      if (value !== undefined && bound(value, wanted)) continue
      return misfit(`'${key}' is now ${wanted}${mine === undefined ? "" : `, it was ${inWords(mine)}`}`, isKnown)
    }
    // a bound that is gone, or looser, has changed the words too
    const isLooser = Object.keys(left).some((key) => key in bounds && left[key] !== right[key])
    const { expected } = right
    return expected === undefined || expected === left["expected"] || isTold || isLooser
      ? undefined
      : misfit(`it must now be ${inWords(expected)}`, false)
  }

  private objects({ node: left, root }: Part, { node: right, root: wantedRoot }: Part): Fit {
    const mine = record(left["properties"])
    const wanted = record(right["properties"])
    const always = new Set(listOf(left["required"]))
    const rest = left["additionalProperties"]
    const wantedRest = right["additionalProperties"]
    for (const key of listOf(right["required"]).map(String)) {
      if (always.has(key)) continue
      return at(key, misfit(Object.hasOwn(mine, key) ? "it was optional, and is required" : "it is new, and required"))
    }
    for (const [key, node] of Object.entries(mine)) {
      const taken = own(wanted, key) ?? (isObject(wantedRest) ? wantedRest : undefined)
      if (taken !== undefined) {
        const fit = this.fits({ node: asShape(node), root }, { node: asShape(taken), root: wantedRoot })
        if (fit !== undefined) return at(key, fit)
      } else if (wantedRest === false) return at(key, misfit("it is not taken any more"))
      else if (this.isKeeping) return at(key, misfit("it is gone: what stands there is dropped"))
    }
    // properties without a name of their own: none, unless something is said of them
    if (!isObject(rest)) {
      const isOpen = rest === true && Object.keys(mine).length === 0 && isObject(wantedRest)
      return isOpen ? misfit("what its entries may be changed", false) : undefined
    }
    if (isObject(wantedRest) && Object.keys(wanted).length === 0) {
      return at("*", this.fits({ node: rest, root }, { node: wantedRest, root: wantedRoot }))
    }
    return misfit("a record became something else", wantedRest === false)
  }

  private arrays({ node: left, root }: Part, { node: right, root: wantedRoot }: Part): Fit {
    const mine = listOf(left["prefixItems"])
    const wanted = listOf(right["prefixItems"])
    const most = typeof left["maxItems"] === "number" ? left["maxItems"] : Number.POSITIVE_INFINITY
    const longest = Math.max(mine.length, wanted.length)
    for (let index = 0; index < Math.min(most, longest + 1); index++) {
      const fit = this.fits(
        { node: asShape(mine[index] ?? left["items"]), root },
        { node: asShape(wanted[index] ?? right["items"]), root: wantedRoot }
      )
      if (fit !== undefined) return at(index < longest ? String(index) : "*", fit)
    }
    return undefined
  }
}

/** The first that does not fit for certain, else the first that may not. */
const first = (fits: ReadonlyArray<() => Fit>): Fit => {
  let found: Fit
  for (const fit of fits) {
    const next = fit()
    if (next?.isCertain === true) return next
    found ??= next
  }
  return found
}

const described = (node: Shape): string => {
  const values = literals(node)
  if (values !== undefined) return values.map((each) => JSON.stringify(each)).join(", ")
  const { type } = node
  if (typeof type === "string") return type
  return Object.keys(node).length === 0 ? "any value" : "this value"
}

/** What may keep a value of one shape from fitting another, what would be lost of it included where it must be kept. */
export const misfitOf = (value: Shape, wanted: Shape, isKeeping = true): Misfit | undefined =>
  canonical(value) === canonical(wanted)
    ? undefined
    : new Comparison(isKeeping).fits({ node: value, root: value }, { node: wanted, root: wanted })

/** Are two shapes of the same JSON, and do they differ in what JSON Schema does not say? */
export const differsUnseen = (one: Shape, other: Shape): boolean =>
  (one["$comment"] ?? "") !== (other["$comment"] ?? "")
