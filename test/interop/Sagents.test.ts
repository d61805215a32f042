import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import { Agent, AgentRunner, Event, Session, SessionStore, State } from "tenon"
import { Imported, Sagents } from "tenon/interop"
import { TodoList } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"

type Json = Schema.Json
type Entry = Readonly<Record<string, Json>>

const ref = { app: "guide", session: "s-1" }
const Chat = State.make("chat", {
  title: State.field(Schema.String, { initial: "" }),
  seen: State.optional(Schema.Boolean)
})
const fields = { todos: TodoList.Todos.items, metadata: { title: Chat.title } }
const known = [Chat, TodoList.Todos, Sagents.Carried]

const imported = (json: unknown, options: Sagents.Fields = fields) =>
  Result.getOrThrow(Sagents.importState(json, { ref, ...options }))
const refused = (json: unknown, options: Sagents.Fields = fields) =>
  Result.getOrThrow(Result.flip(Sagents.importState(json, { ref, ...options })))
const folded = (from: Imported.Imported) => Result.getOrThrow(Session.fold(from.events, known))
const exported = (session: Session.Session, options: Sagents.ExportOptions = fields) =>
  Effect.map(Sagents.exportState(session, options), ({ value }) => value as { readonly state: Entry } & Entry)

const of = (messages: ReadonlyArray<Json>, rest: Entry = {}) => ({
  version: 2,
  serialized_at: "2026-11-30T13:26:48.416699Z",
  state: { messages, todos: [], metadata: {} },
  ...rest
})

// ===== states by chance ======================================================

const oneOf = <A extends string>(items: ReadonlyArray<A>) => Arbitrary.schema(Schema.Literals(items))
const json = Arbitrary.map(Arbitrary.schema(Schema.Json), (value): Json => JSON.parse(JSON.stringify(value)) as Json)
const small = Arbitrary.schema(Schema.Literals([0, 1, 2, 3]))
const ids = oneOf(["c1", "c2"])

const message = Arbitrary.map(
  Arbitrary.all({
    role: oneOf(["user", "assistant", "tool", "system"]),
    text: oneOf(["", "Hello", "Où ?"]),
    status: oneOf(["complete", "cancelled", "length"]),
    calls: Arbitrary.array(ids, { maxLength: 2 }),
    kind: small,
    more: small,
    value: json
  }),
  ({ calls, kind, more, role, status, text, value }): Entry => ({
    role,
    content: kind === 0
      ? null
      : kind === 1
      ? [
        { type: "text", content: text },
        { type: "image", content: "aGk=", options: { media: "png", detail: "low" } },
        { type: "hologram", content: value }
      ]
      : text,
    status: more === 0 ? null : status,
    ...(more === 1 && { name: "ada", index: 3 }),
    ...(more === 2 &&
      { metadata: { streaming_error: { type: "closed", message: text }, stop_details: { raw: value } } }),
    ...(role === "assistant" && calls.length > 0 && {
      tool_calls: calls.map((call_id) => ({
        call_id,
        type: "function",
        name: "look",
        arguments: more === 0 ? "{\"at\":1" : more === 1 ? "{\"at\":1}" : { at: value },
        status: "complete",
        ...(more === 3 && { display_text: "Looking…", metadata: { customKey: true } })
      }))
    }),
    ...(role === "tool" && {
      tool_results: calls.map((tool_call_id) => ({
        type: "function",
        tool_call_id,
        name: "look",
        content: more === 0 ? [{ type: "text", content: text }] : text,
        is_error: kind === 2,
        is_interrupt: kind === 3,
        ...(kind === 3 && { interrupt_data_b64: "g3QAAAAA" })
      }))
    })
  })
)

const state = Arbitrary.map(
  Arbitrary.all({ messages: Arbitrary.array(message, { maxLength: 7 }), value: json, more: small }),
  ({ messages, more, value }) => ({
    messages,
    todos: more === 0 ? [] : [{ id: more, content: "Look", status: "in_progress" }],
    metadata: { title: "Hi", true: true, inner: { a_b: value }, ["__proto__"]: 1 }
  })
)

describe("Sagents", () => {
  describe("importState", () => {
    it.effect.prop("gives back what came in", { state }, ({ state }) =>
      Effect.gen(function*() {
        const from = imported(of([], { state }))
        for (const event of from.events) assert.isTrue(Result.isSuccess(Event.decode(Event.encode(event))))
        const document = yield* exported(folded(from))
        assert.deepStrictEqual(document.state, state)
        const without = imported(of([], { state }), {})
        assert.deepStrictEqual((yield* exported(folded(without), {})).state, state)
      }), { arbitrary: { runs: 300 } })

    it.effect.prop("gives a log that a run can go on in", { state }, ({ state }) =>
      Effect.gen(function*() {
        const from = imported(of([], { state }))
        yield* Imported.save(from)
        const before = yield* Session.load(ref, known)
        assert.deepStrictEqual(before.open, [])
        const agent = Agent.make("guide", { instructions: "Guide.", middleware: [TodoList.make()] })
        const result = yield* AgentRunner.run(agent, { session: "s-1", input: "Go on." })
        assert.deepStrictEqual(result.session.history.slice(0, before.history.length), before.history)
        assert.deepStrictEqual(result.session.state.get(TodoList.Todos.items), before.state.get(TodoList.Todos.items))
      }).pipe(
        Effect.provide([TodoList.layer(), SessionStore.layerMemory, ScriptedModel.layer([ScriptedModel.text("On.")])])
      ), { arbitrary: { runs: 60 } })

    it("refuses a later version, and what is no version", () => {
      const error = refused(of([], { version: 3 }))
      assert.deepStrictEqual([error._tag, error.path], ["InteropError", ["version"]])
      assert.strictEqual(
        error.message,
        "sagents: at 'version': it was written by a later version, 3; this program reads 2 and earlier ones"
      )
      assert.deepStrictEqual(refused(of([], { version: "2" })).path, ["version"])
    })

    it("names the place of what does not fit", () => {
      assert.deepStrictEqual(refused(of([{ role: "robot", content: "Hi" }])).path, ["state", "messages", "0", "role"])
      const state = { messages: [], todos: [], metadata: { title: 7 } }
      assert.deepStrictEqual(refused(of([], { state })).path, ["state", "metadata", "title"])
      const todos = [{ id: 1, content: "", status: "pending" }]
      assert.deepStrictEqual(refused(of([], { state: { ...state, metadata: {}, todos } })).path, [
        "state",
        "todos",
        "0",
        "content"
      ])
    })

    it("reads version 1, and a state without a version as it: an argument of two tools has another name", () => {
      const call = (name: string, given: Json) => ({
        call_id: "c-1",
        type: "function",
        name,
        arguments: given,
        status: "complete"
      })
      const messages = (key: string) => [
        { role: "user", content: "subagent_type", status: "complete" },
        {
          role: "assistant",
          content: null,
          status: "complete",
          tool_calls: [
            call("task", { [key]: "researcher", prompt: "Look.", nested: { subagent_type: "x" } }),
            call("get_task_instructions", { [key]: "writer" }),
            call("other", { subagent_type: "mine" }),
            call("task", { prompt: "subagent_type" })
          ]
        }
      ]
      const callsIn = (from: Imported.Imported) =>
        from.events.flatMap((event) => event.kind === "model" ? event.calls.map(({ parameters }) => parameters) : [])
      const current = callsIn(imported(of(messages("task_name"))))
      assert.deepStrictEqual(current[0], { task_name: "researcher", prompt: "Look.", nested: { subagent_type: "x" } })
      assert.deepStrictEqual(callsIn(imported(of(messages("subagent_type"), { version: 1 }))), current)
      const { version: _, ...without } = of(messages("subagent_type"))
      assert.deepStrictEqual(callsIn(imported(without)), current)
      assert.notDeepEqual(callsIn(imported(of(messages("subagent_type")))), current)
    })

    it.effect("puts a pending message into the inbox, from where a run takes it, or it goes out again", () =>
      Effect.gen(function*() {
        const pending_message = { role: "user", content: "Waiting.", status: "complete" }
        const from = imported(of([], { pending_message }))
        yield* Imported.save(from)
        const store = yield* SessionStore.SessionStore
        const session = yield* Session.load(ref, known)
        const document = yield* exported(session, { ...fields, waiting: yield* store.inbox(ref) })
        assert.deepStrictEqual(document["pending_message"], pending_message)
        const agent = Agent.make("guide", { instructions: "Guide." })
        const { session: next } = yield* AgentRunner.resume(agent, { session: "s-1", answers: [] })
        assert.deepStrictEqual(next.history.map(({ role }) => role), ["user", "assistant"])
        assert.deepStrictEqual(yield* store.inbox(ref), [])
        const report = imported(of([], { pending_message: { ...pending_message, name: "ada" } })).report
        assert.deepStrictEqual(report.map(({ path }) => path), [["pending_message"]])
      }).pipe(Effect.provide([SessionStore.layerMemory, ScriptedModel.layer([ScriptedModel.text("Taken.")])])))

    it("numbers todos that had texts for ids", () => {
      const todos = [{ id: "x", content: "One", status: "pending" }, { id: "y", content: "Two", status: "completed" }]
      const session = folded(imported(of([], { state: { messages: [], todos, metadata: {} } })))
      assert.deepStrictEqual(session.state.get(TodoList.Todos.items).map(({ id }) => id), [1, 2])
    })

    it("refuses a field of another scope", () => {
      const Person = State.make("person", { name: State.optional(Schema.String, { scope: "user" }) })
      assert.throws(
        () => imported(of([]), { metadata: { name: Person.name } }),
        "the key 'name' is mapped to 'person.name' of the scope 'user': its scope must be 'session'"
      )
    })
  })

  describe("exportState", () => {
    it.effect("writes what a session of ours said, a step's results as one message, and reports the rest", () =>
      Effect.gen(function*() {
        const { session } = yield* AgentRunner.run(
          Agent.make("guide", { instructions: "Guide.", middleware: [TodoList.make()] }),
          { session: "s-1", input: "Plan.", state: [Chat.title.to("Plans"), Chat.seen.to(true)] }
        )
        const { report, value } = yield* Sagents.exportState(session, fields)
        const { messages, metadata } = (value as { readonly state: Entry }).state as {
          messages: Array<Entry>
          metadata: Json
        }
        assert.deepStrictEqual(messages.map(({ role }) => role), ["user", "assistant", "tool", "assistant"])
        assert.lengthOf(messages[2]?.["tool_results"] as Array<Json>, 2)
        assert.deepStrictEqual(metadata, { title: "Plans" })
        assert.deepStrictEqual(report, [{ path: ["metadata", "chat.seen"], problem: "the field is mapped to no key" }])
        const again = folded(imported(value))
        assert.deepStrictEqual(again.state.get(TodoList.Todos.items), session.state.get(TodoList.Todos.items))
        assert.lengthOf(again.history, session.history.length)
      }).pipe(Effect.provide([
        TodoList.layer(),
        SessionStore.layerMemory,
        ScriptedModel.layer([
          ScriptedModel.calls(
            { tool: "write_todos", parameters: { todos: [{ content: "Look" }] } },
            { tool: "write_todos", parameters: { todos: [{ id: 2, content: "Leap" }], merge: true } }
          ),
          ScriptedModel.text("Planned.")
        ])
      ])))
  })
})
