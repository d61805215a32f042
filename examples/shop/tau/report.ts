/** Replays all tasks of a folder, and tells how it goes. */
import { Effect } from "effect"
import { SessionStore } from "tenon"
import { accent, bad, bytes, clearProgress, dim, good, heading, line, progress } from "../print.ts"
import type { Folder } from "./folder.ts"
import { type Outcome, replay, RetailLive, stockOf } from "./replay.ts"

const most = 20

/** What goes wrong with one task, in a few lines. */
const complain = (id: number, mismatches: ReadonlyArray<string>) =>
  Effect.forEach(
    [...mismatches.slice(0, most), ...(mismatches.length > most ? [`and ${mismatches.length - most} more`] : [])],
    (mismatch) => line(`${bad("✗")} task ${id}, ${mismatch}`),
    { discard: true }
  )

const failed = (problem: string): Outcome => ({ calls: 0, deltaBytes: 0, milliseconds: 0, mismatches: [problem] })

/** Replays the tasks one after the other; gives whether all of them reproduce. */
export const report = Effect.fnUntraced(function*({ tables, tasks }: Folder) {
  const count = (table: object) => Object.keys(table).length
  const size = Buffer.byteLength(JSON.stringify(tables))
  yield* heading("τ-bench, retail")
  yield* line(
    `${count(tables.orders)} orders, ${count(tables.users)} users, ${count(tables.products)} products: ${bytes(size)}`
  )
  yield* line(dim(`${tasks.length} tasks, each in a session of its own, all on the same data`))

  const stock = stockOf(tables)
  const outcomes: Array<Outcome> = []
  for (const [index, task] of tasks.entries()) {
    const outcome = yield* Effect.catch(replay(task, stock), ({ message }) => Effect.succeed(failed(message)))
    outcomes.push(outcome)
    if (outcome.mismatches.length > 0) yield* Effect.andThen(clearProgress, complain(task.id, outcome.mismatches))
    yield* progress(index + 1, tasks.length, "tasks")
  }

  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, outcome) => all + of(outcome), 0)
  const [calls, deltas, milliseconds] = [
    sum(({ calls }) => calls),
    sum(({ deltaBytes }) => deltaBytes),
    sum(({ milliseconds }) => milliseconds)
  ]
  yield* heading("What it took")
  yield* line(`stored deltas  ${accent(bytes(deltas))} for ${calls} calls; one copy of the data has ${bytes(size)}`)
  yield* line(
    `tool calls     ${
      accent(String(Math.round(calls / milliseconds * 1000)))
    } a second, each with a model call of its own`
  )
  const reproduced = outcomes.filter(({ mismatches }) => mismatches.length === 0).length
  const verdict = `${reproduced} of ${tasks.length} tasks reproduce`
  yield* line(`\n${reproduced === tasks.length ? good(verdict) : bad(verdict)}`)
  return reproduced === tasks.length
}, Effect.provide([RetailLive, SessionStore.layerMemory]))
