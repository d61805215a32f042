import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema } from "effect"
import type { LanguageModel } from "effect/ai"
import {
  Agent,
  AgentRunner,
  type Event,
  Interrupt,
  Middleware,
  Reducer,
  type SessionStore,
  State,
  SubAgent,
  Tool,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import {
  bad,
  conversation,
  endsOf,
  good,
  idsOf,
  logOf,
  openOf,
  reasonOf,
  restarted,
  statusesOf,
  textOf,
  told
} from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wait = Tool.make("wait", {})
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Wait, Wonder)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const live = (wait: Effect.Effect<void> = Effect.void) =>
  Toolkit.layer(kit, { wait: () => wait, wonder: () => Confirm.ask("Sure?") })
const ref = { app: "app", session: "s-1", user: "u-1" } as const
const post = (key: string, input: string) => AgentRunner.post(agent, { ...ref, key, input })

describe("a message that is posted", () => {
  it.effect("joins a run that is under way at its next step", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const { context, requests, run } = yield* conversation(agent, [call("wait"), text("Both.")])
      const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(go))
      const fiber = yield* Effect.forkChild(Effect.provide(run(), live(wait)))
      yield* Deferred.await(reached)
      yield* Effect.provideContext(post("m-1", "And this."), context)
      yield* Deferred.succeed(go, undefined)
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(textOf(result), "Both.")
      assert.deepStrictEqual(told(requests.at(-1)).slice(-2), ["tool: wait = null", "user: And this."])
      assert.deepStrictEqual(new Set(result.session.events.map(({ invocation }) => invocation)), new Set(["i1"]))
    }))

  it.effect("that comes with the last answer is answered before the run ends", () =>
    Effect.gen(function*() {
      let late: Effect.Effect<unknown> = Effect.void
      const posting = Middleware.make("posting", {
        hooks: [Middleware.afterRun({}, () => Effect.asVoid(Effect.suspend(() => late)))]
      })
      const busy = Agent.make("agent", { instructions: "", middleware: [posting] })
      const { context, run } = yield* conversation(busy, [text("First."), text("Second.")])
      // the hook after the run posts it twice, a second copy changes nothing
      late = Effect.orDie(Effect.provideContext(post("m-1", "One more."), context))
      const result = yield* run()
      assert.strictEqual(textOf(result), "Second.")
      assert.deepStrictEqual(statusesOf(result.session), ["completed"])
    }))

  it.effect("waits for the next run, and comes before its message", () =>
    Effect.gen(function*() {
      const { context, requests, run } = yield* conversation(agent, [text("Fine."), text("Again.")])
      yield* Effect.provideContext(Effect.andThen(post("m-1", "One."), post("m-2", "Two.")), context)
      yield* run("Three.")
      assert.deepStrictEqual(told(requests[0]), ["user: One.", "user: Two.", "user: Three."])
      // taken once, whoever posts it again
      yield* Effect.provideContext(post("m-1", "One."), context)
      yield* run("Four.")
      assert.deepStrictEqual(told(requests[1]), [
        "user: One.",
        "user: Two.",
        "user: Three.",
        "assistant: Fine.",
        "user: Four."
      ])
    }).pipe(Effect.provide(live())))

  it.effect("waits while a question is open", () =>
    Effect.gen(function*() {
      const { context, requests, resume, run } = yield* conversation(agent, [call("wonder"), text("Done.")])
      const paused = yield* run()
      yield* Effect.provideContext(post("m-1", "Meanwhile."), context)
      assert.strictEqual((yield* reasonOf(run()))._tag, "QuestionsOpen")
      yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(told(requests.at(-1)).slice(-2), ["tool: wonder = true", "user: Meanwhile."])
    }).pipe(Effect.provide(live())))

  it.effect("is for the root agent, also while a sub-agent works", () => {
    const child = Agent.make("child", { instructions: "", toolkit: kit })
    const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
    return Effect.gen(function*() {
      let meanwhile: Effect.Effect<void> = Effect.void
      const { context, requests, run } = yield* conversation(parent, {
        parent: [call("child", { task: "t" }), text("Done.")],
        child: [call("wait"), text("Mine.")]
      })
      meanwhile = Effect.orDie(Effect.provideContext(post("m-1", "Hurry."), context))
      yield* Effect.provide(run(), live(Effect.suspend(() => meanwhile)))
      assert.deepStrictEqual(requests.map((request) => [request.agent, told(request).at(-1)]), [
        ["parent", "user: Go."],
        ["child", "user: t"],
        ["child", "tool: wait = null"],
        ["parent", "user: Hurry."]
      ])
    })
  })
})

/** Posts, from within a run too, into the store of a conversation. */
const posting = (
  { agent: to, context }: { readonly agent: Agent.Any; readonly context: Effect.Success<typeof world> },
  what: Omit<AgentRunner.PostOptions<Agent.Any>, "session">
) => Effect.provideContext(AgentRunner.post(to, { ...ref, ...what } as AgentRunner.PostOptions<Agent.Any>), context)

const world = Effect.context<LanguageModel.LanguageModel | SessionStore.SessionStore>()

const answering = (key: string, answer: AgentRunner.Answers<typeof agent>) => ({ key, answer })
const yes = (id: string) => Confirm.answer(id, true)

/** Lets the fibers of a run get as far as they can. */
const settle = Effect.repeat(Effect.yieldNow, { times: 50 })

const refusedIn = ({ events }: { readonly events: ReadonlyArray<Event.Event> }) =>
  events.flatMap((event) => event.kind === "refused" ? [[event.key, event.question, event.problem]] : [])

/** A run that waits in a handler; gives what was posted meanwhile time to come, and lets it go on. */
const meanwhile = Effect.fnUntraced(function*() {
  const reached = yield* Deferred.make<void>()
  const go = yield* Deferred.make<void>()
  const wait = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(go))
  return { reached: Effect.andThen(Deferred.await(reached), settle), go: Deferred.succeed(go, undefined), wait }
})

describe("an answer that is posted", () => {
  it.effect("lets its call go on while a sibling still runs, and the run does not pause", () =>
    Effect.gen(function*() {
      const { go, reached, wait } = yield* meanwhile()
      const it = yield* conversation(agent, [calls({ tool: "wonder" }, { tool: "wait" }), text("Done.")])
      const fiber = yield* Effect.forkChild(Effect.provide(it.run(), live(wait)))
      yield* reached
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      yield* settle
      assert.deepStrictEqual(endsOf(yield* it.session()), [good("wonder", true)])
      yield* go
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(textOf(result), "Done.")
      assert.deepStrictEqual(statusesOf(result.session), ["completed"])
      const answered = result.session.events.find(({ kind }) => kind === "answered")
      assert.deepInclude(answered, { key: "a-1", question: "i1.1.1?1", answer: true })
    }))

  it.effect("reaches a sub-agent that paused while another works", () => {
    const child = Agent.make("child", { instructions: "", toolkit: kit })
    const parent = Agent.make("parent", { instructions: "", toolkit: kit, subAgents: [SubAgent.make(child)] })
    return Effect.gen(function*() {
      const { go, reached, wait } = yield* meanwhile()
      const it = yield* conversation(parent, {
        parent: [calls({ tool: "child", parameters: { task: "t" } }, { tool: "wait" }), text("Done.")],
        child: [call("wonder"), call("wonder"), text("Mine.")]
      })
      const fiber = yield* Effect.forkChild(Effect.provide(it.run(), live(wait)))
      yield* reached
      for (const id of ["i1.1.1/1.1?1", "i1.1.1/2.1?1"]) {
        assert.deepStrictEqual(idsOf((yield* it.session()).open), [id])
        yield* posting(it, answering(id, yes(id)))
        yield* settle
      }
      assert.deepStrictEqual(endsOf(yield* it.session()), [
        good("wonder", true),
        good("wonder", true),
        good("child", "Mine.")
      ])
      yield* go
      assert.strictEqual(textOf(yield* Fiber.join(fiber)), "Done.")
    })
  })

  it.effect("is a decision too: the call runs as edited, and what waited for it goes on", () => {
    const Notes = State.make("notes", { list: State.field(Schema.Array(Schema.Int), { initial: [] }) })
    const Add = Tool.make("add", { parameters: Schema.Struct({ n: Schema.Int }), writes: [Notes.list], approval: true })
    const Show = Tool.make("show", { success: Schema.Array(Schema.Int), reads: [Notes.list] })
    const noting = Toolkit.make(Add, Show, Wait)
    const noter = Agent.make("agent", { instructions: "", toolkit: noting })
    return Effect.gen(function*() {
      const { go, reached, wait } = yield* meanwhile()
      const it = yield* conversation(noter, [
        calls({ tool: "add", parameters: { n: 1 } }, { tool: "show" }, { tool: "wait" }),
        text("Done.")
      ])
      const handlers = Toolkit.layer(noting, {
        add: ({ n }) => Notes.list.update((list) => [...list, n]),
        show: () => Notes.list.get,
        wait: () => wait
      })
      const fiber = yield* Effect.forkChild(Effect.provide(it.run(), handlers))
      yield* reached
      yield* posting(it, { key: "a-1", answer: Interrupt.edit("i1.1.1?0", { n: 2 }) })
      yield* settle
      assert.deepStrictEqual(endsOf(yield* it.session()), [good("add", null), good("show", [2])])
      yield* go
      assert.strictEqual(textOf(yield* Fiber.join(fiber)), "Done.")
    })
  })

  it.effect("is there at the pause: the run goes on instead, with its temp fields", () => {
    const Scratch = State.make("scratch", {
      n: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "temp" })
    })
    const Up = Tool.make("up", { combines: [Scratch.n] })
    const Show = Tool.make("show", { success: Schema.Int, reads: [Scratch.n] })
    const scratching = Toolkit.make(Up, Show, Wonder)
    let post = (_: Event.Asked): Effect.Effect<unknown> => Effect.void
    const quick = Middleware.make("quick", {
      hooks: [Middleware.onEvent({}, (event) => event.kind === "asked" ? Effect.asVoid(post(event)) : Effect.void)]
    })
    const scratcher = Agent.make("agent", { instructions: "", toolkit: scratching, middleware: [quick] })
    return Effect.gen(function*() {
      const it = yield* conversation(scratcher, [call("up"), call("wonder"), call("show"), text("Done.")])
      post = ({ question: { id } }) => Effect.orDie(posting(it, answering(id, yes(id))))
      const { session } = yield* it.run()
      assert.deepStrictEqual(statusesOf(session), ["completed"])
      assert.deepStrictEqual(endsOf(session).slice(1), [good("wonder", true), good("show", 1)])
    }).pipe(Effect.provide(Toolkit.layer(scratching, {
      up: () => Scratch.n.combine(1),
      show: () => Scratch.n.get,
      wonder: () => Confirm.ask("Sure?")
    })))
  })

  it.effect("answers a hook's question as well", () => {
    let post: Effect.Effect<unknown> = Effect.void
    const asking = Middleware.make("asking", {
      hooks: [
        Middleware.beforeModel({ asks: [Confirm] }, () => Effect.asVoid(Confirm.ask("May I?"))),
        Middleware.onEvent({}, ({ kind }) => kind === "asked" ? Effect.asVoid(post) : Effect.void)
      ]
    })
    return Effect.gen(function*() {
      const it = yield* conversation(Agent.make("agent", { instructions: "", middleware: [asking] }), [text("Done.")])
      post = Effect.orDie(posting(it, answering("a-1", yes("i1.1.asking.beforeModel?1"))))
      assert.strictEqual(textOf(yield* it.run()), "Done.")
    })
  })

  it.effect("waits where nobody runs: a resume without answers goes on with it, in another process too", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [calls({ tool: "wonder" }, { tool: "wonder" }), text("Done.")])
      yield* it.run()
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      assert.deepStrictEqual((yield* it.session()).open.length, 2)
      // L9: what it sets free runs, and the run pauses again
      assert.deepStrictEqual(idsOf(openOf(yield* it.resume([]))), ["i1.1.2?1"])
      yield* posting(it, answering("a-2", yes("i1.1.2?1")))
      const result = yield* it.resume([])
      assert.deepStrictEqual([textOf(result), statusesOf(result.session)], ["Done.", ["paused", "paused", "completed"]])
    }).pipe(Effect.provide(live())))

  it.effect("is taken with the answers that a resume brings", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [calls({ tool: "wonder" }, { tool: "wonder" }), text("Done.")])
      yield* it.run()
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      yield* posting(it, answering("a-2", Confirm.answer("i1.1.2?1", false)))
      // the one that comes with the resume is there first
      const { session } = yield* it.resume([yes("i1.1.2?1")])
      assert.deepStrictEqual(endsOf(session), [good("wonder", true), good("wonder", true)])
      assert.deepStrictEqual(refusedIn(session), [["a-2", "i1.1.2?1", "no open question has this id"]])
    }).pipe(Effect.provide(live())))

  it.effect("lets a message come where it was the last one: the calls that it set free run first", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [calls({ tool: "wonder" }, { tool: "wonder" }), text("Done.")])
      yield* it.run()
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      // nothing is taken where others are still open, and only those are told
      const revision = (yield* it.session()).revision
      const refused = yield* reasonOf(it.run("Next."))
      assert.deepStrictEqual(refused._tag === "QuestionsOpen" && idsOf(refused.open), ["i1.1.2?1"])
      assert.strictEqual((yield* it.session()).revision, revision)
      yield* posting(it, answering("a-2", yes("i1.1.2?1")))
      const result = yield* it.run("Next.")
      assert.strictEqual(result.invocation, "i2")
      assert.deepStrictEqual(told(it.requests.at(-1)).slice(-2), ["tool: wonder = true, wonder = true", "user: Next."])
    }).pipe(Effect.provide(live())))

  it.effect("is refused at once where it does not fit, or nobody asks; a second copy changes nothing", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [call("wonder"), text("Done.")])
      const missing = yield* reasonOf(posting(it, answering("a-0", yes("i1.1.1?1"))))
      assert.strictEqual(missing._tag, "SessionMissing")
      yield* it.run()
      for (
        const answer of [yes("i9.1.1?1"), Interrupt.fromJson("i1.1.1?1", "perhaps"), Interrupt.approve("i1.1.1?1")]
      ) {
        assert.strictEqual((yield* reasonOf(posting(it, { key: "a-1", answer })))._tag, "AnswerRefused")
      }
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      const { session } = yield* it.resume([])
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      assert.deepStrictEqual([textOf(yield* it.resume([])), refusedIn(session)], ["Done.", []])
      assert.strictEqual((yield* reasonOf(posting(it, answering("a-2", yes("i1.1.1?1")))))._tag, "AnswerRefused")
    }).pipe(Effect.provide(live())))

  it.effect("comes second to one question: it is recorded, and breaks nothing", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [call("wonder"), text("Done.")])
      yield* it.run()
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      yield* posting(it, answering("a-2", Confirm.answer("i1.1.1?1", false)))
      const { session } = yield* it.resume([])
      assert.deepStrictEqual(endsOf(session), [good("wonder", true)])
      assert.deepStrictEqual(refusedIn(session), [["a-2", "i1.1.1?1", "no open question has this id"]])
    }).pipe(Effect.provide(live())))

  it.effect("comes after its question was abandoned: the next run says so, and goes on", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [call("wonder"), text("Done.")])
      yield* it.run()
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      yield* it.abandon()
      const result = yield* it.run("Never mind.")
      assert.deepStrictEqual([textOf(result), refusedIn(result.session).length], ["Done.", 1])
    }).pipe(Effect.provide(live())))

  describe("to a call that ended pending", () => {
    const Job = Interrupt.make("job", { question: Schema.String, answer: Schema.String })
    const Start = Tool.make("start", { success: Schema.String, asks: [Job] })
    const starting = Toolkit.make(Start, Wait)
    const starter = Agent.make("agent", { instructions: "", toolkit: starting })
    const startLive = (wait: Effect.Effect<void> = Effect.void) =>
      Toolkit.layer(starting, { start: () => Effect.as(Job.pending("j"), "started"), wait: () => wait })
    const ready = { key: "j-1", answer: Job.answer("i1.1.1?pending", "ready") }

    it.effect("joins the run that is under way between its steps", () =>
      Effect.gen(function*() {
        const { go, reached, wait } = yield* meanwhile()
        const it = yield* conversation(starter, [call("start"), call("wait"), text("Done.")])
        const fiber = yield* Effect.forkChild(Effect.provide(it.run(), startLive(wait)))
        yield* reached
        yield* posting(it, ready)
        yield* settle
        // what the model said without it is not undone while calls run
        assert.strictEqual((yield* it.session()).open.length, 1)
        yield* go
        const { session } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(told(it.requests.at(-1)), [
          "user: Go.",
          "assistant: start({})",
          "tool: start = \"ready\"",
          "assistant: wait({})",
          "tool: wait = null"
        ])
        assert.deepStrictEqual([session.open, statusesOf(session)], [[], ["completed"]])
      }))

    it.effect("that comes with the last answer has the model asked anew", () => {
      let late: Effect.Effect<unknown> = Effect.void
      const posts = Middleware.make("posts", {
        hooks: [Middleware.afterRun({}, () => Effect.asVoid(Effect.suspend(() => late)))]
      })
      const busy = Agent.make("agent", { instructions: "", toolkit: starting, middleware: [posts] })
      return Effect.gen(function*() {
        const it = yield* conversation(busy, [call("start"), text("Started."), text("Ready.")])
        late = Effect.ignore(posting(it, ready))
        assert.strictEqual(textOf(yield* it.run()), "Ready.")
        assert.deepStrictEqual(told(it.requests.at(-1)).at(-1), "tool: start = \"ready\"")
      }).pipe(Effect.provide(startLive()))
    })

    it.effect("begins an invocation where nobody runs", () =>
      Effect.gen(function*() {
        const it = yield* conversation(starter, [call("start"), text("Started."), text("Ready.")])
        yield* it.run()
        yield* posting(it, ready)
        const result = yield* it.resume([])
        assert.deepStrictEqual([textOf(result), result.invocation, result.session.open], ["Ready.", "i2", []])
      }).pipe(Effect.provide(startLive())))

    it.effect("does not hold up a pause", () => {
      const both = Toolkit.make(Start, Wonder)
      const asker = Agent.make("agent", { instructions: "", toolkit: both })
      return Effect.gen(function*() {
        const it = yield* conversation(asker, [call("start"), call("wonder"), text("Done.")])
        const paused = yield* it.run()
        yield* posting(it, ready)
        const again = yield* it.resume([])
        assert.deepStrictEqual(idsOf(openOf(again)), idsOf(openOf(paused)))
        assert.deepStrictEqual(idsOf(again.session.open), ["i1.2.1?1"])
        yield* it.resume([yes("i1.2.1?1")])
        assert.deepStrictEqual(told(it.requests.at(-1))[2], "tool: start = \"ready\"")
      }).pipe(Effect.provide(Toolkit.layer(both, {
        start: () => Effect.as(Job.pending("j"), "started"),
        wonder: () => Confirm.ask("Sure?")
      })))
    })
  })
})

describe("a message that waits", () => {
  it.effect("is gone on with by a resume without answers, which begins its invocation, and the session", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [text("One."), text("Two.")])
      assert.strictEqual((yield* reasonOf(it.resume([])))._tag, "SessionMissing")
      yield* posting(it, { key: "m-1", input: "First." })
      const first = yield* it.resume([])
      yield* posting(it, { key: "m-2", input: "Second." })
      const second = yield* it.resume([])
      assert.deepStrictEqual([textOf(first), first.invocation, textOf(second), second.invocation], [
        "One.",
        "i1",
        "Two.",
        "i2"
      ])
      assert.deepStrictEqual(told(it.requests[1]), ["user: First.", "assistant: One.", "user: Second."])
    }).pipe(Effect.provide(live())))
})

describe("a cancellation that is posted", () => {
  const over = "the run ended before this call did"
  const stop = { key: "stop-1", cancel: true } as const

  /** Something that does not end by itself, and cleans up. */
  const hanging = Effect.gen(function*() {
    const began = yield* Deferred.make<void>()
    const log: Array<string> = []
    const hang = Deferred.succeed(began, undefined).pipe(
      Effect.andThen(Effect.never),
      Effect.onInterrupt(() => Effect.sync(() => log.push("cleaned up")))
    )
    return { began: Deferred.await(began), hang, log }
  })

  it.effect("ends a running tool; its call is closed, and the session goes on", () =>
    Effect.gen(function*() {
      const ended: Array<string> = []
      const watching = Middleware.make("watching", {
        hooks: [Middleware.afterRun({}, ({ status }) => Effect.sync(() => void ended.push(status)))]
      })
      const watched = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [watching] })
      const { began, hang, log } = yield* hanging
      const it = yield* conversation(watched, [calls({ tool: "wonder" }, { tool: "wait" }), text("Done.")])
      const fiber = yield* Effect.forkChild(Effect.provide(reasonOf(it.run()), live(hang)))
      yield* began
      yield* posting(it, stop)
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "RunCancelled", key: "stop-1" })
      assert.deepStrictEqual([log, ended], [["cleaned up"], []])
      const left = yield* it.session()
      assert.deepStrictEqual(endsOf(left), [bad("wait", "Cancelled", over)])
      assert.deepInclude(left.events.at(-1), { kind: "ended", status: "cancelled", key: "stop-1" })
      // a second copy cancels nothing; the question of the sibling is as open as it was
      yield* posting(it, stop)
      const result = yield* Effect.provide(it.resume([yes("i1.1.1?1")]), live())
      assert.deepStrictEqual([textOf(result), ended], ["Done.", ["completed"]])
    }))

  it.effect("ends a model call, and one of a sub-agent", () => {
    const child = Agent.make("child", { instructions: "" })
    const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
    return Effect.gen(function*() {
      const one = yield* hanging
      const two = yield* hanging
      const it = yield* conversation(parent, {
        parent: [() => one.hang, call("child", { task: "t" }), text("Done.")],
        child: [() => two.hang]
      })
      for (const [{ began, log }, key] of [[one, "stop-1"], [two, "stop-2"]] as const) {
        const fiber = yield* Effect.forkChild(reasonOf(it.run(key)))
        yield* began
        yield* posting(it, { key, cancel: true })
        assert.deepInclude(yield* Fiber.join(fiber), { _tag: "RunCancelled", key })
        assert.deepStrictEqual(log, ["cleaned up"])
      }
      assert.deepStrictEqual(endsOf(yield* it.session()), [bad("child", "Cancelled", over)])
      assert.strictEqual(textOf(yield* it.run()), "Done.")
    })
  })

  it.effect("that comes with the last answer still ends the run as cancelled", () => {
    let late: Effect.Effect<unknown> = Effect.void
    const posts = Middleware.make("posts", {
      hooks: [Middleware.afterRun({}, () => Effect.asVoid(Effect.suspend(() => late)))]
    })
    return Effect.gen(function*() {
      const it = yield* conversation(Agent.make("agent", { instructions: "", middleware: [posts] }), [text("Done.")])
      late = Effect.orDie(posting(it, stop))
      assert.strictEqual((yield* reasonOf(it.run()))._tag, "RunCancelled")
      assert.deepStrictEqual(statusesOf(yield* it.session()), ["cancelled"])
    })
  })

  it.effect("finds no run: the next one records it, and is not cancelled", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [text("One."), call("wonder"), text("Two.")])
      yield* it.run()
      yield* posting(it, stop)
      yield* it.run("Again.")
      yield* posting(it, { key: "stop-2", cancel: true })
      const result = yield* it.resume([yes("i2.1.1?1")])
      assert.deepStrictEqual(refusedIn(result.session), [
        ["stop-1", undefined, "no run was under way"],
        ["stop-2", undefined, "no run was under way"]
      ])
      assert.deepStrictEqual(statusesOf(result.session), ["completed", "paused", "completed"])
    }).pipe(Effect.provide(live())))

  it.effect("comes after a message that waits: nobody answers that", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [text("Fine.")])
      yield* posting(it, { key: "m-1", input: "Do it." })
      yield* posting(it, stop)
      yield* posting(it, { key: "m-2", input: "Do something else." })
      assert.strictEqual((yield* reasonOf(it.resume([])))._tag, "RunCancelled")
      assert.deepStrictEqual(logOf(yield* it.session()), ["agent: created", "agent: input", "agent: ended cancelled"])
      assert.strictEqual(textOf(yield* it.resume([])), "Fine.")
      assert.deepStrictEqual(told(it.requests[0]), ["user: Do it.", "user: Do something else."])
    }).pipe(Effect.provide(live())))

  it.effect("comes after an answer that waits: the call is closed, and does not run", () =>
    Effect.gen(function*() {
      const it = yield* conversation(agent, [call("wonder"), text("Done.")])
      yield* it.run()
      yield* posting(it, answering("a-1", yes("i1.1.1?1")))
      yield* posting(it, stop)
      assert.strictEqual((yield* reasonOf(it.resume([])))._tag, "RunCancelled")
      assert.deepStrictEqual(endsOf(yield* it.session()), [bad("wonder", "Cancelled", over)])
      assert.strictEqual(textOf(yield* it.run()), "Done.")
    }).pipe(Effect.provide(live())))

  it.effect("ends what a crash cut off, and not the message that comes then", () =>
    Effect.gen(function*() {
      const first = yield* conversation(agent, [call("wait"), text("Done.")])
      const { session: { events } } = yield* first.run()
      const asked = events.findIndex(({ kind }) => kind === "model")
      for (const input of [undefined, "Next."]) {
        const it = yield* restarted(agent, { events: events.slice(0, asked + 1) }, [text("Fine.")])
        yield* posting(it, stop)
        if (input === undefined) assert.strictEqual((yield* reasonOf(it.resume([])))._tag, "RunCancelled")
        else assert.strictEqual(textOf(yield* it.run(input)), "Fine.")
        const left = yield* it.session()
        assert.deepStrictEqual(endsOf(left), [bad("wait", "Cancelled", over)])
        assert.deepStrictEqual(statusesOf(left), input === undefined ? ["cancelled"] : ["cancelled", "completed"])
      }
    }).pipe(Effect.provide(live())))
})
