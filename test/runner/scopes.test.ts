import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Latch, Option, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { Agent, AgentError, AgentRunner, Middleware, Reducer, Session, SessionStore, State, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, reasonOf, statusesOf, textOf } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Mine = State.make("mine", {
  name: State.field(Schema.String, { initial: "nobody", scope: "user" }),
  mood: State.field(Schema.String, { initial: "calm", scope: "user" }),
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" }),
  theme: State.field(Schema.String, { initial: "light", scope: "user", onConflict: "last" }),
  orders: State.record(Schema.String, Schema.Int, { scope: "user" }),
  nick: State.optional(Schema.String, { scope: "user" })
})
const All = State.make("all", { total: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "app" }) })
const Own = State.make("own", { notes: State.field(Schema.String, { initial: "" }) })

const Name = Schema.Struct({ name: Schema.String })
const make = <const N extends string>(name: N) =>
  Tool.make(name, {
    parameters: Name,
    success: Schema.String,
    writes: [Mine.name, Mine.mood, Mine.theme, Mine.orders, Mine.nick, Own.notes],
    combines: [Mine.visits, All.total]
  })
const Do = make("do")
const Again = make("again").annotate(AiTool.Idempotent, true)
const kit = Toolkit.make(Do, Again)
const agent = Agent.make("agent", { instructions: "Work.", toolkit: kit })
type Handler = Parameters<typeof Toolkit.layer<typeof kit.tools>>[1]["do"]

/** Where the first of two sessions waits for the second. */
const Pause = Context.Reference<Effect.Effect<void>>("test/Pause", { defaultValue: () => Effect.void })

/** The same handler for both tools. */
const doing = (what: Handler) => Toolkit.layer(kit, { do: what, again: what as never })
const act = (name: string, tool: "do" | "again" = "do") => call(tool, { name })

/** Two sessions of one user: the first stops in its handler, the second runs through, the first goes on. */
const race = Effect.fnUntraced(function*(options: {
  readonly first: Handler
  readonly second: Handler
  readonly tool?: "do" | "again"
  readonly user?: string
}) {
  const reached = yield* Deferred.make<void>()
  const go = yield* Latch.make()
  const attempts: Array<string> = []
  const { run } = yield* conversation(agent, [
    act("first", options.tool),
    act("second"),
    text("Second done."),
    text("First done.")
  ])
  const handlers = doing((parameters, context) => {
    attempts.push(parameters.name)
    return parameters.name === "second" ? options.second(parameters, context) : options.first(parameters, context)
  })
  const paused = Effect.andThen(Deferred.succeed(reached, undefined), go.await)
  const result = yield* Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(run("Go.", { session: "first" }))
    yield* Deferred.await(reached)
    yield* run("Go.", { session: "second", ...(options.user !== undefined && { user: options.user }) })
    yield* go.open
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(handlers), Effect.provideService(Pause, paused))
  assert.strictEqual(textOf(result), "First done.")
  return {
    attempts: attempts.filter((name) => name === "first").length,
    end: endsOf(result.session)[0],
    session: result.session
  }
})

describe("AgentRunner.run › user and app fields", () => {
  const visits: Handler = () => Effect.andThen(Mine.visits.combine(1), All.total.combine(10)).pipe(Effect.as("done"))

  it.effect("are shared by the sessions of a user, and by all users of the app", () =>
    Effect.gen(function*() {
      const turns = [1, 2, 3].flatMap(() => [act("x"), text("Done.")])
      const { run } = yield* conversation(agent, turns)
      yield* run("Go.", { session: "a", user: "ada" })
      const ada = yield* run("Go.", { session: "b", user: "ada" })
      const bob = yield* run("Go.", { session: "c", user: "bob" })
      assert.deepStrictEqual([ada.session.state.get(Mine.visits), ada.session.state.get(All.total)], [2, 20])
      assert.deepStrictEqual([bob.session.state.get(Mine.visits), bob.session.state.get(All.total)], [1, 30])
    }).pipe(Effect.provide(doing(visits))))

  it.effect("are shared within one app only", () =>
    Effect.gen(function*() {
      const turns = [1, 2].flatMap(() => [act("x"), text("Done.")])
      const { run } = yield* conversation(agent, turns)
      yield* run("Go.", { app: "one" })
      const two = yield* run("Go.", { app: "two" })
      assert.deepStrictEqual([two.session.state.get(Mine.visits), two.session.state.get(All.total)], [1, 10])
    }).pipe(Effect.provide(doing(visits))))

  it.effect("are recorded in the call's event with the versions of their rows, and not in its delta", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [act("x"), act("y"), text("Done.")])
      const { session } = yield* run()
      const ends = session.events.filter((event) => event.kind === "call")
      for (const [index, { delta, shared }] of ends.entries()) {
        const version = index + 1
        assert.deepStrictEqual(delta.operations, [{ op: "set", field: "own.notes", value: "kept" }])
        assert.deepStrictEqual(shared, {
          operations: [
            { op: "sum", field: "mine.visits", value: 1 },
            { op: "put", field: "mine.orders", key: "o", value: version }
          ],
          versions: { "mine.visits": version, "mine.orders": version }
        })
      }
      assert.strictEqual(ends.length, 2)
    }).pipe(Effect.provide(doing(Effect.fnUntraced(function*() {
      yield* Mine.visits.combine(1)
      yield* Own.notes.set("kept")
      yield* Mine.orders.put("o", Object.keys(yield* Mine.orders.get).length + 1)
      return "done"
    })))))

  it.effect("are written with a message, whatever was there before", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [text("One."), text("Two.")])
      const first = yield* run("Go.", { state: [Mine.name.to("Ada"), Own.notes.to("n")] })
      assert.strictEqual(first.session.state.get(Mine.name), "Ada")
      const second = yield* run("Go.", { state: [Mine.name.to("Eve")] })
      assert.strictEqual(second.session.state.get(Mine.name), "Eve")
      assert.deepStrictEqual(
        second.session.events.flatMap((event) => event.kind === "input" ? [event.shared?.versions] : []),
        [{ "mine.name": 1 }, { "mine.name": 2 }]
      )
    }).pipe(Effect.provide(doing(() => Effect.succeed("")))))

  it.effect("are written from outside between runs, under the lease", () =>
    Effect.gen(function*() {
      const { context, run } = yield* conversation(agent, [text("One."), act("x"), text("Two.")])
      yield* run()
      yield* Effect.provideContext(
        Session.write({ app: "app", user: "u-1", session: "s-1" }, [Mine.name.to("Ada"), Own.notes.to("n")]),
        context
      )
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("do", "Ada n")])
    }).pipe(
      Effect.provide(doing(() => Effect.map(Effect.all([Mine.name.get, Own.notes.get]), (both) => both.join(" "))))
    ))
})

describe("AgentRunner.run › two sessions of one user", () => {
  const rename: Handler = () => Effect.as(Mine.name.set("second"), "renamed")
  const conflict = (...fields: ReadonlyArray<string>) =>
    bad("do", "StateConflict", `changed meanwhile by another session: ${fields.join(", ")}`)

  it.effect("refuse a plain write over one that the call did not see, and commit nothing of the call", () =>
    Effect.gen(function*() {
      const { attempts, end, session } = yield* race({
        first: Effect.fnUntraced(function*() {
          yield* Mine.name.get
          yield* yield* Pause
          yield* Mine.name.set("first")
          yield* Mine.visits.combine(1)
          yield* Own.notes.set("lost")
          return "renamed"
        }),
        second: rename
      })
      assert.deepStrictEqual(end, conflict("mine.name"))
      assert.strictEqual(attempts, 1)
      assert.deepStrictEqual(
        [session.state.get(Mine.name), session.state.get(Mine.visits), session.state.get(Own.notes)],
        ["second", 0, ""]
      )
    }))

  const plain: ReadonlyArray<readonly [string, ReturnType<Handler>]> = [
    ["a set", Effect.as(Mine.name.set("first"), "")],
    ["an update", Effect.as(Mine.name.update((name) => `${name}!`), "")],
    ["an unset", Effect.as(Mine.name.unset, "")]
  ]
  for (const [name, write] of plain) {
    it.effect(`refuse ${name} that did not see the other's`, () =>
      Effect.gen(function*() {
        const { end } = yield* race({
          first: (parameters) =>
            Effect.andThen(write, Effect.andThen(Effect.flatten(Pause), Effect.succeed(parameters.name))),
          second: rename
        })
        assert.deepStrictEqual(end, conflict("mine.name"))
      }))
  }

  it.effect("refuse a plain write that stands on another field that changed", () =>
    Effect.gen(function*() {
      const { end } = yield* race({
        first: Effect.fnUntraced(function*() {
          yield* Mine.mood.set(`${yield* Mine.name.get} is glad`)
          yield* yield* Pause
          return ""
        }),
        second: rename
      })
      assert.deepStrictEqual(end, conflict("mine.name"))
    }))

  it.effect("let a call that only reads what changed write its own session", () =>
    Effect.gen(function*() {
      const { end, session } = yield* race({
        first: Effect.fnUntraced(function*() {
          const name = yield* Mine.name.get
          yield* yield* Pause
          yield* Own.notes.set(name)
          yield* Mine.visits.combine(1)
          return name
        }),
        second: rename
      })
      assert.deepStrictEqual(end, good("do", "nobody"))
      assert.deepStrictEqual([session.state.get(Own.notes), session.state.get(Mine.visits)], ["nobody", 1])
    }))

  it.effect("run a call again that may run twice, on what is there now", () =>
    Effect.gen(function*() {
      const { attempts, end, session } = yield* race({
        tool: "again",
        first: Effect.fnUntraced(function*() {
          const name = yield* Mine.name.get
          yield* yield* Pause
          yield* Mine.name.set(`${name} and first`)
          return name
        }),
        second: rename
      })
      assert.deepStrictEqual(end, good("again", "second"))
      assert.strictEqual(attempts, 2)
      assert.strictEqual(session.state.get(Mine.name), "second and first")
    }))

  it.effect("give up after the third attempt", () =>
    Effect.gen(function*() {
      let attempts = 0
      const { run } = yield* conversation(agent, [
        act("first", "again"),
        ...[1, 2, 3].flatMap(() => [
          act("second"),
          text("Done.")
        ]),
        text("First done.")
      ])
      const disturb = run("Go.", { session: "second" })
      const result = yield* Effect.provide(
        run("Go.", { session: "first" }),
        doing(Effect.fnUntraced(function*({ name }) {
          if (name === "second") {
            yield* Mine.name.update((old) => `${old}+`)
            return name
          }
          attempts += 1
          yield* Mine.name.get
          yield* Effect.orDie(Effect.provide(disturb, doing(() => Effect.as(Mine.name.update((old) => `${old}+`), ""))))
          yield* Mine.name.set("first")
          return name
        }))
      )
      assert.strictEqual(attempts, 3)
      assert.deepStrictEqual(
        endsOf(result.session)[0],
        bad("again", "StateConflict", "changed meanwhile by another session: mine.name")
      )
      assert.strictEqual(result.session.state.get(Mine.name), "nobody+++")
    }))

  it.effect("refuse no combine and no entry: they apply to what is there now", () =>
    Effect.gen(function*() {
      const write = (key: string) =>
        Effect.andThen(
          Mine.visits.combine(1),
          Effect.andThen(Mine.orders.put(key, 1), Mine.orders.remove(`not ${key}`))
        )
      const { end, session } = yield* race({
        first: Effect.fnUntraced(function*({ name }) {
          yield* Mine.orders.get
          yield* write(name)
          yield* yield* Pause
          return name
        }),
        second: ({ name }) => Effect.as(write(name), name)
      })
      assert.deepStrictEqual(end, good("do", "first"))
      assert.strictEqual(session.state.get(Mine.visits), 2)
      assert.deepStrictEqual(session.state.get(Mine.orders), { first: 1, second: 1 })
    }))

  it.effect("let the later write win where the field says so", () =>
    Effect.gen(function*() {
      const { end, session } = yield* race({
        first: Effect.fnUntraced(function*({ name }) {
          yield* Mine.theme.update((theme) => `${theme} ${name}`)
          yield* yield* Pause
          return name
        }),
        second: () => Effect.as(Mine.theme.set("dark"), "")
      })
      assert.deepStrictEqual(end, good("do", "first"))
      assert.strictEqual(session.state.get(Mine.theme), "light first")
    }))

  it.effect("do not conflict with another user's", () =>
    Effect.gen(function*() {
      const { end, session } = yield* race({
        user: "u-2",
        first: Effect.fnUntraced(function*({ name }) {
          yield* Mine.nick.set(name)
          yield* yield* Pause
          return name
        }),
        second: () => Effect.as(Mine.nick.set("second"), "")
      })
      assert.deepStrictEqual(end, good("do", "first"))
      assert.deepStrictEqual(session.state.get(Mine.nick), Option.some("first"))
    }))

  it.effect("run a hook again that conflicted, up to three times, and then fail the run, which may be tried again", () => {
    const conflicting = (times: number) => {
      const seen: Array<string> = []
      let left = times
      const hook = Middleware.make("hook", {
        hooks: [
          Middleware.beforeRun({ writes: [Mine.name] }, ({ session }) =>
            session === "second" ?
              Mine.name.update((name) => `${name}+`) :
              Effect.gen(function*() {
                const name = yield* Mine.name.get
                seen.push(name)
                if (left-- > 0) yield* Effect.flatten(Pause)
                yield* Mine.name.set(`${name} first`)
              }))
        ]
      })
      return { seen, hooked: Agent.make("agent", { instructions: "Work.", middleware: [hook] }) }
    }
    const attempt = Effect.fnUntraced(function*(times: number) {
      const { hooked, seen } = conflicting(times)
      const { run } = yield* conversation(hooked, [1, 2, 3, 4].map(() => text("Done.")))
      const disturb = Effect.asVoid(Effect.orDie(run("Go.", { session: "second" })))
      return {
        seen,
        exit: yield* Effect.result(Effect.provideService(run("Go.", { session: "first" }), Pause, disturb))
      }
    })
    return Effect.gen(function*() {
      const twice = yield* attempt(2)
      assert.deepStrictEqual(twice.seen, ["nobody", "nobody+", "nobody++"])
      assert.strictEqual(
        twice.exit._tag === "Success" && twice.exit.success.session.state.get(Mine.name),
        "nobody++ first"
      )
      const thrice = yield* attempt(3)
      assert.deepStrictEqual(thrice.seen, ["nobody", "nobody+", "nobody++"])
      assert.deepStrictEqual(
        thrice.exit._tag === "Failure" ? [thrice.exit.failure.reason, thrice.exit.failure.isRetryable] : [],
        [new AgentError.StateConflict({ fields: ["mine.name"] }), true]
      )
    })
  })
})

describe("AgentRunner.run › who runs", () => {
  it.effect("fails before the first model call where the user is missing, and stores nothing", () =>
    Effect.gen(function*() {
      const { context, requests } = yield* conversation(agent, [text("Done.")])
      const error = yield* Effect.flip(
        Effect.provideContext(AgentRunner.run(agent, { app: "app", session: "s-1", input: "Go." }), context)
      )
      assert.deepStrictEqual(
        error.reason,
        new AgentError.UserMissing({
          fields: ["mine.name", "mine.mood", "mine.visits", "mine.theme", "mine.orders", "mine.nick"]
        })
      )
      assert.strictEqual(requests.length, 0)
      const store = Context.get(context, SessionStore.SessionStore)
      assert.deepStrictEqual(yield* store.list({ app: "app" }), { sessions: [] })
    }).pipe(Effect.provide(doing(() => Effect.succeed("")))))

  it.effect("lets one run at a time write a session, and others run beside it", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const go = yield* Latch.make()
      const { context, requests, run } = yield* conversation(agent, [
        () => Effect.as(Effect.andThen(Deferred.succeed(reached, undefined), go.await), text("First.")),
        text("Beside."),
        text("After.")
      ])
      const fiber = yield* Effect.forkChild(run())
      yield* Deferred.await(reached)
      const busy = new AgentError.SessionBusy({ session: "s-1" })
      const second = yield* Effect.flip(run("Me too."))
      assert.deepStrictEqual(second.reason, busy)
      assert.isTrue(second.isRetryable)
      const ref = { app: "app", user: "u-1", session: "s-1" }
      assert.deepStrictEqual(
        yield* Effect.flip(Effect.provideContext(Session.write(ref, [Own.notes.to("x")]), context)),
        busy
      )
      assert.strictEqual(textOf(yield* run("Go.", { session: "s-2" })), "Beside.")
      yield* go.open
      assert.strictEqual(textOf(yield* Fiber.join(fiber)), "First.")
      assert.strictEqual(textOf(yield* run()), "After.")
      assert.strictEqual(requests.length, 3)
    }).pipe(Effect.provide(doing(() => Effect.succeed("")))))

  it.effect("gives the session back after a run that failed or was cancelled", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const { run } = yield* conversation(agent, [
        () => Effect.andThen(Deferred.succeed(reached, undefined), Effect.never),
        text("Done.")
      ])
      yield* reasonOf(run("Go.", { limits: { steps: 0 } }))
      const fiber = yield* Effect.forkChild(run())
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(fiber)
      const result = yield* run()
      assert.strictEqual(textOf(result), "Done.")
      assert.deepStrictEqual(statusesOf(result.session), ["failed", "cancelled", "completed"])
    }).pipe(Effect.provide(doing(() => Effect.succeed("")))))

  it.effect("fails when somebody else appended meanwhile, and leaves their log as it is", () =>
    Effect.gen(function*() {
      const ref = { app: "app", user: "u-1", session: "s-1" }
      const given = yield* Deferred.make<SessionStore.SessionStore["Service"]>()
      const { context, run, session } = yield* conversation(agent, [
        () =>
          Effect.gen(function*() {
            // somebody without the lease
            const store = yield* Deferred.await(given)
            const events = Option.getOrThrow(yield* store.load(ref))
            const last = events.at(-1)
            if (last === undefined) return yield* Effect.die("no events")
            yield* store.append(ref, {
              expected: events.length,
              events: () => [{ ...last, sequence: events.length, id: `s-1/${events.length}` }]
            })
            return text("Too late.")
          }).pipe(Effect.orDie)
      ])
      yield* Deferred.succeed(given, Context.get(context, SessionStore.SessionStore))
      const error = yield* Effect.flip(run())
      assert.deepStrictEqual(error.reason, new AgentError.StaleSession({ session: "s-1", expected: 2, actual: 3 }))
      assert.isTrue(error.isRetryable)
      assert.deepStrictEqual((yield* session()).events.map(({ kind }) => kind), ["created", "input", "input"])
    }).pipe(Effect.provide(doing(() => Effect.succeed("")))))
})
