import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Latch, Logger, Schema } from "effect"
import {
  Agent,
  AgentError,
  type AgentRunner,
  Interrupt,
  Middleware,
  Reducer,
  State,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import {
  answeredIn,
  bad,
  conversation,
  endsOf,
  good,
  idsOf,
  logOf,
  openOf,
  problem,
  reasonOf,
  restarted,
  statusesOf,
  textOf,
  told
} from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Env = ToolContext.make({ tenant: Schema.String })
const Notes = State.make("notes", {
  list: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() }),
  limit: State.field(Schema.Int, { initial: 10 })
})
const Scratch = State.make("scratch", {
  seen: State.field(Schema.Int, { initial: 0, scope: "temp" }),
  idle: State.field(Schema.Int, { initial: 0, scope: "temp" })
})

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Pick = Interrupt.make("pick", { question: Schema.Array(Schema.String), answer: Schema.Date })

const Note = Tool.make("note", {
  parameters: Schema.Struct({ text: Schema.String }),
  success: Schema.String,
  writes: [Notes.list]
})
const Wonder = Tool.make("wonder", {
  parameters: Schema.Struct({ about: Schema.String }),
  success: Schema.Boolean,
  asks: [Confirm]
})
const Book = Tool.make("book", { success: Schema.String, asks: [Confirm, Pick], writes: [Notes.list] })
const Pay = Tool.make("pay", {
  parameters: Schema.Struct({ amount: Schema.Int }),
  success: Schema.Int,
  approval: true
})
const Spend = Tool.make("spend", {
  parameters: Schema.Struct({ amount: Schema.Int }),
  success: Schema.Int,
  context: [Env.tenant],
  writes: [Notes.limit],
  approval: ({ amount }) =>
    Effect.gen(function*() {
      if (amount < 0) return yield* Effect.die("negative")
      const limit = yield* Notes.limit.get
      return amount > limit ? `${yield* Env.tenant} may spend ${limit}` : amount === limit
    })
})
const Remember = Tool.make("remember", { success: Schema.Int, writes: [Scratch.seen] })
const kit = Toolkit.make(Note, Wonder, Book, Pay, Spend, Remember)
const agent = Agent.make("clerk", { instructions: "Serve.", toolkit: kit })

/** Handlers that keep what they did. */
const live = (log: Array<string> = []) =>
  Toolkit.layer(kit, {
    note: ({ text }) => Effect.as(Notes.list.combine(text), text),
    wonder: ({ about }) =>
      Effect.suspend(() => {
        log.push(`wonders about ${about}`)
        return Confirm.ask(about)
      }),
    book: Effect.fnUntraced(function*() {
      yield* Notes.list.combine(`attempt after ${(yield* Notes.list.get).length}`)
      log.push("books")
      const sure = yield* Confirm.ask("Book a flight?")
      const day = yield* Pick.ask(["Monday", "Friday"])
      return `${sure} ${day.toISOString().slice(0, 10)}`
    }),
    pay: ({ amount }) =>
      Effect.sync(() => {
        log.push(`pays ${amount}`)
        return amount
      }),
    spend: ({ amount }) => Effect.succeed(amount),
    remember: () => Effect.flatMap(Scratch.seen.get, (seen) => Effect.as(Scratch.seen.set(seen + 1), seen))
  })
const supplied = Env.layer({ tenant: "acme" })
const wonder = (about: string) => ({ tool: "wonder", parameters: { about } })
const note = (text: string) => ({ tool: "note", parameters: { text } })

type Answers = ReadonlyArray<AgentRunner.Answers<typeof agent>>
const yes = (id: string) => Confirm.answer(id, true)

describe("Interrupt › ask", () => {
  it.effect("ends the attempt, pauses the run, and starts the handler again with the answer", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [calls(wonder("it")), text("Done.")])
      const paused = yield* run()
      assert.deepStrictEqual(openOf(paused), [{
        id: "i1.1.1?1",
        name: "confirm",
        question: "it",
        call: "i1.1.1",
        tool: "wonder",
        agentPath: ["clerk"]
      }])
      assert.deepStrictEqual(paused.session.open, openOf(paused))
      assert.strictEqual(requests.length, 1)

      const result = yield* resume([Confirm.answer("i1.1.1?1", false)])
      assert.strictEqual(textOf(result), "Done.")
      assert.strictEqual(result.invocation, paused.invocation)
      assert.deepStrictEqual(log, ["wonders about it", "wonders about it"])
      assert.deepStrictEqual(logOf(result.session), [
        "clerk: created",
        "clerk: input",
        "clerk: model",
        "clerk: asked i1.1.1?1",
        "clerk: ended paused",
        "clerk: answered i1.1.1?1",
        "clerk: call wonder",
        "clerk: model",
        "clerk: ended completed"
      ])
      assert.deepStrictEqual(answeredIn(requests[1]), [{ id: "call-1-1", ...good("wonder", false) }])
      assert.deepStrictEqual(result.session.open, [])
    }).pipe(Effect.provide([live(log), supplied]))
  })

  it.effect("gives the k-th question the k-th answer, and keeps nothing of the attempts before", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [call("book"), text("Done.")])
      const first = yield* run()
      assert.deepStrictEqual(idsOf(openOf(first)), ["i1.1.1?1"])
      const second = yield* resume([yes("i1.1.1?1")])
      assert.deepStrictEqual(openOf(second).map(({ id, name, question }) => [id, name, question]), [
        ["i1.1.1?2", "pick", ["Monday", "Friday"]]
      ])
      assert.deepStrictEqual(second.session.state.get(Notes.list), [])
      const result = yield* resume([Pick.answer("i1.1.1?2", new Date("2027-01-04"))])
      assert.deepStrictEqual(endsOf(result.session), [good("book", "true 2027-01-04")])
      assert.deepStrictEqual(result.session.state.get(Notes.list), ["attempt after 0"])
      assert.deepStrictEqual(log, ["books", "books", "books"])
      assert.deepStrictEqual(statusesOf(result.session), ["paused", "paused", "completed"])
    }).pipe(Effect.provide([live(log), supplied]))
  })

  it.effect("asks anew where the question is no longer the recorded one", () => {
    const About = Tool.make("about", { success: Schema.Boolean, reads: [Notes.list], asks: [Confirm] })
    const asking = Toolkit.make(About, Note, Pay)
    let about = "the first?"
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(Agent.make("asker", { instructions: "Ask.", toolkit: asking }), [
        call("about"),
        text("Done.")
      ])
      yield* run()
      about = "the second?"
      const again = yield* resume([yes("i1.1.1?1")])
      assert.deepStrictEqual(openOf(again).map(({ id, question }) => [id, question]), [["i1.1.1?1", "the second?"]])
      const result = yield* resume([Confirm.answer("i1.1.1?1", false)])
      assert.deepStrictEqual(endsOf(result.session), [good("about", false)])
    }).pipe(Effect.provide(Toolkit.layer(asking, {
      about: () => Effect.suspend(() => Confirm.ask(about)),
      note: ({ text }) => Effect.succeed(text),
      pay: ({ amount }) => Effect.succeed(amount)
    })))
  })

  it.effect("cannot be caught, and runs the finalizers of its attempt", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [calls(wonder("it"))])
      const caught = Toolkit.layer(kit, {
        note: () => Effect.succeed(""),
        wonder: ({ about }) =>
          Confirm.ask(about).pipe(
            Effect.onExit(() => Effect.sync(() => log.push("finalizer"))),
            Effect.catchCause(() => Effect.sync(() => log.push("caught") > 0))
          ),
        book: () => Effect.succeed(""),
        pay: () => Effect.succeed(0),
        spend: () => Effect.succeed(0),
        remember: () => Effect.succeed(0)
      })
      const paused = yield* Effect.provide(run(), caught)
      assert.strictEqual(paused._tag, "Paused")
      assert.deepStrictEqual(log, ["finalizer"])
      assert.deepStrictEqual(endsOf(paused.session), [])
    }).pipe(Effect.provide(supplied))
  })

  it.effect("waits until the siblings that can go on are committed, those that ended later too", () => {
    const Slow = Tool.make("slow", { success: Schema.String, writes: [Notes.limit] })
    const mixed = Toolkit.make(Wonder, Slow, Note)
    return Effect.gen(function*() {
      const asked = yield* Latch.make()
      const { requests, run } = yield* conversation(Agent.make("mixer", { instructions: "Mix.", toolkit: mixed }), [
        calls({ tool: "slow" }, wonder("it"), note("hello")),
        text("Done.")
      ])
      const paused = yield* Effect.provide(
        run(),
        Toolkit.layer(mixed, {
          slow: () => Effect.as(Effect.andThen(asked.await, Notes.limit.set(3)), "slow"),
          wonder: ({ about }) => Effect.andThen(asked.open, Confirm.ask(about)),
          note: ({ text }) => Effect.as(Notes.list.combine(text), text)
        })
      )
      assert.deepStrictEqual(idsOf(openOf(paused)), ["i1.1.2?1"])
      assert.sameDeepMembers([...endsOf(paused.session)], [good("slow", "slow"), good("note", "hello")])
      assert.strictEqual(paused.session.state.get(Notes.limit), 3)
      assert.deepStrictEqual(paused.session.state.get(Notes.list), ["hello"])
      assert.strictEqual(requests.length, 1)
    })
  })

  it.effect("holds up the calls that conflict with it, and runs them after it in call order", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [
        calls(note("before"), { tool: "book" }, note("after"), wonder("it")),
        text("Done.")
      ])
      const paused = yield* run()
      assert.deepStrictEqual(paused.session.state.get(Notes.list), ["before"])
      assert.deepStrictEqual(endsOf(paused.session), [good("note", "before")])
      assert.sameMembers([...idsOf(openOf(paused))], ["i1.1.2?1", "i1.1.4?1"])
      const booked = yield* resume([yes("i1.1.2?1"), yes("i1.1.4?1")])
      const result = yield* resume(openOf(booked).map(({ id }) => Pick.answer(id, new Date(0))))
      assert.deepStrictEqual(result.session.state.get(Notes.list), ["before", "attempt after 1", "after"])
      assert.deepStrictEqual(answeredIn(requests[1]).map(({ value }) => value), [
        "before",
        "true 1970-01-01",
        "after",
        true
      ])
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("may be raised by a hook of the call, before its handler runs", () => {
    const log: Array<string> = []
    const Guard = Middleware.make("guard", {
      hooks: [Middleware.beforeTool({ asks: [Confirm] }, ({ tool }) =>
        Effect.map(
          Confirm.ask(`May ${tool} run?`),
          (may) => may ? undefined : Middleware.refuse("the person said no")
        ))]
    })
    const guarded = Toolkit.make(Note)
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(
        Agent.make("guarded", { instructions: "Note.", toolkit: guarded, middleware: [Guard] }),
        [calls(note("one"), note("two")), text("Done.")]
      )
      const first = yield* run()
      assert.deepStrictEqual(openOf(first).map(({ id, question }) => [id, question]), [
        ["i1.1.1?1", "May note run?"]
      ])
      const second = yield* resume([yes("i1.1.1?1")])
      assert.deepStrictEqual(idsOf(openOf(second)), ["i1.1.2?1"])
      const result = yield* resume([Confirm.answer("i1.1.2?1", false)])
      assert.deepStrictEqual(endsOf(result.session), [
        good("note", "one"),
        bad("note", "Refused", "the person said no")
      ])
      assert.deepStrictEqual(log, ["one"])
    }).pipe(Effect.provide(Toolkit.layer(guarded, {
      note: ({ text }) =>
        Effect.sync(() => {
          log.push(text)
          return text
        })
    })))
  })
})

describe("AgentRunner.resume › answers", () => {
  /** Two open questions, and another one that an earlier answer closed. */
  const waiting = Effect.gen(function*() {
    const it = yield* conversation(agent, [calls({ tool: "book" }, wonder("it")), text("Done.")])
    yield* it.run()
    yield* it.resume([yes("i1.1.1?1")])
    return it
  })

  const refusals: ReadonlyArray<readonly [name: string, answers: Answers, id: string, problem: string | RegExp]> = [
    ["an unknown id", [yes("i1.1.9?1")], "i1.1.9?1", "no open question has this id"],
    ["a question that was answered", [yes("i1.1.1?1")], "i1.1.1?1", "no open question has this id"],
    ["the call's id in place of the question's", [yes("i1.1.2")], "i1.1.2", "no open question has this id"],
    [
      "an answer to another kind of question",
      [Pick.answer("i1.1.2?1", new Date(0))],
      "i1.1.2?1",
      "it answers 'pick', the question is 'confirm'"
    ],
    [
      "a value of another type",
      [Interrupt.fromJson("i1.1.2?1", "yes")],
      "i1.1.2?1",
      /^it does not fit: Expected boolean/
    ],
    [
      "a typed value that does not fit",
      [{ name: "confirm", id: "i1.1.2?1", value: "yes" } as never],
      "i1.1.2?1",
      /^it does not fit: Expected boolean/
    ],
    ["a date that is none", [Interrupt.fromJson("i1.1.1?2", "someday")], "i1.1.1?2", /^it does not fit: /],
    ["two answers to one question", [yes("i1.1.2?1"), yes("i1.1.2?1")], "i1.1.2?1", "no open question has this id"],
    [
      "all of a list with a wrong one",
      [yes("i1.1.2?1"), Interrupt.fromJson("i1.1.1?2", 7)],
      "i1.1.1?2",
      /^it does not fit: /
    ]
  ]
  for (const [name, answers, id, why] of refusals) {
    it.effect(`refuses ${name}, and changes nothing`, () =>
      Effect.gen(function*() {
        const { requests, resume, session } = yield* waiting
        const before = yield* session()
        const reason = yield* reasonOf(resume(answers))
        assert.instanceOf(reason, AgentError.AnswerRefused)
        if (reason._tag !== "AnswerRefused") return
        assert.strictEqual(reason.id, id)
        if (typeof why === "string") assert.strictEqual(reason.problem, why)
        else assert.match(reason.problem, why)
        const after = yield* session()
        assert.deepStrictEqual(after.events, before.events)
        assert.deepStrictEqual(idsOf(after.open), ["i1.1.2?1", "i1.1.1?2"])
        assert.strictEqual(requests.length, 1)
      }).pipe(Effect.provide([live(), supplied])))
  }

  it.effect("takes an answer as JSON, decoded by its question", () =>
    Effect.gen(function*() {
      const { resume } = yield* waiting
      const result = yield* resume([
        Interrupt.fromJson("i1.1.1?2", "2027-01-08T00:00:00.000Z"),
        Interrupt.fromJson("i1.1.2?1", false)
      ])
      assert.strictEqual(textOf(result), "Done.")
      assert.sameDeepMembers([...endsOf(result.session)], [good("book", "true 2027-01-08"), good("wonder", false)])
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("runs what some of the answers set free, and pauses again for the others", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [
        calls(wonder("a"), wonder("b"), wonder("c")),
        text("Done.")
      ])
      assert.deepStrictEqual(idsOf(openOf(yield* run())), ["i1.1.1?1", "i1.1.2?1", "i1.1.3?1"])
      const second = yield* resume([yes("i1.1.2?1")])
      assert.deepStrictEqual(idsOf(openOf(second)), ["i1.1.1?1", "i1.1.3?1"])
      assert.deepStrictEqual(endsOf(second.session), [good("wonder", true)])
      const third = yield* resume([])
      assert.deepStrictEqual(idsOf(openOf(third)), ["i1.1.1?1", "i1.1.3?1"])
      assert.strictEqual(requests.length, 1)
      const result = yield* resume([yes("i1.1.3?1"), Confirm.answer("i1.1.1?1", false)])
      assert.deepStrictEqual(answeredIn(requests[1]).map(({ value }) => value), [false, true, true])
      assert.strictEqual(textOf(result), "Done.")
      // what waits is not started again
      assert.deepStrictEqual(log.slice(3), ["wonders about b", "wonders about a", "wonders about c"])
    }).pipe(Effect.provide([live(log), supplied]))
  })

  it.effect("refuses a message while a question is open, lists the open ones, and changes nothing", () =>
    Effect.gen(function*() {
      const { run, session } = yield* waiting
      const before = yield* session()
      const reason = yield* reasonOf(run("Never mind."))
      assert.deepStrictEqual(reason, new AgentError.QuestionsOpen({ open: before.open }))
      assert.strictEqual(
        reason.message,
        "answer these questions first, or abandon them: confirm (i1.1.2?1), pick (i1.1.1?2)"
      )
      assert.deepStrictEqual((yield* session()).events, before.events)
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("finds no session to go on with", () =>
    Effect.gen(function*() {
      const { resume } = yield* conversation(agent, [])
      assert.deepStrictEqual(
        yield* reasonOf(resume([yes("i1.1.1?1")])),
        new AgentError.SessionMissing({ app: "app", user: "u-1", session: "s-1" })
      )
    }).pipe(Effect.provide([live(), supplied])))
})

describe("AgentRunner.abandon", () => {
  it.effect("gives each waiting call an abandoned result, and takes messages again", () =>
    Effect.gen(function*() {
      const { abandon, requests, run, session } = yield* conversation(agent, [
        calls(note("kept"), wonder("it"), { tool: "book" }, note("waits for the booking")),
        text("Good day.")
      ])
      yield* run("First.")
      yield* abandon()
      const abandoned = problem("Abandoned", "the question that this call waited for was abandoned")
      assert.deepStrictEqual((yield* session()).open, [])
      const result = yield* run("Second.")
      assert.strictEqual(textOf(result), "Good day.")
      assert.strictEqual(result.invocation, "i2")
      assert.deepStrictEqual(told(requests[1]).slice(1), [
        "user: First.",
        "assistant: note({\"text\":\"kept\"}), wonder({\"about\":\"it\"}), book({}), note({\"text\":\"waits for the booking\"})",
        `tool: note = "kept", wonder = ${JSON.stringify(abandoned)}, book = ${JSON.stringify(abandoned)}, note = ${
          JSON.stringify(abandoned)
        }`,
        "user: Second."
      ])
      assert.deepStrictEqual(result.session.state.get(Notes.list), ["kept"])
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("refuses an answer afterwards", () =>
    Effect.gen(function*() {
      const { abandon, resume, run } = yield* conversation(agent, [calls(wonder("it"))])
      yield* run()
      yield* abandon()
      const reason = yield* reasonOf(resume([yes("i1.1.1?1")]))
      assert.strictEqual(reason.message, "the answer to 'i1.1.1?1' was refused: no open question has this id")
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("closes the delegating calls above a question too", () =>
    Effect.gen(function*() {
      const child = Agent.make("child", { instructions: "Ask.", toolkit: Toolkit.make(Wonder) })
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(child)] })
      const { abandon, run, session } = yield* conversation(parent, {
        parent: [call("child", { task: "Ask." }), text("Good day.")],
        child: [calls(wonder("it"))]
      })
      yield* run()
      yield* abandon()
      const left = yield* session()
      // a sub-agent's calls before the one that delegates to it
      assert.deepStrictEqual(endsOf(left).map(({ failed, tool }) => [tool, failed]), [["wonder", true], [
        "child",
        true
      ]])
      assert.strictEqual(textOf(yield* run("Hello.")), "Good day.")
    }).pipe(Effect.provide(Toolkit.layer(Toolkit.make(Wonder), { wonder: ({ about }) => Confirm.ask(about) }))))

  it.effect("changes nothing where no question is open, and finds no session where there is none", () =>
    Effect.gen(function*() {
      const { abandon, run, session } = yield* conversation(agent, [text("Hello.")])
      assert.deepStrictEqual(
        yield* reasonOf(abandon()),
        new AgentError.SessionMissing({ app: "app", user: "u-1", session: "s-1" })
      )
      const { session: before } = yield* run()
      yield* abandon()
      assert.deepStrictEqual((yield* session()).events, before.events)
    }).pipe(Effect.provide([live(), supplied])))
})

describe("Interrupt › approval", () => {
  const pay = (amount: unknown) => ({ tool: "pay", parameters: { amount } })

  it.effect("is asked before the handler runs, with the tool, its arguments and their hash", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(pay(5), pay(6)), text("Done.")])
      const paused = yield* run()
      const [first, second] = openOf(paused).map(({ question }) => question as Record<string, unknown>)
      assert.deepStrictEqual({ ...first, hash: "" }, { tool: "pay", arguments: { amount: 5 }, hash: "" })
      assert.notStrictEqual(first?.hash, second?.hash)
      assert.deepStrictEqual(idsOf(openOf(paused)), ["i1.1.1?0", "i1.1.2?0"])
      assert.deepStrictEqual(log, [])
      const result = yield* resume([Interrupt.approve("i1.1.1?0"), Interrupt.approve("i1.1.2?0")])
      assert.strictEqual(textOf(result), "Done.")
      assert.deepStrictEqual(log.sort(), ["pays 5", "pays 6"])
    }).pipe(Effect.provide([live(log), supplied]))
  })

  it.effect("runs the call with the arguments that a person edited, and keeps the model's message", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(agent, [calls(pay(5)), text("Done.")])
      yield* run()
      const result = yield* resume([Interrupt.edit("i1.1.1?0", { amount: 4 })])
      assert.deepStrictEqual(endsOf(result.session), [good("pay", 4)])
      assert.deepStrictEqual(log, ["pays 4"])
      assert.include(told(requests[1]), "assistant: pay({\"amount\":5})")
    }).pipe(Effect.provide([live(log), supplied]))
  })

  it.effect("checks edited arguments again, and runs nothing that does not fit", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(pay(5)), text("Done.")])
      yield* run()
      const result = yield* resume([Interrupt.edit("i1.1.1?0", { amount: "much" })])
      const [end] = endsOf(result.session)
      assert.isTrue(end?.failed)
      const [tag, message] = Object.values(end?.value ?? {}) as [string, string]
      assert.strictEqual(tag, "InvalidArguments")
      assert.match(message, /^the edited arguments of 'pay' do not fit: Expected number/)
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.provide([live(log), supplied]))
  })

  it.effect("rejects a call with the reason, or with a sentence of its own", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(pay(5), pay(6)), text("Done.")])
      yield* run()
      const result = yield* resume([Interrupt.reject("i1.1.1?0", "too much"), Interrupt.reject("i1.1.2?0")])
      assert.deepStrictEqual(endsOf(result.session), [
        bad("pay", "Rejected", "too much"),
        bad("pay", "Rejected", "a person rejected this call")
      ])
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.provide([live(log), supplied]))
  })

  it.effect("is asked for no call whose arguments do not fit", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [calls(pay("five")), text("Done.")])
      const result = yield* run()
      assert.strictEqual(textOf(result), "Done.")
      assert.isTrue(endsOf(result.session)[0]?.failed)
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("is asked where its Effect says so, with its reason, by the call's context and state", () =>
    Effect.gen(function*() {
      const spend = (amount: number) => ({ tool: "spend", parameters: { amount } })
      const { resume, run } = yield* conversation(agent, [
        calls(spend(9), spend(10), spend(11), spend(-1)),
        text("Done.")
      ])
      const paused = yield* run()
      assert.deepStrictEqual(
        openOf(paused).map(({ id, question }) => [id, (question as { readonly reason?: string }).reason]),
        // one that dies asks a person
        [["i1.1.2?0", undefined], ["i1.1.3?0", "acme may spend 10"], ["i1.1.4?0", undefined]]
      )
      assert.deepStrictEqual(endsOf(paused.session), [good("spend", 9)])
      const result = yield* resume(openOf(paused).map(({ id }) => Interrupt.approve(id)))
      assert.deepStrictEqual(endsOf(result.session).map(({ value }) => value), [9, 10, 11, -1])
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("refuses a decision that is none", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [calls(pay(5)), text("Done.")])
      yield* run()
      const reason = yield* reasonOf(resume([Interrupt.fromJson("i1.1.1?0", { decision: "maybe" })]))
      assert.strictEqual(reason._tag, "AnswerRefused")
    }).pipe(Effect.provide([live(), supplied])))
})

describe("AgentRunner.resume › in sub-agents and other processes", () => {
  const Ask = Toolkit.make(Wonder, Note)
  const inner = Agent.make("inner", { instructions: "Ask.", toolkit: Ask })
  const middle = Agent.make("middle", {
    instructions: "Delegate.",
    subAgents: [SubAgent.make(inner, { returns: [Notes.list] })]
  })
  const outer = Agent.make("outer", {
    instructions: "Delegate.",
    subAgents: [SubAgent.make(middle, { returns: [Notes.list] })]
  })
  const task = { task: "Ask." }
  const script = {
    outer: [call("middle", task), text("All done.")],
    middle: [call("inner", task), text("Half done.")],
    inner: [calls(note("first"), wonder("it")), calls(note("second")), text("Asked.")]
  }
  const asking = (log: Array<string> = []) =>
    Toolkit.layer(Ask, {
      wonder: ({ about }) => Confirm.ask(about),
      note: ({ text }) =>
        Effect.suspend(() => {
          log.push(text)
          return Effect.as(Notes.list.combine(text), text)
        })
    })

  it.effect("answers a question two agents down by its id", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(outer, script)
      const paused = yield* run()
      assert.deepStrictEqual(openOf(paused), [{
        id: "i1.1.1/1.1/1.2?1",
        name: "confirm",
        question: "it",
        call: "i1.1.1/1.1/1.2",
        tool: "wonder",
        agentPath: ["outer", "middle", "inner"]
      }])
      const result = yield* resume([yes("i1.1.1/1.1/1.2?1")])
      assert.strictEqual(textOf(result), "All done.")
      assert.deepStrictEqual(requests.map(({ agent }) => agent), [
        "outer",
        "middle",
        "inner",
        "inner",
        "inner",
        "middle",
        "outer"
      ])
      assert.deepStrictEqual(result.session.state.get(Notes.list), ["first", "second"])
    }).pipe(Effect.provide(asking())))

  it.effect("goes on in another process where the first left it, and starts nothing again", () => {
    const log: Array<string> = []
    return Effect.gen(function*() {
      const before = yield* conversation(outer, script)
      const paused = yield* before.run()
      const after = yield* restarted(outer, paused.session, {
        outer: script.outer.slice(1),
        middle: script.middle.slice(1),
        inner: script.inner.slice(1)
      })
      const result = yield* after.resume([yes("i1.1.1/1.1/1.2?1")])
      assert.strictEqual(textOf(result), "All done.")
      assert.deepStrictEqual(log, ["first", "second"])
      assert.deepStrictEqual(result.session.state.get(Notes.list), ["first", "second"])
      assert.deepStrictEqual(result.usage, { steps: 7, toolCalls: 5, inputTokens: 7, outputTokens: 7 })
      // a child is spawned once
      assert.deepStrictEqual(
        result.session.events.filter(({ kind }) => kind === "input").map((event) => event.agent),
        ["outer", "outer-sub-1", "outer-sub-1-sub-1"]
      )
      assert.deepStrictEqual(told(after.requests[0]), [
        "system: Ask.",
        "user: Ask.",
        "assistant: note({\"text\":\"first\"}), wonder({\"about\":\"it\"})",
        "tool: note = \"first\", wonder = true"
      ])
    }).pipe(Effect.provide(asking(log)))
  })

  it.effect("pauses in the other process in the same way, answer by answer", () =>
    Effect.gen(function*() {
      const before = yield* conversation(agent, [calls({ tool: "book" }, wonder("it"))])
      const first = yield* before.run()
      const second = yield* restarted(agent, first.session, [])
      const paused = yield* second.resume([yes("i1.1.1?1")])
      assert.deepStrictEqual(idsOf(openOf(paused)).toSorted(), ["i1.1.1?2", "i1.1.2?1"])
      const third = yield* restarted(agent, paused.session, [text("Done.")])
      const result = yield* third.resume([yes("i1.1.2?1"), Pick.answer("i1.1.1?2", new Date(0))])
      assert.sameDeepMembers([...endsOf(result.session)], [good("book", "true 1970-01-01"), good("wonder", true)])
    }).pipe(Effect.provide([live(), supplied])))

  it.effect("lets a sibling sub-agent end before the run pauses", () =>
    Effect.gen(function*() {
      const noted = yield* Deferred.make<void>()
      const pair = Agent.make("pair", {
        instructions: "Delegate.",
        subAgents: [SubAgent.make(inner, { snapshot: "step" })]
      })
      const turn = ({ prompt }: ScriptedModel.Request) => JSON.stringify(prompt).includes("Wonder.")
      const { run } = yield* conversation(pair, {
        pair: [
          calls({ tool: "inner", parameters: { task: "Wonder." } }, { tool: "inner", parameters: { task: "Note." } })
        ],
        inner: [
          (request) => turn(request) ? calls(wonder("it")) : calls(note("noted")),
          (request) => turn(request) ? calls(wonder("it")) : calls(note("noted")),
          () => Effect.as(Deferred.succeed(noted, undefined), text("Noted."))
        ]
      })
      const paused = yield* run()
      assert.deepStrictEqual(openOf(paused).map(({ agentPath, id }) => [id, agentPath]), [
        ["i1.1.1/1.1?1", ["pair", "inner"]]
      ])
      assert.isTrue(yield* Deferred.isDone(noted))
      assert.deepStrictEqual(endsOf(paused.session), [good("note", "noted"), good("inner", "Noted.")])
    }).pipe(Effect.provide(asking())))
})

describe("AgentRunner.resume › temp fields", () => {
  it.effect("end at a pause, in the same process too, and a warning names those that held a value", () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ logLevel, message }) => {
      lines.push(`${logLevel}: ${String(message)}`)
    })])
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [
        call("remember"),
        calls({ tool: "remember" }, wonder("it")),
        call("remember"),
        text("Done.")
      ])
      const paused = yield* run()
      assert.deepStrictEqual(lines, ["Warn: the pause ends the values of these temp fields: scratch.seen"])
      const result = yield* resume(openOf(paused).map(({ id }) => yes(id)))
      assert.deepStrictEqual(endsOf(result.session).map(({ value }) => value), [0, 1, true, 0])
      // a run that ends without a pause says nothing
      assert.strictEqual(lines.length, 1)
      assert.deepStrictEqual(
        result.session.events.flatMap((event) => event.kind === "call" ? event.delta.operations : []),
        []
      )
    }).pipe(Effect.provide([live(), supplied, logger]))
  })

  it.effect("end with a run that answers", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [call("remember"), text("One."), call("remember"), text("Two.")])
      yield* run()
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session).map(({ value }) => value), [0, 0])
    }).pipe(Effect.provide([live(), supplied])))
})
