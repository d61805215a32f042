import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Redacted, Result, Schema, Stream } from "effect"
import { AiError, LanguageModel } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Middleware,
  Session,
  SessionStore,
  State,
  StateSerializer,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { Imported, Sagents } from "tenon/interop"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { freshFile } from "../../sql/file.ts"
import { callsOf, historyOf, reread, restarted, world } from "./fixtures.ts"

const { call, text } = ScriptedModel

// ===== what the programs of these tests keep =================================

const Todo = Schema.Struct({
  id: Schema.Int,
  content: Schema.String,
  status: Schema.Literals(["pending", "in_progress", "completed"])
})
const Todos = State.make("todos", { items: State.field(Schema.Array(Todo), { initial: [] }) })
const Meta = State.make("meta", { values: State.record(Schema.String, Schema.Json) })
const serializer = StateSerializer.make([Todos, Meta])

const todos: ReadonlyArray<typeof Todo.Type> = [
  { id: 1, content: "First", status: "completed" },
  { id: 2, content: "Second", status: "pending" }
]

const Search = Tool.make("search", {
  parameters: Schema.Struct({ query: Schema.String, limit: Schema.Int }),
  success: Schema.Array(Schema.String),
  writes: [Todos.items, Meta.values]
})
const Kit = Toolkit.make(Search)
const live = Toolkit.layer(Kit, { search: ({ query }) => Effect.succeed([`about ${query}`]) })
const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: Kit })

const searching = [call("search", { query: "licence", limit: 3 }), text("Found it.")]

const run = (input: string, state: ReadonlyArray<State.Assignment> = [], session = "s-1") =>
  AgentRunner.run(Assistant, { session, input, state })

// ===== a section in two versions =============================================

const OldTasks = State.make("tasks", {
  subagentType: State.field(Schema.String, { initial: "general" }),
  prompt: State.field(Schema.String, { initial: "" })
})
const Tasks = State.make("tasks", {
  taskName: State.field(Schema.String, { initial: "general" }),
  prompt: State.field(Schema.String, { initial: "" })
}, {
  history: State.history(1, Schema.Struct({ subagentType: Schema.String, prompt: Schema.String })),
  up: ({ subagentType, prompt }) => ({ taskName: subagentType, prompt })
})
const Other = State.make("other", { subagentType: State.field(Schema.String, { initial: "mine" }) })

/** A document that a program with `OldTasks` wrote. */
const oldDocument = (sections: Readonly<Record<string, unknown>>) => ({
  format: "tenon/state",
  version: 1,
  time: 0,
  sections: { tasks: { version: 1, data: { subagentType: "researcher", prompt: "Look." } }, ...sections }
})

// ===== a state of theirs =====================================================

const ref = { app: "assistant", session: "s-1" }
const envelope = (messages: ReadonlyArray<unknown>) => ({ version: 2, state: { messages, todos: [], metadata: {} } })
interface Document {
  readonly state: { readonly messages: ReadonlyArray<unknown> }
}

/** An agent of either program, around one section. */
const keeping = (section: State.AnySection) =>
  Agent.make("keeper", {
    instructions: "Keep.",
    middleware: [Middleware.make("keeps", { sections: [section] })]
  })

describe("serializer", () => {
  it.effect("T84 an empty state is written with every section of the program", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* serializer.serialize(serializer.initial()), {
        format: "tenon/state",
        version: 1,
        time: 0,
        sections: { todos: { version: 1, data: { items: [] } }, meta: { version: 1, data: { values: {} } } }
      })
    }))

  it.effect("T85 a call is stored with our id, the provider's, its tool and its arguments", () =>
    Effect.gen(function*() {
      const { session } = yield* run("Search.")
      assert.deepStrictEqual(
        reread(session.events).flatMap((event) => event.kind === "model" ? event.calls : []),
        [{ id: "i1.1.1", providerId: "call-1-1", tool: "search", parameters: { query: "licence", limit: 3 } }]
      )
    }).pipe(Effect.provide([live, world(searching)])))

  it.effect("T86 a call's arguments are stored alike, whether the model streamed them or not", () =>
    Effect.gen(function*() {
      const asked = yield* run("Search.", [], "asked")
      const items = yield* Stream.runCollect(AgentRunner.stream(Assistant, { session: "streamed", input: "Search." }))
      const streamed = items.flatMap((item) => item._tag === "Result" ? [item.result.session] : [])
      const stored = [asked.session, ...streamed].map(({ events }) =>
        events.flatMap((event) => event.kind === "model" ? event.calls.map(({ parameters }) => parameters) : [])
      )
      assert.deepStrictEqual(stored, [[{ query: "licence", limit: 3 }], [{ query: "licence", limit: 3 }]])
    }).pipe(Effect.provide([live, world([...searching, ...searching])])))

  it.effect("T87 neither instructions nor a supplied secret are in what is written down", () =>
    Effect.gen(function*() {
      const Keys = ToolContext.make({ apiKey: Schema.RedactedFromValue(Schema.String), region: Schema.String })
      const Ask = Tool.make("ask", { success: Schema.Int, context: [Keys.apiKey, Keys.region] })
      const kit = Toolkit.make(Ask)
      const agent = Agent.make("assistant", { instructions: "Speak like a pirate.", toolkit: kit })
      const { session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Ask." }).pipe(
        Effect.provide([
          Toolkit.layer(kit, { ask: () => Effect.map(Keys.apiKey, (key) => Redacted.value(key).length) }),
          ToolContext.layer(agent, { apiKey: Redacted.make("sk-canary"), region: "eu-canary" }),
          world([call("ask"), text("Asked.")])
        ])
      )
      assert.deepStrictEqual(callsOf(session), [{ tool: "ask", failed: false, value: 9 }])
      const written = JSON.stringify([Session.encode(session.events), yield* serializer.serialize(session.state)])
      assert.deepStrictEqual(["pirate", "canary", "apiKey", "region"].filter((word) => written.includes(word)), [])
    }))

  it.effect("T89 a call is read back as it was: no text beside it, arguments as a record", () =>
    Effect.gen(function*() {
      const { session } = yield* run("Search.")
      const events = reread(session.events)
      assert.deepStrictEqual(events, session.events)
      const restored = Result.getOrThrow(Session.fold(events, [Todos, Meta]))
      assert.deepStrictEqual(historyOf(restored), [
        "user: Search.",
        "assistant: search()",
        `tool: ["about licence"]`,
        "assistant: Found it."
      ])
      assert.deepStrictEqual(restored.history, session.history)
    }).pipe(Effect.provide([live, world(searching)])))

  it.effect("T90 an imported result of a call that was interrupted, without its question, is closed with an error", () =>
    Effect.gen(function*() {
      const result = { tool_call_id: "c-1", name: "search", content: "", is_error: false, is_interrupt: true }
      const state = envelope([
        { role: "user", content: "Search." },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ call_id: "c-1", name: "search", arguments: { query: "a" } }]
        },
        { role: "tool", content: null, tool_results: [result] }
      ])
      const imported = yield* Effect.fromResult(Sagents.importState(state, { ref }))
      assert.deepStrictEqual(imported.report.map(({ path }) => path.join(".")), ["state.messages.2.tool_results.0"])
      yield* Imported.save(imported)
      const next = yield* run("Go on.")
      const [ended] = callsOf(next.session)
      assert.isTrue(ended?.failed)
      assert.include(JSON.stringify(ended?.value), "interrupted")
      assert.deepStrictEqual(next.session.open, [])
      assert.strictEqual(historyOf(next.session).at(-1), "assistant: On.")
    }).pipe(Effect.provide([live, world([text("On.")])])))

  it.effect("T91 a section without a version is refused by name, not taken for the first", () =>
    Effect.gen(function*() {
      const document = { ...oldDocument({}), sections: { tasks: { data: { subagentType: "a", prompt: "b" } } } }
      const error = yield* Effect.flip(StateSerializer.make([Tasks]).deserialize(document))
      assert.deepStrictEqual([error._tag, error.section, error.path.at(-1)], ["StateError", "tasks", "version"])
    }))

  it.effect("T92 an open question is stored as readable JSON, and is read back equal", () =>
    Effect.gen(function*() {
      const Choose = Interrupt.make("choose", {
        question: Schema.Struct({
          text: Schema.String,
          options: Schema.Array(Schema.String),
          multiple: Schema.Boolean
        }),
        answer: Schema.String
      })
      const Pick = Tool.make("pick", { success: Schema.String, asks: [Choose] })
      const kit = Toolkit.make(Pick)
      const agent = Agent.make("picker", { instructions: "Pick.", toolkit: kit })
      const question = { text: "Which one?", options: ["a", "b"], multiple: false }
      const { session } = yield* AgentRunner.run(agent, { session: "s-1", input: "Pick." }).pipe(
        Effect.provide([Toolkit.layer(kit, { pick: () => Choose.ask(question) }), world([call("pick")])])
      )
      const restored = Result.getOrThrow(Session.fold(reread(session.events)))
      assert.deepStrictEqual(restored.open, [
        { id: "i1.1.1?1", name: "choose", question, call: "i1.1.1", tool: "pick", agentPath: ["picker"] }
      ])
    }))

  it.effect("T94 what a provider adds to a call is stored with it, and nothing where it adds nothing", () =>
    Effect.gen(function*() {
      const usage = {
        inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 }
      }
      const metadata = { acme: { displayText: "Searching…", customKey: 1 } }
      const params = { query: "licence", limit: 3 }
      let asked = 0
      const model = LanguageModel.make({
        generateText: () =>
          Effect.sync(() =>
            ++asked > 1 ?
              [{ type: "text", text: "Done." }, { type: "finish", reason: "stop", usage, response: undefined }] :
              [
                { type: "tool-call", id: "a", name: "search", params, metadata },
                { type: "tool-call", id: "b", name: "search", params },
                { type: "finish", reason: "tool-calls", usage, response: undefined }
              ]
          ),
        streamText: () => Stream.empty
      })
      const { session } = yield* run("Search.").pipe(
        Effect.provide([live, Layer.effect(LanguageModel.LanguageModel, model), SessionStore.layerMemory])
      )
      const restored = Result.getOrThrow(Session.fold(reread(session.events)))
      const options = restored.history.flatMap(({ content }) =>
        typeof content === "string" ? [] : content.flatMap((part) => part.type === "tool-call" ? [part.options] : [])
      )
      assert.deepStrictEqual(options, [metadata, {}])
    }))

  it.effect("T95 an answer that broke off, a failed run and a cancelled one are still told apart after a restart", () =>
    Effect.gen(function*() {
      const broken = yield* run("Hello", [], "broken")
      yield* Effect.flip(run("Hello", [], "failed"))
      const started = yield* Latch.make()
      const hanging = yield* AgentRunner.run(Assistant, { session: "cancelled", input: "Search." }).pipe(
        Effect.provide(Toolkit.layer(Kit, { search: () => Effect.andThen(started.open, Effect.never) })),
        Effect.forkChild({ startImmediately: true })
      )
      yield* started.await
      yield* Fiber.interrupt(hanging)
      const finishOf = (events: Session.Session["events"]) =>
        events.flatMap((event) => event.kind === "model" ? [event.finish] : [])
      const endOf = (events: Session.Session["events"]) =>
        events.flatMap((event) => event.kind === "ended" ? [event.status] : [])
      const shown: Array<unknown> = []
      for (const session of ["broken", "failed", "cancelled"]) {
        const events = reread((yield* Session.load({ app: "assistant", session }, [Todos, Meta])).events)
        shown.push([session, finishOf(events), endOf(events)])
      }
      assert.deepStrictEqual(shown, [
        ["broken", ["error"], ["completed"]],
        ["failed", [], ["failed"]],
        ["cancelled", ["tool-calls"], ["cancelled"]]
      ])
      assert.strictEqual(broken._tag === "Completed" && broken.text, "Half an ans")
    }).pipe(Effect.provide([
      live,
      world([
        { text: "Half an ans", finish: "error" },
        ScriptedModel.fail(new AiError.InternalProviderError({ description: "stream broke" })),
        call("search", { query: "licence", limit: 3 })
      ])
    ])))

  it.effect("T96 of an error its kind and a sentence are stored, never the thrown value", () =>
    Effect.gen(function*() {
      const { session } = yield* run("Search.").pipe(
        Effect.provide(
          Toolkit.layer(Kit, {
            search: () => Effect.die(new Error("password=canary", { cause: { socket: "canary" } }))
          })
        )
      )
      const restored = reread(session.events)
      assert.deepStrictEqual(restored.flatMap((event) => event.kind === "call" ? [event.result] : []), [
        { isFailure: true, value: { _tag: "ToolDied", message: "the tool 'search' failed unexpectedly" } }
      ])
      assert.isFalse(JSON.stringify(restored).includes("canary"))
    }).pipe(Effect.provide(world(searching))))

  it.effect("T97 a provider's own map on why it stopped comes in and goes out again, and so does what broke a stream", () =>
    Effect.gen(function*() {
      const metadata = {
        stop_details: { reason: "max_tokens", flags: [true, null] },
        streaming_error: { type: "closed", message: "the stream broke" }
      }
      const messages = [{ role: "user", content: "Hi", status: "complete" }, {
        role: "assistant",
        content: "Half an ans",
        status: "cancelled",
        metadata
      }]
      const { events } = yield* Effect.fromResult(Sagents.importState(envelope(messages), { ref }))
      assert.deepStrictEqual(reread(events).flatMap((event) => event.kind === "model" ? [event.finish] : []), ["error"])
      const session = yield* Effect.fromResult(Session.fold(reread(events)))
      const { value } = yield* Sagents.exportState(session)
      assert.deepStrictEqual((value as unknown as Document).state.messages, messages)
    }))

  it.effect("T99 a log from before a field existed reads as the field's initial value", () =>
    Effect.gen(function*() {
      const Before = State.make("mood", { name: State.field(Schema.String, { initial: "calm" }) })
      const After = State.make("mood", {
        name: State.field(Schema.String, { initial: "calm" }),
        reason: State.field(Schema.NullOr(Schema.String), { initial: null })
      })
      const { session } = yield* AgentRunner.run(keeping(Before), {
        session: "s-1",
        input: "Hello",
        state: [Before.name.to("glad")]
      }).pipe(Effect.provide(world([text("Hi.")])))
      const loaded = yield* Effect.provide(Session.load(session.ref, [After]), restarted(session, []))
      assert.deepStrictEqual([loaded.state.get(After.name), loaded.state.get(After.reason)], ["glad", null])
      const next = yield* AgentRunner.run(keeping(After), { session: "s-1", input: "Again" }).pipe(
        Effect.provide(restarted(session, [text("Hi again.")]))
      )
      assert.deepStrictEqual([...next.session.state.values], [["mood.name", "glad"], ["mood.reason", null]])
    }))

  it.effect("T100 messages, lists and a record come back equal, and state serves under another session's name", () =>
    Effect.gen(function*() {
      const { session } = yield* run("Hello", [
        Todos.items.to(todos),
        Meta.values.to({ session_id: "abc", user_id: 42 })
      ])
      const restored = Result.getOrThrow(Session.fold(reread(session.events), [Todos, Meta]))
      assert.deepStrictEqual(historyOf(restored), ["user: Hello", "assistant: Hi."])
      const document = JSON.parse(JSON.stringify(yield* serializer.serialize(restored.state)))
      const state = yield* serializer.deserialize(document)
      assert.deepStrictEqual(state.get(Todos.items), todos)
      assert.deepStrictEqual(state.get(Meta.values), { session_id: "abc", user_id: 42 })
      const other = yield* run("Go on.", [Todos.items.to(state.get(Todos.items))], "s-2")
      assert.deepStrictEqual([other.session.ref.session, other.session.state.get(Todos.items)], ["s-2", todos])
    }).pipe(Effect.provide([live, world([text("Hi."), text("Yes.")])])))

  it.effect("T101 message, call, result and answer come back in their order", () =>
    Effect.gen(function*() {
      const { session } = yield* run("Search.")
      const restored = Result.getOrThrow(Session.fold(reread(session.events)))
      const shown = restored.history.map(({ role, content }) =>
        typeof content === "string" ? [role, "text"] : [role, ...content.map(({ type }) => type)]
      )
      assert.deepStrictEqual(shown, [["user", "text"], ["assistant", "tool-call"], ["tool", "tool-result"], [
        "assistant",
        "text"
      ]])
    }).pipe(Effect.provide([live, world(searching)])))

  it.effect("T102 what is written is JSON and nothing else, at every depth", () =>
    Effect.gen(function*() {
      const values = { a: { b: [{ c: null, d: [1, true] }] }, "e.f": 1.5 }
      const { session } = yield* run("Search.", [Meta.values.to(values)])
      const written = [Session.encode(session.events), yield* serializer.serialize(session.state)]
      assert.deepStrictEqual(JSON.parse(JSON.stringify(written)), written)
      assert.deepStrictEqual(session.state.get(Meta.values), values)
    }).pipe(Effect.provide([live, world(searching)])))

  it.effect("T104 the document has a version of its own, and each section has one", () =>
    Effect.gen(function*() {
      const { version, sections } = yield* StateSerializer.make([Tasks, Other]).serialize(
        StateSerializer.make([Tasks, Other]).initial()
      )
      assert.deepStrictEqual([version, sections["tasks"]?.version, sections["other"]?.version], [1, 2, 1])
    }))

  it.effect("T105 a migration renames a field, and keeps its value and the others", () =>
    Effect.gen(function*() {
      const state = yield* StateSerializer.make([Tasks]).deserialize(oldDocument({}))
      assert.deepStrictEqual([...state.values], [["tasks.taskName", "researcher"], ["tasks.prompt", "Look."]])
      assert.deepStrictEqual([...state.versions], [["tasks", 2]])
    }))

  it.effect("T106 a migration touches neither another section, nor a value of its own version", () =>
    Effect.gen(function*() {
      const both = StateSerializer.make([Tasks, Other])
      const other = { version: 1, data: { subagentType: "theirs" } }
      const migrated = yield* both.deserialize(oldDocument({ other }))
      assert.strictEqual(migrated.get(Other.subagentType), "theirs")
      const tasks = { version: 2, data: { taskName: "writer", prompt: "subagentType" } }
      const current = yield* both.deserialize(oldDocument({ tasks, other }))
      assert.deepStrictEqual([...current.values], [
        ["tasks.taskName", "writer"],
        ["tasks.prompt", "subagentType"],
        ["other.subagentType", "theirs"]
      ])
    }))

  it.effect("T107 a session that is migrated keeps its messages and its calls as they were", () =>
    Effect.gen(function*() {
      const Start = Tool.make("start", {
        parameters: Schema.Struct({ subagentType: Schema.String }),
        writes: [OldTasks.subagentType]
      })
      const kit = Toolkit.make(Start)
      const { session } = yield* AgentRunner.run(
        Agent.make("keeper", { instructions: "Keep.", toolkit: kit }),
        { session: "s-1", input: "Start." }
      ).pipe(Effect.provide([
        Toolkit.layer(kit, { start: ({ subagentType }) => OldTasks.subagentType.set(subagentType) }),
        world([
          ScriptedModel.calls(
            { tool: "start", parameters: { subagentType: "a" } },
            { tool: "start", parameters: { subagentType: "b" } }
          ),
          text("Started.")
        ])
      ]))
      const migrated = Result.getOrThrow(Session.fold(reread(session.events), [Tasks]))
      assert.deepStrictEqual([...migrated.state.values], [["tasks.taskName", "b"], ["tasks.prompt", ""]])
      assert.deepStrictEqual(migrated.history, session.history)
      assert.deepStrictEqual(
        migrated.events.flatMap((event) =>
          event.kind === "model" ? event.calls.map(({ parameters }) => parameters) : []
        ),
        [{ subagentType: "a" }, { subagentType: "b" }]
      )
    }))

  it.effect("T109 a state's document holds its format, its version, its time and its sections, and no agent", () =>
    Effect.gen(function*() {
      const keys = ["format", "version", "time", "sections"]
      const full = yield* run("Hello", [Todos.items.to(todos), Meta.values.to({ key: "value" })])
      const document = yield* serializer.serialize(full.session.state)
      assert.deepStrictEqual(Object.keys(document), keys)
      assert.deepStrictEqual(document.sections, {
        todos: { version: 1, data: { items: todos } },
        meta: { version: 1, data: { values: { key: "value" } } }
      })
      const empty = yield* serializer.serialize((yield* run("Hello", [], "s-2")).session.state)
      assert.deepStrictEqual(Object.keys(empty), keys)
      assert.deepStrictEqual(empty.sections, {
        todos: { version: 1, data: { items: [] } },
        meta: { version: 1, data: { values: {} } }
      })
    }).pipe(Effect.provide([live, world([text("Hi."), text("Hi.")])])))

  it.effect("T110 a document of an earlier version is restored, and true stays a boolean", () =>
    Effect.gen(function*() {
      const meta = { version: 1, data: { values: { restored: true } } }
      const state = yield* StateSerializer.make([Tasks, Meta]).deserialize(
        JSON.parse(JSON.stringify(oldDocument({ meta })))
      )
      assert.strictEqual(state.get(Tasks.taskName), "researcher")
      assert.deepStrictEqual(state.get(Meta.values), { restored: true })
    }))

  it.effect("T111 messages that are no list are refused, not taken for none", () =>
    Effect.gen(function*() {
      const read = Session.decode({ format: "tenon/session", version: 1, events: "not a list" })
      const error = Result.getOrThrow(Result.flip(read))
      assert.deepStrictEqual([error._tag, error.section], ["StateError", "session"])
    }))

  it.effect("T112 a session of an earlier program goes on in this one: messages, migrated state, nothing open", () =>
    Effect.gen(function*() {
      const { session } = yield* AgentRunner.run(keeping(OldTasks), {
        session: "s-1",
        input: "Hello",
        state: [OldTasks.subagentType.to("researcher")]
      }).pipe(Effect.provide(world([text("Hi.")])))
      const next = yield* AgentRunner.run(keeping(Tasks), { session: "s-1", input: "Again" }).pipe(
        Effect.provide(restarted(session, [text("Hi again.")]))
      )
      assert.deepStrictEqual(historyOf(next.session), [
        "user: Hello",
        "assistant: Hi.",
        "user: Again",
        "assistant: Hi again."
      ])
      assert.deepStrictEqual(next.session.state.get(Tasks.taskName), "researcher")
      assert.deepStrictEqual(next.session.open, [])
    }))

  it.effect("T114 state that went through a store is equal, numbers and texts as they were", () =>
    Effect.gen(function*() {
      const { session } = yield* run("Hello", [Meta.values.to({ key1: "value1", key2: 42 })])
      const loaded = yield* Session.load(session.ref, [Todos, Meta])
      assert.deepStrictEqual(loaded.state.get(Meta.values), { key1: "value1", key2: 42 })
    }).pipe(Effect.provide([live, world([text("Hi.")])])))

  it.effect("T115 a session that was written down stays at that point, whatever happened after", () =>
    Effect.gen(function*() {
      const first = (yield* run("One")).session
      const written = Session.encode(first.events)
      const second = (yield* run("Two", [Todos.items.to(todos)])).session
      assert.lengthOf(second.history, 4)
      const back = Result.getOrThrow(Session.fold(Result.getOrThrow(Session.decode(written)), [Todos, Meta]))
      assert.deepStrictEqual(historyOf(back), ["user: One", "assistant: 1"])
      assert.deepStrictEqual(back.state.get(Todos.items), [])
      const again = yield* run("Other").pipe(Effect.provide(restarted(back, [text("Otherwise.")])))
      assert.deepStrictEqual(historyOf(again.session), [
        "user: One",
        "assistant: 1",
        "user: Other",
        "assistant: Otherwise."
      ])
    }).pipe(Effect.provide([live, world([text("1"), text("2")])])))

  it.effect("T116 state that is copied to another session is equal, and both go on apart", () =>
    Effect.gen(function*() {
      const original = yield* run("Hello", [Meta.values.to({ original: true })])
      const copied = yield* serializer.deserialize(
        JSON.parse(JSON.stringify(yield* serializer.serialize(original.session.state)))
      )
      const clone = yield* run("Hello", [Meta.values.to(copied.get(Meta.values))], "clone")
      assert.deepStrictEqual(clone.session.state.get(Meta.values), { original: true })
      yield* run("Change.", [Meta.values.to({ original: false })], "clone")
      const kept = yield* Session.load(original.session.ref, [Todos, Meta])
      assert.deepStrictEqual(kept.state.get(Meta.values), { original: true })
    }).pipe(Effect.provide([live, world([text("Hi."), text("Hi."), text("Changed.")])])))

  it.effect("T117 a message that waits is still there after a restart, and is taken once", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const afterRestart = (answer: string) =>
        Effect.provide([live, ScriptedModel.layer([text(answer)]), SqlStore.layerSqlite({ filename })])
      const post = AgentRunner.post(Assistant, { session: "s-1", key: "m-1", input: "Waiting." })
      yield* post.pipe(afterRestart(""))
      const first = yield* run("Hello").pipe(afterRestart("Hi."))
      yield* post.pipe(afterRestart(""))
      const second = yield* run("Again").pipe(afterRestart("Yes."))
      assert.deepStrictEqual(historyOf(first.session), ["user: Waiting.", "user: Hello", "assistant: Hi."])
      assert.deepStrictEqual(historyOf(second.session).slice(3), ["user: Again", "assistant: Yes."])
    }))
})
