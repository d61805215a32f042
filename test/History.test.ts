import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { Prompt } from "effect/ai"
import {
  Agent,
  Event,
  History,
  Interrupt,
  MemoryStore,
  Reducer,
  Session,
  SessionStore,
  State,
  Tool,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { line } from "./message.ts"
import { conversation, idsOf, logOf, openOf, textOf } from "./runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Notes = State.make("notes", {
  title: State.field(Schema.String, { initial: "Untitled" }),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "user" })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Job = Interrupt.make("job", { question: Schema.Struct({}), answer: Schema.String })
const Up = Tool.make("up", { success: Schema.Int, combines: [Notes.count, Notes.visits] })
const Name = Tool.make("name", { parameters: Schema.Struct({ as: Schema.String }), writes: [Notes.title] })
const Say = Tool.make("say", {
  parameters: Schema.Struct({ what: Schema.String }),
  success: Schema.Struct({ said: Schema.String })
})
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const Start = Tool.make("start", { success: Schema.String, asks: [Job] })
const kit = Toolkit.make(Up, Name, Say, Wonder, Start)
const agent = Agent.make("agent", { instructions: "", toolkit: kit })
const live = Toolkit.layer(kit, {
  up: () => Effect.as(Effect.andThen(Notes.count.combine(1), Notes.visits.combine(1)), 1),
  name: ({ as }) => Notes.title.set(as),
  say: ({ what }) => Effect.succeed({ said: what }),
  wonder: () => Confirm.ask("Sure?"),
  start: () => Effect.as(Job.pending({}), "started")
})
const ref = { app: "app", session: "s-1", user: "u-1" } as const
const other = { ...ref, session: "s-2" }

const loaded = (of: SessionStore.Ref = ref) => Session.load(of, agent)
const storedOf = (of: SessionStore.Ref = ref) =>
  Effect.flatMap(SessionStore.SessionStore, (store) => Effect.map(store.load(of), Option.getOrThrow))

describe("History", () => {
  describe("rewind", () => {
    it.effect("goes back to before an invocation: its messages and its state count no more", () =>
      Effect.gen(function*() {
        const { context, requests, run } = yield* conversation(agent, [
          call("up"),
          text("One."),
          calls({ tool: "up" }, {
            tool: "name",
            parameters: { as: "Mine" }
          }),
          text("Two."),
          call("up"),
          text("Three.")
        ])
        yield* run("First.")
        const before = yield* Effect.provideContext(loaded(), context)
        const { invocation } = yield* run("Second.")
        const rewound = yield* Effect.provideContext(History.rewind(ref, { before: invocation }), context)
        assert.deepStrictEqual([rewound.events, rewound.shared], [6, ["notes.visits"]])
        const after = yield* Effect.provideContext(loaded(), context)
        assert.deepStrictEqual(after.history, before.history)
        assert.deepStrictEqual([after.state.get(Notes.count), after.state.get(Notes.title)], [1, "Untitled"])
        // what sessions share stays
        assert.strictEqual(after.state.get(Notes.visits), 2)

        const third = yield* run("Third.")
        assert.strictEqual(third.session.state.get(Notes.count), 2)
        assert.deepStrictEqual(requests.at(-2)?.prompt.content.map(line).filter((each) => each.startsWith("user")), [
          "user: First.",
          "user: Third."
        ])
        // no id comes again
        const ids = (yield* Effect.provideContext(storedOf(), context)).flatMap((event) =>
          event.kind === "model" ? event.calls.map(({ id }) => id) : []
        )
        assert.strictEqual(new Set(ids).size, ids.length)
      }).pipe(Effect.provide(live)))

    it.effect("goes back to an event, and the model is asked again from there", () =>
      Effect.gen(function*() {
        const { context, resume, run } = yield* conversation(agent, [call("up"), text("Wrong."), text("Right.")])
        const { session } = yield* run("Go.")
        const step = session.events.find(({ kind }) => kind === "call")?.sequence ?? 0
        yield* Effect.provideContext(History.rewind(ref, { to: step }), context)
        const again = yield* resume([])
        assert.deepStrictEqual([textOf(again), again.session.state.get(Notes.count)], ["Right.", 1])
        assert.notStrictEqual(again.invocation, "i1")
      }).pipe(Effect.provide(live)))

    it.effect("closes what was open at the place, so that nothing of it runs again", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [
          calls({ tool: "wonder" }, { tool: "up" }),
          text("Well."),
          text("Next.")
        ])
        const { session } = yield* run("Go.")
        const asked = session.events.find(({ kind }) => kind === "model")?.sequence ?? 0
        yield* Effect.provideContext(History.rewind(ref, { to: asked }), context)
        const after = yield* Effect.provideContext(loaded(), context)
        assert.deepStrictEqual([after.open, after.state.get(Notes.count)], [[], 0])
        assert.strictEqual(textOf(yield* run("And now?")), "Well.")
        assert.deepStrictEqual(
          (yield* Effect.provideContext(loaded(), context)).state.get(Notes.count),
          0
        )
      }).pipe(Effect.provide(live)))

    it.effect("can go back twice, and behind an earlier way back", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(
          agent,
          Array.from({ length: 4 }, () => [call("up"), text("Up.")]).flat()
        )
        for (const input of ["1", "2", "3"]) yield* run(input)
        const counts: Array<number> = []
        for (const before of ["i3", "i2"]) {
          yield* Effect.provideContext(History.rewind(ref, { before }), context)
          counts.push((yield* Effect.provideContext(loaded(), context)).state.get(Notes.count))
        }
        assert.deepStrictEqual(counts, [2, 1])
        yield* run("4")
        yield* Effect.provideContext(History.rewind(ref, { to: 0 }), context)
        const { history, state } = yield* Effect.provideContext(loaded(), context)
        assert.deepStrictEqual([history, state.get(Notes.count)], [[], 0])
      }).pipe(Effect.provide(live)))

    it.effect("refuses a place that is none, and does nothing where nothing comes after it", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [text("One."), text("Two.")])
        const { session } = yield* run("1")
        yield* run("2")
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        assert.strictEqual((yield* on(History.rewind(ref, { to: 6 }))).events, 0)
        yield* on(History.rewind(ref, { before: "i2" }))
        const before = yield* on(storedOf())
        const problems = []
        for (const place of [{ to: 99 }, { to: -1 }, { to: session.revision }, { before: "i2" }, { before: "i9" }]) {
          problems.push((yield* Effect.flip(on(History.rewind(ref, place)))).message)
        }
        assert.deepStrictEqual(problems.map((problem) => problem.slice(problem.indexOf(": ") + 2)), [
          "event 99 is none that counts",
          "event -1 is none that counts",
          "event 4 is none that counts",
          "there is no invocation 'i2'",
          "there is no invocation 'i9'"
        ])
        assert.deepStrictEqual(yield* on(storedOf()), before)
        assert.strictEqual((yield* Effect.flip(on(History.rewind(other, { to: 0 }))))._tag, "SessionMissing")
        yield* on(Effect.scoped(Effect.gen(function*() {
          yield* (yield* SessionStore.SessionStore).lease(ref)
          assert.strictEqual((yield* Effect.flip(History.rewind(ref, { to: 0 })))._tag, "SessionBusy")
        })))
      }).pipe(Effect.provide(live)))

    it.effect("is seen by every reader: the newest state by a snapshot, pages, and memories", () =>
      Effect.gen(function*() {
        const turn = [...Array.from({ length: 30 }, () => call("up")), text("Counted.")]
        const { context, run } = yield* conversation(agent, Array.from({ length: 6 }, () => turn).flat())
        const on = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideContext(effect, context)
        for (const input of ["1", "2", "3", "4", "5"]) yield* run(input)
        const agreed = Effect.gen(function*() {
          const whole = yield* loaded()
          const newest = yield* Session.newest(ref, agent)
          assert.deepStrictEqual(
            [newest.revision, newest.state.values, newest.open],
            [whole.revision, whole.state.values, whole.open]
          )
          let before: number | undefined
          const pages: Array<Session.Page> = []
          do {
            const page: Session.Page = yield* Session.page(ref, { before, limit: 50 })
            pages.unshift(page)
            before = page.before
          } while (before !== undefined)
          assert.deepStrictEqual(pages.flatMap(({ events }) => events), whole.events)
          assert.deepStrictEqual(pages.flatMap(({ messages }) => messages), whole.transcript)
          yield* MemoryStore.ingest(whole)
          return [whole.state.get(Notes.count), (yield* (yield* MemoryStore.MemoryStore).search(ref, "4 5")).length]
        })
        assert.deepStrictEqual(yield* on(agreed), [150, 2])
        // within what came after the snapshot, then behind it
        yield* on(History.rewind(ref, { before: "i5" }))
        assert.deepStrictEqual(yield* on(agreed), [120, 1])
        yield* on(History.rewind(ref, { before: "i3" }))
        assert.deepStrictEqual(yield* on(agreed), [60, 0])
        yield* run("6")
        assert.deepStrictEqual(yield* on(agreed), [90, 0])
      }).pipe(Effect.provide([live, MemoryStore.layerMemory])))
  })

  describe("fork", () => {
    it.effect("begins another session with what was said and kept; the first stays as it is", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [
          calls({ tool: "up" }, {
            tool: "name",
            parameters: { as: "Mine" }
          }),
          text("One."),
          call("up"),
          text("Two."),
          call("up"),
          text("Other.")
        ])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        const { session: first } = yield* run("1")
        const { session: whole } = yield* run("2")
        yield* on(History.fork(ref, other))
        yield* on(History.fork(ref, { app: "app", session: "s-3" }, { to: first.revision - 1 }))
        const forked = yield* on(loaded(other))
        assert.deepStrictEqual([forked.ref, forked.history, forked.revision], [other, whole.history, whole.revision])
        const early = yield* on(Session.load({ app: "app", session: "s-3" }))
        assert.deepStrictEqual(
          [early.history, early.events[0]],
          [
            first.history,
            { ...first.events[0], id: "s-3/0", session: "s-3", user: undefined }
          ].map((each) => JSON.parse(JSON.stringify(each)) as never) as never
        )
        const { session } = yield* run("3", { session: "s-2" })
        assert.deepStrictEqual([session.state.get(Notes.count), session.state.get(Notes.title)], [3, "Mine"])
        assert.deepStrictEqual((yield* on(loaded())).events, whole.events)
      }).pipe(Effect.provide(live)))

    it.effect("closes as abandoned what was open, wherever the first session is", () =>
      Effect.gen(function*() {
        const { context, resume, run } = yield* conversation(agent, [
          calls({ tool: "wonder" }, { tool: "start" }, { tool: "up" }),
          text("Sure."),
          text("Not so."),
          text("And on.")
        ])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        const paused = yield* run("Go.")
        const { events } = paused.session
        yield* on(History.fork(ref, other))
        const forked = yield* on(loaded(other))
        assert.deepStrictEqual(forked.open.map(({ name }) => name), ["job"])
        assert.deepStrictEqual(logOf(forked).slice(-2), ["agent: call wonder failed", "agent: ended cancelled"])
        // the first goes on with its answer
        const [question] = openOf(paused)
        yield* resume(question === undefined ? [] : [Confirm.answer(question.id, true)])
        assert.strictEqual(textOf(yield* run("Well?", { session: "s-2" })), "Not so.")
        for (let to = 0; to < events.length; to++) {
          const target = { ...ref, session: `at ${to}` }
          yield* on(History.fork(ref, target, { to }))
          const { open, state } = yield* on(loaded(target))
          assert.deepStrictEqual(open.filter(({ mode }) => mode !== "pending"), [])
          const kept = yield* Effect.fromResult(Session.fold(events.slice(0, to + 1), agent))
          assert.deepStrictEqual(state.get(Notes.count), kept.state.get(Notes.count))
        }
      }).pipe(Effect.provide(live)))

    it.effect("refuses a name that is taken, and a place that is none", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [text("One."), text("Two.")])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        yield* run("1")
        yield* run("1", { session: "s-2" })
        const before = yield* on(storedOf(other))
        const taken = yield* Effect.flip(on(History.fork(ref, other)))
        assert.deepStrictEqual(
          [taken._tag, taken.message],
          [
            "SessionExists",
            "there is a session 's-2' in the app 'app' already: choose another name, or remove it first"
          ]
        )
        assert.deepStrictEqual(yield* on(storedOf(other)), before)
        const third = { ...ref, session: "s-3" }
        assert.strictEqual((yield* Effect.flip(on(History.fork(ref, third, { to: 99 }))))._tag, "HistoryRefused")
        assert.strictEqual((yield* Effect.flip(on(History.fork(third, ref))))._tag, "SessionMissing")
      }).pipe(Effect.provide(live)))
  })

  describe("redact", () => {
    const secret = "4111-1111"
    const replace = (of: string) => of.replaceAll(secret, "[card]")

    it.effect("takes a text out of all that was said and given, and what is left reads as before", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [
          call("say", { what: `pay with ${secret}` }),
          text(`Paid with ${secret}.`),
          text("Bye.")
        ])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        const { session } = yield* run(`My card is ${secret}.`, { key: "k" })
        const changed = yield* on(History.redact(ref, { replace }))
        const stored = yield* on(storedOf())
        assert.notInclude(JSON.stringify(stored.map(Event.encode)), secret)
        assert.deepStrictEqual(
          stored.map(({ kind, redacted }) => [kind, redacted !== undefined]),
          session.events.map(({ kind }) => [kind, kind !== "created"])
        )
        assert.strictEqual(changed, session.revision - 1)
        const { history } = yield* on(loaded())
        assert.deepStrictEqual(history.map(line), [
          "user: My card is [card].",
          `assistant: say({"what":"pay with [card]"})`,
          `tool: say = {"said":"pay with [card]"}`,
          "assistant: Paid with [card]."
        ])
        assert.strictEqual(yield* on(History.redact(ref, { replace })), 0)
        assert.strictEqual(textOf(yield* run("And?")), "Bye.")
      }).pipe(Effect.provide(live)))

    it.effect("leaves alone the events that are not meant", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [text(secret)])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        yield* run(secret)
        assert.strictEqual(yield* on(History.redact(ref, { replace, where: ({ kind }) => kind === "input" })), 1)
        assert.deepStrictEqual((yield* on(loaded())).history.map(line), ["user: [card]", `assistant: ${secret}`])
      }).pipe(Effect.provide(live)))

    it.effect("refuses a text that State holds too, unless it is to go there as well", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [call("name", { as: secret }), text("Named.")])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        yield* run("Go.")
        const before = yield* on(storedOf())
        const refused = yield* Effect.flip(on(History.redact(ref, { replace })))
        assert.include(refused.message, "has such a text in State: say 'state: true', or write the field first")
        assert.deepStrictEqual(yield* on(storedOf()), before)
        yield* on(History.redact(ref, { replace, state: true }))
        assert.notInclude(JSON.stringify((yield* on(storedOf())).map(Event.encode)), secret)
        assert.strictEqual((yield* on(loaded())).state.get(Notes.title), "[card]")
      }).pipe(Effect.provide(live)))

    it.effect("takes texts out of what was rewound, too, and out of the snapshot", () =>
      Effect.gen(function*() {
        const { context, run } = yield* conversation(agent, [call("name", { as: secret }), text(secret)])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        yield* run("Go.")
        yield* on(History.rewind(ref, { to: 1 }))
        yield* on(History.redact(ref, { replace, state: true }))
        assert.notInclude(JSON.stringify((yield* on(storedOf())).map(Event.encode)), secret)
      }).pipe(Effect.provide(live)))
  })

  describe("compact", () => {
    it.effect("puts a summary in place, once, and leaves the state and the log", () =>
      Effect.gen(function*() {
        const { context, requests, run } = yield* conversation(agent, [
          call("up"),
          text("One."),
          text("Two."),
          text("Three.")
        ])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        yield* run("1")
        const { session } = yield* run("2")
        assert.isTrue(yield* on(History.compact(ref, { from: 0, to: session.revision }, "Two things were said.")))
        const after = yield* on(loaded())
        assert.deepStrictEqual(after.history.map(line), ["user: Two things were said."])
        assert.deepStrictEqual([after.transcript, after.state.get(Notes.count)], [session.transcript, 1])
        assert.isFalse(yield* on(History.compact(ref, { from: 0, to: 3 }, "Less.")))
        yield* run("3")
        assert.deepStrictEqual(requests.at(-1)?.prompt.content.map(line).slice(-2), [
          "user: Two things were said.",
          "user: 3"
        ])
      }).pipe(Effect.provide(live)))

    it.effect("leaves what is open, and messages that would part a call from its result", () =>
      Effect.gen(function*() {
        const { context, resume, run } = yield* conversation(agent, [text("One."), call("wonder"), text("Sure.")])
        const on = <A, E>(effect: Effect.Effect<A, E, SessionStore.SessionStore>) =>
          Effect.provideContext(effect, context)
        yield* run("1")
        const paused = yield* run("2")
        const torn = [Prompt.assistantMessage({
          content: [Prompt.toolCallPart({ id: "c", name: "up", params: {}, providerExecuted: false })]
        })]
        assert.include(
          (yield* Effect.flip(on(History.compact(ref, { from: 0, to: 99 }, torn)))).message,
          "the messages part a call from its result"
        )
        assert.isTrue(yield* on(History.compact(ref, { from: 0, to: 99 }, "One was said.")))
        const done = yield* resume(idsOf(openOf(paused)).map((id) => Confirm.answer(id, true)))
        assert.deepStrictEqual(done.session.history.map(line), [
          "user: One was said.",
          "user: 2",
          "assistant: wonder({})",
          "tool: wonder = true",
          "assistant: Sure."
        ])
      }).pipe(Effect.provide(live)))
  })
})
