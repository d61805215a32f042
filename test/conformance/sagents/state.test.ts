import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { AiError } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Interrupt,
  Reducer,
  Session,
  SessionStore,
  State,
  StateSerializer,
  Tool,
  ToolCall,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { callsOf, historyOf, restarted, world } from "./fixtures.ts"

// ===== what the tools of these tests touch ===================================

const Todo = Schema.Struct({
  id: Schema.Int,
  content: Schema.String,
  status: Schema.Literals(["pending", "in_progress", "completed", "cancelled"])
})
type Todo = typeof Todo.Type

const todo = (id: number, content: string, status: Todo["status"] = "pending"): Todo => ({ id, content, status })

/** Replaces the item of the same id where it stands, or adds one at the end. */
const put = (items: ReadonlyArray<Todo>, item: Todo): ReadonlyArray<Todo> =>
  items.some(({ id }) => id === item.id) ? items.map((each) => each.id === item.id ? item : each) : [...items, item]

const Todos = State.make("todos", {
  items: State.field(Schema.Array(Todo), { initial: [], reducer: Reducer.make(put) })
})
const Notes = State.make("notes", { entries: State.record(Schema.String, Schema.String) })
const Files = State.make("files", { contents: State.record(Schema.String, Schema.String) })

class FileExists extends Schema.TaggedError<FileExists>()("FileExists", { path: Schema.String }) {}

const WriteTodos = Tool.make("write_todos", {
  parameters: Schema.Struct({ todos: Schema.Array(Todo), merge: Schema.Boolean }),
  success: Schema.Int,
  writes: [Todos.items]
})
const PutTodo = Tool.make("put_todo", { parameters: Todo, combines: [Todos.items] })
const Note = Tool.make("note", {
  parameters: Schema.Struct({ key: Schema.String, value: Schema.String }),
  writes: [Notes.entries]
})
const ReadNotes = Tool.make("read_notes", { success: Schema.Json, reads: [Notes.entries] })
const CreateFile = Tool.make("create_file", {
  parameters: Schema.Struct({ path: Schema.String, content: Schema.String }),
  success: Schema.String,
  failure: FileExists,
  writes: [Files.contents.at("path")]
})
const Reset = Tool.make("reset", { writes: [Todos.items, Notes.entries] })
const Think = Tool.make("think", {})
const Send = Tool.make("send", { success: Schema.String, approval: true })

const Kit = Toolkit.make(WriteTodos, PutTodo, Note, ReadNotes, CreateFile, Reset, Think, Send)

/** What each tool does; a list of which all items are done is cleared. */
const live = Toolkit.layer(Kit, {
  write_todos: Effect.fnUntraced(function*({ todos, merge }) {
    const before = yield* Todos.items.get
    const after = merge ? todos.reduce(put, before) : todos
    yield* Todos.items.set(after.every(({ status }) => status === "completed") ? [] : after)
    return after.length
  }),
  put_todo: (item) => Todos.items.combine(item),
  note: ({ key, value }) => Notes.entries.put(key, value),
  read_notes: () =>
    Effect.map(Effect.zip(Notes.entries.get, ToolCall.ToolCall), ([entries, { agent }]) => ({ agent, ...entries })),
  create_file: Effect.fnUntraced(function*({ path, content }) {
    if (Option.isSome(yield* Files.contents.entry(path))) return yield* new FileExists({ path })
    yield* Files.contents.put(path, content)
    return `created ${path}`
  }),
  reset: () => Effect.andThen(Todos.items.unset, Notes.entries.unset),
  think: () => Effect.void,
  send: () => Effect.succeed("sent")
})

const Assistant = Agent.make("assistant", { instructions: "Help.", toolkit: Kit })

const run = (
  input: string,
  state: ReadonlyArray<State.Assignment> = [],
  session = "s-1"
) => AgentRunner.run(Assistant, { session, input, state })

const { call, text } = ScriptedModel
const { items } = Todos

describe("state", () => {
  it.effect("T39 a session starts with the values that it is given, as they were given", () =>
    Effect.gen(function*() {
      const result = yield* run("Hello", [items.to([todo(1, "Bare")]), Notes.entries.to({ key: "value" })])
      assert.deepStrictEqual([...result.session.state.values], [
        ["todos.items", [{ id: 1, content: "Bare", status: "pending" }]],
        ["notes.entries", { key: "value" }],
        ["files.contents", {}]
      ])
      assert.deepStrictEqual(historyOf(result.session), ["user: Hello", "assistant: Hi."])
    }).pipe(Effect.provide([live, world([text("Hi.")])])))

  it.effect("T40 an answer comes after its message", () =>
    Effect.gen(function*() {
      const result = yield* run("Hello")
      assert.deepStrictEqual(historyOf(result.session), ["user: Hello", "assistant: Hi."])
    }).pipe(Effect.provide([live, world([text("Hi.")])])))

  it.effect("T41 a list that is set takes the place of the list that was there", () =>
    Effect.gen(function*() {
      const result = yield* run("Go.", [items.to([todo(1, "Old")])])
      assert.deepStrictEqual(result.session.state.get(items), [todo(2, "New")])
    }).pipe(
      Effect.provide([live, world([call("write_todos", { todos: [todo(2, "New")], merge: false }), text("Done.")])])
    ))

  it.effect("T42 an empty list that is set clears the list that was there", () =>
    Effect.gen(function*() {
      const result = yield* run("Go.", [items.to([todo(1, "Old")])])
      assert.deepStrictEqual(result.session.state.get(items), [])
    }).pipe(Effect.provide([live, world([call("write_todos", { todos: [], merge: false }), text("Done.")])])))

  it.effect("T44 a delta changes what it names, and leaves other fields and the history alone", () =>
    Effect.gen(function*() {
      const result = yield* run("Go.", [items.to([todo(1, "Kept")])])
      assert.deepStrictEqual(
        result.session.events.flatMap((event) => event.kind === "call" ? [event.delta] : []),
        [{
          versions: { notes: 1 },
          operations: [{ op: "put", field: "notes.entries", key: "key", value: "value" }]
        }]
      )
      assert.deepStrictEqual([...result.session.state.values], [
        ["todos.items", [todo(1, "Kept")]],
        ["notes.entries", { key: "value" }],
        ["files.contents", {}]
      ])
      assert.deepStrictEqual(historyOf(result.session), [
        "user: Go.",
        "assistant: note()",
        "tool: null",
        "assistant: Done."
      ])
    }).pipe(Effect.provide([live, world([call("note", { key: "key", value: "value" }), text("Done.")])])))

  it.effect("T46 a pause is no part of the state that is written down", () =>
    Effect.gen(function*() {
      const serializer = StateSerializer.make([Todos, Notes, Files])
      const before = yield* serializer.serialize((yield* run("Hello")).session.state)
      const paused = yield* run("Send it.")
      assert.strictEqual(paused._tag, "Paused")
      assert.deepStrictEqual(yield* serializer.serialize(paused.session.state), before)
    }).pipe(Effect.provide([live, world([text("Hi."), call("send")])])))

  it.effect("T47 messages keep the order in which they came, over all runs of a session", () =>
    Effect.gen(function*() {
      yield* run("One")
      yield* run("Two")
      const result = yield* run("Three")
      assert.deepStrictEqual(historyOf(result.session), [
        "user: One",
        "assistant: 1",
        "user: Two",
        "assistant: think()",
        "tool: null",
        "assistant: 2",
        "user: Three",
        "assistant: 3"
      ])
    }).pipe(Effect.provide([live, world([text("1"), call("think"), text("2"), text("3")])])))

  it.effect("T49 a reducer of one's own appends, replaces in place and keeps the order", () =>
    Effect.gen(function*() {
      const result = yield* run("Go.")
      assert.deepStrictEqual(result.session.state.get(items), [
        todo(3, "c"),
        todo(1, "a, again", "completed"),
        todo(2, "b, again", "in_progress")
      ])
    }).pipe(Effect.provide([
      live,
      world([
        ScriptedModel.calls(
          { tool: "put_todo", parameters: todo(3, "c") },
          { tool: "put_todo", parameters: todo(1, "a") },
          { tool: "put_todo", parameters: todo(2, "b") }
        ),
        ScriptedModel.calls(
          { tool: "put_todo", parameters: todo(2, "b, again", "in_progress") },
          { tool: "put_todo", parameters: todo(1, "a, again", "completed") }
        ),
        text("Done.")
      ])
    ])))

  it.effect("T50 an entry of a record is there or not, and removing one that is not there changes nothing", () =>
    Effect.gen(function*() {
      const { entries } = Notes
      assert.deepStrictEqual(yield* entries.entry("a"), Option.some("1"))
      assert.deepStrictEqual(yield* entries.entry("missing"), Option.none())
      yield* entries.remove("missing")
      assert.deepStrictEqual(yield* entries.get, { a: "1", b: "2" })
      yield* entries.remove("a")
      assert.deepStrictEqual(yield* entries.get, { b: "2" })
    }).pipe(Effect.provide(State.layer(Note, { "notes.entries": { a: "1", b: "2" } }))))

  it.effect("T51 a list is filtered as a plain value, set as a whole, and may be empty", () =>
    Effect.gen(function*() {
      const open = Effect.map(items.get, (all) => all.filter(({ status }) => status === "pending").map(({ id }) => id))
      assert.deepStrictEqual(yield* open, [1, 3])
      yield* items.set([todo(4, "d")])
      assert.deepStrictEqual(yield* items.get, [todo(4, "d")])
      yield* items.set([])
      assert.deepStrictEqual([yield* items.get, yield* open], [[], []])
    }).pipe(
      Effect.provide(
        State.layer(WriteTodos, { "todos.items": [todo(1, "a"), todo(2, "b", "completed"), todo(3, "c")] })
      )
    ))

  it.effect("T52 unset takes every field back to its initial value, from a full state and from an empty one", () =>
    Effect.gen(function*() {
      const initial: Array<[string, Schema.Json]> = [["todos.items", []], ["notes.entries", {}], ["files.contents", {}]]
      const full = yield* run("Go.", [items.to([todo(1, "a")]), Notes.entries.to({ key: "value" })], "full")
      assert.deepStrictEqual([...full.session.state.values], initial)
      const empty = yield* run("Go.", [], "empty")
      assert.deepStrictEqual([...empty.session.state.values], initial)
    }).pipe(Effect.provide([live, world([call("reset"), text("Done."), call("reset"), text("Done.")])])))

  it.effect("T54 a session that nobody stored is missing by name, and the first run starts it fresh", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Session.load({ app: "assistant", session: "s-1" }))
      assert.strictEqual(error._tag, "SessionMissing")
      assert.include(error.message, "there is no session 's-1' without a user in the app 'assistant'")
      const result = yield* run("Hello")
      assert.deepStrictEqual(result.session.events.map(({ kind }) => kind), ["created", "input", "model", "ended"])
      assert.deepStrictEqual(result.session.state.get(items), [])
    }).pipe(Effect.provide([live, world([text("Hi.")])])))

  it.effect("T55 a document that holds no state is refused by name, not taken for an empty one", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(StateSerializer.make([Todos]).deserialize({ version: 1 }))
      assert.deepStrictEqual([error._tag, error.section, error.path], ["StateError", "envelope", ["format"]])
    }))

  it.effect("T56 a stored session is read back with its name, its messages and its state", () =>
    Effect.gen(function*() {
      const { session } = yield* Effect.provide(run("Remember me", [Notes.entries.to({ key: "value" })]), [
        live,
        world([text("I will.")])
      ])
      const loaded = yield* Effect.provide(Session.load(session.ref, [Todos, Notes, Files]), restarted(session, []))
      assert.deepStrictEqual({ ...loaded.ref }, { app: "assistant", user: undefined, session: "s-1" })
      assert.deepStrictEqual(historyOf(loaded), ["user: Remember me", "assistant: I will."])
      assert.deepStrictEqual(loaded.state.get(Notes.entries), { key: "value" })
    }))

  it.effect("T57 a store is asked for a session by app, user and session", () =>
    Effect.gen(function*() {
      const asked: Array<SessionStore.Ref> = []
      const watched = Layer.effect(
        SessionStore.SessionStore,
        Effect.map(SessionStore.SessionStore, (store) => ({
          ...store,
          load: (ref: SessionStore.Ref) => {
            asked.push(ref)
            return store.load(ref)
          }
        }))
      )
      yield* AgentRunner.run(Assistant, { app: "shop", user: "u-1", session: "conv-1", input: "Hello" }).pipe(
        Effect.provide([live, Layer.provideMerge(watched, world([text("Hi.")]))])
      )
      assert.deepStrictEqual(asked.map((ref) => ({ ...ref })), [{ app: "shop", user: "u-1", session: "conv-1" }])
    }))

  it.effect("T59 what a call wrote is there for the next call of its step, under the same agent", () =>
    Effect.gen(function*() {
      const result = yield* run("Go.")
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "note", failed: false, value: null },
        { tool: "read_notes", failed: false, value: { agent: "assistant", key: "value" } }
      ])
    }).pipe(Effect.provide([
      live,
      world([
        ScriptedModel.calls(
          { tool: "note", parameters: { key: "key", value: "value" } },
          { tool: "read_notes" }
        ),
        text("Done.")
      ])
    ])))

  it.effect("T60 a tool that touches no state runs in an agent without any", () =>
    Effect.gen(function*() {
      const kit = Toolkit.make(Think)
      const thinker = Agent.make("thinker", { instructions: "Think.", toolkit: kit })
      const { session } = yield* AgentRunner.run(thinker, { session: "s-1", input: "Go." }).pipe(
        Effect.provide([Toolkit.layer(kit, { think: () => Effect.void }), world([call("think"), text("Done.")])])
      )
      assert.deepStrictEqual(session.events.flatMap((event) => event.kind === "call" ? [event.delta] : []), [
        { versions: {}, operations: [] }
      ])
      assert.deepStrictEqual([...session.state.values], [])
    }))

  it.effect("T61 a call without a result, and a run without calls, leave the state as it was", () =>
    Effect.gen(function*() {
      const before = (yield* run("Hello", [Notes.entries.to({ key: "value" })])).session
      assert.deepStrictEqual(callsOf(before), [])
      const after = (yield* run("Go.")).session
      assert.deepStrictEqual(callsOf(after), [{ tool: "think", failed: false, value: null }])
      assert.deepStrictEqual([...after.state.values], [...before.state.values])
    }).pipe(Effect.provide([live, world([text("Hi."), call("think"), text("Done.")])])))

  it.effect("T62 a run ends completed, paused or failed, and says which as a value", () =>
    Effect.gen(function*() {
      const completed = yield* run("Hello", [], "a")
      assert.deepStrictEqual([completed._tag, completed._tag === "Completed" && completed.text], ["Completed", "Hi."])
      const paused = yield* run("Send it.", [], "b")
      const open = paused._tag === "Paused" ? paused.open : []
      assert.deepStrictEqual(open.map(({ name, tool }) => [name, tool]), [["approval", "send"]])
      const failed = yield* Effect.flip(run("Hello", [], "c"))
      assert.deepStrictEqual([failed._tag, failed.reason._tag], ["AgentError", "ModelFailed"])
      const resumed = yield* AgentRunner.resume(Assistant, {
        session: "b",
        answers: open.map(({ id }) => Interrupt.approve(id))
      })
      assert.deepStrictEqual(callsOf(resumed.session), [{ tool: "send", failed: false, value: "sent" }])
    }).pipe(Effect.provide([
      live,
      world([
        text("Hi."),
        call("send"),
        ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" })),
        text("Sent.")
      ])
    ])))

  it.effect("T64 state goes from round to round, and a list of which all is done is cleared", () =>
    Effect.gen(function*() {
      const result = yield* run("Build it.")
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "write_todos", failed: false, value: 1 },
        { tool: "create_file", failed: false, value: "created a.txt" },
        { tool: "write_todos", failed: false, value: 1 }
      ])
      assert.deepStrictEqual(result.session.state.get(items), [])
      assert.deepStrictEqual(result.session.state.get(Files.contents), { "a.txt": "Hello" })
    }).pipe(Effect.provide([
      live,
      world([
        call("write_todos", { todos: [todo(1, "Create a file")], merge: false }),
        call("create_file", { path: "a.txt", content: "Hello" }),
        call("write_todos", { todos: [todo(1, "Create a file", "completed")], merge: true }),
        text("Built.")
      ])
    ])))

  it.effect("T65 an update of some items finds the others as the round before left them", () =>
    Effect.gen(function*() {
      const result = yield* run("Plan.")
      assert.deepStrictEqual(result.session.state.get(items), [
        todo(1, "Step 1", "completed"),
        todo(2, "Step 2", "in_progress"),
        todo(3, "Step 3"),
        todo(4, "Step 4"),
        todo(5, "Step 5"),
        todo(6, "Step 6")
      ])
    }).pipe(Effect.provide([
      live,
      world([
        call("write_todos", { todos: [1, 2, 3, 4, 5, 6].map((id) => todo(id, `Step ${id}`)), merge: false }),
        call("write_todos", {
          todos: [todo(1, "Step 1", "completed"), todo(2, "Step 2", "in_progress")],
          merge: true
        }),
        text("Done.")
      ])
    ])))

  it.effect("T66 a tool that fails gives an error result, and what was there before stays", () =>
    Effect.gen(function*() {
      const result = yield* run("Write it twice.")
      assert.deepStrictEqual(callsOf(result.session), [
        { tool: "create_file", failed: false, value: "created a.txt" },
        { tool: "create_file", failed: true, value: { _tag: "FileExists", path: "a.txt" } }
      ])
      assert.deepStrictEqual(result.session.state.get(Files.contents), { "a.txt": "First" })
      assert.strictEqual(result._tag === "Completed" && result.text, "Done.")
    }).pipe(Effect.provide([
      live,
      world([
        call("create_file", { path: "a.txt", content: "First" }),
        call("create_file", { path: "a.txt", content: "Second" }),
        text("Done.")
      ])
    ])))
})
