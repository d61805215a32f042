import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, AgentRunner } from "tenon"
import { TodoList } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { callsOf, world } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Planner = Agent.make("planner", { instructions: "Plan.", middleware: [TodoList.make()] })

const item = (content: string, more: object = {}) => ({ content, ...more })
const write = (todos: unknown, merge?: boolean) => call("write_todos", { todos, ...(merge !== undefined && { merge }) })
const todo = (id: number, content: string, status: TodoList.Status = "pending"): TodoList.Todo => ({
  id,
  content,
  status
})

/** Runs these writes one after the other, on a list that holds `before`. */
const writing = (before: ReadonlyArray<TodoList.Todo>, ...writes: ReadonlyArray<ScriptedModel.Turn>) =>
  Effect.gen(function*() {
    const { session } = yield* AgentRunner.run(Planner, {
      session: "s-1",
      input: "Plan.",
      state: [TodoList.Todos.items.to(before)]
    })
    const ends = callsOf(session)
    return {
      todos: session.state.get(TodoList.Todos.items),
      ends,
      said: ends.map(({ value }) => JSON.stringify(value))
    }
  }).pipe(Effect.provide([TodoList.layer(), world([...writes, text("Done.")])]))

describe("todo list", () => {
  it.effect("T67 without merge the list is replaced, and the result says so", () =>
    Effect.gen(function*() {
      const { said, todos } = yield* writing(
        [todo(99, "Old")],
        write([item("One", { id: 1 }), item("Two", { id: 2 })], false)
      )
      assert.deepStrictEqual(todos, [todo(1, "One"), todo(2, "Two")])
      assert.include(said[0], "replaced")
      assert.include(said[0], "2 TODO")
    }))

  it.effect("T69 the list is in the order of the numbers, not of their digits", () =>
    Effect.gen(function*() {
      const ids = [10, 2, 9, 1, 3, 8, 4, 7, 5, 6]
      const { todos } = yield* writing([], write(ids.map((id) => item(`Nr. ${id}`, { id }))))
      assert.deepStrictEqual(todos.map(({ id }) => id), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }))

  it.effect("T70 an id may be a numeric text", () =>
    Effect.gen(function*() {
      const { todos } = yield* writing([], write([item("One", { id: "1" }), item("Seven", { id: "7" })]))
      assert.deepStrictEqual(todos, [todo(1, "One"), todo(7, "Seven")])
    }))

  it.effect("T71 items without ids are numbered by their places", () =>
    Effect.gen(function*() {
      const { todos } = yield* writing([], write([item("a"), item("b"), item("c")]))
      assert.deepStrictEqual(todos, [todo(1, "a"), todo(2, "b"), todo(3, "c")])
    }))

  it.effect("T72 with merge items of known ids are updated, new ones added, and the rest is kept", () =>
    Effect.gen(function*() {
      const { todos } = yield* writing(
        [todo(1, "One"), todo(2, "Two")],
        write([item("Two, done", { id: 2, status: "completed" }), item("Three", { id: 3 })], true)
      )
      assert.deepStrictEqual(todos, [todo(1, "One"), todo(2, "Two, done", "completed"), todo(3, "Three")])
    }))

  it.effect("T74 an item without content is an error result, and nothing is written", () =>
    Effect.gen(function*() {
      const { ends, said, todos } = yield* writing([todo(1, "One")], write([item("")]))
      assert.deepStrictEqual([ends[0]?.failed, todos], [true, [todo(1, "One")]])
      assert.include(said[0], "InvalidArguments")
      assert.include(said[0], "content")
    }))

  it.effect("T75 what is not a list is an error result that says what is expected", () =>
    Effect.gen(function*() {
      const { ends, said } = yield* writing([], write("not an array"))
      assert.strictEqual(ends[0]?.failed, true)
      assert.match(said[0] ?? "", /Expected array.*todos/)
    }))

  it.effect("T76 an unknown status is pending", () =>
    Effect.gen(function*() {
      const { todos } = yield* writing([], write([item("One", { status: "invalid_status" })]))
      assert.deepStrictEqual(todos, [todo(1, "One")])
    }))

  it.effect("T77 the result counts what is to do, by status", () =>
    Effect.gen(function*() {
      const three = [item("a"), item("b", { status: "in_progress" }), item("c")]
      const { said } = yield* writing([], write(three, true), write(three, false))
      for (const part of ["3 TODO", "2 pending", "1 in_progress"]) for (const each of said) assert.include(each, part)
      assert.include(said[0], "merged")
      assert.include(said[1], "replaced")
    }))

  it.effect("T80 what is to do has a number from 1, a known status, and 1 to 1000 characters of content", () =>
    Effect.gen(function*() {
      const fits = Schema.is(TodoList.Todo)
      for (const status of TodoList.Status.literals) assert.isTrue(fits(todo(7, "x", status)))
      for (const id of [undefined, 0, -1, 1.5, "abc", "7"]) assert.isFalse(fits({ ...todo(1, "x"), id }))
      assert.deepStrictEqual([1, 1_000, 0, 1_001].map((length) => fits(todo(1, "x".repeat(length)))), [
        true,
        true,
        false,
        false
      ])
      // what a model writes is forgiven more: a numeric text is a number (T70), and any other id is none (T81)
      const { ends } = yield* writing([], write([item("x".repeat(1_001))]), write([item("x", { id: "7" })]))
      assert.deepStrictEqual(ends.map(({ failed }) => failed), [true, false])
    }))

  it.effect("T81 ids are kept, read from texts, or given by place, also mixed, and never twice", () =>
    Effect.sync(() => {
      const ids = (...given: ReadonlyArray<string | number | undefined>) =>
        TodoList.parse(given.map((id) => id === undefined ? { content: "x" } : { id, content: "x" })).map(({ id }) =>
          id
        )
      assert.deepStrictEqual(ids(undefined, undefined, undefined), [1, 2, 3])
      assert.deepStrictEqual(ids(4, 9), [4, 9])
      assert.deepStrictEqual(ids("4", " 9 "), [4, 9])
      assert.deepStrictEqual(ids("task_1", "", "1.5"), [1, 2, 3])
      assert.deepStrictEqual(ids(5, undefined, "7", "b", 0, -3), [2, 4, 5, 6, 7, 8])
      assert.deepStrictEqual(ids(2, undefined), [2, 3])
    }))

  it.effect("T82 what is neither completed nor cancelled is open, an unknown status too", () =>
    Effect.sync(() => {
      const open = TodoList.Status.literals.filter((status) => TodoList.isOpen({ status }))
      assert.deepStrictEqual(open, ["pending", "in_progress"])
      assert.isTrue(TodoList.parse([{ content: "x", status: "who knows" }]).every(TodoList.isOpen))
      // @ts-expect-error a number is no status
      TodoList.isOpen({ status: 7 })
    }))
})
