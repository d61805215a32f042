/** A session that was written under a contract which the program does not have any more. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Middleware,
  type Session,
  SessionStore,
  State,
  SubAgent,
  Tool,
  Toolkit,
  Transfer
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, good, logOf, openOf, reasonOf, restarted, statusesOf, textOf } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const confirmOf = (question: Schema.Codec<any, any>) =>
  Interrupt.make("confirm", { question: question as typeof Schema.String, answer: Schema.Boolean, lifetime: "1 hour" })
const Confirm = confirmOf(Schema.String)

/** An agent whose tool asks before it erases. */
const clerkWith = (name: string, { ask = Confirm, formerly, parameters = Schema.Struct({ file: Schema.String }) }: {
  readonly ask?: typeof Confirm
  readonly formerly?: ReadonlyArray<string>
  readonly parameters?: Schema.Codec<{ readonly file: string }, any>
} = {}) => {
  const Erase = Tool.make(name, {
    parameters,
    success: Schema.String,
    asks: [ask],
    ...(formerly !== undefined && { formerly })
  })
  const kit = Toolkit.make(Erase)
  return {
    agent: Agent.make("clerk", { instructions: "Serve.", toolkit: kit as never }) as Agent.Any,
    live: Toolkit.layer(kit as never, {
      [name]: ({ file }: { readonly file: string }) =>
        Effect.map(ask.ask(file), (yes) => yes ? `erased ${file}` : "kept")
    } as never) as unknown as Layer.Layer<any>
  }
}
type Any = { readonly agent: Agent.Any; readonly live: Layer.Layer<any> }

const none = Layer.empty as Layer.Layer<any>
const plain: Any = { agent: Agent.make("clerk", { instructions: "Serve." }), live: none }

/** What a session holds after a run of an earlier program. */
const left = ({ agent, live }: Any, script: ScriptedModel.Script) =>
  Effect.gen(function*() {
    const { run } = yield* conversation(agent, script)
    return (yield* Effect.provide(run() as Effect.Effect<AgentRunner.AgentResult>, live)).session
  })

/** The session in the hands of a later program. */
const later = ({ agent, live }: Any, session: Pick<Session.Session, "events">, script: ScriptedModel.Script = []) =>
  Effect.map(restarted(agent, session, script), (all) => ({
    ...all,
    run: (input?: string) => Effect.provide(all.run(input) as Effect.Effect<AgentRunner.AgentResult, any>, live),
    resume: (answers: ReadonlyArray<Interrupt.EncodedAnswer>) =>
      Effect.provide(all.resume(answers) as Effect.Effect<AgentRunner.AgentResult, any>, live)
  }))

/** What a run and a resume find, the same for both; neither asks the model nor writes anything. */
const found = Effect.fnUntraced(function*(program: Any, session: Pick<Session.Session, "events">) {
  const { requests, resume, run, session: load } = yield* later(program, session)
  const reasons = [yield* reasonOf(run()), yield* reasonOf(resume([]))]
  assert.strictEqual((yield* load()).revision, session.events.length)
  assert.strictEqual(requests.length, 0)
  const [one, other] = reasons.map((reason) => {
    assert.strictEqual(reason._tag, "ContractMismatch")
    return reason._tag === "ContractMismatch" ? reason : undefined
  })
  assert.deepStrictEqual(one?.found, other?.found)
  assert.strictEqual(one?.session, "s-1")
  return (one?.found ?? []).map(({ at, event, kind, problem }) => `${kind} ${at} (${event}): ${problem}`)
})

/** The session goes on once what it waits for was given up. */
const goesOnAfterAbandon = Effect.fnUntraced(function*(program: Any, session: Pick<Session.Session, "events">) {
  const { abandon, run } = yield* later(program, session, [text("Fine.")])
  yield* abandon()
  assert.strictEqual(textOf(yield* run("Never mind.")), "Fine.")
})

const asked = [call("erase", { file: "a" }), text("Done.")]

describe("a session with an open question", () => {
  const first = clerkWith("erase")

  it.effect("goes on where nothing has changed", () =>
    Effect.gen(function*() {
      const { resume } = yield* later(clerkWith("erase"), yield* left(first, asked), [text("Done.")])
      const result = yield* resume([Interrupt.fromJson("i1.1.1?1", true)])
      assert.deepStrictEqual(endsOf(result.session), [good("erase", "erased a")])
    }))

  it.effect("of a tool that is gone", () =>
    Effect.gen(function*() {
      const session = yield* left(first, asked)
      assert.deepStrictEqual(yield* found(plain, session), ["call i1.1.1 (2): 'clerk' has no tool 'erase' any more"])
      assert.deepStrictEqual(yield* found(clerkWith("remove"), session), [
        "call i1.1.1 (2): 'clerk' has no tool 'erase' any more"
      ])
      yield* goesOnAfterAbandon(plain, session)
    }))

  it.effect("of a tool that is renamed goes on, where the tool says so", () =>
    Effect.gen(function*() {
      const renamed = clerkWith("remove", { formerly: ["erase"] })
      const { requests, resume } = yield* later(renamed, yield* left(first, asked), [text("Done.")])
      const result = yield* resume([Interrupt.fromJson("i1.1.1?1", true)])
      assert.deepStrictEqual(endsOf(result.session), [good("erase", "erased a")])
      assert.deepStrictEqual(requests[0]?.tools, ["remove"])
    }))

  it.effect("of an interrupt that is not asked any more", () =>
    Effect.gen(function*() {
      const session = yield* left(first, asked)
      const Other = Interrupt.make("sure", { question: Schema.String, answer: Schema.Boolean })
      const program = clerkWith("erase", { ask: Other as never })
      assert.deepStrictEqual(yield* found(program, session), [
        "question i1.1.1?1 (3): the program does not ask 'confirm' any more"
      ])
      yield* goesOnAfterAbandon(program, session)
    }))

  it.effect("of another shape, of which nothing of the value is told", () =>
    Effect.gen(function*() {
      const session = yield* left(first, [call("erase", { file: "secret" })])
      const program = clerkWith("erase", { ask: confirmOf(Schema.Struct({ file: Schema.String })) })
      const [line] = yield* found(program, session)
      assert.match(line ?? "", /^question i1\.1\.1\?1 \(3\): it does not fit the question of 'confirm' any more: /)
      assert.notInclude(line ?? "", "secret")
      yield* goesOnAfterAbandon(program, session)
    }))

  it.effect("of a call whose arguments do not fit any more", () =>
    Effect.gen(function*() {
      const session = yield* left(first, asked)
      const program = clerkWith("erase", {
        parameters: Schema.Struct({ file: Schema.String, folder: Schema.String })
      })
      const [line] = yield* found(program, session)
      assert.match(line ?? "", /^call i1\.1\.1 \(2\): its arguments do not fit 'erase' any more: /)
      yield* goesOnAfterAbandon(program, session)
    }))

  it.effect("that has expired needs nobody any more", () =>
    Effect.gen(function*() {
      const session = yield* left(first, asked)
      const Other = Interrupt.make("sure", { question: Schema.String, answer: Schema.Boolean })
      const now = yield* Clock.currentTimeMillis
      yield* TestClock.setTime(now + 3_600_000)
      const { run } = yield* later(clerkWith("erase", { ask: Other as never }), session, [text("Late.")])
      assert.strictEqual(textOf(yield* run()), "Late.")
    }))

  it.effect("of a hook whose middleware is gone", () =>
    Effect.gen(function*() {
      const guard = (name: string) =>
        Middleware.make(name, {
          hooks: [Middleware.beforeModel({ asks: [Confirm] }, () => Effect.asVoid(Confirm.ask("May I?")))]
        })
      const of = (...names: ReadonlyArray<string>): Any => ({
        agent: Agent.make("clerk", { instructions: "", middleware: names.map(guard) as never }) as never,
        live: none
      })
      const session = yield* left(of("guard"), [text("Done.")])
      assert.deepStrictEqual(
        yield* found(of("other"), session),
        [
          "question i1.1.beforeModel:guard.beforeModel?1 (2): there is no middleware any more whose hook 'guard.beforeModel' asked it"
        ].map((line) =>
          line.replace(
            "i1.1.beforeModel:guard.beforeModel?1",
            openOf({ _tag: "Paused", open: session.open } as never)[0]?.id ?? ""
          )
        )
      )
      yield* goesOnAfterAbandon(plain, session)
    }))

  it.effect("that a call left pending holds up nothing", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(Tool.make("start", { asks: [Confirm] }))
      const agent = Agent.make("clerk", { instructions: "", toolkit: kit })
      const session = yield* left({ agent, live: Toolkit.layer(kit, { start: () => Confirm.pending("Done?") }) }, [
        call("start"),
        text("Started.")
      ])
      const { run } = yield* later(plain, session, [text("Fine.")])
      assert.strictEqual(textOf(yield* run()), "Fine.")
    }))
})

describe("a session that was cut off", () => {
  const Book = Tool.make("book", { success: Schema.String })
  const booking: Any = {
    agent: Agent.make("clerk", { instructions: "Serve.", toolkit: Toolkit.make(Book) }),
    live: Toolkit.layer(Toolkit.make(Book), { book: () => Effect.succeed("booked") })
  }
  /** The log up to what the model asked for. */
  const cut = ({ events }: Pick<Session.Session, "events">) => ({
    events: events.slice(0, events.findIndex(({ kind }) => kind === "model") + 1)
  })

  it.effect("while a tool ran that is gone", () =>
    Effect.gen(function*() {
      const session = cut(yield* left(booking, [call("book"), text("Done.")]))
      assert.deepStrictEqual(yield* found(plain, session), ["call i1.1.1 (2): 'clerk' has no tool 'book' any more"])
      yield* goesOnAfterAbandon(plain, session)
    }))

  it.effect("before a call of a tool that never was got its result, which it still gets", () =>
    Effect.gen(function*() {
      const session = cut(yield* left(booking, [calls({ tool: "fly" }, { tool: "book" }), text("Done.")]))
      const { run } = yield* later(booking, session, [text("Fine.")])
      const result = yield* run()
      assert.deepStrictEqual(endsOf(result.session).map(({ value }) => (value as { readonly _tag: string })._tag), [
        "ToolNotFound",
        "OutcomeUnknown"
      ])
      assert.strictEqual(textOf(result), "Fine.")
    }))
})

describe("a session with a sub-agent that waits", () => {
  const inner = clerkWith("erase")
  const parent = (subAgents: ReadonlyArray<unknown>, name = "boss") =>
    Agent.make(name, { instructions: "Lead.", subAgents: subAgents as never }) as Agent.Any
  const first: Any = { agent: parent([SubAgent.make(inner.agent as never)]), live: inner.live }
  const script = { boss: [call("clerk", { task: "Go." })], clerk: [call("erase", { file: "a" })] }

  it.effect("which is gone, is told of once", () =>
    Effect.gen(function*() {
      const session = yield* left(first, script)
      const program: Any = { agent: parent([]), live: none }
      assert.deepStrictEqual(yield* found(program, session), ["call i1.1.1 (2): 'boss' has no tool 'clerk' any more"])
      yield* goesOnAfterAbandon(program, session)
    }))

  it.effect("whose tool is gone", () =>
    Effect.gen(function*() {
      const program: Any = { agent: parent([SubAgent.make(plain.agent as never)]), live: none }
      assert.deepStrictEqual(yield* found(program, yield* left(first, script)), [
        "call i1.1.1/1.1 (4): 'clerk' has no tool 'erase' any more"
      ])
    }))

  it.effect("goes on where its parent has another name", () =>
    Effect.gen(function*() {
      const program: Any = { agent: parent([SubAgent.make(inner.agent as never)], "chief"), live: inner.live }
      const { resume } = yield* later(program, yield* left(first, script), {
        chief: [text("All done.")],
        clerk: [text("Erased.")]
      })
      assert.strictEqual(textOf(yield* resume([Interrupt.fromJson("i1.1.1/1.1?1", true)])), "All done.")
    }))
})

describe("a conversation whose holder is gone", () => {
  const desk = (transfers: ReadonlyArray<unknown>): Agent.Any =>
    Agent.make("desk", { instructions: "Find out.", transfers: transfers as never })
  const inner = clerkWith("erase")
  const first: Any = { agent: desk([Transfer.make(inner.agent as never)]), live: inner.live }
  const handOver = call("transfer_to_agent", { agent_name: "clerk" })

  it.effect("goes on with the agent that it began with, at rest", () =>
    Effect.gen(function*() {
      const session = yield* left(first, { desk: [handOver], clerk: [text("Hello.")] })
      const { run } = yield* later({ agent: desk([]), live: none }, session, { desk: [text("It is me again.")] })
      assert.strictEqual(textOf(yield* run()), "It is me again.")
    }))

  it.effect("is refused while a call of the holder waits", () =>
    Effect.gen(function*() {
      const session = yield* left(first, { desk: [handOver], clerk: [call("erase", { file: "a" })] })
      const program: Any = { agent: desk([]), live: none }
      assert.deepStrictEqual(yield* found(program, session), [
        "call i1.2.1 (4): there is no agent 'clerk' any more, which asked for it"
      ])
      yield* goesOnAfterAbandon(program, session)
    }))
})

describe("a field whose scope has changed", () => {
  const docOf = (scope: State.Scope) => State.make("doc", { title: State.field(Schema.String, { initial: "", scope }) })
  const of = (scope: State.Scope, handler = true) => {
    const Doc = docOf(scope)
    const kit = Toolkit.make(Tool.make("name", { writes: [Doc.title] }))
    return {
      agent: Agent.make("clerk", { instructions: "", toolkit: kit }),
      live: Toolkit.layer(kit, { name: () => handler ? Doc.title.set("A") : Effect.void })
    } as Any
  }
  const script = [call("name"), text("Named.")]

  it.effect.each(
    [
      ["session", "user", "in the session"],
      ["session", "temp", "in the session"],
      ["user", "session", "for several sessions"],
      ["app", "temp", "for several sessions"]
    ] as const
  )("from %s to %s", ([before, after, kept]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* found(of(after), yield* left(of(before), script)), [
        `field doc.title (3): its scope is '${after}' now, and it was kept ${kept}`
      ])
    }))

  it.effect("matters not where nobody has written it", () =>
    Effect.gen(function*() {
      const session = yield* left(of("session", false), script)
      const { run } = yield* later(of("user"), session, [text("Fine.")])
      assert.strictEqual(textOf(yield* run()), "Fine.")
    }))
})

describe("an answer that is kept for a message which comes again", () => {
  const judge = (output: Schema.Codec<any, any>) =>
    Agent.make("judge", { instructions: "Rate.", output: output as typeof Schema.Json })
  const where = { session: "s-1", user: "u-1", app: "app", input: "Go.", key: "m-1" }

  it.effect("is refused where the agent answers otherwise now", () =>
    Effect.gen(function*() {
      const run = (agent: ReturnType<typeof judge>) =>
        Effect.provide(AgentRunner.run(agent, where), ScriptedModel.layer([text(`{ "stars": 4 }`)]))
      yield* run(judge(Schema.Struct({ stars: Schema.Int })))
      const again = yield* run(judge(Schema.Struct({ stars: Schema.Finite })))
      assert.deepStrictEqual(again._tag === "Completed" && again.output, { stars: 4 })
      const reason = yield* reasonOf(run(judge(Schema.Struct({ stars: Schema.String }))))
      assert.strictEqual(reason._tag, "ContractMismatch")
      assert.deepStrictEqual(reason._tag === "ContractMismatch" && reason.found.map(({ at, kind }) => [kind, at]), [
        ["answer", "i1"]
      ])
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})

describe("a former name of a tool", () => {
  it.effect("is understood when a model uses it, and gives way to a tool of that name", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(
        Tool.make("find", { success: Schema.String, formerly: ["search", "look"] }),
        Tool.make("look", { success: Schema.String })
      )
      const { run } = yield* conversation(Agent.make("clerk", { instructions: "", toolkit: kit }), [
        calls({ tool: "search" }, { tool: "look" }),
        text("Done.")
      ])
      const { session } = yield* Effect.provide(
        run(),
        Toolkit.layer(kit, { find: () => Effect.succeed("found"), look: () => Effect.succeed("looked") })
      )
      assert.deepStrictEqual(endsOf(session), [good("search", "found"), good("look", "looked")])
      assert.deepStrictEqual(statusesOf(session), ["completed"])
      assert.strictEqual(logOf(session).length, 7)
    }))
})
