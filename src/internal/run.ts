/**
 * One run of a session: its one appender, and what all agents of the run share. Layer 5.
 */
import { type Clock, Deferred, Effect, type Schema, Semaphore, Stream } from "effect"
import type { LanguageModel, Response } from "effect/ai"
import type * as Actions from "../Actions.ts"
import type { AnySubAgent } from "../Agent.ts"
import { RunCancelled, type StateError } from "../AgentError.ts"
import type * as Event from "../Event.ts"
import type { Open } from "../Interrupt.ts"
import type { Append, Lease, Row, SessionStore, StoreError, Waiting } from "../SessionStore.ts"
import type * as StateDelta from "../StateDelta.ts"
import { prepare, type Prepared, sharedOperations } from "./commit.ts"
import type { AskDefinition } from "./contract.ts"
import type { FieldDefinition, SectionDefinition } from "./field.ts"
import { foldQuestions, isWithin, type Sections } from "./fold.ts"
import { type Fork, isShared } from "./fork.ts"
import type { Failure, Frame } from "./frame.ts"
import type { Show } from "./handle.ts"
import type { Step } from "./history.ts"
import { answeredBy, inputOf, isMessage, isPending, refusal, sortAnswers } from "./inbox.ts"
import type { Log } from "./log.ts"
import { loadRows, type Migrated, sharedFields } from "./rows.ts"
import { type Author, type Entry, stampAll } from "./stamp.ts"

/** What a stream of a run shows besides events: parts of the model's answer as they come. */
export interface Chunk {
  readonly agent: string
  readonly path: ReadonlyArray<string>
  /** Absent where the parts of this answer so far count no more. */
  readonly part: Response.AnyPart | undefined
}

/** What a call shows of its result before it has ended. */
export interface Preliminary {
  readonly agent: string
  readonly path: ReadonlyArray<string>
  readonly call: string
  readonly tool: string
  readonly preliminary: Schema.Json
}

/** A call that a sub-agent takes on. */
export interface Delegation {
  readonly subAgent: AnySubAgent
  readonly call: Event.Call
  /** The number that the call has in its agent's log. */
  readonly number: number
  readonly step: Step
  readonly task: string
  /** What the sub-agent is called with, encoded, where it has parameters of its own. */
  readonly parameters: Schema.Json | undefined
  /** What hooks before the call did and asked of the loop, and the rows that they saw. */
  readonly actions: Actions.Actions
  readonly fork: Fork
  readonly rows: ReadonlyMap<string, Row>
}

/** A sub-agent's loop; or why it was not started. */
export type Opened = { readonly child: Frame; readonly isNew: boolean } | Event.CallResult

/** The end of a run. */
export type Ending = Extract<Event.Body, { readonly kind: "ended" }>

/** When a run looks into the inbox, which says what it may take. */
export type Moment =
  /** While models and calls run: answers to calls. */
  | "meanwhile"
  /** Before the root's model is asked: what changes its history too, but for messages while a question is open. */
  | "between"
  /** When the root has answered: all that waits. */
  | "answered"
  /** At a pause: answers alone. */
  | "paused"

export interface RunOptions {
  readonly clock: Clock.Clock
  readonly ref: { readonly app: string; readonly user: string | undefined; readonly session: string }
  readonly store: SessionStore["Service"]
  readonly lease: Lease
  readonly model: LanguageModel.LanguageModel
  readonly sections: Sections
  readonly invocation: string
  readonly concurrency: number
  /** How deep sub-agents may be nested. */
  readonly maxDepth: number
  /** The root agent, to which messages are for. */
  readonly root: Author
  /** Every interrupt of the agent's tree, by name. */
  readonly asks: ReadonlyMap<string, AskDefinition>
  /** The cancellations that came too late for an earlier run: they are none of this one's business. */
  readonly late: ReadonlySet<string>
  readonly log: Log
  /** Starts a sub-agent, or finds it in the log where it was. */
  readonly openChild: (parent: Frame, delegation: Delegation) => Effect.Effect<Opened, Failure>
  /** Opens the loop of whoever holds the conversation that a loop is part of. */
  readonly openHolder: (frame: Frame, name: string) => Effect.Effect<Frame, Failure>
  /** Gets events and chunks as they come; absent where nobody listens. */
  readonly emit: ((item: Event.Event | Chunk | Preliminary) => Effect.Effect<unknown>) | undefined
}

/** What is to be committed: operations, the rows that they saw, and the values that they go into. */
export interface Attempted {
  readonly values: Map<string, Schema.Json>
  readonly fork: Pick<Fork, "pending" | "sharedReads">
  readonly rows: ReadonlyMap<string, Row>
}

/** The committed delta of an attempt: what is in its event, and what its parent may get. */
export interface Committed {
  readonly event: Event.Event
  readonly prepared: Prepared
}

/** Who wants to know of events, and how many of the log it has passed. */
interface Observer {
  readonly observe: (event: Event.Event) => Effect.Effect<void, Failure>
  seen: number
}

const noRows = Effect.succeed<ReadonlyMap<string, Row>>(new Map())

const shown: (run: Run) => Effect.Effect<void, Failure> = Effect.fnUntraced(function*(run) {
  const { log, observers, options: { emit } } = run
  for (const [agent, observer] of observers) {
    while (observer.seen < log.length) {
      const event = log[observer.seen++] as Event.Event
      if (isWithin(agent, event)) yield* observer.observe(event)
    }
  }
  if (emit === undefined) return
  while (run.emitted < log.length) yield* emit(log[run.emitted++] as Event.Event)
})

export class Run {
  readonly options: RunOptions
  /** The events that count so far. */
  readonly log: ReadonlyArray<Event.Event>
  private readonly lock = Semaphore.makeUnsafe(1)
  private readonly emitting = Semaphore.makeUnsafe(1)
  readonly observers = new Map<string, Observer>()
  /** The sub-agents that were opened in this run: one whose call is tried again has its temp fields still. */
  readonly children = new Map<string, Frame>()
  /** The calls whose questions this run got answers to: they wait to run again. */
  readonly answered = new Set<string>()
  /** Who wants to know of an answer to a call, or to one below it. */
  readonly awaiting = new Set<(call: string) => void>()
  /** The keys of what this run took out of the inbox. */
  private readonly taken = new Set<string>()
  private readonly cancelled = Deferred.makeUnsafe<never, RunCancelled>()
  private isOver = false
  /** How many events there were before this run. */
  private readonly before: number
  /** How many of the log were shown. */
  emitted: number

  constructor(options: RunOptions) {
    this.options = options
    this.log = options.log.events
    this.before = this.log.length
    this.emitted = this.log.length
  }

  /** The time, by the clock that the run began with. */
  now(): number {
    return this.options.clock.currentTimeMillisUnsafe()
  }

  emitPart(author: Author, part: Response.AnyPart): Effect.Effect<unknown> {
    return this.options.emit?.({ agent: author.id, path: author.path, part }) ?? Effect.void
  }

  emitDiscard(author: Author): Effect.Effect<void> {
    return Effect.asVoid(this.options.emit?.({ agent: author.id, path: author.path, part: undefined }) ?? Effect.void)
  }

  /** What a call shows its preliminary results by; nothing where nobody looks. */
  showing({ id, path }: Author, { id: call, tool }: Event.Call): Show | undefined {
    const { emit } = this.options
    return emit && ((preliminary) => emit({ agent: id, path, call, tool, preliminary }))
  }

  /** The number of the session's events. */
  get revision(): number {
    return this.options.log.revision
  }

  /** Appends under the lock: events get their places, and `values` their new values, before anything else happens. */
  private write(
    entries: (versions: Readonly<Record<string, number>>) => ReadonlyArray<Entry>,
    prepared?: Prepared,
    inbox?: Pick<Append, "takes" | "unlessWaiting">
  ): Effect.Effect<ReadonlyArray<Event.Event>, StoreError> {
    const { ref, invocation, lease, log, store } = this.options
    const expected = log.revision
    const time = this.now()
    const append = store.append(ref, {
      expected,
      lease,
      events: (versions) => stampAll(ref, invocation, entries(versions), expected, time),
      ...(prepared !== undefined && prepared.writes.length > 0 &&
        { writes: prepared.writes, unchanged: prepared.unchanged }),
      ...inbox
    })
    return Effect.map(append, (events) => {
      log.append(events)
      return events
    })
  }

  /** One appender: whoever starts to append ends it, also when it is cancelled meanwhile. */
  private locked<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | Failure> {
    const appended = Effect.uninterruptible(this.lock.withPermit(effect))
    return this.options.emit === undefined && this.observers.size === 0
      ? appended
      : Effect.tap(appended, () => this.emitNew())
  }

  /** Shows what was appended, in the order of the log. A slow reader holds up who appended, and can be cancelled. */
  private emitNew(): Effect.Effect<void, Failure> {
    return this.emitting.withPermit(shown(this))
  }

  /** From here on an agent's hooks, if it has any, see the events of this run that are its own, or of agents below it. */
  observe(agent: string, observe: Observer["observe"] | undefined): void {
    const seen = this.observers.get(agent)?.seen ?? this.before
    if (observe === undefined && seen === this.before) this.observers.delete(agent)
    else this.observers.set(agent, { observe: observe ?? (() => Effect.void), seen })
  }

  /** Whoever goes on with an agent's conversation has not seen what was before. */
  passOn(agent: string): void {
    this.observers.set(agent, { observe: () => Effect.void, seen: this.log.length })
  }

  /** Appends an event that writes nothing. */
  append(author: Author, body: Event.Body): Effect.Effect<ReadonlyArray<Event.Event>, Failure> {
    return this.appendAll([{ author, body }])
  }

  /** Appends events that write nothing, all or none. */
  appendAll(entries: ReadonlyArray<Entry>): Effect.Effect<ReadonlyArray<Event.Event>, Failure> {
    return entries.length === 0
      ? Effect.succeed([])
      : this.locked(Effect.suspend(() => this.write(() => entries)))
  }

  /**
   * Appends what an attempt did, and puts it into `values`, at once. The operations run on the values that are there when
   * the events get their places. An operation that does not fit any more is a defect. `after` runs before anything else
   * is appended.
   */
  commit(
    { values, fork, rows }: Attempted,
    entries: (delta: StateDelta.StateDelta, shared: Event.Shared | undefined) => ReadonlyArray<Entry>,
    after?: () => void
  ): Effect.Effect<Committed, Failure> {
    const { pending, sharedReads } = fork
    const attempt = (current: ReadonlyMap<string, Row>): Effect.Effect<Committed, StoreError | StateError> => {
      const prepared = prepare(pending, sharedReads, (name) => values.get(name), current, rows)
      const operations = sharedOperations(prepared)
      const all = (versions: Readonly<Record<string, number>>) =>
        entries(prepared.delta, operations.length === 0 ? undefined : { operations, versions })
      const written = Effect.map(this.write(all, prepared), ([event]): Committed => {
        for (const [name, value] of prepared.values) {
          if (value === undefined) values.delete(name)
          else values.set(name, value)
        }
        after?.()
        return { event: event as Event.Event, prepared }
      })
      if (prepared.writes.length === 0) return written
      // what was only computed is computed again
      const again = Effect.suspend(() => {
        const fields = [...sharedReads.values(), ...pending.map(({ field }) => field)]
        return Effect.flatMap(this.migrated(sectionsOf(fields)), ({ rows: fresh }) => attempt(fresh))
      })
      return Effect.catchTag(
        written,
        "StateConflict",
        (conflict) => conflict.fields.some((name) => prepared.guarded.has(name)) ? Effect.fail(conflict) : again
      )
    }
    return this.locked(Effect.suspend(() => attempt(rows)))
  }

  /** Stores answers, so that the calls which wait for them run again. */
  answer(entries: ReadonlyArray<Entry>, calls: ReadonlyArray<string>): Effect.Effect<void, Failure> {
    return entries.length === 0
      ? Effect.void
      : Effect.asVoid(this.locked(Effect.suspend(() => this.writeAnswers(entries, calls, []))))
  }

  private writeAnswers(entries: ReadonlyArray<Entry>, calls: ReadonlyArray<string>, takes: ReadonlyArray<string>) {
    return Effect.map(this.write(() => entries, undefined, { takes }), (events) => {
      for (const call of calls) {
        this.answered.add(call)
        for (const tell of this.awaiting) tell(call)
      }
      return events
    })
  }

  /**
   * Takes what waits in the inbox, as far as the moment allows; tells whether the root's history has something new by it.
   * Where a cancellation waits it takes the answers that came before, and ends the run.
   */
  take(moment: Moment, receiver: Author = this.options.root): Effect.Effect<boolean, Failure> {
    const { late, ref, store } = this.options
    return Effect.flatMap(store.inbox(ref), (waiting) => {
      if (waiting.length === 0 || this.isOver) return Effect.succeed(false)
      const end = waiting.findIndex(({ key, kind }) => kind === "cancellation" && !late.has(key))
      if (end === -1) return this.locked(Effect.suspend(() => this.takeAll(waiting, moment, receiver)))
      const { key } = waiting[end] as Waiting
      return this.locked(Effect.suspend(() => this.takeAll(waiting.slice(0, end), "meanwhile", receiver))).pipe(
        Effect.andThen(Effect.suspend(() => this.isOver ? Effect.succeed(false) : this.cancel(key)))
      )
    })
  }

  /** Ends what runs under `watched`, whoever finds the cancellation. */
  private cancel(key: string): Effect.Effect<never> {
    return Effect.andThen(Deferred.fail(this.cancelled, new RunCancelled({ key })), Effect.never)
  }

  /** Under the lock. */
  private takeAll(all: ReadonlyArray<Waiting>, moment: Moment, receiver: Author): Effect.Effect<boolean, StoreError> {
    const { asks, late, root } = this.options
    const waiting = all.filter(({ key }) => !this.taken.has(key))
    const questions = foldQuestions(this.log)
    const { fitting, refused } = sortAnswers(waiting, questions, asks)
    const answers = moment === "meanwhile" ? fitting.filter(({ question }) => !isPending(question)) : fitting
    const takesMessages = moment === "answered" || (moment === "between" && questions.every(isPending))
    const messages = takesMessages ? waiting.filter(isMessage) : []
    const taking: ReadonlyArray<readonly [key: string, entry: Entry]> = [
      ...waiting.filter(({ key }) => late.has(key)).map(({ key }) =>
        [key, refusal(root, { key, problem: "no run was under way" })] as const
      ),
      ...refused.map((each) => [each.key, refusal(root, each)] as const),
      ...answers.map((each) => [each.key as string, answeredBy(this.log, each)] as const),
      ...messages.map((each) => [each.key, inputOf(receiver, each)] as const)
    ]
    if (this.isOver || taking.length === 0) return Effect.succeed(false)
    const keys = taking.map(([key]) => key)
    const calls = answers.filter(({ question }) => !isPending(question)).map(({ question }) => question.call)
    return Effect.map(this.writeAnswers(taking.map(([, entry]) => entry), calls, keys), () => {
      for (const key of keys) this.taken.add(key)
      return messages.length > 0 || answers.length > calls.length
    })
  }

  /** Runs with an eye on the inbox: answers are taken as they come, and a cancellation ends what runs. */
  watched<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | Failure> {
    const { ref, store } = this.options
    const watching = Stream.runForEach(store.watch(ref), () => this.take("meanwhile"))
    return Effect.raceAllFirst([Deferred.await(this.cancelled), Effect.andThen(watching, Effect.never), effect])
  }

  /** Is a question answered meanwhile? */
  isAnswered(open: ReadonlyArray<Open>): boolean {
    const still = new Set(foldQuestions(this.log).map(({ id }) => id))
    return open.some(({ id }) => !still.has(id))
  }

  /** Appends a run's end where nothing waits that the run would take, and no answer came; tells whether it did. */
  end(body: Ending, open: ReadonlyArray<Open> = []): Effect.Effect<boolean, Failure> {
    const unlessWaiting: Append["unlessWaiting"] = body.status === "paused"
      ? ["answer", "cancellation"]
      : ["answer", "cancellation", "message"]
    return this.locked(Effect.suspend(() => {
      if (this.isAnswered(open)) return Effect.succeed(false)
      return Effect.map(
        this.write(() => [{ author: this.options.root, body }], undefined, { unlessWaiting }),
        (events) => {
          this.isOver = events.length > 0
          return this.isOver
        }
      )
    }))
  }

  /** Appends the end of a run that a cancellation ended, and takes the messages that came before it, where they can be. */
  endCancelled(key: string, body: Ending, receiver: Author): Effect.Effect<unknown, Failure> {
    const { ref, root, store } = this.options
    return Effect.flatMap(store.inbox(ref), (waiting) => {
      const before = waiting.slice(0, waiting.findIndex((each) => each.key === key)).filter(isMessage)
      // a message within an open step would come between its calls and their results
      const messages = foldQuestions(this.log).some((each) => !isPending(each) && each.hook === undefined)
        ? []
        : before
      const entries = [...messages.map((each) => inputOf(receiver, each)), { author: root, body: { ...body, key } }]
      const takes = [...messages.map((each) => each.key), key]
      return this.locked(Effect.suspend(() => this.write(() => entries, undefined, { takes })))
    })
  }

  /** The rows of shared fields as they are now, brought up to the program's versions. */
  rowsOf(fields: ReadonlyArray<FieldDefinition>): Effect.Effect<ReadonlyMap<string, Row>, Failure> {
    if (fields.length === 0) return noRows
    const sections = sectionsOf(fields)
    if (sections.size === 0) return noRows
    const { ref, store } = this.options
    return Effect.flatMap(loadRows(store, ref, sections), ({ rows, writes }) =>
      writes.length === 0
        ? Effect.succeed(rows)
        // it appends no event: who waits here may be one that looks at events
        : Effect.map(
          Effect.uninterruptible(this.lock.withPermit(this.migrated(sections))),
          (migrated) => migrated.rows
        ))
  }

  /** Rows of today, in the store too: operations must meet values of the program's versions. Under the lock. */
  private migrated(sections: ReadonlySet<SectionDefinition>): Effect.Effect<Migrated, StoreError | StateError> {
    const { lease, log, ref, store } = this.options
    return Effect.flatMap(loadRows(store, ref, sections), (migrated) => {
      const { unchanged, writes } = migrated
      if (writes.length === 0) return Effect.succeed(migrated)
      const append = store.append(ref, { expected: log.revision, lease, events: () => [], writes, unchanged })
      return Effect.andThen(append, loadRows(store, ref, sections))
    }).pipe(Effect.retry({ times: 3, while: (error) => error._tag === "StateConflict" }))
  }

  /** Writes back what an earlier version of the program left in shared rows, so that operations meet values of today. */
  migrateShared(): Effect.Effect<void, Failure> {
    const sections = [...this.options.sections.values()].filter((section) => sharedFields(section).length > 0)
    return sections.length === 0 ? Effect.void : Effect.asVoid(this.locked(this.migrated(new Set(sections))))
  }
}

const sectionsOf = (fields: ReadonlyArray<FieldDefinition>): ReadonlySet<SectionDefinition> =>
  new Set(fields.filter(isShared).map(({ section }) => section))
