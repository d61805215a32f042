/**
 * Random agents, and plans of calls for them: what the properties of the runner run.
 *
 * What a handler does depends on its arguments and on all that it read before, so that a single wrong read shows in the
 * end. A plan is data: the model says what stands in the message, all calls of a step at once or one call a step.
 */
import { Context, Effect, Exit, Layer, Option, Result, Schema, Stream } from "effect"
import { type Prompt, Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  type Event,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  SessionStore,
  State,
  SubAgent,
  Tool,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import * as Random from "./random.ts"

// ===== the fields ============================================================

const modulo = Reducer.make((current: number, operand: number) => (current + operand) % 97, { commutative: true })
const chain = Reducer.make((current: string, operand: number) => String(Random.mix(operand, current)))
const int = Schema.Int
const list = Schema.Array(Schema.Int)
const sum = { initial: 0, reducer: Reducer.sum } as const

const Main = State.make("main", {
  a: State.field(int, { initial: 1 }),
  b: State.field(int, { initial: 2 }),
  sum: State.field(int, sum),
  other: State.field(int, sum),
  max: State.field(int, { initial: 0, reducer: Reducer.max }),
  min: State.field(int, { initial: 0, reducer: Reducer.min }),
  list: State.field(list, { initial: [], reducer: Reducer.append<number>() }),
  set: State.field(list, { initial: [], reducer: Reducer.union<number>() }),
  modulo: State.field(int, { initial: 0, reducer: modulo }),
  chain: State.field(Schema.String, { initial: "", reducer: chain }),
  float: State.field(Schema.Finite, sum),
  small: State.field(int.check(Schema.isBetween({ minimum: -20, maximum: 20 })), sum),
  optional: State.optional(int),
  record: State.record(Schema.String, int),
  /** Only ever raised to 7, by hooks: calls one by one take more steps. */
  steps: State.field(int, { initial: 0, reducer: Reducer.max })
})
const Todo = State.make("todo", { list: State.field(list, { initial: [9], reducer: Reducer.append<number>() }) }, {
  child: "fresh"
})
const user = { scope: "user" } as const
const Person = State.make("person", {
  a: State.field(int, { initial: 3, ...user }),
  last: State.field(int, { initial: 4, ...user, onConflict: "last" }),
  sum: State.field(int, { ...sum, ...user }),
  modulo: State.field(int, { initial: 0, reducer: modulo, ...user }),
  list: State.field(list, { initial: [], reducer: Reducer.append<number>(), ...user }),
  small: State.field(int.check(Schema.isBetween({ minimum: -20, maximum: 20 })), { ...sum, ...user }),
  record: State.record(Schema.String, int, user)
})
const Shop = State.make("shop", {
  a: State.field(int, { initial: 5, scope: "app" }),
  sum: State.field(int, { ...sum, scope: "app" })
})
const Scratch = State.make("scratch", {
  a: State.field(int, { initial: 6, scope: "temp" }),
  sum: State.field(int, { ...sum, scope: "temp" }),
  modulo: State.field(int, { initial: 0, reducer: modulo, scope: "temp" })
})
export const sections = [Main, Todo, Person, Shop, Scratch]

type Kind = "int" | "float" | "list" | "text" | "optional" | "record"

/** A field as the random programs use it, without its types. */
interface Field extends State.AnyField {
  readonly get: Effect.Effect<unknown>
  readonly set: (value: unknown) => Effect.Effect<void>
  readonly update: (f: (value: unknown) => unknown) => Effect.Effect<void>
  readonly unset: Effect.Effect<void>
  readonly combine?: (operand: number) => Effect.Effect<void>
  readonly entry: (key: string) => Effect.Effect<unknown>
  readonly put: (key: string, value: number) => Effect.Effect<void>
  readonly remove: (key: string) => Effect.Effect<void>
  readonly at: (parameter: string) => State.AnyField
}

const kindOf = (name: string): Kind => {
  const key = name.slice(name.indexOf(".") + 1)
  return key === "float" || key === "optional" || key === "record"
    ? key
    : key === "list" || key === "set"
    ? "list"
    : key === "chain"
    ? "text"
    : "int"
}

const steps = Main.steps as unknown as Field
const pool = sections.flatMap((section) => Object.values(section) as unknown as ReadonlyArray<Field>)
  .filter((field) => field !== steps)
const scoped = (field: { readonly name: string }, scope: string) =>
  field.name.startsWith({ user: "person.", app: "shop.", temp: "scratch." }[scope] ?? "?")
const isShared = (field: { readonly name: string }) => scoped(field, "user") || scoped(field, "app")

// ===== a case ================================================================

type Mode = "read" | "write" | "combine" | "entry-read" | "entry-write"

interface Touch {
  readonly field: Field
  readonly mode: Mode
}

/** What a call may do: chosen once per case; what it does is chosen by its arguments. */
interface ToolSpec {
  readonly name: string
  readonly touches: ReadonlyArray<Touch>
  readonly exclusive: boolean | string
  readonly asks: boolean
  readonly approval: boolean
}

interface HookSpec {
  readonly kind: "beforeTool" | "afterTool"
  readonly touches: ReadonlyArray<Touch>
  readonly asks: boolean
}

interface AgentSpec {
  readonly name: string
  readonly tools: ReadonlyArray<ToolSpec>
  readonly hooks: ReadonlyArray<HookSpec>
  readonly children: ReadonlyArray<{ readonly agent: AgentSpec; readonly returns: ReadonlyArray<Field> }>
  /** A combine before each model call that is the same however often it runs. */
  readonly modelHook: Field | undefined
}

type Plan = ReadonlyArray<ReadonlyArray<ScriptedModel.Call>>

export interface Case {
  readonly root: AgentSpec
  /** One plan for each message of the session. */
  readonly plans: ReadonlyArray<Plan>
  readonly concurrency: number
  readonly streamed: boolean
  /** Runs are cut somewhere, and go on. */
  readonly cut: boolean
}

const hasReducer = ({ combine }: Field): boolean => combine !== undefined

const touchesOf = (random: Random.Random, fields: ReadonlyArray<Field>, most: number): ReadonlyArray<Touch> =>
  random.some(fields, random.int(most + 1)).map((field): Touch => {
    const modes: ReadonlyArray<Mode> = [
      "read",
      "write",
      ...(hasReducer(field) ? ["combine", "combine", "combine"] as const : []),
      ...(kindOf(field.name) === "record" ? ["entry-read", "entry-write", "entry-write"] as const : [])
    ]
    return { field, mode: random.pick(modes) }
  })

const agentOf = (
  random: Random.Random,
  name: string,
  fields: ReadonlyArray<Field>,
  asks: boolean,
  depth: number
): AgentSpec => {
  const tools = Array.from({ length: 1 + random.int(4) }, (_, index): ToolSpec => ({
    name: `${name}_${index}`,
    touches: touchesOf(random, fields, 3),
    exclusive: random.once(12) ? true : random.once(10) ? "files" : false,
    asks: asks && random.once(2),
    approval: asks && random.once(4)
  }))
  const children = depth === 0 || random.once(2) ? [] : Array.from({ length: 1 + random.int(2) }, (_, index) => {
    const agent = agentOf(random, `${name}_child_${index}`, fields, asks && random.once(2), depth - 1)
    const written = writtenBy(agent)
    return { agent, returns: random.some(written, random.int(written.length + 1)) }
  })
  // what a hook before a sub-agent writes to a shared field conflicts with what the sub-agent writes there:
  // `serial-cases.test.ts` has a test for it that must fail
  const own = children.length > 0 ? fields.filter((field) => !isShared(field)) : fields
  const hooks = random.once(3)
    ? (["beforeTool", "afterTool"] as const).map((kind): HookSpec => ({
      kind,
      touches: touchesOf(random, kind === "beforeTool" ? own : fields, 1),
      asks: asks && random.once(8)
    }))
    : []
  const modelHook = random.once(3) ? steps : undefined
  return { name, tools, hooks, children, modelHook }
}

/** The session fields that an agent writes itself, or gets back from its children. */
const writtenBy = ({ tools, hooks, children, modelHook }: AgentSpec): ReadonlyArray<Field> => {
  const touches = [...tools, ...hooks].flatMap((each) => each.touches)
  const own = touches.filter(({ mode }) => mode === "write" || mode === "combine" || mode === "entry-write").map((
    { field }
  ) => field)
  const returned = children.flatMap(({ returns }) => returns)
  return [...new Set([...own, ...returned, ...(modelHook === undefined ? [] : [modelHook])])]
    .filter((field) => field.name.startsWith("main.") || field.name.startsWith("todo."))
}

const keys = ["x", "y", "__proto__"]

const planOf = (random: Random.Random, agent: AgentSpec, most: number): Plan =>
  Array.from(
    { length: 1 + random.int(2) },
    () =>
      Array.from({ length: 1 + random.int(most) }, (): ScriptedModel.Call => {
        const child = random.pick([...agent.tools.map(() => undefined), ...agent.children])
        if (child !== undefined) {
          return { tool: child.agent.name, parameters: { task: JSON.stringify(planOf(random, child.agent, 2)) } }
        }
        if (random.once(25)) return { tool: "ghost", parameters: {} }
        const parameters = random.once(25) ? { seed: "none" } : { seed: random.int(1_000_000), key: random.pick(keys) }
        return { tool: random.pick(agent.tools).name, parameters }
      })
  )

/** The case of a number. Where runs are cut, calls may run again, and temp fields are lost. */
export const caseOf = (number: number, cut = false): Case => {
  const random = Random.make(Random.mix(Random.seed, String(number)))
  const asks = random.once(3)
  // temp fields end at a pause, which comes elsewhere when calls run one by one
  const usable = pool.filter((field) => !((asks || cut) && scoped(field, "temp")))
  const fields = random.some(usable, 2 + random.int(6))
  const root = agentOf(random, "root", fields, asks, 2)
  const plans = Array.from({ length: random.once(4) ? 2 : 1 }, () => planOf(random, root, 6))
  return { root, plans, concurrency: random.pick([1, 2, 3, 8, 8, 8, 8, 8]), streamed: !cut && random.once(6), cut }
}

// ===== what calls do =========================================================

/** The world outside of State, and how calls met in it. */
interface World {
  running: number
  overlap: number
  exclusive: number
  broken: string | undefined
  readonly journal: Map<string, Array<number>>
}

const Question = Interrupt.make("question", { question: Schema.Int, answer: Schema.Int })

class Trouble extends Schema.TaggedError<Trouble>()("Trouble", { code: Schema.Int }) {}

/** Whether calls and the store take their time; one by one there is nobody to wait for. */
const Slow = Context.Reference<boolean>("test/Slow", { defaultValue: () => false })

const pause = (turns: number): Effect.Effect<void> =>
  Effect.flatMap(Slow, (slow) => slow && turns > 0 ? Effect.repeat(Effect.yieldNow, { times: turns - 1 }) : Effect.void)

const valueOf = (kind: Kind, n: number): unknown => {
  switch (kind) {
    case "float":
      return n / 10
    case "list":
      return [n, n + 1]
    case "text":
      return String(n)
    case "record":
      return { x: n, [keys[n % 3] as string]: n + 1 }
    case "int":
    case "optional":
      return n
  }
}

const sorted = <A>(entries: Iterable<readonly [string, A]>): Readonly<Record<string, A>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))

/** A text that is the same for equal values: the order of a record's entries is none of theirs. */
const textOf = (value: unknown): string =>
  JSON.stringify(
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(sorted(Object.entries(value)))
      : value
  )

/** One random operation that the touch allows; gives a text that holds whatever was read. */
const operate = (random: Random.Random, { field, mode }: Touch, key: string, acc: number): Effect.Effect<string> => {
  const kind = kindOf(field.name)
  const n = acc % 10
  const shown = (effect: Effect.Effect<unknown>) => Effect.map(effect, textOf)
  const done = (effect: Effect.Effect<void>) => Effect.as(effect, "")
  const combine = () => done(field.combine?.(kind === "float" ? n / 10 : n) ?? Effect.void)
  switch (mode) {
    case "read":
      return shown(field.get)
    case "combine":
      return combine()
    case "entry-read":
      return shown(field.entry(key))
    case "entry-write":
      return random.pick([
        () => shown(field.entry(key)),
        () => done(field.put(key, n)),
        () => done(field.put(key, n)),
        () => done(field.remove(key))
      ])()
    case "write":
      return random.pick([
        () => shown(field.get),
        () => done(field.set(valueOf(kind, n))),
        () => done(field.update((value) => valueOf(kind, Random.mix(acc, textOf(value)) % 10))),
        () => done(field.unset),
        ...(hasReducer(field) ? [combine, combine] : []),
        ...(kind === "record"
          ? [() => done(field.put(random.pick(keys), n)), () => done(field.remove(random.pick(keys)))]
          : [])
      ])()
  }
}

interface Parameters {
  readonly seed: number
  readonly key: string
}

/** A value that no field of its kind takes. */
const breaking = (field: Field): Effect.Effect<void> => field.set(kindOf(field.name) === "record" ? { x: 1.5 } : 1.5)

/** What a call or a hook does; a function of its arguments, and of what it reads. */
const behave = (
  name: string,
  touches: ReadonlyArray<Touch>,
  asks: boolean,
  { seed, key }: Parameters
): Effect.Effect<number, Trouble> =>
  Effect.gen(function*() {
    const random = Random.make(Random.mix(seed, name))
    let acc = random.int(1_000)
    const fails = random.once(6)
    const count = random.int(6)
    for (let index = 0; index < count; index++) {
      yield* pause(random.int(4))
      if (asks && random.once(4)) {
        const answer = yield* (Question.ask(acc) as Effect.Effect<number>)
        acc = Random.mix(acc, `answer ${answer}`)
      }
      if (touches.length > 0) acc = Random.mix(acc, yield* operate(random, random.pick(touches), key, acc))
    }
    if (!fails) return acc
    const writable = touches.find(({ mode }) => mode === "write")
    switch (random.int(4)) {
      case 0:
        return yield* new Trouble({ code: acc % 100 })
      case 1:
        return yield* Effect.die(new Error(`defect ${acc}`))
      case 2:
        return writable === undefined ? acc : yield* Effect.as(breaking(writable.field), acc)
      default:
        return yield* Effect.interrupt
    }
  })

// ===== from specs to agents ==================================================

const Args = Schema.Struct({ seed: Schema.Int, key: Schema.String })

const contractOf = (touches: ReadonlyArray<Touch>, asks: boolean) => {
  const of = (...modes: ReadonlyArray<Mode>) =>
    touches.filter(({ mode }) => modes.includes(mode)).map(({ field, mode }) =>
      mode.startsWith("entry") ? field.at("key") : field
    )
  return {
    reads: of("read", "entry-read"),
    writes: of("write", "entry-write"),
    combines: of("combine"),
    asks: asks ? [Question] : []
  }
}

const toolOf = ({ name, touches, exclusive, asks, approval }: ToolSpec, idempotent: boolean) =>
  Tool.make(name, {
    parameters: Args,
    success: Schema.Int,
    failure: Trouble,
    exclusive,
    ...(approval && { approval: ({ seed }: Parameters) => Effect.succeed(seed % 3 === 0) }),
    ...contractOf(touches, asks) as object
  }).annotate(AiTool.Idempotent, idempotent)

const handlerOf = (world: World, { name, touches, asks, exclusive }: ToolSpec) => (parameters: Parameters) =>
  Effect.gen(function*() {
    world.running++
    world.overlap = Math.max(world.overlap, world.running)
    if (exclusive === true) world.exclusive++
    if (world.exclusive > 0 && world.running > 1) world.broken = `'${name}' overlaps with an exclusive call`
    const out = yield* behave(name, touches, asks, parameters).pipe(Effect.ensuring(Effect.sync(() => {
      world.running--
      if (exclusive === true) world.exclusive--
    })))
    if (exclusive !== false) {
      const journal = world.journal.get(String(exclusive)) ?? []
      world.journal.set(String(exclusive), [...journal, out])
    }
    return out
  })

const hookOf = (agent: string, { kind, touches, asks }: HookSpec) => {
  const contract = contractOf(touches, asks) as object
  const run = (parameters: unknown, result?: unknown) => {
    const { seed, key } = parameters as Parameters
    const own = Random.mix(seed, `${kind} ${JSON.stringify(result)}`)
    // a hook that fails ends the run, so these swallow their troubles
    return Effect.as(
      Effect.exit(behave(
        `${agent} ${kind}`,
        touches.filter(({ mode }) => !mode.startsWith("entry")),
        asks,
        { seed: own, key }
      )),
      own
    )
  }
  return kind === "afterTool"
    ? Middleware.afterTool(contract, ({ parameters, result }) => Effect.asVoid(run(parameters, result)))
    : Middleware.beforeTool(contract, ({ parameters }) =>
      Effect.map(run(parameters), (own) =>
        own % 9 === 0
          ? Middleware.refuse(`refused ${own}`)
          : own % 9 === 1
          ? Middleware.edit({ ...parameters as Parameters, seed: own % 1_000 })
          : undefined))
}

interface Built {
  readonly agent: Agent.Any
  readonly tools: ReadonlyArray<ToolSpec>
}

const build = (spec: AgentSpec, idempotent: boolean): Built => {
  const children = spec.children.map(({ agent, returns }) => ({ built: build(agent, idempotent), returns }))
  const hooks = [
    ...spec.hooks.map((hook) => hookOf(spec.name, hook)),
    ...(spec.modelHook === undefined ? [] : [
      Middleware.beforeModel(
        { combines: [spec.modelHook] } as object,
        () => (spec.modelHook as Required<Field>).combine(7)
      )
    ])
  ]
  const options = {
    instructions: spec.name,
    toolkit: Toolkit.make(...spec.tools.map((tool) => toolOf(tool, idempotent))),
    middleware: hooks.length === 0 ? [] : [Middleware.make(`${spec.name}_hooks`, { hooks })],
    subAgents: children.map(({ built, returns }) => SubAgent.make(built.agent, { returns: returns as never }))
  }
  return {
    agent: Agent.make(spec.name, options as never),
    tools: [...spec.tools, ...children.flatMap(({ built }) => built.tools)]
  }
}

// ===== running ===============================================================

type Step = ReadonlyArray<ScriptedModel.Call>

const userTextOf = (message: Prompt.Message): string =>
  message.role === "user" ? message.content.map((part) => part.type === "text" ? part.text : "").join("") : ""

const resultsIn = (prompt: Prompt.Prompt): ReadonlyArray<unknown> =>
  prompt.content.flatMap((message) => message.role === "tool" ? message.content : [])
    .map((part) => part.type === "tool-result" ? part.result : part.type)

/** Says the next step of the plan that the last message is, and at last all results that it saw. */
const sayNext = (oneByOne: boolean) => ({ prompt }: ScriptedModel.Request): ScriptedModel.Turn => {
  const start = prompt.content.findLastIndex(({ role }) => role === "user")
  const all = JSON.parse(userTextOf(prompt.content[start] as Prompt.Message)) as Plan
  const steps: ReadonlyArray<Step> = oneByOne ? all.flat().map((call) => [call]) : all
  const step = steps[prompt.content.slice(start).filter(({ role }) => role === "assistant").length]
  return step === undefined ? ScriptedModel.text(JSON.stringify(resultsIn(prompt))) : ScriptedModel.calls(...step)
}

const agentNames = (
  { name, children }: AgentSpec
): ReadonlyArray<string> => [name, ...children.flatMap(({ agent }) => agentNames(agent))]

const decide = (question: Interrupt.Open) => {
  if (question.name === "question") {
    return Question.answer(question.id, Random.mix(0, JSON.stringify(question.question)) % 1_000)
  }
  const { arguments: args } = question.question as unknown as { readonly arguments: Parameters }
  const choice = Random.mix(args.seed, "decision") % 4
  return choice === 0
    ? Interrupt.reject(question.id, "no")
    : choice === 1
    ? Interrupt.edit(question.id, {
      seed: args.seed + 1,
      key: keys[args.seed % 3] as string
    })
    : Interrupt.approve(question.id)
}

export interface Outcome {
  /** All that must be equal however the calls overlapped. */
  readonly visible: {
    readonly texts: ReadonlyArray<string>
    readonly results: ReadonlyArray<unknown>
    readonly values: Readonly<Record<string, Schema.Json>>
    readonly rows: Readonly<Record<string, SessionStore.Row>>
    readonly journal: Readonly<Record<string, ReadonlyArray<number>>>
  }
  readonly world: World
  readonly events: ReadonlyArray<Event.Event>
  /** The fields of `session` scope, out of memory and out of the stored log. */
  readonly live: Readonly<Record<string, Schema.Json>>
  readonly folded: Readonly<Record<string, Schema.Json>>
  readonly pauses: number
  /** How often a run was cut. */
  readonly revived: number
}

/** Where a run is cut: at which append, and whether the store has it all the same. */
export interface Cut {
  readonly append: number
  readonly stored: boolean
}

/** What becomes of a process: it lives until its next cut. */
interface Process {
  readonly cuts: Array<Cut>
  appends: number
  isDead: boolean
}

/** A store that takes its time, so that what happens meanwhile has a chance to, and that a process may be cut off from. */
const slowStore = (random: Random.Random, process: Process): Layer.Layer<SessionStore.SessionStore> =>
  Layer.effect(
    SessionStore.SessionStore,
    Effect.map(SessionStore.SessionStore, (store) => {
      const dead = Effect.die(new Error("this process is dead"))
      const slowly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.suspend(() => {
          if (process.isDead) return dead
          return Effect.andThen(pause(random.int(3)), Effect.tap(effect, () => pause(random.int(3))))
        })
      const cutOff = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.suspend(() => {
          const [cut] = process.cuts
          if (process.isDead || cut === undefined || process.appends++ < cut.append) return slowly(effect)
          process.isDead = true
          return cut.stored ? Effect.andThen(effect, dead) : dead
        })
      return {
        ...store,
        load: (ref) => slowly(store.load(ref)),
        append: (ref, append) => cutOff(store.append(ref, append)),
        shared: (ref, fields) => slowly(store.shared(ref, fields))
      }
    })
  ).pipe(Layer.provide(SessionStore.layerMemory))

/** The run as a stream, and its result. */
const streamed = (agent: Agent.Any, options: AgentRunner.RunOptions) =>
  Effect.flatMap(Stream.runCollect(AgentRunner.stream(agent, options)), (items) => {
    const last = items.at(-1)
    return last?._tag === "Result"
      ? Effect.succeed(last.result)
      : Effect.die(new Error("the stream ends without a result"))
  })

/** Runs a case: all calls of a step at once, or one a step; cut where it says, and gone on with. */
export const execute = (
  made: Case,
  oneByOne: boolean,
  random: Random.Random,
  cuts: ReadonlyArray<Cut> = []
): Effect.Effect<Outcome, unknown> => {
  const { agent, tools } = build(made.root, made.cut)
  const process: Process = { cuts: [...cuts], appends: 0, isDead: false }
  const world: World = { running: 0, overlap: 0, exclusive: 0, broken: undefined, journal: new Map() }
  const handlers = Object.fromEntries(tools.map((tool) => [tool.name, handlerOf(world, tool)]))
  const say = sayNext(oneByOne)
  const model = ScriptedModel.layer(
    Object.fromEntries(agentNames(made.root).map((name) => [name, Array.from({ length: 400 }, () => say)]))
  )
  const layers = Layer.mergeAll(
    Toolkit.layer(Toolkit.make(...tools.map((tool) => toolOf(tool, made.cut))), handlers as never),
    model,
    slowStore(random, process)
  )
  const options = { app: "app", user: "u", session: "s", concurrency: made.concurrency }

  return Effect.gen(function*() {
    const store = yield* SessionStore.SessionStore
    let pauses = 0
    let revived = 0
    const inputs = Effect.map(
      store.load(options),
      (log) => Option.getOrElse(log, () => []).filter(({ kind, agent: by }) => kind === "input" && by === "root").length
    )
    const answered = Effect.fnUntraced(function*(plan: Plan, index: number) {
      const start = { ...options, input: JSON.stringify(plan) }
      let exit = yield* Effect.exit(made.streamed ? streamed(agent, start) : AgentRunner.run(agent, start))
      while (true) {
        if (++pauses > 100) return yield* Effect.die(new Error("it pauses again and again"))
        if (Exit.isSuccess(exit)) {
          const result: AgentRunner.AgentResult = exit.value
          if (result._tag === "Completed") return result
          const answers = random.some(result.open, 1 + random.int(result.open.length)).map(decide)
          exit = yield* Effect.exit(AgentRunner.resume(agent, { ...options, answers }))
          continue
        }
        if (!process.isDead) return yield* Effect.failCause(exit.cause)
        process.isDead = false
        process.appends = 0
        process.cuts.shift()
        revived++
        // a message that was not stored is sent again
        const again = (yield* inputs) <= index
        exit = yield* Effect.exit(
          again ? AgentRunner.run(agent, start) : AgentRunner.resume(agent, { ...options, answers: [] })
        )
      }
    })
    const results = yield* Effect.forEach(made.plans, answered)
    const { events, state } = (results.at(-1) as AgentRunner.Completed).session
    const again = Result.flatMap(
      Session.decode(JSON.parse(JSON.stringify(Session.encode(events)))),
      (log) => Session.fold(log, sections)
    )
    const isStored = ([name]: readonly [string, unknown]) => !isShared({ name }) && !scoped({ name }, "temp")
    const rows = yield* store.shared(
      { app: "app", user: "u", session: "s" },
      pool.filter(isShared).map((field) => ({ scope: scoped(field, "app") ? "app" : "user", field: field.name }))
    )
    return {
      visible: {
        texts: results.map(({ text }) => text),
        results: resultsInOrder(events),
        values: sorted(
          pauses > made.plans.length ? [...state.values].filter(([name]) => !scoped({ name }, "temp")) : state.values
        ),
        rows: sorted(rows),
        journal: sorted(world.journal)
      },
      world,
      events,
      live: sorted([...state.values].filter(isStored)),
      folded: sorted([...Result.getOrThrow(again).state.values].filter(isStored)),
      pauses: pauses - made.plans.length,
      revived
    }
  }).pipe(Effect.provide(layers), Effect.provideService(Slow, !oneByOne)) as unknown as Effect.Effect<Outcome, unknown>
}

/** The results of the root's calls, in the order in which the model asked. */
const resultsInOrder = (events: ReadonlyArray<Event.Event>): ReadonlyArray<unknown> => {
  const results = new Map(events.flatMap((event) => event.kind === "call" ? [[event.call, event.result] as const] : []))
  return events.flatMap((event) => event.kind === "model" && event.agent === "root" ? event.calls : [])
    .map(({ id, tool }) => [tool, results.get(id)])
}

/** Do the messages of a log answer each step's calls in their order? */
export const answersInOrder = (events: ReadonlyArray<Event.Event>): boolean => {
  const asked = events.flatMap((event) =>
    event.kind === "model" && event.agent === "root" ? event.calls.map(({ tool }) => tool) : []
  )
  const history = Result.getOrThrow(Session.fold(events)).history
  const answered = history.flatMap((message) => message.role === "tool" ? message.content : [])
    .map((part) => part.type === "tool-result" ? part.name : part.type)
  return JSON.stringify(asked) === JSON.stringify(answered)
}

export const describeCase = ({ root, plans, concurrency }: Case): string => {
  const touches = (all: ReadonlyArray<Touch>) => all.map(({ field, mode }) => `${mode} ${field.name}`).join(", ")
  const lines = ({ name, tools, hooks, children, modelHook }: AgentSpec): ReadonlyArray<string> => [
    `${name}${modelHook === undefined ? "" : " (model hook)"}`,
    ...hooks.map((hook) => `  ${hook.kind}: ${touches(hook.touches)}${hook.asks ? " asks" : ""}`),
    ...tools.map((tool) =>
      `  ${tool.name}: ${touches(tool.touches)}${tool.asks ? " asks" : ""}${tool.approval ? " approval" : ""}${
        tool.exclusive === false ? "" : ` exclusive ${tool.exclusive}`
      }`
    ),
    ...children.flatMap((
      { agent, returns }
    ) => [
      `  returns ${returns.map(({ name: field }) => field).join(", ")}`,
      ...lines(agent).map((line) => `    ${line}`)
    ])
  ]
  return [...lines(root), `concurrency ${concurrency}`, ...plans.flat().map((step) => JSON.stringify(step))].join("\n")
}
