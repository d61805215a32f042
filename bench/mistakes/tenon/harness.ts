import { Layer, Result } from "effect"
import { type AgentRunner, Session, SessionStore } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { asked, Told } from "../verdict.ts"

export { verdict } from "../verdict.ts"

const turn = (said: ScriptedModel.Turn) => () => {
  asked()
  return said
}
const calling = (tools: ReadonlyArray<string>) => [
  ...tools.length === 0 ? [] : [turn(ScriptedModel.calls(...tools.map((tool) => ({ tool }))))],
  turn(ScriptedModel.text("done"))
]

/** A model that asks for these calls in one step, and then is done. */
export const model = (...tools: ReadonlyArray<string>) => ScriptedModel.layer(calling(tools))

/** The same, and an empty session store. */
export const scripted = (...tools: ReadonlyArray<string>) => Layer.merge(model(...tools), SessionStore.layerMemory)

/** The same for a parent that delegates to its sub-agent `child`, which calls the tools. */
export const delegating = (...tools: ReadonlyArray<string>) =>
  Layer.merge(
    ScriptedModel.layer({
      parent: [turn(ScriptedModel.call("child", { task: "Go." })), turn(ScriptedModel.text("done"))],
      child: calling(tools)
    }),
    SessionStore.layerMemory
  )

/** A store that holds the session of a run, which went through JSON. */
export const reopened = ({ session }: AgentRunner.AgentResult) => {
  const document = JSON.stringify(Session.encode(session.events))
  return SessionStore.layerMemoryWith([
    { ref: session.ref, events: Result.getOrThrow(Session.decode(JSON.parse(document))) }
  ])
}

/** What the tools gave. */
export const results = ({ session }: AgentRunner.AgentResult): ReadonlyArray<unknown> =>
  session.events.flatMap((event) =>
    event.kind === "call"
      ? [event.result.isFailure ? new Told(JSON.stringify(event.result.value)) : event.result.value]
      : []
  )
