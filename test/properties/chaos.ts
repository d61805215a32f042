/**
 * A world that breaks: random agents, and a plan of what goes wrong, and at which turn.
 *
 * A turn is any await of a run: in front of and behind each call of the store, in a model, in a handler, in a hook. At
 * each of them a case may let the process die, cancel its fiber, fail the store, the model or a hook, or post something.
 * What the world must come to is kept aside, out of what handlers did and what the store took; never out of deltas.
 *
 * A case is data, so that a failing one shrinks.
 */
import {
  Arbitrary,
  Cause,
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Result,
  Scheduler,
  Schema,
  Stream
} from "effect"
import { AiError, type LanguageModel, type Prompt, Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentError,
  AgentRunner,
  Event,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolCall,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import * as Random from "./random.ts"

// ===== a case ================================================================

const stepKinds = [
  "turn",
  "write",
  "ask",
  "pending",
  "fail",
  "die",
  "hang",
  "end",
  "escalate",
  "skip",
  "guarded"
] as const
const toolNames = ["list", "set", "sum", "text", "kept", "person", "last", "plain"] as const
const faults = [
  "crash",
  "interrupt",
  "cancel",
  "message",
  "answer",
  "wrong answer",
  "store fails",
  "store forgets to answer",
  "model fails",
  "hook fails"
] as const

type StepKind = typeof stepKinds[number]
type ToolName = typeof toolNames[number]
type Fault = typeof faults[number]
type Plan = ReadonlyArray<ReadonlyArray<ScriptedModel.Call>>

export interface Case {
  /** What each message has the model do. */
  readonly plans: ReadonlyArray<Plan>
  readonly faults: ReadonlyArray<{ readonly turn: number; readonly fault: Fault }>
  /** What whoever runs the session decides, over and over. */
  readonly choices: ReadonlyArray<number>
  /** How calls that overlap take turns. */
  readonly pace: number
  /** The agents that have hooks, by their depth. */
  readonly hooked: ReadonlyArray<boolean>
  readonly steps: number | undefined
  readonly concurrency: number
  readonly streamed: boolean
}

const depths = 3

const oneOf = <const A>(items: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(int(items.length - 1), (index) => items[index] as A)
const int = (maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const few = <A>(item: Arbitrary.Arbitrary<A>, minLength: number, maxLength: number) =>
  Arbitrary.array(item, { minLength, maxLength })

/** Mostly what goes well, so that runs get somewhere. */
const step: Arbitrary.Arbitrary<StepKind> = oneOf([
  ...stepKinds,
  "turn",
  "write",
  "write",
  "write",
  "turn",
  "ask",
  "ask"
])

const callOf = (depth: number): Arbitrary.Arbitrary<ScriptedModel.Call> =>
  Arbitrary.flatMap(int(depth < depths ? 11 : 7), (index): Arbitrary.Arbitrary<ScriptedModel.Call> =>
    index > 7
      ? Arbitrary.map(
        planOf(depth + 1, 2),
        (plan) => ({ tool: nameAt(depth + 1), parameters: { task: JSON.stringify(plan) } })
      )
      : Arbitrary.map(few(step, 0, 4), (script) => ({ tool: toolNames[index] as ToolName, parameters: { script } })))

const planOf = (depth: number, most: number): Arbitrary.Arbitrary<Plan> => few(few(callOf(depth), 1, most), 0, 2)

export const cases: Arbitrary.Arbitrary<Case> = Arbitrary.all({
  plans: few(planOf(0, 4), 1, 3),
  faults: few(Arbitrary.all({ turn: int(140), fault: oneOf([...faults, "answer", "answer"]) }), 0, 6),
  choices: few(int(1_000), 1, 12),
  pace: int(1_000),
  hooked: Arbitrary.all([oneOf([false, true]), oneOf([false, true]), oneOf([false, true]), oneOf([false, true])]),
  steps: oneOf([undefined, undefined, undefined, 2, 5]),
  concurrency: oneOf([8, 8, 2, 1]),
  streamed: oneOf([false, false, false, true])
})

// ===== what calls touch ======================================================

const tags = Schema.Array(Schema.String)
const appended = { initial: [], reducer: Reducer.append<string>() } as const

const Own = State.make("own", {
  list: State.field(tags, appended),
  set: State.field(tags, { initial: [], reducer: Reducer.union<string>() }),
  sum: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  text: State.field(tags, { initial: [] }),
  /** No sub-agent gives it back. */
  kept: State.field(tags, appended)
})
const Hooked = State.make("hooked", {
  before: State.field(tags, appended),
  after: State.field(tags, appended),
  others: State.field(tags, appended)
})
const Person = State.make("person", {
  list: State.field(tags, { ...appended, scope: "user" }),
  last: State.field(tags, { initial: [], scope: "user" })
})

const Sure = Interrupt.make("sure", { question: Schema.String, answer: Schema.Int })
const Job = Interrupt.make("job", { question: Schema.String, answer: Schema.Int })

class Trouble extends Schema.TaggedError<Trouble>()("Trouble", {}) {}

const Params = Schema.Struct({ script: Schema.Array(Schema.Literals(stepKinds)) })

const base = { parameters: Params, success: Schema.Int, failure: Trouble, timeout: "1 minute" } as const
const asking = {
  ...base,
  asks: [Sure, Job],
  approval: ({ script }: typeof Params.Type) => Effect.succeed(script.includes("guarded"))
} as const

const kit = Toolkit.make(
  Tool.make("list", { ...asking, combines: [Own.list] }).annotate(AiTool.Idempotent, true),
  Tool.make("set", { ...asking, combines: [Own.set] }).annotate(AiTool.Idempotent, true),
  Tool.make("sum", { ...asking, combines: [Own.sum] }),
  Tool.make("text", { ...asking, writes: [Own.text] }),
  Tool.make("kept", { ...asking, combines: [Own.kept] }),
  Tool.make("person", { ...asking, combines: [Person.list] }).annotate(AiTool.Idempotent, true),
  Tool.make("last", { ...asking, writes: [Person.last] }),
  Tool.make("plain", { ...base, combines: [Own.set] })
)
const repeatable: ReadonlySet<string> = new Set(["list", "set", "person"])

const nameAt = (depth: number): string => `a${depth}`

// ===== what happened =========================================================

/** One life of the program that runs the session. */
interface Process {
  readonly world: World
  isDead: boolean
  /** Handlers that have begun and not ended. */
  running: number
  /** Whose time is up when something hangs. */
  readonly sleepers: Set<() => void>
  readonly crashed: Deferred.Deferred<void>
  readonly killed: Deferred.Deferred<void>
}

const yields = (times: number): Effect.Effect<void> =>
  times === 0 ? Effect.void : Effect.andThen(Effect.yieldNow, yields(times - 1))

const never = Effect.uninterruptible(Effect.never)

const ref = { app: "app", user: "u", session: "s" }

/** The id of the call that an agent works for; empty for the root. */
const parentOf = (call: string): string => call.slice(0, Math.max(0, call.lastIndexOf("/")))

type Tag = readonly [field: string, tag: string]

class World {
  readonly made: Case
  process: Process | undefined
  turn = 0
  faults: ReadonlyArray<Case["faults"][number]>
  readonly met = new Set<Fault>()
  private posted = 0
  /** How much of the log was looked at. */
  checked = 0
  failing: "store fails" | "store forgets to answer" | undefined
  modelFails = false
  hookFails = false
  readonly store: SessionStore.SessionStore["Service"]
  lessee: Process | undefined
  /** What each call's last attempt wrote. */
  readonly attempts = new Map<string, Array<Tag>>()
  readonly starts = new Map<string, number>()
  /** What was committed: by the call whose agent did it, empty for the root; and of the user. */
  readonly committed = new Map<string, Array<Tag>>()
  readonly ofUser: Array<Tag> = []
  /** What went wrong where nobody may throw. */
  readonly problems: Array<string> = []
  readonly agent: Agent.Any
  /** How many turns there were as long as something could go wrong. */
  disturbed = 0
  /** How many operations the fibers of runs did, where they are counted, and the one at which a run is interrupted. */
  operations = 0
  readonly interruptAt: number | undefined

  constructor(made: Case, store: SessionStore.SessionStore["Service"], interruptAt: number | undefined) {
    this.made = made
    this.interruptAt = interruptAt
    this.faults = made.faults
    this.store = store
    this.agent = agentOf(made.hooked, 0)
  }

  /** An await of a run: others get their turn, and what is planned for it goes wrong. */
  next(process: Process): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (process.isDead) return never
      const now = this.turn++
      const due = this.faults.filter(({ turn }) => turn === now)
      const rest = yields(Random.mix(this.made.pace, String(now)) % 3)
      const turned = Effect.andThen(rest, Effect.suspend(() => process.isDead ? never : Effect.void))
      return due.length === 0
        ? turned
        : Effect.andThen(Effect.forEach(due, ({ fault }) => this.strike(process, fault), { discard: true }), turned)
    })
  }

  private strike(process: Process, fault: Fault): Effect.Effect<void> {
    this.met.add(fault)
    const post = (what: object) =>
      Effect.ignore(Effect.provideService(
        AgentRunner.post(
          this.agent,
          { ...ref, key: `k${++this.posted}`, ...what } as AgentRunner.PostOptions<Agent.Any>
        ),
        SessionStore.SessionStore,
        this.store
      ))
    switch (fault) {
      case "crash":
        process.isDead = true
        return Deferred.succeed(process.crashed, undefined).pipe(Effect.andThen(never))
      case "interrupt":
        return Deferred.succeed(process.killed, undefined).pipe(
          Effect.andThen(yields(3))
        )
      case "cancel":
        return post({ cancel: true })
      case "message":
        return post({ input: "[]" })
      case "answer":
        return Effect.flatMap(
          this.open,
          ([first]) => first === undefined ? Effect.void : post({ answer: answerTo(first) })
        )
      case "wrong answer":
        // past the check of `post`, as one that was right when it was posted
        return Effect.ignore(
          Effect.flatMap(this.open, ([first]) =>
            this.store.post(ref, {
              kind: "answer",
              key: `k${++this.posted}`,
              question: first?.id ?? "i1.1.1?1",
              json: "no number"
            }))
        )
      case "model fails":
        return Effect.sync(() => {
          this.modelFails = true
        })
      case "hook fails":
        return Effect.sync(() => {
          this.hookFails = true
        })
      default:
        return Effect.sync(() => {
          this.failing = fault
        })
    }
  }

  get log(): Effect.Effect<ReadonlyArray<Event.Event>> {
    return Effect.map(Effect.orDie(this.store.load(ref)), Option.getOrElse(() => []))
  }

  /** All questions without an answer, those of pending calls too. */
  get open(): Effect.Effect<ReadonlyArray<Interrupt.Open>> {
    return Effect.map(this.log, (log) => log.length === 0 ? [] : Result.getOrThrow(Session.fold(log)).open)
  }

  /** Keeps aside what an event commits, when the store has taken it. */
  private stored(event: Event.Event): void {
    if (event.kind === "hook" && event.middleware.startsWith("hooks") && event.agent === nameAt(0)) {
      this.into("", [["hooked.others", event.hook]])
    }
    if (event.kind !== "call" || event.result.isFailure) return
    const wrote = event.tool.startsWith("a")
      ? (this.committed.get(event.call) ?? []).filter(([field]) => !["own.kept"].includes(field))
      : this.attempts.get(event.call) ?? []
    const isShared = ([field]: Tag) => field.startsWith("person.")
    this.into(parentOf(event.call), wrote.filter((tag) => !isShared(tag)))
    this.ofUser.push(...wrote.filter(isShared))
  }

  private into(agent: string, wrote: ReadonlyArray<Tag>): void {
    this.committed.set(agent, [...this.committed.get(agent) ?? [], ...wrote])
  }

  /** The store as one process sees it. */
  storeOf(process: Process): SessionStore.SessionStore["Service"] {
    const turned = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.andThen(this.next(process), Effect.tap(effect, () => this.next(process)))
    const broken = Effect.fail(new AgentError.StoreFailed({ problem: "broken" }))
    return {
      ...this.store,
      load: (of) => turned(this.store.load(of)),
      inbox: (of) => turned(this.store.inbox(of)),
      shared: (of, fields) => turned(this.store.shared(of, fields)),
      append: (of, append) =>
        turned(Effect.suspend(() => {
          const { failing } = this
          this.failing = undefined
          if (failing === "store fails") return broken
          if (this.lessee !== process) return Effect.fail(new AgentError.LeaseLost({ session: ref.session }))
          // the lease of a dead process ends when another begins
          const { lease: _, ...unleased } = append
          const taken = Effect.tap(this.store.append(of, unleased), (events) =>
            Effect.sync(() => {
              for (const event of events) this.stored(event)
            }))
          return failing === undefined ? taken : Effect.andThen(taken, broken)
        })),
      lease: () =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            if (this.lessee !== undefined) return Effect.fail(new AgentError.SessionBusy({ session: ref.session }))
            this.lessee = process
            return Effect.succeed({ fence: 0 })
          }),
          () =>
            Effect.sync(() => {
              if (this.lessee === process) this.lessee = undefined
            })
        )
    }
  }
}

const answerTo = (question: Interrupt.Open): AgentRunner.Answers<Agent.Any> =>
  question.name === "approval"
    ? Random.mix(7, question.id) % 4 === 0 ? Interrupt.reject(question.id) : Interrupt.approve(question.id)
    : Interrupt.fromJson(question.id, Random.mix(7, question.id) % 100)

// ===== agents ================================================================

/** The process that a handler or a hook runs in. */
const Current = Context.Reference<Process | undefined>("test/chaos/Process", { defaultValue: () => undefined })

/** A turn of whoever runs this, where a hook may fail. */
const mayFail: Effect.Effect<void, string> = Effect.flatMap(Current, (process) => {
  if (process === undefined) return Effect.void
  const { world } = process
  return Effect.andThen(
    world.next(process),
    Effect.suspend(() => {
      const { hookFails } = world
      world.hookFails = false
      return hookFails ? Effect.fail("a hook failed") : Effect.void
    })
  )
})

const hooks: Middleware.Any = (() => {
  const other = (kind: "beforeRun" | "beforeModel" | "afterModel" | "afterRun") =>
    (Middleware[kind] as typeof Middleware.beforeRun)(
      { combines: [Hooked.others] },
      () => Effect.andThen(Hooked.others.combine(kind), mayFail)
    )
  const around = (kind: "beforeTool" | "afterTool", field: typeof Hooked.before | typeof Hooked.after) =>
    Middleware[kind]({ combines: [field] } as object, () =>
      Effect.gen(function*() {
        yield* field.combine((yield* ToolCall.ToolCall).id)
        yield* mayFail
      }) as Effect.Effect<void>)
  return Middleware.make("hooks", {
    hooks: [
      other("beforeRun"),
      other("beforeModel"),
      other("afterModel"),
      other("afterRun"),
      around("beforeTool", Hooked.before),
      around("afterTool", Hooked.after),
      Middleware.onEvent({}, () => mayFail)
    ] as never
  })
})()

const agents = new Map<string, Agent.Any>()

/** The agent at a depth, with those below it; made once. */
const agentOf = (hooked: Case["hooked"], depth: number): Agent.Any => {
  const id = `${depth} ${String(hooked.slice(depth))}`
  const known = agents.get(id)
  if (known !== undefined) return known
  const made: Agent.Any = Agent.make(nameAt(depth), {
    instructions: nameAt(depth),
    toolkit: kit,
    middleware: hooked[depth] === true ? [hooks] : [],
    subAgents: depth === depths ? [] : [
      SubAgent.make(agentOf(hooked, depth + 1), { returns: [Own.list, Own.set, Own.sum, Own.text] as never })
    ]
  } as never)
  agents.set(id, made)
  return made
}

type Writer = (tag: string) => Effect.Effect<void, never, any>

const writers: Readonly<Record<ToolName, readonly [field: string, write: Writer]>> = {
  list: ["own.list", (tag) => Own.list.combine(tag)],
  set: ["own.set", (tag) => Own.set.combine(tag)],
  sum: ["own.sum", () => Own.sum.combine(1)],
  text: ["own.text", (tag) => Own.text.update((all) => [...all, tag])],
  kept: ["own.kept", (tag) => Own.kept.combine(tag)],
  person: ["person.list", (tag) => Person.list.combine(tag)],
  last: ["person.last", (tag) => Person.last.update((all) => [...all, tag])],
  plain: ["own.set", (tag) => Own.set.combine(tag)]
}

const handlerOf = (world: World, process: Process, name: ToolName) => ({ script }: typeof Params.Type) =>
  Effect.gen(function*() {
    const { actions, agentPath, id } = yield* ToolCall.ToolCall
    const wrote: Array<Tag> = []
    world.attempts.set(id, wrote)
    world.starts.set(id, (world.starts.get(id) ?? 0) + 1)
    const [field, write] = writers[name]
    let isPending = false
    for (const each of script) {
      yield* world.next(process)
      switch (each) {
        case "turn":
          break
        case "write":
          yield* write(id)
          wrote.push([field, id])
          break
        case "ask":
          if (name !== "plain") yield* Sure.ask(id)
          break
        case "pending":
          if (name !== "plain" && agentPath.length === 1 && !isPending) yield* Job.pending(id)
          isPending = true
          break
        case "fail":
          return yield* new Trouble()
        case "die":
          return yield* Effect.die(new Error("boom"))
        case "hang":
          // its own time begins to count meanwhile
          yield* Effect.yieldNow
          for (const wake of process.sleepers) wake()
          return yield* Effect.never
        case "end":
          yield* actions.end
          break
        case "escalate":
          yield* actions.escalate
          break
        case "skip":
          yield* actions.skipSummarization
          break
        case "guarded":
          break
      }
    }
    return 1
  }).pipe(
    Effect.ensuring(Effect.sync(() => {
      process.running--
    })),
    (running) =>
      Effect.suspend(() => {
        process.running++
        return running
      })
  )

// ===== the model =============================================================

const userTextOf = (message: Prompt.Message | undefined): string =>
  message?.role === "user" ? message.content.map((part) => part.type === "text" ? part.text : "").join("") : ""

/** Every call that was asked for has its result just after, in order: providers refuse anything else. */
const isWhole = ({ content }: Prompt.Prompt): boolean =>
  content.every((message, index) => {
    if (message.role !== "assistant") return true
    const calls = message.content.flatMap((part) => part.type === "tool-call" ? [part.id] : [])
    const next = content[index + 1]
    const results = next?.role === "tool"
      ? next.content.flatMap((part) => part.type === "tool-result" ? [part.id] : [])
      : []
    return calls.length === 0 || JSON.stringify(calls) === JSON.stringify(results)
  })

/** Says the next step of the plan that the last message is. */
const say = (world: World, process: Process) => (request: ScriptedModel.Request): Effect.Effect<ScriptedModel.Turn> =>
  Effect.map(world.next(process), () => {
    const { content } = request.prompt
    if (!isWhole(request.prompt)) world.problems.push(`${request.agent} is asked with calls that have no results`)
    const { modelFails } = world
    world.modelFails = false
    if (modelFails) return ScriptedModel.fail(new AiError.InternalProviderError({ description: "broken" }))
    const start = content.findLastIndex(({ role }) => role === "user")
    const plan = JSON.parse(userTextOf(content[start])) as Plan
    const step = plan[content.slice(start).filter(({ role }) => role === "assistant").length]
    return step === undefined ? ScriptedModel.text("Done.") : ScriptedModel.calls(...step)
  })

/** A clock that stands still until something hangs. */
const clockOf = ({ sleepers }: Process): Clock.Clock => ({
  currentTimeMillisUnsafe: () => 0,
  currentTimeMillis: Effect.succeed(0),
  monotonicTimeNanosUnsafe: () => 0n,
  monotonicTimeNanos: Effect.succeed(0n),
  currentTimeNanosUnsafe: () => 0n,
  currentTimeNanos: Effect.succeed(0n),
  sleep: (duration) =>
    Duration.isZero(duration) ? Effect.yieldNow : Effect.callback<void>((resume) => {
      const wake = () => resume(Effect.void)
      sleepers.add(wake)
      return Effect.sync(() => sleepers.delete(wake))
    })
})

const layerOf = (world: World, process: Process) => {
  const handlers = Object.fromEntries(toolNames.map((name) => [name, handlerOf(world, process, name)]))
  const script = Array.from({ length: 200 }, () => say(world, process))
  return Layer.mergeAll(
    Toolkit.layer(kit, handlers as never) as Layer.Layer<never>,
    ScriptedModel.layer(Object.fromEntries([0, 1, 2, 3].map((depth) => [nameAt(depth), script]))),
    Layer.succeed(SessionStore.SessionStore, world.storeOf(process)),
    Layer.succeed(Current, process),
    Layer.succeed(Clock.Clock, clockOf(process))
  )
}

// ===== running ===============================================================

type Ended = Exit.Exit<AgentRunner.AgentResult | void, AgentError.AgentError>

type Given = LanguageModel.LanguageModel | SessionStore.SessionStore

/** Counts what all fibers of a run do, and tells. */
class Counting extends Scheduler.MixedScheduler {
  private readonly tell: () => void
  constructor(tell: () => void) {
    super()
    this.tell = tell
  }
  override shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    this.tell()
    return super.shouldYield(fiber)
  }
}

/** One life of a process: what it does ends, or it dies. */
const live = Effect.fnUntraced(function*(
  world: World,
  effect: Effect.Effect<AgentRunner.AgentResult | void, AgentError.AgentError, Given>
) {
  const process: Process = {
    world,
    isDead: false,
    running: 0,
    sleepers: new Set(),
    crashed: Deferred.makeUnsafe(),
    killed: Deferred.makeUnsafe()
  }
  world.process = process
  let fiber: Fiber.Fiber<AgentRunner.AgentResult | void, AgentError.AgentError> | undefined = undefined
  const counting = new Counting(() => {
    if (++world.operations !== world.interruptAt) return
    world.met.add("interrupt")
    fiber?.interruptUnsafe()
  })
  const provided = Effect.provide(effect, layerOf(world, process))
  fiber = yield* Effect.forkDetach(
    world.interruptAt === undefined ? provided : Effect.provideService(provided, Scheduler.Scheduler, counting)
  )
  const ended = yield* Effect.raceAllFirst([
    Fiber.await(fiber),
    Effect.as(Deferred.await(process.crashed), undefined),
    Deferred.await(process.killed).pipe(Effect.andThen(Fiber.interrupt(fiber)), Effect.andThen(Fiber.await(fiber)))
  ])
  if (ended === undefined) world.lessee = undefined
  return ended
})

const run = (world: World, plan: Plan): Effect.Effect<AgentRunner.AgentResult, AgentError.AgentError, Given> => {
  const { concurrency, steps, streamed } = world.made
  const options = {
    ...ref,
    input: JSON.stringify(plan),
    concurrency,
    ...(steps !== undefined && { limits: { steps } })
  }
  return (streamed
    ? Effect.flatMap(Stream.runCollect(AgentRunner.stream(world.agent, options)), (items) => {
      const last = items.at(-1)
      return last?._tag === "Result" ? Effect.succeed(last.result) : Effect.die(new Error("no result"))
    })
    : AgentRunner.run(world.agent, options)) as Effect.Effect<AgentRunner.AgentResult, AgentError.AgentError, Given>
}

const resume = (world: World, answers: ReadonlyArray<AgentRunner.Answers<Agent.Any>>) =>
  AgentRunner.resume(world.agent, { ...ref, answers, concurrency: world.made.concurrency }) as Effect.Effect<
    AgentRunner.AgentResult,
    AgentError.AgentError,
    Given
  >

// ===== what must hold ========================================================

class Broken extends Schema.TaggedError<Broken>()("Broken", { problem: Schema.String }) {
  override get message(): string {
    return this.problem
  }
}

const must = (holds: boolean, problem: () => string) =>
  holds ? Effect.void : Effect.fail(new Broken({ problem: problem() }))

const show = (value: unknown): string => JSON.stringify(value) ?? "nothing"

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const sorted = (values: Iterable<readonly [string, unknown]>) => [...values].sort(([a], [b]) => (a < b ? -1 : 1))

/** Does the log hold together, and is the state what was committed? */
const checkLog = Effect.fnUntraced(function*(world: World) {
  const log = yield* world.log
  if (log.length === 0) return
  const fresh = log.slice(world.checked)
  world.checked = log.length
  for (const event of fresh) {
    const decoded = Event.decode(JSON.parse(JSON.stringify(Event.encode(event))))
    yield* must(
      Result.isSuccess(decoded) && same(Event.encode(decoded.success), Event.encode(event)),
      () => `an event does not come back from JSON: ${JSON.stringify(Event.encode(event))}`
    )
  }
  const session = Session.fold(log, world.agent)
  if (Result.isFailure(session)) return yield* new Broken({ problem: session.failure.message })
  const { state } = session.success

  yield* must(world.problems.length === 0, () => world.problems.join("; "))
  const asked = log.flatMap((event) => event.kind === "model" ? event.calls.map(({ id }) => id) : [])
  yield* must(new Set(asked).size === asked.length, () => "two calls have one id")
  const ended = log.flatMap((event) => event.kind === "call" ? [event.call] : [])
  yield* must(new Set(ended).size === ended.length, () => `a call ended twice: ${show(ended)}`)
  yield* must(ended.every((call) => asked.includes(call)), () => "a call ended that nobody asked for")
  const keys = log.flatMap((event) => "key" in event && event.key !== undefined ? [event.key] : [])
  yield* must(new Set(keys).size === keys.length, () => `something posted was taken twice: ${show(keys)}`)
  const open = new Set<string>()
  for (const event of log) {
    if (event.kind === "asked") open.add(event.question.id)
    if (event.kind !== "answered") continue
    yield* must(open.has(event.question), () => `answered without a question: ${event.question}`)
    if (event.progress !== true) open.delete(event.question)
  }
  // what may not run twice ran once, and again for each question
  const questions = new Map<string, number>()
  for (const event of log) {
    if (event.kind === "asked") questions.set(event.question.call, (questions.get(event.question.call) ?? 0) + 1)
  }
  for (const { id, tool } of log.flatMap((event) => event.kind === "model" ? event.calls : [])) {
    const starts = world.starts.get(id) ?? 0
    const may = 1 + (questions.get(id) ?? 0)
    yield* must(repeatable.has(tool) || starts <= may, () => `${id} of ${tool} started ${starts} times`)
  }

  const of = (field: string) =>
    (world.committed.get("") ?? []).filter((each) => each[0] === field).map(([, tag]) => tag)
  const value = (field: string) => state.values.get(field) ?? []
  for (const field of ["own.list", "own.text", "own.kept", "hooked.others"]) {
    yield* must(same(value(field), of(field)), () => `${field} is ${show(value(field))}, not ${show(of(field))}`)
  }
  const set = [...new Set(of("own.set"))].sort()
  yield* must(same(value("own.set"), set), () => `own.set is ${show(value("own.set"))}, not ${show(set)}`)
  const sum = of("own.sum").length
  yield* must((state.values.get("own.sum") ?? 0) === sum, () => `own.sum is ${show(value("own.sum"))}, not ${sum}`)

  const rows = yield* world.store.shared(ref, [
    { scope: "user", field: "person.list" },
    { scope: "user", field: "person.last" }
  ])
  for (const [field, row] of rows) {
    const expected = world.ofUser.filter((each) => each[0] === field).map(([, tag]) => tag)
    yield* must(same(row.value ?? [], expected), () => `${field} is ${show(row.value)}, not ${show(expected)}`)
  }
  // hooks around a call commit with it, or with the start of its sub-agent
  for (const field of ["hooked.before", "hooked.after"]) {
    const seen = (state.values.get(field) ?? []) as ReadonlyArray<string>
    yield* must(new Set(seen).size === seen.length, () => `${field} has a call twice: ${show(seen)}`)
    const good = log.flatMap((event) =>
      event.kind === "call" && event.agent === nameAt(0) && !event.result.isFailure ? [event.call] : []
    )
    const all = new Set(seen)
    yield* must(
      world.made.hooked[0] !== true || good.every((call) => all.has(call)),
      () => `${field} is ${show(seen)}, and lacks one of ${show(good)}`
    )
  }
})

/** No call is without a result or an open question, of its own, below it, or of another call of its step. */
const checkClosed = Effect.fnUntraced(function*(world: World) {
  const log = yield* world.log
  const open = yield* world.open
  const ended = new Set(log.flatMap((event) => event.kind === "call" ? [event.call] : []))
  const waits = ({ id }: Event.Call) => open.some(({ call }) => call === id || call.startsWith(`${id}/`))
  const lost = log.flatMap((event) => event.kind === "model" && !event.calls.some(waits) ? event.calls : [])
    .filter(({ id }) => !ended.has(id))
  yield* must(
    lost.length === 0,
    () => `these calls have neither result nor question: ${show(lost.map(({ id }) => id))}`
  )
})

/** After these a run may end without its end in the log. */
const storeFaults: ReadonlyArray<Fault> = ["store fails", "store forgets to answer"]

/** What a failure must come from. */
const causes: Readonly<Record<string, ReadonlyArray<Fault>>> = {
  ModelFailed: ["model fails"],
  HookFailed: ["hook fails"],
  StoreFailed: storeFaults,
  StaleSession: ["store forgets to answer"],
  RunCancelled: ["cancel"]
}

/** Was the end of one life to be expected? */
const checkEnd = Effect.fnUntraced(function*(world: World, ended: Ended, before: number | undefined) {
  if (Exit.isFailure(ended)) {
    const error = Option.getOrUndefined(Cause.findErrorOption(ended.cause))
    const log = yield* world.log
    const last = log.at(-1)
    if (error === undefined) {
      yield* must(
        Cause.hasInterruptsOnly(ended.cause) && world.met.has("interrupt"),
        () => `a run died: ${Cause.pretty(ended.cause)}`
      )
      const isEnded = before === undefined || log.length === before || last?.kind === "ended" ||
        storeFaults.some((fault) => world.met.has(fault))
      return yield* must(isEnded, () => `a run was cancelled, and the log ends with '${last?.kind}'`)
    }
    const { _tag } = error.reason
    if (_tag === "RunCancelled" && !storeFaults.some((fault) => world.met.has(fault))) {
      yield* must(
        last?.kind === "ended" && last.status === "cancelled" && last.key === error.reason.key,
        () => `${error.message}, and the log does not say so`
      )
    }
    const expected = causes[_tag]
    const isFree = _tag === "QuestionsOpen" || _tag === "AnswerRefused" ||
      (_tag === "LimitReached" && world.made.steps !== undefined) ||
      (_tag === "SessionMissing")
    return yield* must(
      isFree || expected?.some((fault) => world.met.has(fault)) === true,
      () => `a run failed for no reason: ${error.message}`
    )
  }
  const result = ended.value
  if (result === undefined) return
  const log = yield* world.log
  yield* must(result.session.revision === log.length, () => "the result has another revision than the store")
  const stored = Result.getOrThrow(Session.fold(log, world.agent)).state.values
  const own = [...result.session.state.values].filter(([name]) => !name.startsWith("person."))
  yield* must(
    same(sorted(own), sorted(stored)),
    () => `the state is ${JSON.stringify(own)}, the fold of the log ${JSON.stringify([...stored])}`
  )
  if (result._tag === "Paused") {
    const open = new Set((yield* world.open).map(({ id }) => id))
    yield* must(
      result.open.length > 0 && result.open.every(({ id }) => open.has(id)),
      () => `paused for ${show(result.open.map(({ id }) => id))}, open are ${show([...open])}`
    )
  }
})

// ===== a whole case ==========================================================

/** How often a case came to what. */
export const tally = new Map<string, number>()
const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

/** Runs a case to its end, however often something goes wrong, and checks after each run what must hold. */
export const survive = Effect.fnUntraced(function*(
  made: Case,
  /** The operation at which a run is interrupted; operations are counted only then. */
  interruptAt?: number
) {
  const store = Context.get(yield* Layer.build(SessionStore.layerMemory), SessionStore.SessionStore)
  const world = new World(made, store, interruptAt)
  let chosen = 0
  const choose = (below: number): number => (made.choices[chosen++ % made.choices.length] as number) % below
  const plans = [...made.plans]
  let keys = 0

  const lived = Effect.fnUntraced(function*(
    effect: Effect.Effect<AgentRunner.AgentResult | void, AgentError.AgentError, Given>,
    isRun = true
  ) {
    const strikes = world.met.size
    const before = (yield* world.log).length
    const ended = yield* live(world, effect)
    count(ended === undefined ? "crash" : Exit.isSuccess(ended) ? ended.value?._tag ?? "Abandoned" : "failure")
    yield* checkLog(world)
    if (ended === undefined) return undefined
    yield* checkEnd(world, ended, isRun ? before : undefined)
    yield* must(world.process?.running === 0, () => "a handler still runs")
    if (!storeFaults.some((fault) => world.met.has(fault))) {
      const isRefused = Exit.isFailure(ended) && Option.exists(
        Cause.findErrorOption(ended.cause),
        ({ reason: { _tag } }) => _tag === "AnswerRefused" || _tag === "QuestionsOpen" || _tag === "SessionMissing"
      )
      if (!isRefused && strikes === world.met.size) yield* checkClosed(world)
    }
    return ended
  })

  const sent = Effect.fnUntraced(function*(plan: Plan) {
    const inputs = Effect.map(
      world.log,
      (log) =>
        log.filter((event) => event.kind === "input" && event.agent === nameAt(0) && event.key === undefined).length
    )
    const before = yield* inputs
    const ended = yield* lived(run(world, plan))
    return { ended, isSent: (yield* inputs) > before }
  })
  const answered = Effect.fnUntraced(function*(open: ReadonlyArray<Interrupt.Open>, choice: number) {
    const first = open[choose(open.length)] as Interrupt.Open
    switch (choice) {
      case 0:
        return yield* lived(resume(world, open.map(answerTo)))
      case 1:
        return yield* lived(resume(world, [answerTo(first)]))
      case 2: {
        const post = AgentRunner.post(world.agent, { ...ref, key: `d${++keys}`, answer: answerTo(first) })
        yield* Effect.ignore(Effect.provideService(post, SessionStore.SessionStore, store))
        yield* Effect.ignore(Effect.provideService(post, SessionStore.SessionStore, store))
        return yield* lived(resume(world, []))
      }
      case 3: {
        const before = yield* world.log
        const strikes = world.met.size
        const ended = yield* lived(resume(world, [answerTo(first), Interrupt.fromJson(first.id, 1)]))
        const isRefused = ended !== undefined && Exit.isFailure(ended)
        yield* must(isRefused || strikes < world.met.size || ended === undefined, () => "a second answer was accepted")
        const after = yield* world.log
        return yield* must(before.length === after.length, () => "an answer was refused, and something changed")
      }
      default:
        return yield* lived(AgentRunner.abandon(world.agent, ref), false)
    }
  })

  for (let round = 0; plans.length > 0 && round < 20; round++) {
    const open = yield* world.open
    const waiting = open.filter(({ mode }) => mode !== "pending")
    if (waiting.length > 0 && choose(8) > 0) yield* answered(waiting, Math.min(choose(6), 4))
    else if (open.length > waiting.length && choose(3) === 0) yield* answered(open, choose(3))
    else if (round % 2 === 1 && choose(3) === 0 && (yield* world.log).length > 0) yield* lived(resume(world, []))
    else if ((yield* sent(plans[0] as Plan)).isSent) plans.shift()
  }

  // from here on nothing goes wrong: the session must come to rest, and answer
  world.disturbed = world.turn
  world.faults = []
  world.modelFails = false
  world.hookFails = false
  world.failing = undefined
  let isDone = false
  for (let round = 0; !isDone && round < 60; round++) {
    const waiting = (yield* world.open).filter(({ mode }) => mode !== "pending")
    if (waiting.length > 0) yield* lived(resume(world, waiting.map(answerTo)))
    else if ((yield* store.inbox(ref)).length > 0) yield* lived(resume(world, []))
    else {
      const { ended } = yield* sent([])
      isDone = ended !== undefined && Exit.isSuccess(ended) && ended.value?._tag === "Completed"
    }
  }
  yield* must(isDone, () => "the session cannot go on")
  yield* checkLog(world)
  yield* checkClosed(world)
  const log = Session.decode(JSON.parse(JSON.stringify(Session.encode(yield* world.log))))
  yield* must(Result.isSuccess(log), () => "the session does not come back from JSON")
  for (const fault of world.met) count(fault)
  return world
}, Effect.scoped)
