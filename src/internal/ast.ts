/**
 * Questions about a schema that its types do not answer. Layer 1.
 */
import type { Schema, SchemaAST } from "effect"

const children = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const links = ast.encoding?.map((link) => link.to) ?? []
  switch (ast._tag) {
    case "Objects":
      return [
        ...links,
        ...ast.propertySignatures.map((property) => property.type),
        ...ast.indexSignatures.flatMap((index) => [index.parameter, index.type])
      ]
    case "Arrays":
      return [...links, ...ast.elements, ...ast.rest]
    case "Union":
      return [...links, ...ast.types]
    case "Declaration":
      return [...links, ...ast.typeParameters]
    case "Suspend":
      return [...links, ast.thunk()]
    default:
      return links
  }
}

/** Does a predicate hold at any place of a schema, recursive ones included? */
const some = (ast: SchemaAST.AST, predicate: (ast: SchemaAST.AST) => boolean): boolean => {
  const seen = new Set<SchemaAST.AST>()
  const visit = (node: SchemaAST.AST): boolean => {
    if (seen.has(node)) return false
    seen.add(node)
    return predicate(node) || children(node).some(visit)
  }
  return visit(ast)
}

const representation = (annotations: Record<string, unknown> | undefined): string | undefined => {
  const found = annotations?.["representation"]
  return typeof found === "object" && found !== null && "id" in found ? String(found.id) : undefined
}

/** Does a schema hold a redacted value anywhere? */
export const holdsRedacted = (schema: Schema.Constraint): boolean =>
  some(schema.ast, (ast) => representation(ast.annotations) === "effect/schema/Redacted")

/** Is the JSON of a schema's values the values themselves? */
export const isOwnJson = (codec: Schema.Constraint): boolean =>
  !some(codec.ast, (ast) => ast.encoding !== undefined || ast._tag === "Declaration")

/** Is a schema one of integers? */
export const isInteger = (schema: Schema.Constraint): boolean =>
  schema.ast._tag === "Number" &&
  (schema.ast.checks ?? []).some((check) => representation(check.annotations) === "effect/schema/isInt")

/** Checks that a sum, a maximum and a minimum pass as soon as their parts do. */
const kept = new Set(["effect/schema/isInt", "effect/schema/isFinite"])

const isRefined = (ast: SchemaAST.AST): boolean =>
  (ast.checks ?? []).some((check) => !kept.has(representation(check.annotations) ?? ""))

/** Does a schema refuse some values of its type: at its top, or at any place? */
export const refuses = (schema: Schema.Constraint, where: "top" | "anywhere"): boolean =>
  where === "top" ? isRefined(schema.ast) : some(schema.ast, isRefined)

/** The names of a struct's properties; none for another schema. */
export const propertyNames = (schema: Schema.Constraint): ReadonlyArray<string> =>
  schema.ast._tag === "Objects" ? schema.ast.propertySignatures.map(({ name }) => String(name)) : []

/** What a JSON Schema of a schema may not say: which conversions and which checks it holds, by name, each once. */
export const hiddenIn = (schema: Schema.Constraint): ReadonlyArray<string> => {
  const found = new Set<string>()
  some(schema.ast, (ast) => {
    const declared = representation(ast.annotations)
    if (declared !== undefined) found.add(named(declared))
    else if (ast._tag === "Declaration") found.add("a type of its own")
    for (const link of ast.encoding ?? []) if (declared === undefined) found.add(`${ast._tag} from ${link.to._tag}`)
    for (const { annotations } of ast.checks ?? []) {
      const id = representation(annotations)
      if (id === undefined || !kept.has(id)) found.add(id === undefined ? "a check of its own" : named(id, annotations))
    }
    return false
  })
  return [...found].sort()
}

/** A mark without the prefix that all of effect's have, with what it was made with. */
const named = (id: string, annotations?: Record<string, unknown>): string => {
  const { payload } = (annotations?.["representation"] ?? {}) as { readonly payload?: unknown }
  const name = id.replace("effect/schema/", "")
  return payload === undefined || payload === null ? name : `${name} ${JSON.stringify(payload)}`
}
