/**
 * Files for the model alone: notes, drafts, results of long work that would fill its context.
 *
 * They are artifacts in a collection of their own, so they are kept with the session, in versions, and no disk is
 * touched.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect, type Layer, Option, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import * as Artifacts from "../Artifacts.ts"
import { ArtifactStoreFailed } from "../ArtifactStore.ts"
import * as Text from "../internal/text.ts"
import * as Middleware from "../Middleware.ts"
import * as Tool from "../Tool.ts"
import * as Toolkit from "../Toolkit.ts"

// ===== state =================================================================

/** The collection that holds the files, by path. @category state @since 0.1.0 */
export const Files: Artifacts.Collection<"virtual_files"> = Artifacts.make("virtual_files")

// ===== errors ================================================================

/** What a model asked for cannot be done: the file is not there, or is not what it takes it for. @category errors @since 0.1.0 */
export class FileProblem extends Schema.TaggedError<FileProblem>()("FileProblem", {
  path: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `'${this.path}': ${this.problem}`
  }
}

const Failure = Schema.Union([FileProblem, Artifacts.ArtifactLost, ArtifactStoreFailed])

// ===== tools =================================================================

const path = Schema.String.annotate({ description: "the file's path, such as notes/plan.md" })
const Line = Schema.Int.check(Schema.isGreaterThan(0))

/** Lists the files. @category tools @since 0.1.0 */
export const Ls = Tool.make("ls", {
  description: "Lists your files with their sizes.",
  parameters: Schema.Struct({
    folder: Schema.optionalKey(Schema.String.annotate({ description: "lists what is below it; everything without it" }))
  }),
  success: Schema.String,
  failure: Failure,
  reads: [Files]
}).annotate(AiTool.Readonly, true)

/** Reads a file, or some of its lines. @category tools @since 0.1.0 */
export const ReadFile = Tool.make("read_file", {
  description: "Reads one of your files. Each line comes with its number and a tab, which are not part of the file.",
  parameters: Schema.Struct({
    path,
    from: Schema.optionalKey(Line.annotate({ description: "the first line to read, from 1" })),
    lines: Schema.optionalKey(Line.annotate({ description: "how many lines to read" }))
  }),
  success: Schema.String,
  failure: Failure,
  reads: [Files]
}).annotate(AiTool.Readonly, true)

/** Writes a whole file, a new one or in place of the one that is there. @category tools @since 0.1.0 */
export const WriteFile = Tool.make("write_file", {
  description: "Writes one of your files whole. A file of this path is replaced.",
  parameters: Schema.Struct({ path, content: Schema.String }),
  success: Schema.String,
  failure: Failure,
  writes: [Files]
})

/** Replaces one piece of a file. @category tools @since 0.1.0 */
export const EditFile = Tool.make("edit_file", {
  description:
    "Replaces a piece of one of your files. The old text is exactly as it stands there, and stands there once.",
  parameters: Schema.Struct({ path, old: Schema.String, new: Schema.String }),
  success: Schema.String,
  failure: Failure,
  writes: [Files]
})

/** Deletes a file. @category tools @since 0.1.0 */
export const DeleteFile = Tool.make("delete_file", {
  description: "Deletes one of your files.",
  parameters: Schema.Struct({ path }),
  success: Schema.String,
  failure: Failure,
  writes: [Files]
})

const tools = { ls: Ls, read_file: ReadFile, write_file: WriteFile, edit_file: EditFile, delete_file: DeleteFile }

/** The tools by name. @category models @since 0.1.0 */
export type Tools = typeof tools

const kit = Toolkit.make(Ls, ReadFile, WriteFile, EditFile, DeleteFile)

// ===== handlers ==============================================================

/** One path for what a model writes in several ways: `/a.md` and `./a.md` are `a.md`. */
const named = (given: string): Effect.Effect<string, FileProblem> => {
  const parts = given.split("/").filter((part) => part !== "" && part !== ".")
  return parts.length === 0 || parts.includes("..")
    ? Effect.fail(new FileProblem({ path: given, problem: "this is no path of a file" }))
    : Effect.succeed(parts.join("/"))
}

const textAt = Effect.fnUntraced(function*(name: string) {
  const file = yield* Files.load(name)
  if (Option.isNone(file)) return yield* new FileProblem({ path: name, problem: "there is no such file" })
  const { bytes, mediaType } = file.value
  const text = Text.textIn(bytes)
  if (text === undefined || bytes.includes(0)) {
    return yield* new FileProblem({ path: name, problem: `it is no text: ${mediaType}` })
  }
  return { text, mediaType }
})

/** How often a piece stands in a text, and where it does first; two places may overlap. */
const placesOf = (piece: string, text: string) => {
  const first = text.indexOf(piece)
  let count = 0
  for (let at = piece === "" ? -1 : first; at !== -1; at = text.indexOf(piece, at + 1)) count++
  return { first, count }
}

/** The lines of a text; what follows the last line break is a line where it is not empty. */
const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

const bytes = (size: number): string => `${size} byte${size === 1 ? "" : "s"}`

/**
 * The handlers of all the tools, also where an agent has some of them.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: {
    /** How many lines are read where the model does not say: 2,000. */
    readonly lines?: number
  } = {}
): Layer.Layer<AiTool.HandlersFor<typeof kit.tools>> =>
  Toolkit.layer(kit, {
    ls: Effect.fnUntraced(function*({ folder = "" }) {
      const parts = folder.split("/").filter((part) => part !== "" && part !== ".")
      const names = (yield* Files.list).filter((name) => parts.every((part, index) => name.split("/")[index] === part))
      const sizes = yield* Effect.forEach(names, (name) => Effect.map(Files.versions(name), (all) => all.at(-1)?.size))
      return names.length === 0
        ? "There are no files."
        : names.map((name, index) => `${name} (${bytes(sizes[index] ?? 0)})`).join("\n")
    }),
    read_file: Effect.fnUntraced(function*({ from = 1, lines = options.lines ?? 2_000, path }) {
      const name = yield* named(path)
      const all = linesOf((yield* textAt(name)).text)
      if (all.length === 0) return "The file is empty."
      const shown = all.slice(from - 1, from - 1 + lines)
      if (shown.length === 0) {
        return yield* new FileProblem({ path: name, problem: `it ends with line ${all.length}` })
      }
      const numbered = shown.map((line, index) => `${from + index}\t${line}`).join("\n")
      return shown.length === all.length
        ? numbered
        : `${numbered}\n(lines ${from} to ${from + shown.length - 1} of ${all.length})`
    }),
    write_file: Effect.fnUntraced(function*({ content, path }) {
      const name = yield* named(path)
      const { size, version } = yield* Files.save(name, content)
      return `${version === 0 ? "Created" : "Wrote"} ${name} (${bytes(size)}).`
    }),
    edit_file: Effect.fnUntraced(function*({ new: replacement, old, path }) {
      const name = yield* named(path)
      const { mediaType, text } = yield* textAt(name)
      const { count, first } = placesOf(old, text)
      if (count !== 1) {
        const problem = count === 0
          ? "the old text does not stand in it"
          : `the old text stands in it ${count} times: give more of what is around it`
        return yield* new FileProblem({ path: name, problem })
      }
      const edited = text.slice(0, first) + replacement + text.slice(first + old.length)
      const { size } = yield* Files.save(name, edited, { mediaType })
      return `Edited ${name} (${bytes(size)}).`
    }),
    delete_file: Effect.fnUntraced(function*({ path }) {
      const name = yield* named(path)
      if (yield* Files.remove(name)) return `Deleted ${name}.`
      return yield* new FileProblem({ path: name, problem: "there is no such file" })
    })
  })

// ===== middleware ============================================================

const instructions = [
  "You have files of your own, by paths such as notes/plan.md. They stay for the whole conversation: put there what is long,",
  "or what you will need later, and read again what you need of it."
].join("\n")

/**
 * Gives an agent files of its own, with tools that list, read, write, edit and delete them.
 *
 * **Details**
 *
 * The handlers are `VirtualFiles.layer`, provided beside the agent's others, with an `ArtifactStore`. `tools` are those that
 * the agent has, all of them unless said otherwise. A sub-agent with this middleware sees its parent's files; its own come
 * back where `returns` names `VirtualFiles.Files`. From outside, `Artifacts.versionsIn` reads them, and what was written
 * over is an earlier version.
 *
 * **Example** (A plan that is edited)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, ArtifactStore, SessionStore } from "tenon"
 * import { VirtualFiles } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Writer = Agent.make("writer", { instructions: "Write.", middleware: [VirtualFiles.make()] })
 * const Model = ScriptedModel.layer([
 *   ScriptedModel.call("write_file", { path: "plan.md", content: "one\ntwo\n" }),
 *   ScriptedModel.call("edit_file", { path: "plan.md", old: "two", new: "three" }),
 *   ScriptedModel.call("read_file", { path: "plan.md", from: 2 }),
 *   ScriptedModel.text("Done.")
 * ])
 *
 * const { session } = await Effect.runPromise(
 *   AgentRunner.run(Writer, { session: "s-1", input: "Plan." }).pipe(
 *     Effect.provide([VirtualFiles.layer(), ArtifactStore.layerMemory, Model, SessionStore.layerMemory])
 *   )
 * )
 * const results = session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
 * results.at(-1) // => "2\tthree\n(lines 2 to 2 of 2)"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Name extends keyof Tools = keyof Tools>(
  options: { readonly tools?: ReadonlyArray<Name>; readonly instructions?: string } = {}
): Middleware.Middleware<"virtual_files", Tool.Requirements<Tools[Name]>, never, Tools[Name]> => {
  const names: ReadonlyArray<keyof Tools> = options.tools ?? Object.keys(tools) as ReadonlyArray<keyof Tools>
  return Middleware.make("virtual_files", {
    toolkit: Toolkit.make(...names.map((name) => tools[name])),
    instructions: options.instructions ?? instructions
  }) as never
}
