/**
 * One run of a session: its one appender, and what all agents of the run share. Layer 5.
 */
import { Clock, Effect, Result, type Schema, Semaphore } from "effect"
import type { LanguageModel, Response } from "effect/ai"
import type { AnySubAgent } from "../Agent.ts"
import type { StateError, StoreFailed } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Row, SessionStore, SharedScope, SharedWrite, StoreError } from "../SessionStore.ts"
import type * as StateDelta from "../StateDelta.ts"
import { prepare, type Prepared } from "./commit.ts"
import type { FieldDefinition, SectionDefinition } from "./field.ts"
import { checkField, migrateSection, type Sections, type Step } from "./fold.ts"
import { isShared, type Pending } from "./fork.ts"
import type { Failure, Frame } from "./frame.ts"

/** Who appends: an agent by its id, and the names down to it. */
export interface Author {
  readonly id: string
  readonly path: ReadonlyArray<string>
}

/** What a stream of a run shows besides events: parts of the model's answer as they come. */
export interface Chunk {
  readonly agent: string
  readonly path: ReadonlyArray<string>
  readonly part: Response.AnyPart
}

export interface RunOptions {
  readonly ref: { readonly app: string; readonly user: string | undefined; readonly session: string }
  readonly store: SessionStore["Service"]
  readonly model: LanguageModel.LanguageModel
  readonly sections: Sections
  readonly invocation: string
  readonly concurrency: number
  /** How deep sub-agents may be nested. */
  readonly maxDepth: number
  /** The calls whose questions this run was given answers to: they wait to run again. */
  readonly answered: ReadonlySet<string>
  readonly log: Array<Event.Event>
  /** Starts a sub-agent, or finds it in the log where it was. */
  readonly openChild: (
    parent: Frame,
    subAgent: AnySubAgent,
    call: Event.Call,
    number: number,
    step: Step,
    task: string
  ) => Effect.Effect<Frame, Failure>
  /** Gets events and chunks as they come; absent where nobody listens. */
  readonly emit: ((item: Event.Event | Chunk) => Effect.Effect<unknown>) | undefined
}

/** The committed delta of an attempt: what is in its event, and what its parent may get. */
export interface Committed {
  readonly event: Event.Event
  readonly prepared: Prepared
}

const none: ReadonlySet<SectionDefinition> = new Set()
const noRows = Effect.succeed<ReadonlyMap<string, Row>>(new Map())

export class Run {
  readonly options: RunOptions
  readonly log: Array<Event.Event>
  private readonly lock = Semaphore.makeUnsafe(1)
  private readonly emitting = Semaphore.makeUnsafe(1)
  private emitted: number

  constructor(options: RunOptions) {
    this.options = options
    this.log = options.log
    this.emitted = options.log.length
  }

  get isStreaming(): boolean {
    return this.options.emit !== undefined
  }

  emitPart(author: Author, part: Response.AnyPart): Effect.Effect<unknown> {
    return this.options.emit?.({ agent: author.id, path: author.path, part }) ?? Effect.void
  }

  private event(author: Author, body: Event.Body, sequence: number, time: number): Event.Event {
    const { invocation, ref } = this.options
    const event = {
      ...body,
      id: `${ref.session}/${sequence}`,
      sequence,
      invocation,
      agent: author.id,
      path: author.path,
      time
    }
    return Object.freeze(event) as Event.Event
  }

  /** Appends under the lock: events get their places, and `values` their new values, before anything else happens. */
  private write(
    author: Author,
    bodies: (versions: Readonly<Record<string, number>>) => ReadonlyArray<Event.Body>,
    prepared?: Prepared
  ): Effect.Effect<ReadonlyArray<Event.Event>, StoreError> {
    return Clock.clockWith((clock) => {
      const expected = this.log.length
      const time = clock.currentTimeMillisUnsafe()
      const append = this.options.store.append(this.options.ref, {
        expected,
        events: (versions) => bodies(versions).map((body, index) => this.event(author, body, expected + index, time)),
        ...(prepared !== undefined && prepared.writes.length > 0 &&
          { writes: prepared.writes, unchanged: prepared.unchanged })
      })
      return Effect.map(append, (events) => {
        for (const event of events) this.log.push(event)
        return events
      })
    })
  }

  /** One appender: whoever starts to append ends it, also when it is cancelled meanwhile. */
  private locked<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    const appended = Effect.uninterruptible(this.lock.withPermit(effect))
    return this.options.emit === undefined ? appended : Effect.tap(appended, () => this.emitNew())
  }

  /** Shows what was appended, in the order of the log. A slow reader holds up who appended, and can be cancelled. */
  private emitNew(): Effect.Effect<void> {
    return this.emitting.withPermit(Effect.suspend(() => {
      const next = this.log.slice(this.emitted)
      return Effect.forEach(next, (event) => {
        this.emitted += 1
        return this.options.emit?.(event) ?? Effect.void
      }, { discard: true })
    }))
  }

  /** Appends events that write nothing. */
  append(author: Author, ...bodies: ReadonlyArray<Event.Body>): Effect.Effect<ReadonlyArray<Event.Event>, StoreError> {
    return this.locked(Effect.suspend(() => this.write(author, () => bodies)))
  }

  /**
   * Appends one event with what an attempt did, and puts it into `values`, at once. The operations run on the values
   * that are there when the event gets its place. An operation that does not fit any more is a defect.
   */
  commit(
    author: Author,
    values: Map<string, Schema.Json>,
    pending: ReadonlyArray<Pending>,
    sharedReads: ReadonlyMap<string, FieldDefinition>,
    rows: ReadonlyMap<string, Row>,
    body: (delta: StateDelta.StateDelta, shared: Event.Shared | undefined) => Event.Body
  ): Effect.Effect<Committed, StoreError | StateError> {
    const attempt = (current: ReadonlyMap<string, Row>): Effect.Effect<Committed, StoreError | StateError> => {
      const prepared = prepare(pending, sharedReads, (name) => values.get(name), current)
      const operations = prepared.writes.map(({ operation }) => operation)
      const bodies = (versions: Readonly<Record<string, number>>) => [
        body(prepared.delta, operations.length === 0 ? undefined : { operations, versions })
      ]
      const written = Effect.map(this.write(author, bodies, prepared), ([event]): Committed => {
        for (const [name, value] of prepared.values) {
          if (value === undefined) values.delete(name)
          else values.set(name, value)
        }
        return { event: event as Event.Event, prepared }
      })
      if (!prepared.rebasable || prepared.unchanged.size === 0) return written
      const fields = [...sharedReads.values(), ...pending.map(({ field }) => field)]
      return Effect.catchTag(written, "StateConflict", () => Effect.flatMap(this.rowsOf(fields), attempt))
    }
    return this.locked(Effect.suspend(() => attempt(rows)))
  }

  /** The rows of shared fields as they are now, brought up to the program's versions. */
  rowsOf(fields: ReadonlyArray<FieldDefinition>): Effect.Effect<ReadonlyMap<string, Row>, StoreFailed | StateError> {
    const sections = fields.length === 0 ? none : new Set(fields.filter(isShared).map(({ section }) => section))
    if (sections.size === 0) return noRows
    // a section is migrated as a whole
    const shared = [...sections].flatMap((section) => Object.values(section.fields)).filter(isShared)
    return Effect.flatMap(
      this.options.store.shared(
        this.options.ref,
        shared.map(({ name, scope }) => ({ field: name, scope: scope as SharedScope }))
      ),
      (rows) => Effect.fromResult(migrateRows(shared, rows))
    )
  }

  /** Writes back what an earlier version of the program left in shared rows, so that operations meet values of today. */
  migrateShared(): Effect.Effect<void, StoreError | StateError> {
    const shared = [...this.options.sections.values()].flatMap(({ fields }) => Object.values(fields)).filter(isShared)
    if (shared.length === 0) return Effect.void
    return Effect.gen({ self: this }, function*() {
      const stored = yield* this.options.store.shared(
        this.options.ref,
        shared.map(({ name, scope }) => ({ field: name, scope: scope as SharedScope }))
      )
      const migrated = yield* Effect.fromResult(migrateRows(shared, stored))
      const old = shared.filter(({ name }) =>
        stored.get(name)?.version !== 0 && stored.get(name)?.section !== migrated.get(name)?.section
      )
      if (old.length === 0) return
      yield* this.options.store.append(this.options.ref, {
        expected: this.log.length,
        events: () => [],
        writes: old.map((field): SharedWrite => {
          const value = migrated.get(field.name)?.value
          return {
            scope: field.scope as SharedScope,
            operation: value === undefined
              ? { op: "unset", field: field.name }
              : { op: "set", field: field.name, value },
            initial: undefined,
            section: field.section.version
          }
        }),
        unchanged: new Map(
          old.map((field) =>
            [field.name, { scope: field.scope as SharedScope, version: stored.get(field.name)?.version ?? 0 }] as const
          )
        )
      })
    }).pipe(Effect.retry({ times: 3, while: (error) => error._tag === "StateConflict" }))
  }
}

/** Rows that an earlier version of a section wrote, migrated together. */
const migrateRows = (
  fields: ReadonlyArray<FieldDefinition>,
  rows: ReadonlyMap<string, Row>
): Result.Result<ReadonlyMap<string, Row>, StateError> => {
  const out = new Map(rows)
  for (const section of new Set(fields.map((field) => field.section))) {
    const own = fields.filter((field) => field.section === section)
    const written = own.flatMap((field) => {
      const row = rows.get(field.name)
      return row === undefined || row.version === 0 ? [] : [{ field, row }]
    })
    const from = Math.min(...written.map(({ row }) => row.section), section.version)
    const newest = Math.max(...written.map(({ row }) => row.section), section.version)
    if (from === section.version && newest === section.version) continue
    const stored = Object.fromEntries(written.map(({ field, row }) => [field.key, row.value as Schema.Json]))
    const migrated = migrateSection(
      section,
      section.name,
      newest > section.version ? newest : from,
      section.version,
      stored
    )
    if (Result.isFailure(migrated)) return Result.fail(migrated.failure)
    for (const field of own) {
      const row = rows.get(field.name)
      out.set(field.name, { value: migrated.success[field.key], version: row?.version ?? 0, section: section.version })
    }
  }
  for (const field of fields) {
    const checked = checkField(field, out.get(field.name)?.value)
    if (Result.isFailure(checked)) return Result.fail(checked.failure)
  }
  return Result.succeed(out)
}
