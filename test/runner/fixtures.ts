/** What the tests of the runner share. */
import { Context, Effect, Layer } from "effect"
import { LanguageModel } from "effect/ai"
import { type Agent, type AgentError, AgentRunner, type Event, type Interrupt, Session, SessionStore } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { line } from "../message.ts"

type Given = LanguageModel.LanguageModel | SessionStore.SessionStore
type Left<A extends Agent.Any> = Exclude<AgentRunner.Requires<A>, Given>
type Ran<A extends Agent.Any> = Effect.Effect<AgentRunner.AgentResult, AgentError.AgentError, Left<A>>

/** What a run says of itself besides its message. */
type Where = Partial<AgentRunner.RunOptions>

const ref = { session: "s-1", user: "u-1", app: "app" }

/** An agent with a script in a store; its handlers and context keys are still required. */
const talk = <A extends Agent.Any>(
  agent: A,
  { model, requests }: Effect.Success<ReturnType<typeof ScriptedModel.make>>,
  store: Context.Context<SessionStore.SessionStore>
) => {
  const context = Context.add(store, LanguageModel.LanguageModel, model)
  return {
    agent,
    /** What the model was asked. */
    requests,
    context,
    run: (input = "Go.", where: Where = {}): Ran<A> =>
      Effect.provideContext(AgentRunner.run(agent, { ...ref, input, ...where }), context),
    resume: (answers: ReadonlyArray<AgentRunner.Answers<A>>, where: Where = {}): Ran<A> =>
      Effect.provideContext(AgentRunner.resume(agent, { ...ref, ...where, answers }), context),
    abandon: (where: Where = {}) => Effect.provideContext(AgentRunner.abandon(agent, { ...ref, ...where }), context),
    /** The session as the store has it. */
    session: (where: Where = {}) =>
      Effect.provideContext(Session.load({ ...ref, session: where.session ?? ref.session }, agent), context)
  }
}

/** A conversation with an agent in a world of its own. */
export const conversation = <A extends Agent.Any>(agent: A, script: ScriptedModel.Script) =>
  Effect.gen(function*() {
    const scripted = yield* ScriptedModel.make(script)
    return talk(agent, scripted, yield* Layer.build(SessionStore.layerMemory))
  })

/** The conversation in another process: another model, and a store that holds the session as it was written down. */
export const restarted = <A extends Agent.Any>(
  agent: A,
  session: { readonly events: ReadonlyArray<Event.Event> },
  script: ScriptedModel.Script
) =>
  Effect.gen(function*() {
    const scripted = yield* ScriptedModel.make(script)
    const written = JSON.stringify(Session.encode(session.events))
    const events = yield* Effect.fromResult(Session.decode(JSON.parse(written)))
    return talk(agent, scripted, yield* Layer.build(SessionStore.layerMemoryWith([{ ref, events }])))
  })

/** Why a run failed. */
export const reasonOf = <A, R>(effect: Effect.Effect<A, AgentError.AgentError, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

/** The calls that ended, in the order in which they were stored. */
export const endsOf = ({ events }: { readonly events: ReadonlyArray<Event.Event> }) =>
  events.flatMap((event) =>
    event.kind === "call" ? [{ tool: event.tool, failed: event.result.isFailure, value: event.result.value }] : []
  )

/** An error result, as the model gets it. */
export const problem = (_tag: string, message: string) => ({ _tag, message })

/** A result of a call that went well. */
export const good = (tool: string, value: unknown) => ({ tool, failed: false, value })

/** A result of a call that did not. */
export const bad = (tool: string, tag: string, message: string) => ({
  tool,
  failed: true,
  value: problem(tag, message)
})

/** Every event with its author, on a line each. */
export const logOf = ({ events }: { readonly events: ReadonlyArray<Event.Event> }): ReadonlyArray<string> =>
  events.map((event) => {
    const at = `${event.agent}: ${event.kind}`
    switch (event.kind) {
      case "call":
        return `${at} ${event.tool}${event.result.isFailure ? " failed" : ""}`
      case "hook":
        return `${at} ${event.middleware}.${event.hook}`
      case "asked":
        return `${at} ${event.question.id}`
      case "answered":
        return `${at} ${event.question}`
      case "ended":
        return `${at} ${event.status}`
      default:
        return at
    }
  })

/** How the runs of a session ended. */
export const statusesOf = ({ events }: { readonly events: ReadonlyArray<Event.Event> }) =>
  events.flatMap((event) => event.kind === "ended" ? [event.status] : [])

/** The results in the last message that the model got: the provider's id, the tool, and what came out. */
export const answeredIn = (request: ScriptedModel.Request | undefined) => {
  const last = request?.prompt.content.at(-1)
  return last?.role !== "tool" ? [] : last.content.flatMap((part) =>
    part.type === "tool-result"
      ? [{ id: part.id, tool: part.name, failed: part.isFailure, value: part.result }]
      : []
  )
}

/** What the model was told, a message a line. */
export const told = (request: ScriptedModel.Request | undefined): ReadonlyArray<string> =>
  (request?.prompt.content ?? []).map(line)

/** The ids of questions. */
export const idsOf = (open: ReadonlyArray<Interrupt.Open>): ReadonlyArray<string> => open.map(({ id }) => id)

/** The answer of a run that ended with one. */
export const textOf = (result: AgentRunner.AgentResult): string =>
  result._tag === "Completed" ? result.text : "(paused)"

/** The questions of a run that paused. */
export const openOf = (result: AgentRunner.AgentResult): ReadonlyArray<Interrupt.Open> =>
  result._tag === "Paused" ? result.open : []
