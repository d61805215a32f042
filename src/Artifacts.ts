/**
 * Files and other contents under names, each name with its versions.
 *
 * A collection is a field of State that lists what was saved; the contents themselves are in the `ArtifactStore`. So a
 * tool declares a collection as any field, and what holds for State holds for artifacts: what a failed call saved is not
 * there, calls of one step lose nothing to each other, a rewind takes versions back, a sub-agent sees its parent's and
 * returns its own, and a user's artifacts are in all of the user's sessions.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Effect, Option, Schema } from "effect"
import { ArtifactStore, ArtifactStoreFailed } from "./ArtifactStore.ts"
import * as Instructions from "./Instructions.ts"
import { ContractViolation } from "./internal/fork.ts"
import * as Text from "./internal/text.ts"
import * as Reducer from "./Reducer.ts"
import * as State from "./State.ts"

// ===== models ================================================================

/**
 * One save, or one removal, as State holds it.
 *
 * @category models
 * @since 0.1.0
 */
export const Entry = Schema.Struct({
  name: Schema.String,
  /** What was saved; absent where the artifact was removed. */
  content: Schema.optionalKey(Schema.Struct({
    /** The SHA-256 of its bytes, in hex: its address in the store. */
    hash: Schema.String,
    mediaType: Schema.String,
    /** In bytes. */
    size: Schema.Int
  }))
})

/** @since 0.1.0 */
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/**
 * One version of an artifact, without its content.
 *
 * @category models
 * @since 0.1.0
 */
export interface Version {
  readonly name: string
  /** From 0, one more with each save of this name. No two versions have one number, not after a removal either. */
  readonly version: number
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
  /** The SHA-256 of its bytes, in hex: its address in the store. */
  readonly hash: string
}

/** One version of an artifact with its content. @category models @since 0.1.0 */
export interface Artifact extends Version {
  readonly bytes: Uint8Array
}

/** A version is there, and its content is not in the store. @category errors @since 0.1.0 */
export class ArtifactLost extends Schema.TaggedError<ArtifactLost>()("ArtifactLost", {
  name: Schema.String,
  version: Schema.Int,
  hash: Schema.String
}) {
  override get message(): string {
    return `the content of the artifact '${this.name}', version ${this.version}, is not in the store`
  }
}

/**
 * What can go wrong with a content, for a tool's `failure`.
 *
 * @category errors
 * @since 0.1.0
 */
export const Failure = Schema.Union([ArtifactLost, ArtifactStoreFailed])

/** @since 0.1.0 */
export type Failure = typeof Failure.Type

type Entries = ReadonlyArray<Entry>
type Read<Name extends string> = State.Read<`${Name}.entries`, Entries>
type Combine<Name extends string> = State.Combine<`${Name}.entries`, Entries>
type Owner<Name extends string> = State.Owner<Name, { readonly entries: Entries }>

/**
 * Artifacts that belong together. It stands in a contract as the field that it is: under `reads` to load, under `writes`
 * to save and remove, under `returns` of a sub-agent. Whoever touches it needs the `ArtifactStore`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Collection<out Name extends string>
  extends State.Reduced<`${Name}.entries`, Entries, Entry, Owner<Name> | ArtifactStore>
{
  /**
   * Saves a new version, and gives it. A text is `text/plain` unless said otherwise. Its number is that in the state which
   * the call sees: where another session of a user saves the name before the call has ended, or a sub-agent beside this
   * one, it comes out higher. Its `hash` tells it in any case.
   */
  readonly save: (
    name: string,
    content: string | Uint8Array,
    options?: { readonly mediaType?: string }
  ) => Effect.Effect<Version, ArtifactStoreFailed, Read<Name> | Combine<Name> | ArtifactStore>
  /** A version with its content, the current one unless said otherwise; none where there is no such version. */
  readonly load: (
    name: string,
    version?: number
  ) => Effect.Effect<Option.Option<Artifact>, Failure, Read<Name> | ArtifactStore>
  /** The names of all artifacts, in alphabetical order. */
  readonly list: Effect.Effect<ReadonlyArray<string>, never, Read<Name>>
  /** The versions of an artifact, the current one last. */
  readonly versions: (name: string) => Effect.Effect<ReadonlyArray<Version>, never, Read<Name>>
  /** Removes an artifact with its versions; tells whether there was one. The store still has the contents. */
  readonly remove: (name: string) => Effect.Effect<boolean, never, Read<Name> | Combine<Name>>
  /** The text of an artifact as a place of instructions. Where there is none the run fails, unless `otherwise` is said. */
  readonly text: (
    name: string,
    options?: { readonly otherwise?: string }
  ) => Instructions.Instructions<Read<Name> | Owner<Name> | ArtifactStore>
  /** The section, for who reads a session from outside. */
  readonly section: State.AnySection
}

// ===== reading ===============================================================

/**
 * The versions of an artifact, the current one last, out of a collection's entries.
 *
 * **Example** (A removal, and a save after it)
 *
 * ```ts
 * import { Artifacts } from "tenon"
 *
 * const content = { hash: "…", mediaType: "text/plain", size: 3 }
 * const entries = [{ name: "a.txt", content }, { name: "a.txt" }, { name: "a.txt", content }]
 *
 * Artifacts.versionsIn(entries, "a.txt").map(({ version }) => version) // => [1]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const versionsIn = (entries: Entries, name: string): ReadonlyArray<Version> => {
  let next = 0
  let versions: Array<Version> = []
  for (const entry of entries) {
    if (entry.name !== name) continue
    if (entry.content === undefined) versions = []
    else versions.push({ name, version: next++, ...entry.content })
  }
  return versions
}

/**
 * The names of all artifacts, in alphabetical order, out of a collection's entries.
 *
 * @category getters
 * @since 0.1.0
 */
export const namesIn = (entries: Entries): ReadonlyArray<string> => {
  const last = new Map(entries.map((entry) => [entry.name, entry]))
  return [...last.values()].filter(({ content }) => content !== undefined).map(({ name }) => name).sort()
}

/**
 * A version with its content.
 *
 * @category getters
 * @since 0.1.0
 */
export const read = Effect.fnUntraced(
  function*(version: Version): Effect.fn.Return<Artifact, Failure, ArtifactStore> {
    const bytes = yield* (yield* ArtifactStore).get(version.hash)
    if (Option.isSome(bytes)) return { ...version, bytes: bytes.value }
    return yield* new ArtifactLost({ name: version.name, version: version.version, hash: version.hash })
  }
)

/**
 * The content of an artifact as a text; it is read as UTF-8.
 *
 * @category getters
 * @since 0.1.0
 */
export const textOf = ({ bytes }: Artifact): string => Text.textOf(bytes)

// ===== constructors ==========================================================

/**
 * Makes a collection: a section of State with one field, `entries`.
 *
 * **Details**
 *
 * Its scope is `session` unless said otherwise; with `child: "fresh"` a sub-agent starts it empty. Most agents get by with
 * `Artifacts.Session` and `Artifacts.User`.
 *
 * **Example** (A tool that saves a report)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Agent, AgentRunner, Artifacts, ArtifactStore, SessionStore, Tool, Toolkit } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Reports = Artifacts.make("reports")
 * const Report = Tool.make("report", {
 *   parameters: Schema.Struct({ text: Schema.String }),
 *   success: Schema.Int,
 *   failure: Artifacts.Failure,
 *   writes: [Reports]
 * })
 * const kit = Toolkit.make(Report)
 * const ReportLive = Toolkit.layer(kit, {
 *   report: ({ text }) => Effect.map(Reports.save("report.md", text), ({ version }) => version)
 * })
 * const Reporter = Agent.make("reporter", { instructions: "Report.", toolkit: kit })
 * const report = (text: string) => ScriptedModel.call("report", { text })
 *
 * const program = Effect.gen(function*() {
 *   const { session } = yield* AgentRunner.run(Reporter, { session: "s-1", input: "Go." })
 *   const [, second] = Artifacts.versionsIn(session.state.get(Reports), "report.md")
 *   return second && Artifacts.textOf(yield* Artifacts.read(second))
 * }).pipe(Effect.provide([
 *   ReportLive,
 *   ScriptedModel.layer([report("All well."), report("All quiet."), ScriptedModel.text("Done.")]),
 *   ArtifactStore.layerMemory,
 *   SessionStore.layerMemory
 * ]))
 *
 * const text = await Effect.runPromise(program)
 * text // => "All quiet."
 * ```
 *
 * In `ToolTest.layer` a collection is its field, `NAME.entries`: a list, `[]` for none; `"artifacts.entries"` for
 * `Session`, `"user_artifacts.entries"` for `User`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Name extends string>(
  name: State.OneName<Name>,
  options: { readonly scope?: Exclude<State.Scope, "temp">; readonly child?: "inherit" | "fresh" } = {}
): Collection<Name> => {
  const section = State.make(name as "artifacts", {
    entries: State.field(Schema.Array(Entry), {
      initial: [],
      // not a record of versions: what is appended is kept, also where two sessions of a user save at the same time
      reducer: Reducer.append(),
      scope: options.scope ?? "session"
    })
  }, { child: options.child ?? "inherit" })
  const { entries } = section

  const save = Effect.fnUntraced(
    function*(artifact: string, content: string | Uint8Array, { mediaType }: { readonly mediaType?: string } = {}) {
      const bytes = typeof content === "string" ? Text.bytesOf(content) : content
      const hash = yield* (yield* ArtifactStore).put(bytes)
      const type = mediaType ?? (typeof content === "string" ? "text/plain" : "application/octet-stream")
      yield* entries.combine({ name: artifact, content: { hash, mediaType: type, size: bytes.length } })
      return versionsIn(yield* entries.get, artifact).at(-1) as Version
    }
  )

  const load = Effect.fnUntraced(function*(artifact: string, number?: number) {
    const versions = versionsIn(yield* entries.get, artifact)
    const found = number === undefined ? versions.at(-1) : versions.find(({ version }) => version === number)
    return found === undefined ? Option.none() : Option.some(yield* read(found))
  })

  const remove = Effect.fnUntraced(function*(artifact: string) {
    const isThere = versionsIn(yield* entries.get, artifact).length > 0
    if (isThere) yield* entries.combine({ name: artifact })
    return isThere
  })

  const text = (artifact: string, { otherwise }: { readonly otherwise?: string } = {}) =>
    Instructions.make(
      { reads: [entries], dependencies: [ArtifactStore] },
      load(artifact).pipe(
        // a run that fails by its instructions says why in words that may be logged: names only
        Effect.catchTag("ArtifactLost", ({ message }) => Effect.die(new ContractViolation(message))),
        Effect.flatMap((found) =>
          Option.isSome(found) ?
            Effect.succeed(textOf(found.value))
            : otherwise === undefined ?
            Effect.die(new ContractViolation(`there is no artifact '${artifact}' in '${name}'`))
            : Effect.succeed(otherwise)
        )
      )
    )

  return {
    ...entries,
    section,
    save,
    load,
    remove,
    text,
    list: Effect.map(entries.get, namesIn),
    versions: (artifact: string) => Effect.map(entries.get, (all) => versionsIn(all, artifact))
  } as never
}

/** The artifacts of a session. @category collections @since 0.1.0 */
export const Session: Collection<"artifacts"> = make("artifacts")

/** The artifacts of a user, in all of the user's sessions. @category collections @since 0.1.0 */
export const User: Collection<"user_artifacts"> = make("user_artifacts", { scope: "user" })
