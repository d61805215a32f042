/**
 * Replays a task: an agent with the 16 tools, whose model asks for the recorded calls, one a step, on fresh data. What
 * comes out is compared with what is on record.
 */
import { Duration, Effect, Layer, type Schema } from "effect"
import { Agent, AgentRunner, type Session, type State, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { describe, differences, textDifferences } from "../differences.ts"
import { Shop, stocked, type Tables } from "../shop.ts"
import { DeliveredLive, DeliveredTools } from "../tools/delivered.ts"
import { FindingLive, FindingTools } from "../tools/finding.ts"
import { PendingLive, PendingTools } from "../tools/pending.ts"
import { ThinkingLive, ThinkingTools } from "../tools/thinking.ts"
import type { Task } from "./folder.ts"

/** The agent of the retail domain. */
export const Retail = Agent.make("retail", {
  instructions: "You help the customers of a shop with their orders.",
  toolkit: Toolkit.make(
    ...Object.values(FindingTools.tools),
    ...Object.values(ThinkingTools.tools),
    ...Object.values(PendingTools.tools),
    ...Object.values(DeliveredTools.tools)
  )
})

/** The handlers of all 16 tools. */
export const RetailLive = Layer.mergeAll(FindingLive, ThinkingLive, PendingLive, DeliveredLive)

/** What came out of a task. */
export interface Outcome {
  /** The calls that ran. */
  readonly calls: number
  /** The size of the deltas that the session stored for its calls, as JSON. */
  readonly deltaBytes: number
  readonly milliseconds: number
  /** What is not as it is on record. */
  readonly mismatches: ReadonlyArray<string>
}

const scriptOf = ({ actions }: Task): ScriptedModel.Script => [
  ...actions.map(({ name, args }) => ScriptedModel.call(name, args)),
  ScriptedModel.text("Is there anything else?")
]

type Table = { readonly [id: string]: Schema.Json }

/** The data that each task starts with, made once: the sessions share its values. */
export interface Stock {
  readonly assignments: ReadonlyArray<State.Assignment>
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, Schema.Json>>
}

export const stockOf = (tables: Tables): Stock => {
  const assignments = stocked(tables)
  return {
    assignments,
    tables: new Map(
      assignments.map(({ operation: { field, value } }) => [field, new Map(Object.entries(value as Table))])
    )
  }
}

/** The entries of one table that are not as expected: an entry that nobody expects to differ is as it was. */
const entryMismatches = (
  name: string,
  before: ReadonlyMap<string, Schema.Json>,
  after: ReadonlyMap<string, Schema.Json>,
  expected: Table
): ReadonlyArray<string> => {
  const wanted = (id: string) => Object.hasOwn(expected, id) ? expected[id] : before.get(id)
  // what nobody wrote is the very same object
  const odd = [...after].filter(([id, value]) => value !== before.get(id)).map(([id]) => id)
  const ids = new Set([...odd, ...Object.keys(expected), ...(after.size < before.size ? before.keys() : [])])
  return [...ids].flatMap((id) =>
    differences(wanted(id), after.get(id)).map((difference) => `${name} ${id}: ${describe(difference)}`)
  )
}

const compare = ({ actions, results, expected }: Task, stock: Stock, session: Session.Session) => {
  const calls = session.events.filter((event) => event.kind === "call")
  const texts = actions.flatMap(({ name }, index) => {
    const value = calls[index]?.result.value
    return textDifferences(
      results[index] ?? "",
      typeof value === "string" ? value : JSON.stringify(value) ?? "no result"
    )
      .map((difference) => `call ${index + 1} ${name}: ${describe(difference)}`)
  })
  const tables: Readonly<Record<string, Table>> = {
    [Shop.orders.name]: expected.orders,
    [Shop.users.name]: expected.users
  }
  const entries = [...stock.tables].flatMap(([field, before]) => {
    const after = new Map(Object.entries(session.state.values.get(field) as Table))
    return entryMismatches(field, before, after, tables[field] ?? {})
  })
  const sizes = calls.map(({ delta }) => Buffer.byteLength(JSON.stringify(delta)))
  return { calls: calls.length, deltaBytes: sizes.reduce((a, b) => a + b, 0), mismatches: [...texts, ...entries] }
}

/** Runs a task on a stock that it shares with all others, and compares. */
export const replay = Effect.fnUntraced(function*(task: Task, stock: Stock) {
  const [elapsed, { session }] = yield* AgentRunner.run(Retail, {
    session: `task-${task.id}`,
    input: `Hello, I am ${task.userId}.`,
    state: stock.assignments
  }).pipe(Effect.provide(ScriptedModel.layer(scriptOf(task))), Effect.timed)
  return { ...compare(task, stock, session), milliseconds: Duration.toMillis(elapsed) } satisfies Outcome
})
