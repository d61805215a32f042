/** Reads a folder of τ-bench's retail domain: three tables, and the tasks with what is on record for them. */
import { Effect, Schema, SchemaIssue } from "effect"
import { readdir, readFile } from "node:fs/promises"
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

const fileNames = ["orders.json", "users.json", "products.json", "tasks.json"] as const

/** The folder, or a file of it, cannot be used. */
export class FolderError extends Schema.TaggedError<FolderError>()("FolderError", {
  file: Schema.String,
  /** Where in the file, as a path; empty for the file itself. */
  place: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    const where = this.place === "" ? this.file : `${this.file}, at ${this.place}`
    return `${where}: ${this.problem}
'tau' reads ${fileNames.join(", ")} of a folder; npm start -- --help tells what is in them.`
  }
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const readable = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ENOENT" ? "there is no such folder" : code === "ENOTDIR" ? "it is no folder" : messageOf(error)
}

/** Fails unless it is a folder that has all the files. */
const checkFolder = (folder: string): Effect.Effect<void, FolderError> =>
  Effect.gen(function*() {
    const wrong = (problem: string) => new FolderError({ file: folder, place: "", problem })
    const found = yield* Effect.tryPromise({ try: () => readdir(folder), catch: (error) => wrong(readable(error)) })
    const missing = fileNames.filter((name) => !found.includes(name))
    if (missing.length > 0) return yield* wrong(`it has no ${missing.join(", no ")}`)
  })

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const read = <S extends Schema.Codec<unknown, unknown>>(
  file: string,
  schema: S
): Effect.Effect<S["Type"], FolderError> =>
  Effect.gen(function*() {
    const text = yield* Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: (error) => new FolderError({ file, place: "", problem: messageOf(error) })
    })
    if (text.trim() === "") return yield* new FolderError({ file, place: "", problem: "it is empty" })
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

/** Reads the four files of a folder. Those that are missing fail, and the first that does not fit, with the place. */
export const load = Effect.fnUntraced(function*(folder: string) {
  yield* checkFolder(folder)
  const orders = yield* read(join(folder, "orders.json"), Schema.Record(Schema.String, Order))
  const users = yield* read(join(folder, "users.json"), Schema.Record(Schema.String, User))
  const products = yield* read(join(folder, "products.json"), Schema.Record(Schema.String, Product))
  const file = join(folder, "tasks.json")
  const tasks = yield* read(file, Schema.Array(Task))
  if (tasks.length === 0) return yield* new FolderError({ file, place: "", problem: "it holds no task to replay" })
  for (const [index, { actions, results }] of tasks.entries()) {
    if (actions.length === results.length) continue
    const problem = `it has ${actions.length} actions and ${results.length} results`
    return yield* new FolderError({ file, place: String(index), problem })
  }
  return { tables: { orders, users, products }, tasks } satisfies Folder
})
