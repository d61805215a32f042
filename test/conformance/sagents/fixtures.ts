/** What the tests of this folder share. */
import { Layer, Result, Schema } from "effect"
import type { Event } from "tenon"
import { Session, SessionStore, ToolContext } from "tenon"
import { ScriptedModel } from "tenon/testing"

/** What most callers of these tests supply. */
export const Env = ToolContext.make({ userId: Schema.Int, tenant: Schema.String })

/** A model with a script, and an empty store. */
export const world = (script: ScriptedModel.Script) =>
  Layer.merge(ScriptedModel.layer(script), SessionStore.layerMemory)

/** Events as another process reads them: through JSON text. */
export const reread = (events: ReadonlyArray<Event.Event>): ReadonlyArray<Event.Event> =>
  Result.getOrThrow(Session.decode(JSON.parse(JSON.stringify(Session.encode(events)))))

/** Another process: a new model, and a store that holds the session as it was written down. */
export const restarted = ({ ref, events }: Session.Session, script: ScriptedModel.Script) =>
  Layer.merge(ScriptedModel.layer(script), SessionStore.layerMemoryWith([{ ref, events: reread(events) }]))

/** The ends of a session's calls, in the order in which they were stored. */
export const callsOf = ({ events }: Session.Session) =>
  events.flatMap((event) =>
    event.kind === "call" ? [{ tool: event.tool, failed: event.result.isFailure, value: event.result.value }] : []
  )

/** The roles and texts of a history; a call shows as its tool's name, a result as its value. */
export const historyOf = ({ history }: Session.Session): ReadonlyArray<string> =>
  history.map((message) => {
    const parts = typeof message.content === "string" ? [message.content] : message.content.map((part) => {
      switch (part.type) {
        case "text":
          return part.text
        case "tool-call":
          return `${part.name}()`
        case "tool-result":
          return JSON.stringify(part.result)
        default:
          return part.type
      }
    })
    return `${message.role}: ${parts.join(" ")}`
  })
