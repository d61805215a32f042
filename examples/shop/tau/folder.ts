/** Reads a folder of τ-bench's retail domain: three tables, and the tasks with what is on record for them. */
import { Effect, Schema, SchemaIssue } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Order, Product, type Tables, User } from "../shop.ts"

/** One conversation: the calls of the reference solution, what each returned, and the entries that differ at the end. */
export const Task = Schema.Struct({
  id: Schema.Int,
  userId: Schema.String,
  actions: Schema.Array(Schema.Struct({ name: Schema.String, args: Schema.Record(Schema.String, Schema.Json) })),
  results: Schema.Array(Schema.String),
  expected: Schema.Struct({
    orders: Schema.Record(Schema.String, Order),
    users: Schema.Record(Schema.String, User)
  })
})
export type Task = typeof Task.Type

/** A file of the folder cannot be used. */
export class FolderError extends Schema.TaggedError<FolderError>()("FolderError", {
  file: Schema.String,
  /** Where in the file, as a path; empty for the file itself. */
  place: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return this.place === "" ? `${this.file}: ${this.problem}` : `${this.file}, at ${this.place}: ${this.problem}`
  }
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const readable = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ENOENT" ? "there is no such file" : code === "ENOTDIR" ? "its folder is a file" : messageOf(error)
}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const read = <S extends Schema.Codec<unknown, unknown>>(
  file: string,
  schema: S
): Effect.Effect<S["Type"], FolderError> =>
  Effect.gen(function*() {
    const text = yield* Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: (error) => new FolderError({ file, place: "", problem: readable(error) })
    })
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) => new FolderError({ file, place: "", problem: `it is not JSON: ${messageOf(error)}` })
    })
    return yield* Schema.decodeUnknownEffect(schema)(json).pipe(Effect.mapError(({ issue }) => {
      const [first] = issuesOf(issue).issues
      const path = (first?.path ?? []).map((segment) => String(typeof segment === "object" ? segment.key : segment))
      return new FolderError({ file, place: path.join("."), problem: first?.message ?? "it does not fit" })
    }))
  })

/** What is in a folder. */
export interface Folder {
  readonly tables: Tables
  readonly tasks: ReadonlyArray<Task>
}

/** Reads the four files of a folder. The first that is missing or does not fit fails, with the place. */
export const load = Effect.fnUntraced(function*(folder: string) {
  const orders = yield* read(join(folder, "orders.json"), Schema.Record(Schema.String, Order))
  const users = yield* read(join(folder, "users.json"), Schema.Record(Schema.String, User))
  const products = yield* read(join(folder, "products.json"), Schema.Record(Schema.String, Product))
  const file = join(folder, "tasks.json")
  const tasks = yield* read(file, Schema.Array(Task))
  for (const [index, { actions, results }] of tasks.entries()) {
    if (actions.length === results.length) continue
    const problem = `it has ${actions.length} actions and ${results.length} results`
    return yield* new FolderError({ file, place: String(index), problem })
  }
  return { tables: { orders, users, products }, tasks } satisfies Folder
})
