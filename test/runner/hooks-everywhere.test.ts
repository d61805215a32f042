/** Every hook of two middleware, in order, wherever an agent runs: as the root, as a sub-agent, as a target, resumed. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { Agent, Interrupt, Middleware, Reducer, State, SubAgent, Tool, Toolkit, Transfer } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf, restarted, textOf } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Marks = State.make("marks", {
  lines: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.append<string>() })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Work = Tool.make("work", { success: Schema.String })
const Ask = Tool.make("ask", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Work, Ask)
const live = Toolkit.layer(kit, { work: () => Effect.succeed("done"), ask: () => Confirm.ask("Sure?") })

/** Hooks of every kind, which note their places and write to State. */
const noting = <const Name extends string>(name: Name, log: Array<string>) => {
  const mark = (place: string) =>
    Effect.andThen(
      Effect.sync(() => void log.push(`${name} ${place}`)),
      Marks.lines.combine(`${name} ${place}`)
    )
  const combines = [Marks.lines] as const
  return Middleware.make(name, {
    hooks: [
      Middleware.beforeRun({ combines }, ({ resumed }) => mark(resumed ? "beforeRun again" : "beforeRun")),
      Middleware.afterRun({ combines }, ({ status }) => mark(`afterRun ${status}`)),
      Middleware.beforeModel({ combines }, ({ step }) => mark(`beforeModel ${step}`)),
      Middleware.afterModel({ combines }, ({ step }) => mark(`afterModel ${step}`)),
      Middleware.beforeTool({ combines }, ({ tool }) => mark(`beforeTool ${tool}`)),
      Middleware.afterTool({ combines }, ({ tool }) => mark(`afterTool ${tool}`)),
      Middleware.onEvent({}, ({ kind }) => Effect.sync(() => void (kind === "call" && log.push(`${name} saw call`))))
    ]
  })
}

const worker = (log: Array<string>) =>
  Agent.make("worker", {
    instructions: "",
    toolkit: kit,
    middleware: [noting("outer", log), noting("inner", log)]
  })

const model = (step: number) => [
  `outer beforeModel ${step}`,
  `inner beforeModel ${step}`,
  `inner afterModel ${step}`,
  `outer afterModel ${step}`
]
const tool = (name: string) => [
  `outer beforeTool ${name}`,
  `inner beforeTool ${name}`,
  `inner afterTool ${name}`,
  `outer afterTool ${name}`
]
const seen = ["outer saw call", "inner saw call"]
const begins = (again = "") => [`outer beforeRun${again}`, `inner beforeRun${again}`]
const ends = (status: string) => [`inner afterRun ${status}`, `outer afterRun ${status}`]

/** One call and an answer, without a pause. */
const whole = [...begins(), ...model(1), ...tool("work"), ...seen, ...model(2), ...ends("completed")]
/** A pause at the call, and the stretch after it. */
const first = [...begins(), ...model(1), "outer beforeTool ask", "inner beforeTool ask", ...ends("paused")]
const second = [...begins(" again"), ...tool("ask"), ...seen, ...model(2), ...ends("completed")]

/** What was written: an attempt that paused leaves nothing. */
const written = (notes: ReadonlyArray<string>) => notes.filter((line) => !line.includes(" saw "))
const paused = [...first.filter((line) => !line.includes("beforeTool")), ...second]

/** The worker in a place; the script of who stands around it. */
interface Place {
  readonly agent: (log: Array<string>) => Agent.Any
  readonly around: Readonly<Record<string, ReadonlyArray<ScriptedModel.Step>>>
  /** What the marks of the root hold, where the worker's come back. */
  readonly shared: boolean
}

const places: Readonly<Record<string, Place>> = {
  "the root": { agent: worker, around: {}, shared: true },
  "a sub-agent": {
    agent: (log) =>
      Agent.make("boss", {
        instructions: "",
        subAgents: [SubAgent.make(worker(log), { returns: [Marks.lines] })]
      }),
    around: { boss: [call("worker", { task: "Go." }), text("end")] },
    shared: true
  },
  "a sub-agent whose state stays with it": {
    agent: (log) => Agent.make("boss", { instructions: "", subAgents: [SubAgent.make(worker(log))] }),
    around: { boss: [call("worker", { task: "Go." }), text("end")] },
    shared: false
  },
  "a target of a transfer": {
    agent: (log) => Agent.make("desk", { instructions: "", transfers: [Transfer.make(worker(log))] }),
    around: { desk: [call("transfer_to_agent", { agent_name: "worker" })] },
    shared: true
  }
}

/** A target counts its steps on, from those of who held the conversation before. */
const shifted = (notes: ReadonlyArray<string>, by: number) =>
  notes.map((line) => line.replace(/Model (\d)/, (_, step: string) => `Model ${Number(step) + by}`))

describe("every hook, in order, in", () => {
  for (const [name, { agent, around, shared }] of Object.entries(places)) {
    const by = name.includes("transfer") ? 1 : 0
    const expectedState = (notes: ReadonlyArray<string>) => shared ? written(shifted(notes, by)) : []

    it.effect(name, () =>
      Effect.gen(function*() {
        const log: Array<string> = []
        const talk = yield* conversation(agent(log), { ...around, worker: [call("work"), text("done")] })
        const { session } = yield* talk.run().pipe(Effect.provideContext(Context.empty() as Context.Context<any>))
        assert.deepStrictEqual(log, shifted(whole, by))
        assert.deepStrictEqual(session.state.get(Marks.lines), expectedState(whole))
      }).pipe(Effect.provide(live)))

    it.effect(`${name}, resumed in another process`, () =>
      Effect.gen(function*() {
        const log: Array<string> = []
        const talk = yield* conversation(agent(log), { ...around, worker: [call("ask")] })
        const result = yield* talk.run().pipe(Effect.provideContext(Context.empty() as Context.Context<any>))
        assert.deepStrictEqual(log, shifted(first, by))
        log.length = 0
        const later = yield* restarted(agent(log), result.session, {
          boss: [text("end")],
          worker: [text("done")]
        })
        const done = yield* later.resume([Confirm.answer(openOf(result)[0]?.id ?? "", true)] as never).pipe(
          Effect.provideContext(Context.empty() as Context.Context<any>)
        )
        assert.notStrictEqual(textOf(done), "(paused)")
        assert.deepStrictEqual(log, shifted(second, by))
        assert.deepStrictEqual(done.session.state.get(Marks.lines), expectedState(paused))
      }).pipe(Effect.provide(live)))
  }
})
