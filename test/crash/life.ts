/**
 * The life of a session that comes by every failpoint: messages, calls of tools of each mark, a sub-agent, questions,
 * a credential, artifacts, the inbox, compaction, a program of a later version, a snapshot, and what `History` does.
 * Each part is there for good once it is in the log, so a process that goes on begins anew and leaves out what is done.
 */
import { Effect, Option, Redacted, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Artifacts,
  Credentials,
  type Event,
  History,
  Interrupt,
  Middleware,
  Reconcile,
  Reducer,
  Session,
  SessionStore,
  State,
  StateDelta,
  SubAgent,
  Tool,
  ToolCall,
  Toolkit
} from "tenon"
import { Compaction } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import type { OutsideName } from "./failpoints.ts"

// ----- declarations -----------------------------------------------------------

const sum = { initial: 0, reducer: Reducer.sum }
export const Ledger = State.make("ledger", {
  paid: State.field(Schema.Int, sum),
  answers: State.field(Schema.Int, sum),
  note: State.field(Schema.String, { initial: "" }),
  last: State.field(Schema.String, { initial: "" })
})
const OldWallet = State.make("wallet", { spent: State.field(Schema.Int, { ...sum, scope: "user" }) })
export const Wallet = State.make("wallet", {
  total: State.field(Schema.Int, { ...sum, scope: "user" }),
  currency: State.field(Schema.String, { initial: "EUR", scope: "user" })
}, {
  history: State.history(1, Schema.Struct({ spent: Schema.Int })),
  up: ({ spent }) => ({ total: spent, currency: "EUR" })
})
export const Till = State.make("till", { sold: State.field(Schema.Int, { ...sum, scope: "app" }) })

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Token = Credentials.make("bank", { scheme: "api_key" })

const amount = Schema.Struct({ amount: Schema.Int })
const Open = Tool.make("open", {
  parameters: amount,
  success: Schema.String,
  combines: [Ledger.paid, OldWallet.spent, Till.sold]
}).annotate(AiTool.Idempotent, true)
const Pay = Tool.make("pay", {
  parameters: amount,
  success: Schema.String,
  combines: [Ledger.paid, Wallet.total, Till.sold]
}).annotate(AiTool.Idempotent, true)
const oldKit = Toolkit.make(Open)
const kit = Toolkit.make(
  Pay,
  Tool.make("look", { success: Schema.String }).annotate(AiTool.Readonly, true),
  Tool.make("send", { success: Schema.String }),
  Tool.make("order", { success: Schema.String }),
  Tool.make("confirm", { success: Schema.Boolean, asks: [Confirm] }),
  Tool.make("fetch", { success: Schema.Int, failure: Credentials.Failure, asks: [Token] })
    .annotate(AiTool.Readonly, true),
  Tool.make("draw", {
    success: Schema.String,
    failure: Artifacts.Failure,
    reads: [Artifacts.Session],
    combines: [Artifacts.Session]
  }).annotate(AiTool.Idempotent, true)
)

/** What the world around the store does: it is come by in this order, and may be where a process ends. */
export interface World {
  /** Comes by two failpoints. */
  readonly pass: (name: OutsideName) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Comes by one. */
  readonly reach: (point: string) => Effect.Effect<void>
  /** An effect outside, told apart by its call. */
  readonly effect: (tool: string, call: string) => Effect.Effect<void>
  readonly hasEffect: (tool: string, call: string) => Effect.Effect<boolean>
  /** Until the lease has been renewed once more. */
  readonly renewed: Effect.Effect<void>
  /** A content is kept, and was acknowledged. */
  readonly tell: (what: object) => Effect.Effect<void>
}

const agentsOf = (world: World) => {
  const Helper = Agent.make("helper", { instructions: "Help.", toolkit: Toolkit.make(Pay) })
  const middleware = [
    Compaction.make({
      when: Compaction.every(2),
      summarize: (messages) => world.pass("summary")(Effect.succeed(`(${messages.length} messages)`))
    }),
    Middleware.make("counter", {
      hooks: [
        Middleware.afterModel({ combines: [Ledger.answers] }, () => world.pass("hook")(Ledger.answers.combine(1)))
      ]
    })
  ]
  return {
    before: Agent.make("clerk", { instructions: "Work.", toolkit: oldKit }),
    now: Agent.make("clerk", {
      instructions: "Work.",
      toolkit: kit,
      middleware,
      subAgents: [SubAgent.make(Helper, { returns: [Ledger.paid] })],
      outputTo: Ledger.last
    })
  }
}

// ----- what runs ----------------------------------------------------------------

/** What the model says after a message, turn by turn. */
const { call, calls, text } = ScriptedModel
const turns: Readonly<Record<string, ReadonlyArray<ScriptedModel.Turn>>> = {
  "Open.": [call("open", { amount: 1 }), text("Opened.")],
  "Shop.": [
    calls(
      { tool: "pay", parameters: { amount: 2 } },
      { tool: "send" },
      { tool: "order" },
      { tool: "look" }
    ),
    call("helper", { task: "Pay." }),
    text("Shopped.")
  ],
  "Pay.": [call("pay", { amount: 4 }), text("Paid.")],
  "Ask.": [calls({ tool: "confirm" }, { tool: "draw" }), text("Asked.")],
  "Fetch.": [call("fetch"), text("Fetched.")],
  "Also this.": [text("Noted.")],
  "My word is hunter2.": [call("look"), text("Kept.")],
  "A mistake.": [call("pay", { amount: 16 }), text("Sorry.")]
}

const step = (world: World) => ({ prompt }: ScriptedModel.Request): Effect.Effect<ScriptedModel.Turn> => {
  const said = prompt.content.map((message) =>
    message.role === "user" ? message.content.map((part) => part.type === "text" ? part.text : "").join("") : undefined
  )
  const last = said.findLastIndex((each) => each !== undefined && Object.hasOwn(turns, each))
  const number = prompt.content.slice(last).filter(({ role }) => role === "assistant").length
  return world.pass("model")(Effect.succeed(turns[said[last] ?? ""]?.[number] ?? text("(lost)")))
}

/** More than a life has. */
const many = 200

const modelOf = (world: World) =>
  ScriptedModel.layer({
    clerk: Array.from({ length: many }, () => step(world)),
    helper: Array.from({ length: many }, () => step(world))
  })

const handlersOf = (world: World) => {
  const { effect, hasEffect, pass } = world
  const id = Effect.map(ToolCall.ToolCall, (each) => each.id)
  const outside = (tool: string) => Effect.flatMap(id, (of) => pass("outside effect")(effect(tool, of)))
  return [
    Toolkit.layer(oldKit, {
      open: ({ amount: by }) =>
        pass("handler")(
          outside("open").pipe(
            Effect.andThen(Ledger.paid.combine(by)),
            Effect.andThen(OldWallet.spent.combine(by)),
            Effect.andThen(Till.sold.combine(by)),
            Effect.as("open")
          )
        )
    }),
    Toolkit.layer(kit, {
      pay: ({ amount: by }) =>
        pass("handler")(
          outside("pay").pipe(
            Effect.andThen(Ledger.paid.combine(by)),
            Effect.andThen(Wallet.total.combine(by)),
            Effect.andThen(Till.sold.combine(by)),
            Effect.as("paid")
          )
        ),
      look: () => pass("handler")(Effect.as(world.renewed, "seen")),
      send: () => pass("handler")(Effect.as(outside("send"), "sent")),
      order: Reconcile.on(
        () =>
          pass("handler")(
            outside("order").pipe(Effect.andThen(world.reach("outside: order placed, after")), Effect.as("ordered"))
          ),
        (_, of) =>
          world.reach("outside: reconciliation, before").pipe(
            Effect.andThen(hasEffect("order", of)),
            Effect.tap(world.reach("outside: reconciliation, after")),
            Effect.map((found) => found ? Reconcile.succeeded("ordered") : Reconcile.notRun)
          )
      ),
      confirm: () => pass("handler")(Confirm.ask("Really?")),
      fetch: () => pass("handler")(Effect.map(Token.get, (token) => Redacted.value(token).length)),
      draw: () =>
        pass("handler")(Effect.flatMap(id, (of) => Effect.map(Artifacts.Session.save("plan", of), ({ hash }) => hash)))
    })
  ] as const
}

// ----- the parts of a life -----------------------------------------------------

/** A session that somebody owns. */
export interface Owned extends SessionStore.Ref {
  readonly user: string
}

/** How many events there are before the message that crosses the place of a snapshot. */
const filled = 250

type Stored = ReadonlyArray<Event.Event>

/** The answer to the message of a key, once it is stored. */
export const answerTo = (stored: Stored, key: string): string | undefined => {
  const input = stored.find((event) => event.kind === "input" && event.key === key)
  return input &&
    stored.flatMap((event) =>
      event.kind === "ended" && event.invocation === input.invocation && event.sequence > input.sequence &&
        event.answer !== undefined
        ? [event.answer.text]
        : []
    )[0]
}

const invocationOf = (stored: Stored, key: string): string =>
  stored.find((event) => event.kind === "input" && event.key === key)?.invocation ?? ""

const has = (is: (event: Event.Event) => boolean) => (stored: Stored): boolean => stored.some(is)

/** What each message is answered with, by its key. */
const answers = {
  k1: "Opened.",
  k2: "Shopped.",
  k3: "Asked.",
  k4: "Fetched.",
  p5: "Noted.",
  k6: "Kept.",
  k7: "Sorry."
} as const

/** What is paid after each message. */
const paid: Partial<Record<keyof typeof answers, number>> = { k1: 1, k2: 6, k7: 16 }

/** Lives with some parts each: a shorter one takes less time. */
const chapters = {
  opening: ["k1"],
  work: ["k1", "k2"],
  questions: ["k1", "k3", "k4", "write", "p5"],
  history: ["k1", "fill", "c6", "k6", "redact", "k7", "rewind", "read"],
  whole: ["k1", "k2", "k3", "k4", "write", "p5", "fill", "c6", "k6", "redact", "k7", "rewind", "read"]
} as const

export type Chapter = keyof typeof chapters
export const chapterNames = Object.keys(chapters) as ReadonlyArray<Chapter>

type Key = keyof typeof answers
const isKey = (name: string): name is Key => Object.hasOwn(answers, name)
const keysIn = (chapter: Chapter): ReadonlyArray<Key> => [...chapters[chapter]].filter(isKey)

/** What comes of a life: the answers by the key of their message, and what was paid in all. */
export const outcomeOf = (chapter: Chapter) => ({
  answers: keysIn(chapter).map((key) => [key, answers[key]] as const),
  paid: keysIn(chapter).reduce((sum, key) => sum + (paid[key] ?? 0), 0)
})

/** The word that is taken out of the log. */
export const secret = "hunter2"

export const forkOf = (ref: Owned): Owned => ({ ...ref, session: `${ref.session}, copied` })

const padding = (stored: Stored): Stored => {
  const last = stored.at(-1) as Event.Event
  return Array.from({ length: filled - stored.length }, (_, index): Event.Event => ({
    kind: "hook",
    id: `${last.id}+${index}`,
    sequence: stored.length + index,
    invocation: last.invocation,
    agent: last.agent,
    path: last.path,
    time: last.time,
    middleware: "session",
    hook: "padding",
    delta: StateDelta.empty
  }))
}

/** A part of a life. */
interface Part {
  /** Is it in the log? */
  readonly isDone: (stored: Stored) => boolean
  readonly run: (
    stored: Stored
  ) => Effect.Effect<unknown, unknown, AgentRunner.Requires<ReturnType<typeof agentsOf>["before" | "now"]>>
}

/** Lives a session's life to its end, from wherever it stands. */
export const live = Effect.fnUntraced(function*(ref: Owned, chapter: Chapter, world: World) {
  const store = yield* SessionStore.SessionStore
  const { before, now } = agentsOf(world)
  const load = Effect.map(store.load(ref), Option.getOrElse((): Stored => []))

  const told = (key: string, result: AgentRunner.AgentResult) =>
    result._tag === "Completed" ? world.tell({ answered: [key, result.text] }) : Effect.void
  const run = (key: string, input: string) => AgentRunner.run(now, { ...ref, key, input })

  /** A message, with the answers to what is asked meanwhile. */
  const converse = Effect.fnUntraced(function*(key: string, input: string) {
    let result: AgentRunner.AgentResult = yield* run(key, input)
    while (result._tag === "Paused") {
      const { open } = result
      for (const { id } of Confirm.among(open)) {
        result = yield* AgentRunner.resume(now, { ...ref, answers: [Confirm.answer(id, true)] })
      }
      for (const asked of Credentials.Question.among(open)) {
        const answer = yield* Credentials.grant(ref, asked, { secret: Redacted.make("1234") })
        yield* AgentRunner.post(now, { ...ref, key: `${key}, answered`, answer })
        result = yield* AgentRunner.resume(now, { ...ref, answers: [] })
      }
    }
    yield* told(key, result)
  })
  const message = (key: Key, input: string) => ({
    isDone: (stored: Stored) => answerTo(stored, key) !== undefined,
    run: () => converse(key, input)
  })

  const parts: Readonly<Record<(typeof chapters)["whole"][number], Part>> = {
    k1: {
      isDone: (stored) => answerTo(stored, "k1") !== undefined,
      run: () =>
        AgentRunner.run(before, { ...ref, key: "k1", input: "Open.", state: [Ledger.note.to("opened")] }).pipe(
          Effect.flatMap((result) => told("k1", result))
        )
    },
    k2: message("k2", "Shop."),
    k3: message("k3", "Ask."),
    k4: message("k4", "Fetch."),
    write: {
      isDone: has((event) => event.kind === "hook" && event.hook === "write"),
      run: () => Session.write(ref, [Ledger.note.to("written")])
    },
    p5: {
      isDone: (stored) => answerTo(stored, "p5") !== undefined,
      run: () =>
        AgentRunner.post(now, { ...ref, key: "p5", input: "Also this." }).pipe(
          Effect.andThen(AgentRunner.resume(now, { ...ref, answers: [] })),
          Effect.flatMap((result) => told("p5", result))
        )
    },
    fill: {
      isDone: (stored) => stored.length >= filled,
      run: (stored) => store.append(ref, { expected: stored.length, events: () => padding(stored) })
    },
    c6: {
      isDone: has((event) => event.kind === "refused" && event.key === "c6"),
      run: () => AgentRunner.post(now, { ...ref, key: "c6", cancel: true })
    },
    k6: message("k6", `My word is ${secret}.`),
    redact: {
      isDone: (stored) => !JSON.stringify(stored).includes(secret),
      run: () => History.redact(ref, { replace: (each) => each.replaceAll(secret, "(redacted)") })
    },
    k7: message("k7", "A mistake."),
    rewind: {
      isDone: has(({ kind }) => kind === "rewound"),
      run: (stored) => History.rewind(ref, { before: invocationOf(stored, "k7") })
    },
    read: {
      isDone: () => false,
      run: () => Effect.andThen(Session.newest(ref, [Ledger]), store.list({ app: ref.app }))
    }
  }

  for (const name of chapters[chapter]) {
    const stored = yield* load
    if (!parts[name].isDone(stored)) yield* parts[name].run(stored)
  }
  const copied = yield* store.load(forkOf(ref))
  if (Option.isNone(copied)) yield* History.fork(ref, forkOf(ref))

  // the same messages again change nothing (but for the one of an older program, and the one that was rewound), and get their answers
  const whole = yield* load
  const left = new Set<Key>(["k1", "k7"])
  for (const key of keysIn(chapter).filter((each) => !left.has(each))) {
    const again = yield* run(key, "(again)")
    if (again._tag !== "Completed" || again.text !== answers[key]) return yield* Effect.die(`'${key}' got no answer`)
  }
  if ((yield* load).length !== whole.length) return yield* Effect.die("a second copy of a message was appended")
}, (effect, _ref, _chapter, world) => Effect.provide(effect, [modelOf(world), ...handlersOf(world)]))

/** What is done with the copy once it was looked at. */
export const removeFork = (ref: Owned) =>
  Effect.flatMap(SessionStore.SessionStore, (store) => store.remove(forkOf(ref)))
