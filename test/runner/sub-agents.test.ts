import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Option, Schema } from "effect"
import { AiError } from "effect/ai"
import {
  Agent,
  AgentError,
  Interrupt,
  Middleware,
  Reducer,
  Session,
  State,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import {
  bad,
  conversation,
  endsOf,
  good,
  logOf,
  openOf,
  reasonOf,
  restarted,
  statusesOf,
  textOf,
  told
} from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Env = ToolContext.make({ tenant: Schema.String, region: Schema.String, token: Schema.String })
const Doc = State.make("doc", {
  title: State.field(Schema.String, { initial: "untitled" }),
  words: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  lines: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() })
})
const Todo = State.make("todo", { items: State.field(Schema.Array(Schema.String), { initial: [] }) }, {
  child: "fresh"
})
const Mine = State.make("mine", {
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" }),
  total: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "app" })
})
const Scratch = State.make("scratch", {
  seen: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>(), scope: "temp" })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Name = Schema.Struct({ name: Schema.String })
const Title = Tool.make("title", { parameters: Name, success: Schema.String, writes: [Doc.title] })
const Write = Tool.make("write", { parameters: Name, combines: [Doc.words, Doc.lines] })
const Read = Tool.make("read", {
  success: Schema.Struct({ title: Schema.String, words: Schema.Int, lines: Schema.Array(Schema.String) }),
  reads: [Doc.title, Doc.words, Doc.lines]
})
const Plan = Tool.make("plan", { parameters: Name, success: Schema.Array(Schema.String), writes: [Todo.items] })
const Visit = Tool.make("visit", { success: Schema.Int, writes: [Mine.visits], combines: [Mine.total] })
const See = Tool.make("see", { parameters: Name, success: Schema.Array(Schema.String), writes: [Scratch.seen] })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })

const kit = Toolkit.make(Title, Write, Read, Plan, Visit, See, Wonder)
const live = Toolkit.layer(kit, {
  title: ({ name }) => Effect.flatMap(Doc.title.get, (before) => Effect.as(Doc.title.set(name), before)),
  write: ({ name }) => Effect.andThen(Doc.words.combine(1), Doc.lines.combine(name)),
  read: () => Effect.all({ title: Doc.title.get, words: Doc.words.get, lines: Doc.lines.get }),
  plan: ({ name }) =>
    Effect.flatMap(Todo.items.get, (items) => Effect.as(Todo.items.set([...items, name]), [...items, name])),
  visit: () => Effect.andThen(Effect.andThen(Mine.total.combine(10), Mine.visits.combine(1)), Mine.visits.get),
  see: ({ name }) => Effect.andThen(Scratch.seen.combine(name), Scratch.seen.get),
  wonder: () => Confirm.ask("Sure?")
})

const named = (tool: string, name: string) => ({ tool, parameters: { name } })
const delegate = (task = "Go.") => ({ tool: "child", parameters: { task } })
const down = ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))
/** An agent and a sub-agent with the same tools. */
const child = Agent.make("child", { instructions: "Help.", toolkit: kit })
const returning = SubAgent.make(child, { returns: [Doc.title, Doc.words, Doc.lines, Todo.items] })
const keeping = SubAgent.make(child)
const plain = Agent.make("parent", { instructions: "Delegate.", toolkit: kit, subAgents: [keeping] })
const taking = Agent.make("parent", { instructions: "Delegate.", toolkit: kit, subAgents: [returning] })

describe("SubAgent › the ToolContext", () => {
  const Show = Tool.make("show", { success: Schema.String, context: [Env.tenant] })
  const All = Tool.make("all", { success: Schema.String, context: [Env.tenant, Env.token] })
  const showing = Toolkit.make(Show)
  const alls = Toolkit.make(All)
  class Clock extends Context.Service<Clock, string>()("test/Clock") {}
  const Depth = Context.Reference<number>("test/Depth", { defaultValue: () => 0 })

  it.effect("has the same values under the same names, and nothing that the child does not name", () => {
    const inside: Array<Option.Option<string>> = []
    const surroundings: Array<unknown> = []
    const shower = Agent.make("shower", { instructions: "Show.", toolkit: showing })
    const provides = Middleware.make("provides", {
      provides: [Middleware.provide(Env.region, {}, Effect.succeed("eu"))]
    })
    const parent = Agent.make("parent", {
      instructions: "Delegate.",
      toolkit: alls,
      middleware: [provides],
      subAgents: [SubAgent.make(shower, { narrow: [Env.tenant] })]
    })
    const look = Effect.gen(function*() {
      inside.push(yield* Effect.serviceOption(Env.token), yield* Effect.serviceOption(Env.region))
      surroundings.push(Option.getOrNull(yield* Effect.serviceOption(Clock)), yield* Depth)
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(parent, {
        parent: [calls({ tool: "all" }, { tool: "shower", parameters: { task: "Show." } }), text("Done.")],
        shower: [call("show"), text("Shown.")]
      })
      const { session } = yield* run()
      assert.sameDeepMembers([...endsOf(session)], [
        good("all", "acme s3cret"),
        good("show", "acme"),
        good("shower", "Shown.")
      ])
      assert.deepStrictEqual(inside, [Option.none(), Option.none()])
      // services of the application, and references, pass
      assert.deepStrictEqual(surroundings, ["noon", 3])
    }).pipe(Effect.provide([
      Toolkit.layer(showing, { show: () => Effect.andThen(look, Env.tenant) }),
      Toolkit.layer(alls, { all: () => Effect.map(Effect.all([Env.tenant, Env.token]), (both) => both.join(" ")) }),
      ToolContext.make({ tenant: Schema.String, token: Schema.String }).layer({ tenant: "acme", token: "s3cret" }),
      Layer.succeed(Clock, "noon"),
      Layer.succeed(Depth, 3)
    ]))
  })

  it("is narrowed by a promise that breaks where the child needs more", () => {
    const hungry = Agent.make("hungry", { instructions: "Take.", toolkit: alls })
    assert.throws(
      () => SubAgent.make(hungry, { narrow: [Env.tenant] as never }),
      TypeError,
      "add these keys, the sub-agent 'hungry' requires them: token"
    )
  })

  it.effect("names a key that middleware of the parent provides, and the child requires", () => {
    const shower = Agent.make("shower", { instructions: "Show.", toolkit: showing })
    const parent = Agent.make("parent", {
      instructions: "Delegate.",
      middleware: [Middleware.make("provides", {
        provides: [Middleware.provide(Env.tenant, {}, Effect.succeed("of the middleware"))]
      })],
      subAgents: [SubAgent.make(shower)]
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(parent, {
        parent: [call("shower", { task: "Show." }), text("Done.")],
        shower: [call("show"), text("Shown.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session)[0], good("show", "of the middleware"))
    }).pipe(Effect.provide(Toolkit.layer(showing, { show: () => Env.tenant })))
  })

  it.effect("comes with no state of the parent's that the child does not declare", () => {
    const Peek = Tool.make("peek", {})
    const peeking = Toolkit.make(Peek)
    const exits: Array<Exit.Exit<unknown, unknown>> = []
    const peeker = Agent.make("peeker", { instructions: "Peek.", toolkit: peeking })
    const parent = Agent.make("parent", { instructions: "", toolkit: kit, subAgents: [SubAgent.make(peeker)] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(parent, {
        parent: [call("peeker", { task: "Peek." }), text("Done.")],
        peeker: [call("peek"), text("Peeked.")]
      })
      yield* run()
      assert.deepStrictEqual(
        exits.map((exit) => Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error).message : exit),
        ["the call 'i1.1.1/1.1' of 'peek' does not declare 'doc.title' under reads"]
      )
    }).pipe(Effect.provide([
      live,
      Toolkit.layer(peeking, {
        peek: () => Effect.map(Effect.exit(Doc.title.get as Effect.Effect<string>), (exit) => void exits.push(exit))
      })
    ]))
  })
})

describe("SubAgent › session sections", () => {
  it.effect("go down as they are at the spawn, with what earlier calls of the step wrote", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(plain, {
        parent: [calls(named("title", "new"), named("write", "a"), delegate()), text("Done.")],
        child: [call("read"), text("Read.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(
        endsOf(session).find(({ tool }) => tool === "read"),
        good("read", { title: "new", words: 1, lines: ["a"] })
      )
    }).pipe(Effect.provide(live)))

  it.effect("come back as the child's own operations, in order, and nothing that returns does not name", () =>
    Effect.gen(function*() {
      const back = SubAgent.make(child, { returns: [Doc.title, Doc.words] })
      const parent = Agent.make("parent", { instructions: "Delegate.", toolkit: kit, subAgents: [back] })
      const { run } = yield* conversation(parent, {
        parent: [calls(named("write", "a"), delegate()), text("Done.")],
        child: [calls(named("title", "one"), named("write", "b")), calls(named("title", "two")), text("Written.")]
      })
      const { session } = yield* run()
      const end = session.events.findLast((event) => event.kind === "call")
      assert.strictEqual(end?.tool, "child")
      assert.sameDeepMembers([...end?.delta.operations ?? []], [
        { op: "set", field: "doc.title", value: "one" },
        { op: "sum", field: "doc.words", value: 1 },
        { op: "set", field: "doc.title", value: "two" }
      ])
      assert.deepStrictEqual(
        [session.state.get(Doc.title), session.state.get(Doc.words), session.state.get(Doc.lines)],
        ["two", 2, ["a"]]
      )
    }).pipe(Effect.provide(live)))

  it.effect("lose nothing where two children that start from the step's state add to one field at the same time", () =>
    Effect.gen(function*() {
      const writer = Agent.make("child", { instructions: "Write.", toolkit: Toolkit.make(Write, Read) })
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        toolkit: Toolkit.make(Write, Read),
        subAgents: [SubAgent.make(writer, { returns: [Doc.words], snapshot: "step" })]
      })
      const both = { "One.": yield* Deferred.make<void>(), "Two.": yield* Deferred.make<void>() }
      /** Each goes on only when the other has begun. */
      const turn = ({ prompt }: ScriptedModel.Request) => {
        if (prompt.content.at(-1)?.role === "tool") return text("Written.")
        const [own, other] = JSON.stringify(prompt).includes("One.")
          ? ["One.", "Two."] as const
          : ["Two.", "One."] as const
        return Deferred.succeed(both[own], undefined).pipe(
          Effect.andThen(Deferred.await(both[other])),
          Effect.as(calls(named("write", own), { tool: "read" }))
        )
      }
      const { run } = yield* conversation(parent, {
        parent: [calls(named("write", "p")), calls(delegate("One."), delegate("Two.")), call("read"), text("Done.")],
        child: [turn, turn, turn, turn]
      })
      const { session } = yield* run()
      const reads = endsOf(session).filter(({ tool }) => tool === "read").map(({ value }) => value)
      assert.sameDeepMembers(reads.slice(0, 2), [
        { title: "untitled", words: 2, lines: ["p", "One."] },
        { title: "untitled", words: 2, lines: ["p", "Two."] }
      ])
      assert.deepStrictEqual(reads[2], { title: "untitled", words: 3, lines: ["p"] })
    }).pipe(Effect.provide(live)))

  it.effect("are those of the step's start for a child that says so, whatever siblings wrote", () =>
    Effect.gen(function*() {
      const looking = Agent.make("parent", {
        instructions: "Delegate.",
        toolkit: kit,
        subAgents: [SubAgent.make(child, { snapshot: "step" })]
      })
      const written = yield* Deferred.make<void>()
      const { run } = yield* conversation(looking, {
        parent: [calls(named("title", "new"), delegate()), text("Done.")],
        child: [
          () => Effect.as(Effect.andThen(Deferred.succeed(written, undefined), Effect.yieldNow), call("read")),
          text("Read.")
        ]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(
        endsOf(session).find(({ tool }) => tool === "read"),
        good("read", { title: "untitled", words: 0, lines: [] })
      )
      assert.strictEqual(session.state.get(Doc.title), "new")
    }).pipe(Effect.provide(live)))

  it.effect("start anew in a child where the section says so, and its operations come back on the parent's", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(plain, {
        parent: [calls(named("plan", "mine")), calls(delegate()), calls(named("plan", "more")), text("Done.")],
        child: [calls(named("plan", "its")), calls(named("plan", "own")), text("Planned.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session).filter(({ tool }) => tool === "plan").map(({ value }) => value), [
        ["mine"],
        ["its"],
        ["its", "own"],
        ["mine", "more"]
      ])
    }).pipe(Effect.provide(live)))

  it.effect("stay as they were when the child fails", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(taking, {
        parent: [calls(delegate()), text("Never mind.")],
        child: [calls(named("title", "lost")), down]
      })
      const { session } = yield* run()
      const [tag, message] = Object.values(endsOf(session).at(-1)?.value ?? {}) as [string, string]
      assert.strictEqual(tag, "SubAgentFailed")
      assert.match(message, /^the model of 'parent-sub-1' failed: /)
      assert.strictEqual(session.state.get(Doc.title), "untitled")
    }).pipe(Effect.provide(live)))

  it.effect("are the parent's for a later call of the step that reads what the child returns", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(taking, {
        parent: [calls(delegate(), { tool: "read" }), text("Done.")],
        child: [calls(named("title", "by the child")), text("Titled.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(
        endsOf(session).find(({ tool }) => tool === "read"),
        good("read", { title: "by the child", words: 0, lines: [] })
      )
    }).pipe(Effect.provide(live)))

  it("refuse to return what the child does not write", () => {
    const reader = Agent.make("reader", { instructions: "Read.", toolkit: Toolkit.make(Read) })
    assert.throws(
      () => SubAgent.make(reader, { returns: [Doc.title] as never }),
      TypeError,
      "'reader' does not write 'doc.title': it cannot come back"
    )
  })
})

describe("SubAgent › shared and temp fields", () => {
  it.effect("shares the user's and the app's fields at once, also when the child fails", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(plain, {
        parent: [call("visit"), calls(delegate()), call("visit"), text("Done.")],
        child: [call("visit"), down]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session).filter(({ tool }) => tool === "visit").map(({ value }) => value), [
        1,
        2,
        3
      ])
      assert.deepStrictEqual([session.state.get(Mine.visits), session.state.get(Mine.total)], [3, 30])
    }).pipe(Effect.provide(live)))

  it.effect("gives a child the temp fields as they are, and the parent its operations", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(plain, {
        parent: [calls(named("see", "p")), calls(delegate()), calls(named("see", "q")), text("Done.")],
        child: [calls(named("see", "c")), text("Seen.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session).filter(({ tool }) => tool === "see").map(({ value }) => value), [
        ["p"],
        ["p", "c"],
        ["p", "c", "q"]
      ])
      // never stored
      assert.notInclude(JSON.stringify(session.events.map((event) => "delta" in event ? event.delta : {})), "scratch")
    }).pipe(Effect.provide(live)))

  it.effect("takes the temp operations of a child that fails for nothing", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(plain, {
        parent: [calls(delegate()), calls(named("see", "q")), text("Done.")],
        child: [calls(named("see", "c")), down]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session).filter(({ tool }) => tool === "see").map(({ value }) => value), [["c"], [
        "q"
      ]])
    }).pipe(Effect.provide(live)))
})

describe("SubAgent › hooks before its call", () => {
  const before = (write: Effect.Effect<unknown, never, any>) =>
    Middleware.make("stamp", {
      hooks: [Middleware.beforeTool({ writes: [Mine.visits] }, () => write as Effect.Effect<void>)]
    })
  const delegating = (write: Effect.Effect<unknown, never, any>) =>
    Agent.make("parent", { instructions: "", middleware: [before(write)], subAgents: [SubAgent.make(child)] })

  it.effect("show it what they wrote, in an event before the one that it begins with", () =>
    Effect.gen(function*() {
      const agent = delegating(Mine.visits.set(41))
      const { run } = yield* conversation(agent, {
        parent: [calls(delegate()), text("Done.")],
        child: [call("visit"), text("Seen.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session)[0], good("visit", 42))
      assert.deepStrictEqual(session.state.get(Mine.visits), 42)
      const begins = session.events.findIndex((event) => event.kind === "input" && event.agent === "parent-sub-1")
      const before = session.events[begins - 1]
      assert.deepStrictEqual(
        before?.kind === "hook" && [before.hook, before.shared?.operations],
        ["delegate", [{ op: "set", field: "mine.visits", value: 41 }]]
      )
    }).pipe(Effect.provide(live)))

  it.effect("write once, however often it pauses", () =>
    Effect.gen(function*() {
      const agent = delegating(Mine.visits.update((visits) => visits + 1))
      const { run, resume } = yield* conversation(agent, {
        parent: [calls(delegate()), text("Done.")],
        child: [call("wonder"), call("wonder"), text("Sure.")]
      })
      const first = yield* run()
      const second = yield* resume([Confirm.answer(openOf(first)[0]?.id ?? "", true)])
      const third = yield* resume([Confirm.answer(openOf(second)[0]?.id ?? "", true)])
      assert.strictEqual(third._tag, "Completed")
      assert.strictEqual(third.session.state.get(Mine.visits), 1)
    }).pipe(Effect.provide(live)))

  it.effect("run again where another session wrote meanwhile, before anything of it is there", () =>
    Effect.gen(function*() {
      const meanwhile = yield* Deferred.make<Effect.Effect<unknown>>()
      let tries = 0
      const agent = delegating(Effect.gen(function*() {
        const visits = yield* Mine.visits.get
        if (tries++ === 0) yield* Effect.flatten(Deferred.await(meanwhile))
        yield* Mine.visits.set(visits + 1)
      }))
      const { run, context } = yield* conversation(agent, {
        parent: [text("Hello."), calls(delegate()), text("Done.")],
        child: [text("Seen.")]
      })
      yield* run("Hi.", { session: "other" })
      const write = Session.write({ app: "app", user: "u-1", session: "other" }, [Mine.visits.to(10)])
      yield* Deferred.succeed(meanwhile, Effect.orDie(Effect.provideContext(write, context)))
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("child", "Seen.")])
      assert.deepStrictEqual([session.state.get(Mine.visits), tries], [11, 2])
      assert.lengthOf(session.events.filter(({ agent }) => agent === "parent-sub-1"), 2)
    }).pipe(Effect.provide(live)))
})

describe("SubAgent › messages, events and ids", () => {
  it.effect("starts from its instructions and the task alone, and gives back its text", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(plain, {
        parent: [text("Hello."), { ...calls(delegate("Find it.")), text: "I ask." }, text("Done.")],
        child: [{ ...call("read"), text: "I read." }, text("Found it.")]
      })
      yield* run("Hi.")
      const { session } = yield* run("Where is it?")
      assert.deepStrictEqual(told(requests[2]), ["system: Help.", "user: Find it."])
      assert.deepStrictEqual(told(requests.at(-1)).slice(-2), [
        "assistant: I ask., child({\"task\":\"Find it.\"})",
        "tool: child = \"Found it.\""
      ])
      assert.notInclude(JSON.stringify(session.history), "I read.")
    }).pipe(Effect.provide(live)))

  it.effect("appends its events to the parent's log, under its own id and path", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(plain, {
        parent: [calls(delegate()), text("Done.")],
        child: [call("read"), text("Read.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(logOf(session), [
        "parent: created",
        "parent: input",
        "parent: model",
        "parent-sub-1: input",
        "parent-sub-1: model",
        "parent-sub-1: call read",
        "parent-sub-1: model",
        "parent: call child",
        "parent: model",
        "parent: ended completed"
      ])
      assert.deepStrictEqual(session.events.map(({ sequence }) => sequence), session.events.map((_, index) => index))
      assert.deepStrictEqual(
        session.events.filter((event) => event.agent !== "parent").map(({ path }) => path),
        [0, 1, 2, 3].map(() => ["parent", "child"])
      )
      assert.deepStrictEqual(
        session.events.flatMap((event) => event.kind === "input" && event.spawn !== undefined ? [event.spawn] : []),
        [{ agent: "parent", call: "i1.1.1", base: 3 }]
      )
    }).pipe(Effect.provide(live)))

  it.effect("is known by the number of the delegating call in its parent's log, over runs and processes", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const ask = Toolkit.layer(Toolkit.make(Wonder), {
        wonder: () =>
          Effect.gen(function*() {
            const { agent, agentPath, id, step, userInput } = yield* ToolCall.ToolCall
            seen.push([agent, agentPath.join(">"), id, step, userInput].join(" "))
            return yield* Confirm.ask("Sure?")
          })
      })
      const asker = Agent.make("asker", { instructions: "Ask.", toolkit: Toolkit.make(Wonder) })
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        toolkit: Toolkit.make(Read),
        subAgents: [SubAgent.make(asker)]
      })
      const before = yield* conversation(parent, {
        parent: [
          calls({ tool: "read" }, { tool: "nobody" }),
          text("Hello."),
          calls({ tool: "read" }, { tool: "asker", parameters: { task: "Ask." } })
        ],
        asker: [call("wonder")]
      })
      yield* Effect.gen(function*() {
        yield* before.run("First.")
        const paused = yield* before.run("Second.")
        const after = yield* restarted(parent, paused.session, { parent: [text("Done.")], asker: [text("Asked.")] })
        const result = yield* after.resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
        assert.strictEqual(textOf(result), "Done.")
        assert.deepStrictEqual(seen, [0, 1].map(() => "parent-sub-4 parent>asker i2.1.2/1.1 1 Ask."))
        assert.strictEqual(
          result.session.events.filter((event) => event.kind === "input" && event.agent === "parent-sub-4").length,
          1
        )
      }).pipe(
        Effect.provide([
          ask,
          Toolkit.layer(Toolkit.make(Read), {
            read: () => Effect.all({ title: Doc.title.get, words: Doc.words.get, lines: Doc.lines.get })
          })
        ])
      )
    }))
})

describe("SubAgent › bounds", () => {
  it.effect("are nested as deep as the run allows, and a deeper one is an error result", () =>
    Effect.gen(function*() {
      const c = Agent.make("c", { instructions: "C." })
      const b = Agent.make("b", { instructions: "B.", subAgents: [SubAgent.make(c)] })
      const a = Agent.make("a", { instructions: "A.", subAgents: [SubAgent.make(b)] })
      const script = {
        a: [call("b", { task: "Go." }), text("a")],
        b: [call("c", { task: "Go." }), text("b")],
        c: [text("c")]
      }
      const deep = yield* conversation(a, script)
      assert.deepStrictEqual(endsOf((yield* deep.run("Go.", { maxDepth: 2 })).session), [
        good("c", "c"),
        good("b", "b")
      ])
      const flat = yield* conversation(a, script)
      assert.deepStrictEqual(endsOf((yield* flat.run("Go.", { maxDepth: 1 })).session), [
        bad("c", "DepthReached", "sub-agents may be nested 1 deep"),
        good("b", "b")
      ])
    }))

  it.effect("are cancelled with their parent's run, their finalizers run, and nothing of theirs is committed", () => {
    const log: Array<string> = []
    const Hang = Tool.make("hang", { writes: [Doc.title] })
    const hanging = Toolkit.make(Hang)
    return Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const hanger = Agent.make("hanger", { instructions: "Hang.", toolkit: hanging })
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        subAgents: [SubAgent.make(hanger, { returns: [Doc.title] })]
      })
      const { run, session } = yield* conversation(parent, {
        parent: [call("hanger", { task: "Hang." }), text("Good day.")],
        hanger: [call("hang")]
      })
      const handlers = Toolkit.layer(hanging, {
        hang: () =>
          Doc.title.set("lost").pipe(
            Effect.andThen(Deferred.succeed(started, undefined)),
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Effect.sync(() => log.push("cleaned up")))
          )
      })
      const fiber = yield* Effect.forkChild(Effect.provide(run(), handlers))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["cleaned up"])
      const left = yield* session()
      const message = "the run ended before this call did"
      assert.sameDeepMembers([...endsOf(left)], [
        bad("hang", "Cancelled", message),
        bad("hanger", "Cancelled", message)
      ])
      assert.deepStrictEqual(statusesOf(left), ["cancelled"])
      const result = yield* Effect.provide(run("Hello."), handlers)
      assert.strictEqual(textOf(result), "Good day.")
      assert.strictEqual(result.session.state.get(Doc.title), "untitled")
    })
  })

  it.effect("fail the run, not only their call, where the session itself fails", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(plain, {
        parent: [calls(delegate())],
        child: [() => Effect.die(new Error("the model's client broke"))]
      })
      const exit = yield* Effect.exit(run())
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }).pipe(Effect.provide([live, Logger.layer([])])))

  it.effect("need the user that a field of theirs belongs to", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(plain, { parent: [text("Hello.")] })
      assert.deepStrictEqual(
        yield* reasonOf(run("Go.", { user: undefined } as never)),
        new AgentError.UserMissing({ fields: ["mine.visits"] })
      )
      assert.strictEqual(requests.length, 0)
    }).pipe(Effect.provide(live)))
})

describe("a sub-agent with parameters", () => {
  const Order = Schema.Struct({ city: Schema.String, on: Schema.Date })
  const order = { city: "Rome", on: "2026-01-02T00:00:00.000Z" }
  const Wait = Tool.make("wait", { success: Schema.Boolean, asks: [Confirm] })
  const waiting = Toolkit.layer(Toolkit.make(Wait), { wait: () => Confirm.ask("Sure?") })
  const Guide = Agent.make("guide", { instructions: "", toolkit: Toolkit.make(Wait) })

  it.effect("is called as a tool of that shape, and told them in words, or as JSON", () =>
    Effect.gen(function*() {
      const Words = SubAgent.make(Guide, {
        parameters: Order,
        task: ({ city, on }) => `${city} in ${on.getUTCFullYear()}`
      })
      const Boss = Agent.make("boss", { instructions: "", subAgents: [Words] })
      const talk = yield* conversation(Boss, {
        boss: [call("guide", { city: "Rome" }), call("guide", order), text("done")],
        guide: [text("Go by train.")]
      })
      const { session } = yield* talk.run()
      assert.deepStrictEqual(endsOf(session).map(({ failed }) => failed), [true, false])
      assert.include(told(talk.requests.find(({ agent }) => agent === "guide")), "user: Rome in 2026")
      const Plain = Agent.make("boss", { instructions: "", subAgents: [SubAgent.make(Guide, { parameters: Order })] })
      const plain = yield* conversation(Plain, { boss: [call("guide", order), text("done")], guide: [text("Go.")] })
      yield* plain.run()
      assert.include(told(plain.requests.find(({ agent }) => agent === "guide")), `user: ${JSON.stringify(order)}`)
    }).pipe(Effect.provide(waiting)))

  it.effect("keeps what a hook made of them over a pause", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const Editing = Middleware.make("editing", {
        hooks: [
          Middleware.beforeTool({}, ({ parameters }) =>
            Effect.succeed(Middleware.edit({ ...parameters as typeof Order.Type, city: "Oslo" }))),
          Middleware.afterTool({}, ({ parameters }) =>
            Effect.sync(() => void seen.push(parameters)))
        ]
      })
      const Boss = Agent.make("boss", {
        instructions: "",
        middleware: [Editing],
        subAgents: [SubAgent.make(Guide, { parameters: Order })]
      })
      const talk = yield* conversation(Boss, { boss: [call("guide", order)], guide: [call("wait")] })
      const paused = yield* talk.run()
      const later = yield* restarted(Boss, paused.session, { boss: [text("done")], guide: [text("Go.")] })
      yield* later.resume([Confirm.answer(openOf(paused)[0]?.id ?? "", true)])
      assert.deepStrictEqual(seen, [{ city: "Oslo", on: new Date(order.on) }])
    }).pipe(Effect.provide(waiting)))

  it.effect("words that cannot be found are an error result of the call", () =>
    Effect.gen(function*() {
      const Odd = SubAgent.make(Guide, {
        parameters: Order,
        task: () => {
          throw new Error("no words")
        }
      })
      const Boss = Agent.make("boss", { instructions: "", subAgents: [Odd] })
      const talk = yield* conversation(Boss, { boss: [call("guide", order), text("sorry")] })
      const done = yield* talk.run()
      assert.strictEqual(textOf(done), "sorry")
      assert.deepStrictEqual(endsOf(done.session).map(({ failed }) => failed), [true])
    }).pipe(Effect.provide([waiting, Logger.layer([])])))
})

describe("SubAgent › what hooks before its call ask of the loop", () => {
  it.effect("stands in an event when the sub-agent starts, and holds over a pause", () =>
    Effect.gen(function*() {
      const Wait = Tool.make("wait", { success: Schema.Boolean, asks: [Confirm] })
      const waiting = Toolkit.layer(Toolkit.make(Wait), { wait: () => Confirm.ask("Sure?") })
      const Ending = Middleware.make("ending", {
        hooks: [
          Middleware.beforeTool({}, () =>
            Effect.asVoid(Effect.flatMap(ToolCall.ToolCall, ({ actions }) => actions.skipSummarization)))
        ]
      })
      const Child = Agent.make("child", { instructions: "", toolkit: Toolkit.make(Wait) })
      const Boss = Agent.make("boss", { instructions: "", middleware: [Ending], subAgents: [SubAgent.make(Child)] })
      const talk = yield* conversation(Boss, { boss: [call("child", { task: "go" })], child: [call("wait")] })
      const paused = yield* talk.run().pipe(Effect.provide(waiting))
      const [hook] = paused.session.events.flatMap((event) =>
        event.kind === "hook" ? [event.actions] : []
      )
      assert.deepStrictEqual(hook, { skipSummarization: true })
      const later = yield* restarted(Boss, paused.session, { boss: [text("never")], child: [text("shown")] })
      const done = yield* later.resume([Confirm.answer(openOf(paused)[0]?.id ?? "", true)]).pipe(
        Effect.provide(waiting)
      )
      assert.strictEqual(textOf(done), "shown")
    }))
})
