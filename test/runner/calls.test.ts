import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Latch, Logger, Schema } from "effect"
import { Prompt } from "effect/ai"
import { TestClock } from "effect/testing"
import { Agent, Middleware, State, StateDelta, Tool, ToolCall, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { answeredIn, bad, conversation, endsOf, good, textOf, told } from "./fixtures.ts"

const { call, calls, text } = ScriptedModel

const Notes = State.make("notes", {
  count: State.field(Schema.Int, { initial: 0 }),
  texts: State.record(Schema.NonEmptyString, Schema.NonEmptyString)
})

class OutOfStock extends Schema.TaggedError<OutOfStock>()("OutOfStock", { since: Schema.Date, left: Schema.Int }) {}

/** Writes, and then does what a test wants. */
const Do = Tool.make("do", {
  parameters: Schema.Struct({ what: Schema.String }),
  success: Schema.String,
  failure: OutOfStock,
  writes: [Notes.count, Notes.texts],
  timeout: "1 second"
})
const Find = Tool.make("find", {
  parameters: Schema.Struct({ query: Schema.String, page: Schema.Int, exact: Schema.Boolean }),
  success: Schema.String
})
const kit = Toolkit.make(Do, Find)
const agent = Agent.make("clerk", { instructions: "Do.", toolkit: kit })

type Handler = Parameters<typeof Toolkit.layer<typeof kit.tools>>[1]["do"]

/** What the tool does after it wrote. */
const doing = (what: Handler) =>
  Toolkit.layer(kit, {
    do: (parameters, context) => Effect.andThen(Notes.count.set(1), what(parameters, context)),
    find: ({ query }) => Effect.succeed(query)
  })

/** One call that does something; its result, its delta, and whether the run went on. */
const once = Effect.fnUntraced(function*(what: Handler) {
  const { run } = yield* conversation(agent, [call("do", { what: "it" }), text("Done.")])
  const result = yield* Effect.provide(run(), doing(what))
  assert.strictEqual(textOf(result), "Done.")
  const end = result.session.events.find((event) => event.kind === "call")
  return { end: endsOf(result.session)[0], delta: end?.delta, count: result.session.state.get(Notes.count) }
})

/** Collects what is logged. */
const collecting = () => {
  const lines: Array<string> = []
  return {
    lines,
    layer: Logger.layer([Logger.make(({ logLevel, message }) => {
      lines.push(`${logLevel}: ${String(message)}`)
    })])
  }
}

describe("AgentRunner.run › calls that cannot run", () => {
  it.effect("answers an unknown tool with the names of those there are, and runs its siblings", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(agent, [
        calls({ tool: "serch" }, { tool: "find", parameters: { query: "q", page: 1, exact: true } }),
        text("Done.")
      ])
      yield* run()
      const message = "there is no tool 'serch'; there are: do, find"
      assert.deepStrictEqual(answeredIn(requests[1]), [
        { id: "call-1-1", ...bad("serch", "ToolNotFound", message) },
        { id: "call-1-2", ...good("find", "q") }
      ])
    }).pipe(Effect.provide(doing(() => Effect.succeed("done")))))

  it.effect("names every argument that does not fit, and runs nothing of that call", () => {
    const ran: Array<string> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [
        calls(
          { tool: "find", parameters: { query: 1, page: 1.5 } },
          { tool: "do", parameters: { what: "it" } }
        ),
        text("Done.")
      ])
      const [first, second] = endsOf((yield* run()).session)
      assert.deepStrictEqual(second, good("do", "it"))
      assert.isTrue(first?.failed)
      const [tag, message] = Object.values(first?.value ?? {}) as [string, string]
      assert.strictEqual(tag, "InvalidArguments")
      assert.strictEqual(message.split("\n")[0], "the arguments of 'find' do not fit: Expected string")
      for (const name of ["query", "page", "exact"]) assert.include(message, `["${name}"]`)
      assert.deepStrictEqual(ran, ["it"])
    }).pipe(Effect.provide(doing(({ what }) =>
      Effect.sync(() => {
        ran.push(what)
        return what
      })
    )))
  })

  for (const finish of ["length", "content-filter", "error"] as const) {
    it.effect(`runs no call of an answer that ended early (${finish})`, () =>
      Effect.gen(function*() {
        const { run } = yield* conversation(agent, [
          { ...call("do", { what: "it" }), finish },
          text("Done.")
        ])
        const result = yield* run()
        assert.deepStrictEqual(endsOf(result.session), [
          bad("do", "NotRun", `the model's answer ended early (${finish}): the call was not run`)
        ])
      }).pipe(Effect.provide(doing(() => Effect.die("not reached")))))
  }

  it.effect("runs calls although the model says that it stopped", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, [
        { ...call("do", { what: "it" }), finish: "stop" },
        text("Done.")
      ])
      assert.deepStrictEqual(endsOf((yield* run()).session), [good("do", "it")])
    }).pipe(Effect.provide(doing(({ what }) => Effect.succeed(what)))))
})

describe("AgentRunner.run › calls that fail", () => {
  it.effect("gives a typed failure as its schema encodes it, and commits nothing", () =>
    Effect.gen(function*() {
      const failed = yield* once(() => Effect.fail(new OutOfStock({ since: new Date(0), left: 2 })))
      assert.deepStrictEqual(failed, {
        end: { tool: "do", failed: true, value: { _tag: "OutOfStock", since: "1970-01-01T00:00:00.000Z", left: 2 } },
        delta: StateDelta.empty,
        count: 0
      })
    }))

  it.effect("gives of a defect its kind alone, and logs kind and place, never the message", () => {
    const { layer, lines } = collecting()
    return Effect.gen(function*() {
      const died = yield* once(() => Effect.die(new RangeError("secret-4711")))
      assert.deepStrictEqual(died, {
        end: bad("do", "ToolDied", "the tool 'do' failed unexpectedly"),
        delta: StateDelta.empty,
        count: 0
      })
      assert.strictEqual(lines.length, 1)
      assert.match(lines[0] ?? "", /^Error: the tool 'do' died: RangeError at .*calls\.test\.ts:\d+:\d+/)
      assert.notInclude(lines.join(), "secret-4711")
    }).pipe(Effect.provide(layer))
  })

  it.effect("names no more than the type of a defect that is no error", () => {
    const { layer, lines } = collecting()
    return Effect.gen(function*() {
      yield* once(() => Effect.die("secret-4711"))
      assert.deepStrictEqual(lines, ["Error: the tool 'do' died: a string, not an Error"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes a handler that throws for a defect", () =>
    Effect.gen(function*() {
      const died = yield* once(() => {
        throw new Error("thrown")
      })
      assert.deepStrictEqual(died.end, bad("do", "ToolDied", "the tool 'do' failed unexpectedly"))
    }).pipe(Effect.provide(Logger.layer([]))))

  it.effect("ends a call that takes too long, from its handler's start, with its finalizers, and commits nothing", () =>
    Effect.gen(function*() {
      const cleaned = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        once(() => Effect.onInterrupt(Effect.never, () => Deferred.succeed(cleaned, undefined)))
      )
      yield* TestClock.adjust(999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        end: bad("do", "TimedOut", "the tool 'do' took longer than it may"),
        delta: StateDelta.empty,
        count: 0
      })
      assert.isTrue(yield* Deferred.isDone(cleaned))
    }))

  it.effect("takes a handler that interrupts itself for a cancelled call, and goes on", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* once(() => Effect.interrupt), {
        end: bad("do", "Cancelled", "the tool 'do' was cancelled"),
        delta: StateDelta.empty,
        count: 0
      })
    }))

  it.effect("fails a call that writes what breaks a refinement, and says where but not what", () =>
    Effect.gen(function*() {
      const number = yield* once(() => Effect.as(Notes.count.set(1.5), "set"))
      assert.deepStrictEqual(number, {
        end: bad("do", "InvalidStateWrite", "the value written to 'notes.count' does not fit: Expected an integer"),
        delta: StateDelta.empty,
        count: 0
      })
      const entry = yield* once(() => Effect.as(Notes.texts.put("a", ""), "put"))
      assert.deepStrictEqual(
        entry.end,
        bad(
          "do",
          "InvalidStateWrite",
          "the value written to 'notes.texts.a' does not fit: Expected a value with a length of at least 1"
        )
      )
      const key = yield* once(() => Effect.as(Notes.texts.put("", "a"), "put"))
      assert.strictEqual(key.end?.failed, true)
    }))

  it.effect("gives no result that does not fit its schema", () =>
    Effect.gen(function*() {
      const result = yield* once(() => Effect.succeed(1 as never))
      assert.deepStrictEqual(result.end, bad("do", "InvalidResult", "the tool 'do' gave an invalid result"))
      assert.strictEqual(result.count, 0)
    }))
})

describe("AgentRunner.run › results", () => {
  const Wait = Tool.make("wait", { parameters: Schema.Struct({ n: Schema.Int }), success: Schema.Int })
  const waiting = Toolkit.make(Wait)
  const waiter = Agent.make("waiter", { instructions: "Wait.", toolkit: waiting })

  it.effect("go to the model in call order, and into the log as they come", () =>
    Effect.gen(function*() {
      const latches = [1, 2, 3].map(() => Latch.makeUnsafe())
      const { requests, run } = yield* conversation(waiter, [
        calls(...[0, 1, 2].map((n) => ({ tool: "wait", parameters: { n } }))),
        text("Done.")
      ])
      const layer = Toolkit.layer(waiting, {
        // the last one ends first
        wait: Effect.fnUntraced(function*({ n }) {
          const next = latches[n + 1]
          if (next !== undefined) yield* next.await
          yield* (latches[n] as Latch.Latch).open
          yield* Effect.yieldNow
          return n
        })
      })
      const { session } = yield* Effect.provide(run(), layer)
      assert.deepStrictEqual(endsOf(session).map(({ value }) => value), [2, 1, 0])
      assert.deepStrictEqual(answeredIn(requests[1]).map(({ value }) => value), [0, 1, 2])
      assert.deepStrictEqual(
        session.events.flatMap((event) => event.kind === "call" ? [event.call] : []),
        ["i1.1.3", "i1.1.2", "i1.1.1"]
      )
    }))

  it.effect("go back under the provider's ids as they came, repeated and empty ones too", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(waiter, [
        calls(
          { tool: "wait", parameters: { n: 1 }, id: "same" },
          { tool: "wait", parameters: { n: 2 }, id: "same" },
          { tool: "wait", parameters: { n: 3 }, id: "" }
        ),
        calls({ tool: "wait", parameters: { n: 4 }, id: "same" }),
        text("Done.")
      ])
      const { session } = yield* run()
      assert.deepStrictEqual(answeredIn(requests[1]).map(({ id, value }) => [id, value]), [
        ["same", 1],
        ["same", 2],
        ["", 3]
      ])
      assert.deepStrictEqual(answeredIn(requests[2]).map(({ id, value }) => [id, value]), [["same", 4]])
      assert.deepStrictEqual(
        session.events.flatMap((event) =>
          event.kind === "model" ? event.calls.map(({ id, providerId }) => [id, providerId]) : []
        ),
        [["i1.1.1", "same"], ["i1.1.2", "same"], ["i1.1.3", ""], ["i1.2.1", "same"]]
      )
    }).pipe(Effect.provide(Toolkit.layer(waiting, { wait: ({ n }) => Effect.succeed(n) }))))

  it.effect("show the model what the tool makes of them, and keep the value", () => {
    const Draw = Tool.make("draw", {
      success: Schema.Struct({ width: Schema.Int }),
      toModelOutput: ({ width }) => [Prompt.textPart({ text: `${width} wide` })]
    })
    const drawing = Toolkit.make(Draw)
    return Effect.gen(function*() {
      const { requests, run } = yield* conversation(
        Agent.make("drawer", { instructions: "Draw.", toolkit: drawing }),
        [call("draw"), text("Done.")]
      )
      const { session } = yield* run()
      assert.deepStrictEqual(endsOf(session), [good("draw", { width: 3 })])
      const [part] = requests[1]?.prompt.content.at(-1)?.content ?? []
      assert.deepStrictEqual(
        typeof part === "object" && part.type === "tool-result" ? part.modelOutput : undefined,
        [Prompt.textPart({ text: "3 wide" })]
      )
    }).pipe(Effect.provide(Toolkit.layer(drawing, { draw: () => Effect.succeed({ width: 3 }) })))
  })
})

describe("ToolCall", () => {
  const End = Tool.make("end", { parameters: Schema.Struct({ fail: Schema.Boolean }), success: Schema.String })
  const Skip = Tool.make("skip", { success: Schema.Struct({ n: Schema.Int }) })
  const Tell = Tool.make("tell", { success: Schema.String })
  const acting = Toolkit.make(End, Skip, Tell)
  const actor = Agent.make("actor", { instructions: "Act.", toolkit: acting })
  const live = Toolkit.layer(acting, {
    end: Effect.fnUntraced(function*({ fail }) {
      yield* (yield* ToolCall.ToolCall).actions.end
      return fail ? yield* Effect.die("failed") : "ended"
    }),
    skip: () =>
      Effect.gen(function*() {
        yield* (yield* ToolCall.ToolCall).actions.skipSummarization
        return { n: 1 }
      }),
    tell: () => Effect.succeed("told")
  })

  it.effect("ends the invocation after the whole step, with what the model said last", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(actor, [
        { ...calls({ tool: "end", parameters: { fail: false } }, { tool: "tell" }), text: "Good bye." }
      ])
      const result = yield* run()
      assert.strictEqual(textOf(result), "Good bye.")
      assert.strictEqual(requests.length, 1)
      assert.deepStrictEqual(endsOf(result.session), [good("end", "ended"), good("tell", "told")])
      assert.strictEqual(result.session.history.at(-1)?.role, "tool")
    }).pipe(Effect.provide(live)))

  it.effect("makes its result the answer, as JSON where it is no text", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(actor, [calls({ tool: "tell" }, { tool: "skip" })])
      assert.strictEqual(textOf(yield* run()), "{\"n\":1}")
      assert.strictEqual(requests.length, 1)
    }).pipe(Effect.provide(live)))

  it.effect("drops the actions of a call that fails", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(actor, [call("end", { fail: true }), text("Still here.")])
      const result = yield* run()
      assert.strictEqual(textOf(result), "Still here.")
      assert.deepStrictEqual(
        result.session.events.flatMap((event) => event.kind === "call" ? [event.actions] : []),
        [{}]
      )
    }).pipe(Effect.provide([live, Logger.layer([])])))

  it.effect("goes on with the next message after an invocation that a call ended", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(actor, [call("skip"), text("Hello.")])
      yield* run("First.")
      assert.strictEqual(textOf(yield* run("Second.")), "Hello.")
      assert.deepStrictEqual(told(requests[1]).slice(1), [
        "user: First.",
        "assistant: skip({})",
        "tool: skip = {\"n\":1}",
        "user: Second."
      ])
    }).pipe(Effect.provide(live)))

  it.effect("tells a handler where it is", () => {
    const Where = Tool.make("where", {})
    const placing = Toolkit.make(Where)
    const seen: Array<ToolCall.Shape> = []
    return Effect.gen(function*() {
      const { run } = yield* conversation(Agent.make("guide", { instructions: "Guide.", toolkit: placing }), [
        text("Hello."),
        calls({ tool: "where", id: "p-1" }, { tool: "where", id: "p-1" }),
        call("where"),
        text("Done.")
      ])
      yield* run("Hi.")
      const { session } = yield* run("Where?")
      assert.deepStrictEqual(
        seen.map(({ agent, agentPath, id, invocation, providerId, session, step, tool, userInput }) => ({
          agent,
          agentPath,
          id,
          invocation,
          providerId,
          session,
          step,
          tool,
          userInput
        })),
        ([["i2.1.1", "p-1", 1], ["i2.1.2", "p-1", 1], ["i2.2.1", "call-3-1", 2]] as const).map((
          [id, providerId, step]
        ) => ({
          agent: "guide",
          agentPath: ["guide"],
          id,
          invocation: "i2",
          providerId,
          session: "s-1",
          step,
          tool: "where",
          userInput: "Where?"
        }))
      )
      // the history ends before the model's message that asks for the call
      assert.deepStrictEqual(seen.map(({ history }) => history.length), [3, 3, 5])
      assert.deepStrictEqual(seen[0]?.history, session.history.slice(0, 3))
      assert.isFrozen(seen[0]?.history)
    }).pipe(Effect.provide(Toolkit.layer(placing, {
      where: () => Effect.map(ToolCall.ToolCall, (shape) => void seen.push(shape))
    })))
  })

  it.effect("is dead after its end: a leaked fiber can neither read, write nor ask for anything", () => {
    const Leak = Tool.make("leak", { writes: [Notes.count] })
    const leaking = Toolkit.make(Leak)
    return Effect.gen(function*() {
      const over = yield* Latch.make()
      const exits = yield* Deferred.make<ReadonlyArray<Exit.Exit<unknown, unknown>>>()
      const { run, session } = yield* conversation(Agent.make("leaker", { instructions: "", toolkit: leaking }), [
        call("leak"),
        text("Done.")
      ])
      const layer = Toolkit.layer(leaking, {
        leak: Effect.fnUntraced(function*() {
          const { actions } = yield* ToolCall.ToolCall
          yield* Notes.count.set(1)
          yield* over.await.pipe(
            Effect.andThen(Effect.all([
              Effect.exit(Notes.count.get),
              Effect.exit(Notes.count.set(2)),
              Effect.exit(actions.end)
            ])),
            Effect.flatMap((all) => Deferred.succeed(exits, all)),
            Effect.forkDetach
          )
        })
      })
      yield* Effect.provide(run(), layer)
      const before = yield* session()
      yield* over.open
      const owner = "the call 'i1.1.1' of 'leak'"
      assert.deepStrictEqual(
        (yield* Deferred.await(exits)).map((exit) =>
          Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? (Cause.squash(exit.cause) as Error).message : exit
        ),
        [
          `${owner} has ended: 'notes.count' can no longer be touched`,
          `${owner} has ended: 'notes.count' can no longer be touched`,
          `${owner} has ended: it can ask for nothing any more`
        ]
      )
      const after = yield* session()
      assert.strictEqual(after.state.get(Notes.count), 1)
      assert.strictEqual(after.revision, before.revision)
    })
  })

  describe("a function that gives no Effect", () => {
    const sentence = "it gave no Effect: put a Promise into Effect.promise, a value into Effect.succeed"
    const wrong = [undefined, 5, Promise.resolve("x"), "text"]

    it.effect("fails the call of a handler, which the log explains, and the run goes on", () =>
      Effect.gen(function*() {
        for (const value of wrong) {
          const { layer, lines } = collecting()
          const { run } = yield* conversation(agent, [
            call("find", { query: "x", page: 1, exact: true }),
            text("Done.")
          ])
          const live = Toolkit.layer(kit, { do: () => Effect.succeed(""), find: (() => value) as never })
          const result = yield* run().pipe(Effect.provide([live, layer]))
          assert.strictEqual(textOf(result), "Done.")
          assert.deepStrictEqual(endsOf(result.session), [
            bad("find", "ToolDied", "the tool 'find' failed unexpectedly")
          ])
          assert.deepStrictEqual(lines, [`Error: the tool 'find' died: ${sentence}`])
        }
      }))

    it.effect("fails the run of a hook, which says so", () =>
      Effect.gen(function*() {
        const Hooks = Middleware.make("hooks", { hooks: [Middleware.beforeModel({}, (() => undefined) as never)] })
        const hooked = Agent.make("hooked", { instructions: "", middleware: [Hooks] })
        const { run } = yield* conversation(hooked, [text("Done.")])
        const error = yield* Effect.flip(run())
        assert.include(error.message, sentence)
      }))

    it.effect("asks a person in place of an approval", () =>
      Effect.gen(function*() {
        const Send = Tool.make("send", { approval: (() => true) as never })
        const sends = Toolkit.make(Send)
        const sender = Agent.make("sender", { instructions: "", toolkit: sends })
        const { layer, lines } = collecting()
        const { run } = yield* conversation(sender, [call("send")])
        const result = yield* run().pipe(Effect.provide([Toolkit.layer(sends, { send: () => Effect.void }), layer]))
        assert.strictEqual(result._tag, "Paused")
        assert.deepStrictEqual(lines, [`Error: the approval of 'send' failed: ${sentence}`])
      }))
  })
})
