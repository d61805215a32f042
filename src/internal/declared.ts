/**
 * A contract as a document: what its schemas, sections and parts look like from outside. Layer 1; its public face is
 * `Contract`.
 */
import { Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import type { Tree } from "../Contract.ts"
import { type ContractValue, formerNames, sectionsOf } from "./contract.ts"
import type { FieldDefinition, SectionDefinition } from "./field.ts"
import { byKey, canonical, digest } from "./json.ts"
import { type Shape, shapeOf, shapeOfJson } from "./shape.ts"

const JsonSchema = Schema.Record(Schema.String, Schema.Json)

export const SnapshotField = Schema.Struct({
  kind: Schema.Literals(["value", "optional", "record"]),
  scope: Schema.Literals(["session", "user", "app", "temp"]),
  reducer: Schema.optionalKey(Schema.String),
  /** The JSON Schema of the whole field: of a record with its entries. */
  schema: JsonSchema
})

export const SnapshotSection = Schema.Struct({
  version: Schema.Int,
  child: Schema.Literals(["inherit", "fresh"]),
  fields: Schema.Record(Schema.String, SnapshotField),
  /** What the migrations from each earlier version take, oldest first. */
  history: Schema.Array(JsonSchema)
})

const part = {
  kind: Schema.Literals([
    "tool",
    "toolkit",
    "hook",
    "instructions",
    "middleware",
    "agent",
    "sub-agent",
    "transfer"
  ]),
  name: Schema.String,
  requires: Schema.Array(Schema.String),
  reads: Schema.Array(Schema.String),
  writes: Schema.Array(Schema.String),
  combines: Schema.Array(Schema.String),
  asks: Schema.Array(Schema.String),
  exclusive: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.String])),
  /** Of a tool: the names that it had. */
  formerly: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Of what a model calls: what it is called with. */
  parameters: Schema.optionalKey(JsonSchema),
  /** Of a tool: what comes out. */
  success: Schema.optionalKey(JsonSchema),
  /** Of an agent: what it answers with. */
  output: Schema.optionalKey(JsonSchema)
}

const PartHead = Schema.Struct(part)

export interface Part extends Schema.Schema.Type<typeof PartHead> {
  readonly parts?: ReadonlyArray<Part>
}

const PartSchema = Schema.Struct({
  ...part,
  parts: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Part> => PartSchema)))
})

export const SnapshotSchema = Schema.Struct({
  format: Schema.Literal("tenon/contract"),
  version: Schema.Literal(1),
  /** A short text that changes with anything else here. */
  fingerprint: Schema.String,
  declaration: PartSchema,
  /** What the caller supplies: for each key the schemas that it must fit; none where it is local to the process. */
  keys: Schema.Record(Schema.String, Schema.Array(JsonSchema)),
  interrupts: Schema.Record(Schema.String, Schema.Struct({ question: JsonSchema, answer: JsonSchema })),
  sections: Schema.Record(Schema.String, SnapshotSection)
})

// ===== writing ===============================================================

const sorted = (names: Iterable<string>): ReadonlyArray<string> => [...new Set(names)].sort()

/** A record in the order of its keys, without a prototype: a section or a field may be called `toString`. */
const ordered = <A>(entries: Iterable<readonly [string, A]>): Readonly<Record<string, A>> =>
  Object.assign(Object.create(null) as Record<string, A>, Object.fromEntries([...entries].sort(byKey)))

const touched = (contract: ContractValue, mode: "read" | "write" | "combine"): ReadonlyArray<string> =>
  contract.touches.filter((touch) => touch.mode === mode).map(({ field, parameter }) =>
    parameter === undefined ? field.name : `${field.name}.at(${parameter})`
  )

/** What a contract names, each thing once, in the order of the declaration. */
export const facts = (contract: ContractValue) => ({
  requires: [...new Set(contract.requires.map(({ name }) => name))],
  reads: [...new Set(touched(contract, "read"))],
  writes: [...new Set(touched(contract, "write"))],
  combines: [...new Set(touched(contract, "combine"))],
  asks: [...new Set(contract.asks.map(({ name }) => name))]
})

const parametersOf = (tool: AiTool.Any): Shape =>
  Schema.isSchema(tool.parametersSchema) && !AiTool.isDynamic(tool)
    ? shapeOf(tool.parametersSchema)
    : shapeOfJson(AiTool.getJsonSchema(tool))

const schemasOf = ({ kind, output, tool }: Tree): Partial<Part> => {
  const formerly = tool === undefined ? [] : sorted(formerNames(tool))
  return {
    ...(formerly.length > 0 && { formerly }),
    ...(tool !== undefined && { parameters: parametersOf(tool) }),
    ...(tool !== undefined && kind === "tool" && { success: shapeOf(tool.successSchema) }),
    ...(output !== undefined && { output: shapeOf(output) })
  }
}

const inOrder = ({ kind, name }: Part): string => `${kind} ${name}`

const partOf = (tree: Tree): Part => {
  const { contract: { exclusive }, kind, name } = tree
  const { asks, combines, reads, requires, writes } = facts(tree.contract)
  const parts = tree.parts.map(partOf).sort((one, other) => byKey([inOrder(one), 0], [inOrder(other), 0]))
  return {
    kind,
    name,
    requires: sorted(requires),
    reads: sorted(reads),
    writes: sorted(writes),
    combines: sorted(combines),
    asks: sorted(asks),
    ...(exclusive !== false && { exclusive }),
    ...schemasOf(tree),
    ...(parts.length > 0 && { parts })
  }
}

/** A contract and those of all its parts. */
const contractsIn = ({ contract, parts }: Tree): ReadonlyArray<ContractValue> => [
  contract,
  ...parts.flatMap(contractsIn)
]

const definitionsIn = (tree: Tree): ReadonlyArray<SectionDefinition> => [
  ...sectionsOf(tree.contract),
  ...tree.sections ?? [],
  ...tree.parts.flatMap(definitionsIn)
]

const wholeOf = ({ keySchema, schema }: FieldDefinition): Shape =>
  shapeOf(
    keySchema === undefined
      ? schema
      : Schema.Record(keySchema as Schema.String, schema as Schema.Codec<unknown, Schema.Json>)
  )

const sectionOf = ({ child, fields, history, version }: SectionDefinition): typeof SnapshotSection.Type => ({
  version,
  child,
  fields: ordered(
    Object.values(fields).map((field) => [field.key, {
      kind: field.kind,
      scope: field.scope,
      ...(field.reducer && { reducer: field.reducer.operation }),
      schema: wholeOf(field)
    }])
  ),
  history: history.map(shapeOf)
})

/** The different schemas of each key: two declarations of a name may each have their own. */
const keysOf = ({ requires }: ContractValue): typeof SnapshotSchema.Type["keys"] => {
  const keys = new Map<string, Map<string, Shape>>()
  for (const { name, schema } of requires) {
    const shapes = keys.get(name) ?? new Map<string, Shape>()
    keys.set(name, shapes)
    if (schema === undefined) continue
    const shape = shapeOf(schema)
    shapes.set(canonical(shape), shape)
  }
  return ordered([...keys].map(([name, shapes]) => [name, [...shapes].sort(byKey).map(([, shape]) => shape)]))
}

/** A short text that changes with what a snapshot says. */
export const fingerprintOf = ({ declaration, interrupts, keys, sections }: Said): string =>
  digest(canonical({ declaration, interrupts, keys, sections } as unknown as Schema.JsonObject))

type Said = Omit<typeof SnapshotSchema.Type, "format" | "version" | "fingerprint">

/** A contract as a document. */
export const snapshotOf = (tree: Tree): typeof SnapshotSchema.Type => {
  const asks = contractsIn(tree).flatMap((contract) => contract.asks)
  const said: Said = {
    declaration: partOf(tree),
    keys: keysOf(tree.contract),
    interrupts: ordered(
      asks.map(({ answer, name, question }) => [name, { question: shapeOf(question), answer: shapeOf(answer) }])
    ),
    sections: ordered(definitionsIn(tree).map((section) => [section.name, sectionOf(section)]))
  }
  return { format: "tenon/contract", version: 1, fingerprint: fingerprintOf(said), ...said }
}
