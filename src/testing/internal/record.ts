/**
 * What the events of a run tell, call by call and write by write. Layer 6, edge `testing`.
 */
import * as Actions from "../../Actions.ts"
import type * as Event from "../../Event.ts"
import type * as StateDelta from "../../StateDelta.ts"

/** A call that the model asked for, and what became of it. */
export interface Call {
  readonly id: string
  /** The name of the agent whose model asked for it. */
  readonly agent: string
  readonly tool: string
  /** The arguments as the model gave them. */
  readonly parameters: unknown
  /** `waiting`: for an answer. */
  readonly status: "succeeded" | "failed" | "waiting"
  /** What the model reads; `undefined` while the call waits. */
  readonly value: unknown
}

/** What one call or hook did to State. */
export interface Delta {
  readonly agent: string
  /** The tool; of a hook, its middleware and where it stands, `"title.afterRun"`. */
  readonly by: string
  readonly operations: ReadonlyArray<StateDelta.Operation>
}

/** What one call asked of the loop. */
export interface Asked {
  readonly agent: string
  readonly by: string
  readonly actions: Actions.Actions
}

const nameOf = ({ path }: Event.Event): string => path.at(-1) ?? ""

const byOf = (event: Event.CallEnded | Event.HookRan): string =>
  event.kind === "call" ? event.tool : `${event.middleware}.${event.hook}`

/** The calls that ended among these events, or were asked for, in the order in which models asked. */
export const callsIn = (
  log: ReadonlyArray<Event.Event>,
  events: ReadonlyArray<Event.Event>
): ReadonlyArray<Call> => {
  const ended = new Map(events.flatMap((event) => event.kind === "call" ? [[event.call, event.result] as const] : []))
  const over = new Set(log.flatMap((event) => event.kind === "call" ? [event.call] : []))
  return log.flatMap((event) =>
    event.kind !== "model" ? [] : event.calls.flatMap(({ id, parameters, tool }): ReadonlyArray<Call> => {
      const result = ended.get(id)
      const call = { id, agent: nameOf(event), tool, parameters }
      if (result !== undefined) {
        return [{ ...call, status: result.isFailure ? "failed" : "succeeded", value: result.value }]
      }
      return over.has(id) ? [] : [{ ...call, status: "waiting", value: undefined }]
    })
  )
}

/** What was done to State in these events, by whoever did something to it. */
export const deltasIn = (events: ReadonlyArray<Event.Event>): ReadonlyArray<Delta> =>
  events.flatMap((event) => {
    if (event.kind !== "call" && event.kind !== "hook") return []
    const operations = [...event.delta.operations, ...event.shared?.operations ?? []]
    return operations.length === 0 ? [] : [{ agent: nameOf(event), by: byOf(event), operations }]
  })

/** What was asked of the loop in these events. */
export const actionsIn = (events: ReadonlyArray<Event.Event>): ReadonlyArray<Asked> =>
  events.flatMap((event) =>
    (event.kind !== "call" && event.kind !== "hook") || event.actions === undefined || Actions.isEmpty(event.actions)
      ? []
      : [{ agent: nameOf(event), by: byOf(event), actions: event.actions }]
  )
