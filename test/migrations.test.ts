/** Every way by which what an earlier version of a section stored comes into a program, and that it comes up to date. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  Agent,
  AgentError,
  AgentRunner,
  History,
  Interrupt,
  Session,
  SessionStore,
  State,
  StateSerializer,
  SubAgent,
  Tool,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"
import { endsOf } from "./runner/fixtures.ts"

const { call, text } = ScriptedModel

/** The sections as they were first, of one name in each scope, and as they are now: `words` became a list. */
const scopes = ["session", "user", "app"] as const
const was = (scope: typeof scopes[number]) =>
  State.make(scope as never, { words: State.field(Schema.String, { initial: "", scope }) })
const is = (scope: typeof scopes[number]) =>
  State.make(scope as never, { list: State.field(Schema.Array(Schema.String), { initial: [], scope }) }, {
    history: State.history(1, Schema.Struct({ words: Schema.String })),
    up: ({ words }) => ({ list: words.split(" ") })
  })
const Old = { session: was("session"), user: was("user"), app: was("app") }
const New = { session: is("session"), user: is("user"), app: is("app") }
const fields = [New.session.list, New.user.list, New.app.list] as const

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

/** Two versions of one program: an agent whose tool shows what it reads once somebody said so, alone or in a sub-agent. */
const programOf = <A>(
  reads: ReadonlyArray<State.AnyField>,
  value: Schema.Codec<A, any>,
  read: ReadonlyArray<Effect.Effect<A, never, any>>
) => {
  const success = Schema.Array(value)
  const Show = Tool.make("show", { success, reads, asks: [Confirm] } as never) as never
  const kit = Toolkit.make(Show)
  const live = Toolkit.layer(kit, { show: () => Effect.andThen(Confirm.ask("Now?"), Effect.all(read)) })
  const agent = Agent.make("clerk", { instructions: "", toolkit: kit as never }) as unknown as Agent.Any
  return {
    agent,
    parent: Agent.make("boss", {
      instructions: "",
      subAgents: [SubAgent.make(agent as never)] as never
    }) as unknown as Agent.Any,
    live
  }
}
const first = programOf(
  scopes.map((scope) => Old[scope].words),
  Schema.String,
  scopes.map((scope) => Old[scope].words.get)
)
const now = programOf(fields, Schema.Array(Schema.String) as never, fields.map((field) => field.get) as never)
type Program = typeof first

const where = { session: "s", user: "u", app: "app" }
const script = {
  clerk: [call("show"), text("Shown.")],
  boss: [call("clerk", { task: "Go." }), text("Done.")]
}
const model = (given: object = script) => ScriptedModel.layer(given as ScriptedModel.Script)

type Ran<A> = Effect.Effect<A, AgentError.AgentError, any>

const run = ({ agent, live, parent }: Program, who: "agent" | "parent", state: ReadonlyArray<State.Assignment> = []) =>
  (AgentRunner.run(who === "agent" ? agent : parent, { ...where, input: "Go.", state }) as Ran<AgentRunner.AgentResult>)
    .pipe(Effect.provide([live as never, model()]))

const resume = ({ agent, live, parent }: Program, who: "agent" | "parent", id: string) =>
  (AgentRunner.resume(who === "agent" ? agent : parent, {
    ...where,
    answers: [Interrupt.fromJson(id, true)]
  }) as Ran<AgentRunner.AgentResult>).pipe(
    Effect.provide([live as never, model({ clerk: [text("Shown.")], boss: [text("Done.")] })])
  )

/** What the tool showed. */
const shown = (result: AgentRunner.AgentResult): unknown =>
  endsOf(result.session).filter(({ tool }) => tool === "show").map(({ value }) => value)[0]

/** The values of all three sections, or of the first alone, by the program that reads them. */
type Reads = (state: Session.SessionState, sections?: number) => ReadonlyArray<unknown>

interface Reader {
  readonly program: Program
  readonly sections: ReadonlyArray<State.AnySection>
  readonly assignment: State.Assignment
  readonly read: Reads
}
const newer: Reader = {
  program: now,
  sections: Object.values(New),
  assignment: New.session.list.to(["written"]),
  read: (state, sections) => fields.slice(0, sections).map((field) => state.get(field))
}
const older: Reader = {
  program: first,
  sections: Object.values(Old),
  assignment: Old.session.words.to("written"),
  read: (state, sections) => scopes.slice(0, sections).map((scope) => state.get(Old[scope].words))
}

const words = [["a", "b"], ["c", "d"], ["e", "f"]]
const ownAlone = words.slice(0, 1)

/** What an earlier program left: a value in each section, and a call that waits. */
const leave = (who: "agent" | "parent") =>
  run(first, who, [Old.session.words.to("a b"), Old.user.words.to("c d"), Old.app.words.to("e f")])

type Path = (reader: Reader, id: string) => Effect.Effect<unknown, unknown, SessionStore.SessionStore>

const events = Effect.map(Session.load(where), (session) => session.events)

/** Each path, with whom the earlier program ran, and what comes out. */
const paths: ReadonlyArray<readonly [string, "agent" | "parent", unknown, Path]> = [
  [
    "Session.load",
    "agent",
    words,
    ({ read, sections }) => Effect.map(Session.load(where, sections), ({ state }) => read(state))
  ],
  [
    "Session.newest",
    "agent",
    words,
    ({ read, sections }) => Effect.map(Session.newest(where, sections), ({ state }) => read(state))
  ],
  [
    "Session.fold, which knows no rows",
    "agent",
    ownAlone,
    ({ read, sections }) =>
      Effect.gen(function*() {
        const session = yield* Effect.fromResult(Session.fold(yield* events, sections))
        return read(session.state, 1)
      })
  ],
  [
    "Session.decode, of a document",
    "agent",
    ownAlone,
    ({ read, sections }) =>
      Effect.gen(function*() {
        const document = JSON.parse(JSON.stringify(Session.encode(yield* events)))
        const decoded = yield* Effect.fromResult(Session.decode(document))
        const session = yield* Effect.fromResult(Session.fold(decoded, sections))
        return read(session.state, 1)
      })
  ],
  [
    "Session.write",
    "agent",
    [["written"], ...words.slice(1)],
    ({ assignment, read, sections }) =>
      Effect.andThen(
        Session.write(where, [assignment]),
        Effect.map(Session.load(where, sections), ({ state }) => read(state))
      )
  ],
  [
    "AgentRunner.run, once the question is given up",
    "agent",
    words,
    ({ program, read, sections }) =>
      Effect.gen(function*() {
        yield* AgentRunner.abandon(program.agent, where)
        yield* run(program, "agent")
        return read((yield* Session.load(where, sections)).state)
      })
  ],
  [
    "AgentRunner.resume, in the handler",
    "agent",
    words,
    ({ program }, id) => Effect.map(resume(program, "agent", id), shown)
  ],
  [
    "AgentRunner.resume, in a sub-agent",
    "parent",
    words,
    ({ program }, id) => Effect.map(resume(program, "parent", id), shown)
  ],
  [
    "History.fork",
    "agent",
    words,
    ({ read, sections }) =>
      Effect.gen(function*() {
        const to = { ...where, session: "copy" }
        yield* History.fork(where, to)
        return read((yield* Session.load(to, sections)).state)
      })
  ],
  [
    "StateSerializer, of what the earlier program wrote, rows included",
    "agent",
    words,
    ({ read, sections }) =>
      Effect.gen(function*() {
        const writer = sections === newer.sections ? older.sections : newer.sections
        const { state } = yield* Session.load(where, writer)
        const json = yield* StateSerializer.make(writer).serialize(state)
        return read(yield* StateSerializer.make(sections).deserialize(JSON.parse(JSON.stringify(json))))
      })
  ],
  [
    "StateSerializer, of what was loaded without knowing the sections",
    "agent",
    ownAlone,
    ({ read, sections }) =>
      Effect.gen(function*() {
        const { state } = yield* Session.load(where)
        const json = yield* StateSerializer.make([]).serialize(state)
        return read(yield* StateSerializer.make(sections).deserialize(JSON.parse(JSON.stringify(json))), 1)
      })
  ]
]

describe("what an earlier version of a section stored", () => {
  it.effect.each(paths)("comes up to date: %s", ([, who, expected, path]) =>
    Effect.gen(function*() {
      const paused = yield* leave(who)
      const [question] = paused.session.open
      assert.deepStrictEqual(yield* path(newer, question?.id ?? ""), expected)
    }).pipe(Effect.provide(SessionStore.layerMemory)) as Effect.Effect<void, unknown>)

  it.effect("is given up by `abandon` as it is, and comes up to date later", () =>
    Effect.gen(function*() {
      yield* leave("agent")
      yield* AgentRunner.abandon(now.agent, where)
      const { open, state } = yield* Session.load(where, newer.sections)
      assert.deepStrictEqual(open, [])
      assert.deepStrictEqual(newer.read(state), words)
      assert.strictEqual((yield* Session.load(where)).state.versions.get("session"), 1)
    }).pipe(Effect.provide(SessionStore.layerMemory)) as Effect.Effect<void, unknown>)

  it.effect("is of the later version once a later program has run, rows included", () =>
    Effect.gen(function*() {
      const paused = yield* leave("agent")
      yield* resume(now, "agent", paused.session.open[0]?.id ?? "")
      const store = yield* SessionStore.SessionStore
      const rows = yield* store.shared(where, [
        { scope: "user", field: "user.list" },
        { scope: "app", field: "app.list" }
      ])
      assert.deepStrictEqual([...rows].map(([name, { section, value }]) => [name, section, value]), [
        ["user.list", 2, ["c", "d"]],
        ["app.list", 2, ["e", "f"]]
      ])
    }).pipe(Effect.provide(SessionStore.layerMemory)) as Effect.Effect<void, unknown>)
})

describe("what a later version of a section stored", () => {
  it.effect.each(paths)("is a typed error for an earlier program: %s", ([, who, , path]) =>
    Effect.gen(function*() {
      const paused = yield* run(now, who, [
        New.session.list.to(["a"]),
        New.user.list.to(["c"]),
        New.app.list.to(["e"])
      ])
      const before = (yield* Session.load(where)).revision
      const error = yield* Effect.flip(path(older, paused.session.open[0]?.id ?? ""))
      const reason = error instanceof AgentError.AgentError ? error.reason : error as AgentError.Reason
      assert.strictEqual(reason._tag, "StateError")
      assert.include(reason.message, "it was stored by a newer program, this one knows version 1")
      // giving up is all that was written
      const written = (yield* Session.load(where)).events.slice(before)
      assert.isTrue(written.every(({ kind }) => kind === "call" || kind === "ended"))
    }).pipe(Effect.provide(SessionStore.layerMemory)) as Effect.Effect<void, unknown>)
})
