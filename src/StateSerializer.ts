/**
 * State as one JSON document, and back.
 *
 * The envelope holds a format version, a time, and each section with its version and its data. Sections that this
 * program does not know are carried through untouched; older ones are migrated; a newer one, or a value that does not
 * fit, is a typed error that names section, version and path. The ToolContext is never in it, nor are `temp` fields.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Result, Schema } from "effect"
import type { StateError } from "./AgentError.ts"
import { oneByName } from "./internal/contract.ts"
import { definitionOf, problemOf } from "./internal/field.ts"
import { keyOf, sectionOf, type Sections, stateError, StateFold } from "./internal/fold.ts"
import { deepestDocument, shallow } from "./internal/json.ts"
import { stateOf } from "./internal/session.ts"
import type { SessionState } from "./Session.ts"
import type * as State from "./State.ts"

/**
 * A section in an envelope.
 *
 * @category models
 * @since 0.1.0
 */
export const Section = Schema.Struct({ version: Schema.Int, data: Schema.Record(Schema.String, Schema.Json) })

/**
 * State as one JSON document.
 *
 * @category models
 * @since 0.1.0
 */
export const Envelope = Schema.Struct({
  format: Schema.Literal("tenon/state"),
  version: Schema.Literal(1),
  /** When it was written, in milliseconds since 1970. */
  time: Schema.Finite,
  sections: Schema.Record(Schema.String, Section)
})

/** @since 0.1.0 */
export interface Envelope extends Schema.Schema.Type<typeof Envelope> {}

/**
 * Writes and reads the state of a program's sections.
 *
 * @category models
 * @since 0.1.0
 */
export interface StateSerializer {
  readonly serialize: (state: SessionState) => Effect.Effect<Envelope, StateError>
  readonly deserialize: (input: unknown) => Effect.Effect<SessionState, StateError>
  /** The state of a program that stored nothing yet, with some fields set. */
  readonly initial: (values?: ReadonlyArray<State.Assignment>) => SessionState
}

const decodeEnvelope = Schema.decodeUnknownResult(Envelope)

/** The sections of a state, by name; a field of a known section that is `temp` stays out. */
const sectionsIn = ({ values, versions }: SessionState, known: Sections): Envelope["sections"] => {
  // without a prototype: a section may be called `toString`
  const out = Object.create(null) as Record<string, { version: number; data: Record<string, Schema.Json> }>
  for (const [name, version] of versions) out[name] = { version, data: {} }
  for (const [name, value] of values) {
    const section = sectionOf(name)
    const key = keyOf(name)
    if (known.get(section)?.fields[key]?.scope === "temp") continue
    const stored = out[section] ??= { version: known.get(section)?.version ?? 1, data: {} }
    // a key such as `__proto__` must stay an own key
    Object.defineProperty(stored.data, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return out
}

const read = (input: unknown, known: Sections): Result.Result<SessionState, StateError> => {
  const envelope = Result.flatMap(shallow(input, deepestDocument), decodeEnvelope)
  if (Result.isFailure(envelope)) {
    const { path: [frame, section, ...inner], problem } = problemOf(envelope.failure)
    return Result.fail(
      section !== undefined
        ? stateError(section, 1, problem, inner)
        : stateError("envelope", 1, problem, frame === undefined ? [] : [frame])
    )
  }
  const fold = new StateFold(new Map(), new Map(), true)
  for (const [name, { version, data }] of Object.entries(envelope.success.sections)) {
    // a field's full name is divided at its first dot
    if (name.includes(".")) return Result.fail(stateError(name, version, "the name of a section holds no dot"))
    fold.add({ [name]: { version, fields: data } })
  }
  return Result.map(fold.finish(known), () => stateOf(fold))
}

/**
 * A serializer for these sections.
 *
 * **Example** (There and back)
 *
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { State, StateSerializer } from "tenon"
 *
 * const Conversation = State.make("conversation", { title: State.field(Schema.String, { initial: "Untitled" }) })
 * const serializer = StateSerializer.make([Conversation])
 * const program = Effect.gen(function*() {
 *   const json = yield* serializer.serialize(serializer.initial([Conversation.title.to("Licences")]))
 *   return (yield* serializer.deserialize(JSON.parse(JSON.stringify(json)))).get(Conversation.title)
 * })
 *
 * const result = await Effect.runPromise(program)
 * result // => "Licences"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (sections: ReadonlyArray<State.AnySection>): StateSerializer => {
  const known = oneByName("sections", sections.map(definitionOf))
  return {
    serialize: (state) =>
      Effect.flatMap(Clock.currentTimeMillis, (time) => {
        const [lost] = state.unreadable.values()
        // an envelope without some sections would lose them for good
        return lost !== undefined
          ? Effect.fail(lost)
          : Effect.succeed({ format: "tenon/state", version: 1, time, sections: sectionsIn(state, known) } as const)
      }),
    deserialize: (input) => Effect.fromResult(read(input, known)),
    initial: (values = []) => {
      const fold = new StateFold()
      for (const section of known.values()) {
        fold.add({
          [section.name]: {
            version: section.version,
            fields: Object.fromEntries(
              Object.values(section.fields).flatMap(({ key, initial }) => initial === undefined ? [] : [[key, initial]])
            )
          }
        })
      }
      for (const { operation, "~tenon/Assignment": { key, section: { name, version } } } of values) {
        fold.add({ [name]: { version, fields: { [key]: operation.value } } })
      }
      return stateOf(fold)
    }
  }
}
