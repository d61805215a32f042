/**
 * A list of things to do that the model keeps for itself.
 *
 * The list is State: it is stored, restored and migrated with the session, and a sub-agent starts one of its own.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect, type Layer, Result, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import * as Middleware from "../Middleware.ts"
import * as State from "../State.ts"
import * as Tool from "../Tool.ts"
import * as Toolkit from "../Toolkit.ts"

// ===== models ================================================================

/** How far a thing to do has come. @category models @since 0.1.0 */
export const Status = Schema.Literals(["pending", "in_progress", "completed", "cancelled"])

/** @since 0.1.0 */
export type Status = typeof Status.Type

const Content = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1_000))

/** One thing to do. @category models @since 0.1.0 */
export const Todo = Schema.Struct({
  id: Schema.Int.check(Schema.isGreaterThan(0)),
  content: Content,
  status: Status
})

/** @since 0.1.0 */
export interface Todo extends Schema.Schema.Type<typeof Todo> {}

/** One thing to do as a model writes it. @category models @since 0.1.0 */
export const Item = Schema.Struct({
  id: Schema.optionalKey(Schema.Union([Schema.Int, Schema.String])).annotateKey({
    description: "a number from 1; without one, the item's place in this list"
  }),
  content: Content,
  status: Schema.optionalKey(Schema.String).annotateKey({
    description: "pending, in_progress, completed or cancelled; pending unless said otherwise"
  })
})

/** @since 0.1.0 */
export interface Item extends Schema.Schema.Type<typeof Item> {}

// ===== state =================================================================

/** The section that holds the list, in the order of the ids. @category state @since 0.1.0 */
export const Todos = State.make("todo_list", {
  items: State.field(Schema.Array(Todo), { initial: [] })
}, { child: "fresh" })

// ===== reading ===============================================================

const isStatus = Schema.is(Status)
const decodeId = Schema.decodeUnknownResult(Todo.fields.id)

const idOf = ({ id }: Item): number | undefined => {
  const number = typeof id === "string" && /^\s*\d+\s*$/.test(id) ? Number(id) : id
  return Result.getOrUndefined(decodeId(number))
}

const inOrder = (todos: Iterable<Todo>): ReadonlyArray<Todo> => [...todos].sort((a, b) => a.id - b.id)

/**
 * What a model wrote, as things to do in the order of their ids.
 *
 * **Details**
 *
 * A numeric text is an id. An item without an id gets its place in the list, or the next number that is free. An unknown
 * status is `pending`. Of two items with one id the later one holds.
 *
 * **Example** (Ids and a status to repair)
 *
 * ```ts
 * import { TodoList } from "tenon/middleware"
 *
 * const todos = TodoList.parse([{ content: "Read", status: "done?" }, { id: "7", content: "Write" }])
 *
 * todos.map(({ id, status }) => `${id} ${status}`) // => ["1 pending", "7 pending"]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const parse = (items: ReadonlyArray<Item>): ReadonlyArray<Todo> => {
  const given = new Set(items.map(idOf))
  const out = new Map<number, Todo>()
  for (const [index, item] of items.entries()) {
    let id = idOf(item)
    if (id === undefined) {
      id = index + 1
      while (given.has(id)) id++
      given.add(id)
    }
    out.set(id, { id, content: item.content, status: isStatus(item.status) ? item.status : "pending" })
  }
  return inOrder(out.values())
}

/** Is there still something to do? @category getters @since 0.1.0 */
export const isOpen = ({ status }: Pick<Todo, "status">): boolean => status !== "completed" && status !== "cancelled"

/** What the model reads after it wrote. */
const told = (todos: ReadonlyArray<Todo>, how: "merged" | "replaced"): string => {
  const counts = Status.literals.flatMap((status) => {
    const count = todos.filter((todo) => todo.status === status).length
    return count === 0 ? [] : [`${count} ${status}`]
  })
  const summary = `TODO list ${how}: ${todos.length} TODO${counts.length === 0 ? "" : ` (${counts.join(", ")})`}`
  return [summary, ...todos.map(({ content, id, status }) => `${id}. [${status}] ${content}`)].join("\n")
}

// ===== tool ==================================================================

/** The tool that writes the list. @category tools @since 0.1.0 */
export const WriteTodos = Tool.make("write_todos", {
  description: "Writes your list of things to do. With merge, items of known ids are updated and the rest is kept; " +
    "without it the list is replaced.",
  parameters: Schema.Struct({ todos: Schema.Array(Item), merge: Schema.optionalKey(Schema.Boolean) }),
  success: Schema.String,
  writes: [Todos.items]
})

const kit = Toolkit.make(WriteTodos)

/**
 * The handler of `write_todos`. With `clearWhenDone` a list of which nothing is open any more is emptied.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: { readonly clearWhenDone?: boolean } = {}
): Layer.Layer<AiTool.HandlersFor<typeof kit.tools>> =>
  Toolkit.layer(kit, {
    write_todos: Effect.fnUntraced(function*({ merge = false, todos }) {
      const before = merge ? yield* Todos.items.get : []
      const written = new Map([...before, ...parse(todos)].map((todo) => [todo.id, todo]))
      const after = inOrder(written.values())
      yield* Todos.items.set(options.clearWhenDone === true && !after.some(isOpen) ? [] : after)
      return told(after, merge ? "merged" : "replaced")
    })
  })

// ===== middleware ============================================================

const instructions = [
  "For work of three steps or more, keep a list with write_todos: write it before you start, keep one item in_progress,",
  "and mark an item completed as soon as it is. For less, do without."
].join("\n")

/**
 * Gives an agent a list of things to do, with a tool that writes it and a few words on when to use it.
 *
 * **Details**
 *
 * Its handler is `TodoList.layer`, provided beside the agent's others. A sub-agent has a list where its own middleware
 * says so, and starts it empty.
 *
 * **Example** (An agent that plans)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { TodoList } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Planner = Agent.make("planner", { instructions: "Plan.", middleware: [TodoList.make()] })
 * const Model = ScriptedModel.layer([
 *   ScriptedModel.call("write_todos", { todos: [{ content: "Look around", status: "in_progress" }] }),
 *   ScriptedModel.text("Planned.")
 * ])
 *
 * const { session } = await Effect.runPromise(
 *   AgentRunner.run(Planner, { session: "s-1", input: "Plan it." }).pipe(
 *     Effect.provide([TodoList.layer(), Model, SessionStore.layerMemory])
 *   )
 * )
 * session.state.get(TodoList.Todos.items) // => [{ id: 1, content: "Look around", status: "in_progress" }]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  options: { readonly instructions?: string } = {}
): Middleware.Middleware<"todo_list", Tool.Requirements<typeof WriteTodos>, never, typeof WriteTodos> =>
  Middleware.make("todo_list", { toolkit: kit, instructions: options.instructions ?? instructions })
