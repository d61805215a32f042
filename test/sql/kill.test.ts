/** Processes that are really killed while they work, and another that goes on from the file. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Stream } from "effect"
import { writeFile } from "node:fs/promises"
import { type AgentError, AgentRunner, type Event, Session, SessionDocument, SessionStore } from "tenon"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { freshFile } from "./file.ts"
import type { Line, Plan } from "./fixtures/child.ts"
import { Box, Clerk, Confirm, handlers, Saved, session } from "./fixtures/clerk.ts"
import { run } from "./processes.ts"

const { call, calls, text } = ScriptedModel

/** Runs the clerk in a process of its own, kills it once it has said enough, and gives what it had said. */
const killed = (plan: Plan, isEnough: (lines: ReadonlyArray<Line>) => boolean = () => false) => {
  const said = (lines: ReadonlyArray<string>) => lines.map((line) => JSON.parse(line) as Line)
  return Effect.map(run("child", plan, (lines) => isEnough(said(lines))), ({ lines, signal }) => {
    assert.strictEqual(signal, "SIGKILL", lines.join("\n"))
    return said(lines)
  })
}

const hasBegun = (tool: string) => (lines: ReadonlyArray<Line>): boolean =>
  lines.some((line) => "began" in line && line.began === tool)
const hasStored = (kind: string, tool?: string) => (lines: ReadonlyArray<Line>): boolean =>
  lines.some((line) => "stored" in line && line.stored.some((event) => event.kind === kind && event.tool === tool))
const begunIn = (lines: ReadonlyArray<Line>) => lines.flatMap((line) => "began" in line ? [line.began] : [])

/** Goes on in this process, as soon as the dead one's lease is over; gives what ran here too. */
const goOn = <A>(
  filename: string,
  script: ScriptedModel.Script,
  program: Effect.Effect<A, AgentError.AgentError, AgentRunner.Requires<typeof Clerk>>
) => {
  const ran: Array<readonly [tool: string, call: string]> = []
  return program.pipe(
    Effect.retry({ while: ({ reason }) => reason._tag === "SessionBusy", schedule: Schedule.spaced("20 millis") }),
    Effect.provide([
      SqlStore.layerSqlite({ filename }),
      ScriptedModel.layer(script),
      handlers((tool, id) => Effect.sync(() => ran.push([tool, id])))
    ]),
    Effect.map((result) => ({ result, ran }))
  )
}

const resume = AgentRunner.resume(Clerk, { ...session, answers: [] })

const outcomeOf = ({ isFailure, value }: Event.CallResult): unknown =>
  isFailure ? (value as { readonly _tag: string })._tag : value

/** What came of each call, in the order in which they ended. */
const resultsOf = ({ events }: Session.Session): ReadonlyArray<readonly [tool: string, outcome: unknown]> =>
  events.flatMap((event) => event.kind === "call" ? [[event.tool, outcomeOf(event.result)] as const] : [])

describe("a process that is killed while a handler runs", { concurrent: true, timeout: 180_000 }, () => {
  for (const tool of ["look", "save"]) {
    it.live(`has a call of '${tool}' run again, under the same id, since its tool is marked so`, () =>
      Effect.gen(function*() {
        const filename = yield* freshFile
        const lines = yield* killed({ filename, script: { clerk: [call(tool)] }, hangs: tool }, hasBegun(tool))
        assert.deepInclude(lines, { began: tool, call: "i1.1.1" })
        const { ran, result } = yield* goOn(filename, [text("Done.")], resume)
        assert.deepStrictEqual(ran, [[tool, "i1.1.1"]])
        assert.deepStrictEqual(resultsOf(result.session), [[tool, `${tool} did it`]])
        assert.strictEqual(result._tag === "Completed" && result.text, "Done.")
      }))
  }

  it.live("leaves the outcome of a call without a mark unknown, and does not run it again", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      yield* killed({ filename, script: { clerk: [call("send")] }, hangs: "send" }, hasBegun("send"))
      const { ran, result } = yield* goOn(filename, [text("Done.")], resume)
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(resultsOf(result.session), [["send", "OutcomeUnknown"]])
    }))

  it.live("ends its calls by their marks also where a new message comes", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const script = { clerk: [calls({ tool: "send" }, { tool: "save" })] }
      yield* killed({ filename, script, hangs: "send" }, hasStored("call", "save"))
      const { ran, result } = yield* goOn(
        filename,
        [text("Again.")],
        AgentRunner.run(Clerk, { ...session, input: "And?" })
      )
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(resultsOf(result.session), [["save", "save did it"], ["send", "OutcomeUnknown"]])
      assert.strictEqual(result._tag === "Completed" && result.text, "Again.")
    }))

  it.live("runs a call that waited for another, and never began", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const script = { clerk: [calls({ tool: "first" }, { tool: "second" })] }
      const lines = yield* killed({ filename, script, hangs: "first" }, hasBegun("first"))
      assert.deepStrictEqual(begunIn(lines), ["first"])
      const { ran, result } = yield* goOn(filename, [text("Done.")], resume)
      assert.deepStrictEqual(ran, [["second", "i1.1.2"]])
      assert.deepStrictEqual(resultsOf(result.session), [["first", "OutcomeUnknown"], ["second", "second did it"]])
      assert.strictEqual(result.session.state.get(Box.note), "second")
    }))

  it.live("leaves a question open that it had asked", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const script = { clerk: [calls({ tool: "confirm" }, { tool: "send" })] }
      yield* killed(
        { filename, script, hangs: "send" },
        (lines) => hasBegun("send")(lines) && hasStored("asked")(lines)
      )
      const { ran, result } = yield* goOn(filename, [], resume)
      assert.deepStrictEqual(ran, [])
      assert.strictEqual(result._tag, "Paused")
      const [open] = Confirm.among(result.session.open)
      assert.strictEqual(open?.question, "Really?")
      const answers = open === undefined ? [] : [Confirm.answer(open.id, true)]
      const answered = yield* goOn(
        filename,
        [text("Done.")],
        AgentRunner.resume(Clerk, { ...session, answers })
      )
      assert.deepStrictEqual(answered.ran, [["confirm", "i1.1.1"]])
      assert.deepStrictEqual(resultsOf(answered.result.session), [["send", "OutcomeUnknown"], ["confirm", true]])
    }))

  it.live("keeps the result of a call that had ended beside it, and does not run that again", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const script = { clerk: [calls({ tool: "save" }, { tool: "quick" }, { tool: "look" })] }
      yield* killed(
        { filename, script, hangs: "look" },
        (lines) => hasBegun("look")(lines) && hasStored("call", "quick")(lines) && hasStored("call", "save")(lines)
      )
      const { ran, result } = yield* goOn(filename, [text("Done.")], resume)
      assert.deepStrictEqual(ran, [["look", "i1.1.3"]])
      assert.strictEqual(result.session.state.get(Box.saved), 1)
      assert.strictEqual(result.session.state.get(Saved.ever), 1)
    }))

  it.live("lets a sub-agent go on where it was", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const script = {
        clerk: [call("helper", { task: "Look." })],
        helper: [call("quick"), calls({ tool: "quick" }, { tool: "send" }, { tool: "look" })]
      }
      yield* killed(
        { filename, script, hangs: "look" },
        (lines) =>
          hasBegun("look")(lines) && lines.filter((line) =>
              "stored" in line && hasStored("call", "quick")([line])
            ).length === 2
          && hasStored("call", "send")(lines)
      )
      const { ran, result } = yield* goOn(filename, { helper: [text("Looked.")], clerk: [text("Done.")] }, resume)
      assert.deepStrictEqual(ran, [["look", "i1.1.1/2.3"]])
      assert.deepStrictEqual(resultsOf(result.session).at(-1), ["helper", "Looked."])
      const spawned = result.session.events.filter((event) => event.kind === "input" && event.spawn !== undefined)
      assert.lengthOf(spawned, 1)
    }))

  it.live("lets a sub-agent know that the outcome of its call is unknown, and go on", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const script = { clerk: [call("helper", { task: "Send." })], helper: [call("send")] }
      yield* killed({ filename, script, hangs: "send" }, hasBegun("send"))
      const { ran, result } = yield* goOn(filename, { helper: [text("Unsure.")], clerk: [text("Done.")] }, resume)
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(resultsOf(result.session), [["send", "OutcomeUnknown"], ["helper", "Unsure."]])
    }))
})

describe("a process that is killed between the model's message and its calls", () => {
  it.live("has run none of them, and has those run whose tools are marked so", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const script = { clerk: [calls({ tool: "look" }, { tool: "send" }, { tool: "save" })] }
      const lines = yield* killed({ filename, script, cut: { after: "model" } })
      assert.deepStrictEqual(begunIn(lines), [])
      const { ran, result } = yield* goOn(filename, [text("Done.")], resume)
      assert.deepStrictEqual(ran.map(([tool]) => tool).toSorted(), ["look", "save"])
      assert.deepStrictEqual(
        new Map(resultsOf(result.session)),
        new Map([
          ["look", "look did it"],
          ["send", "OutcomeUnknown"],
          ["save", "save did it"]
        ])
      )
    }))
})

describe("a process that is killed at an append", { concurrent: true, timeout: 180_000 }, () => {
  const script = { clerk: [calls({ tool: "save" }, { tool: "save" }), call("save"), text("Done.")] }
  // created, input, model, call, call, model, call, model, ended
  const cuts = [
    ...[0, 1, 3, 5, 8].map((after) => ({ after })),
    // a session that is not there yet, and a call that has run and whose end is not stored
    ...[0, 3].map((before) => ({ before }))
  ]

  for (const cut of cuts) {
    it.live(`loses nothing of what the store acknowledged, and does nothing twice: ${JSON.stringify(cut)}`, () =>
      Effect.gen(function*() {
        const filename = yield* freshFile
        const lines = yield* killed({ filename, script, cut })
        const acknowledged = lines.flatMap((line) => "stored" in line ? line.stored.map(({ id }) => id) : [])
        const { result } = yield* goOn(
          filename,
          [text("Done.")],
          AgentRunner.run(Clerk, { ...session, input: "And?" })
        )
        const { events, state } = result.session
        assert.deepStrictEqual(events.slice(0, acknowledged.length).map(({ id }) => id), acknowledged)
        assert.deepStrictEqual(events.map(({ sequence }) => sequence), events.map((_, index) => index))
        const asked = events.flatMap((event) => event.kind === "model" ? event.calls.map(({ id }) => id) : [])
        const ended = events.flatMap((event) => event.kind === "call" ? [event.call] : [])
        assert.deepStrictEqual(ended.toSorted(), asked.toSorted())
        assert.strictEqual(state.get(Box.saved), asked.length)
        assert.strictEqual(state.get(Saved.ever), asked.length)
      }))
  }
})

describe("a process that is killed while it imports a session", { concurrent: true, timeout: 180_000 }, () => {
  const head = { invocation: "i1", agent: "a", path: ["a"], time: 0 }
  const length = 2_000
  const document = JSON.stringify({
    format: "tenon/session",
    version: 1,
    events: [
      { ...head, id: "s/0", sequence: 0, kind: "created", app: "a", session: "s", fingerprint: "", sections: {} },
      ...Array.from({ length: length - 1 }, (_, index) => ({
        ...head,
        id: `s/${index + 1}`,
        sequence: index + 1,
        kind: "input",
        message: { role: "user", content: "Hello." },
        delta: { versions: {}, operations: [] }
      }))
    ]
  })

  for (const number of [0, 2]) {
    it.live(`leaves all of it or nothing, and loses none that it was told of: import ${number}`, () =>
      Effect.gen(function*() {
        const filename = yield* freshFile
        const file = `${filename}.json`
        yield* Effect.promise(() => writeFile(file, document))
        const { lines, signal } = yield* run(
          "imports",
          { filename, document: file },
          (said) => said.at(-1) === `began ${number}`
        )
        assert.strictEqual(signal, "SIGKILL")
        yield* Effect.gen(function*() {
          const store = yield* SessionStore.SessionStore
          const { sessions } = yield* store.list({ app: "app" })
          const stored = lines.flatMap((line) => /^stored (.*)$/.exec(line)?.[1] ?? [])
          assert.includeMembers(sessions.map(({ ref }) => ref.session), stored)
          for (const { ref, revision } of sessions) {
            const { events } = yield* Session.load(ref)
            assert.deepStrictEqual([revision, events.length], [length, length])
          }
          // what was cut off can be done again
          const as = { app: "app", session: "again" }
          yield* SessionDocument.importSession(Stream.succeed(document), { as })
          assert.lengthOf((yield* Session.load(as)).events, length)
        }).pipe(Effect.provide(SqlStore.layerSqlite({ filename })))
      }))
  }
})
