/**
 * 12 · What is kept beside sessions
 *
 * An agent that writes reports. A report is an artifact: its versions are State, its content lies in a store. To publish
 * one it needs a token of the user's, and asks for it: the token goes to the store of credentials, and into no session.
 * What was said is remembered, and found from another session.
 */
import { Effect, Option, Redacted, Schema } from "effect"
import assert from "node:assert/strict"
import {
  Agent,
  AgentRunner,
  Artifacts,
  ArtifactStore,
  Credentials,
  CredentialStore,
  Instructions,
  MemoryStore,
  Session,
  SessionStore,
  Tool,
  Toolkit
} from "tenon"
import { Memory } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"

const { call, text } = ScriptedModel

const Token = Credentials.make("wiki", { scheme: "oauth2", authorize: "https://wiki.example/authorize" })

const WriteReport = Tool.make("write_report", {
  parameters: Schema.Struct({ text: Schema.String }),
  success: Schema.String,
  failure: Artifacts.Failure,
  writes: [Artifacts.User]
})

const Publish = Tool.make("publish", {
  success: Schema.String,
  failure: Schema.Union([Artifacts.Failure, Credentials.Failure]),
  reads: [Artifacts.User],
  asks: [Token]
})

const kit = Toolkit.make(WriteReport, Publish)

const handlers = Toolkit.layer(kit, {
  write_report: ({ text }) =>
    Effect.map(Artifacts.User.save("report.md", text), ({ version }) => `This is version ${version}.`),
  publish: Effect.fnUntraced(function*() {
    // to ask ends the attempt: first of all the token
    const token = yield* Token.get
    const report = yield* Artifacts.User.load("report.md")
    return Option.match(report, {
      onNone: () => "There is no report.",
      onSome: (found) =>
        `Published "${Artifacts.textOf(found)}" by a token of ${Redacted.value(token).length} characters.`
    })
  })
})

const Reporter = Agent.make("reporter", {
  // the user's own words on style, where there are some
  instructions: Instructions.template`Write reports. ${Artifacts.User.text("style.md", { otherwise: "Be brief." })}`,
  toolkit: kit,
  middleware: [Memory.make()]
})

const model = [
  call("write_report", { text: "All well." }),
  call("write_report", { text: "All quiet." }),
  call("publish"),
  text("It is published."),
  call("search_memory", { query: "published" }),
  text("You published it last week.")
]

const program = Effect.gen(function*() {
  const ada = { app: "reporter", user: "ada" }
  const paused = yield* AgentRunner.run(Reporter, {
    ...ada,
    session: "monday",
    input: "Write a report and publish it."
  })

  // a host sends the user to `question.authorize`, and comes back with a token
  const asked = Credentials.Question.among(paused.session.open)
  assert.deepEqual(asked.map(({ question }) => question.authorize), ["https://wiki.example/authorize"])
  const answers = yield* Effect.forEach(
    asked,
    (each) => Credentials.grant(ada, each, { secret: Redacted.make("s3cret") })
  )
  const { session } = yield* AgentRunner.resume(Reporter, { ...ada, session: "monday", answers })
  assert.ok(!JSON.stringify(Session.encode(session.events)).includes("s3cret"))

  // both versions are there, for whoever shows them
  const { state } = yield* Session.load({ ...ada, session: "monday" }, Reporter)
  const versions = Artifacts.versionsIn(state.get(Artifacts.User), "report.md")
  const texts = yield* Effect.forEach(versions, (version) => Effect.map(Artifacts.read(version), Artifacts.textOf))

  yield* MemoryStore.ingest(session)
  const later = yield* AgentRunner.run(Reporter, { ...ada, session: "friday", input: "When did I publish it?" })
  const results = later.session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
  return { texts, results }
}).pipe(Effect.provide([
  handlers,
  Memory.layer(),
  ScriptedModel.layer(model),
  ArtifactStore.layerMemory,
  CredentialStore.layerMemory,
  MemoryStore.layerMemory,
  SessionStore.layerMemory
]))

const { results, texts } = await Effect.runPromise(program)
assert.deepEqual(texts, ["All well.", "All quiet."])
console.log(results)
