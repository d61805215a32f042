import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, Option, Schema } from "effect"
import { Agent, Artifacts, ArtifactStore, Instructions, Interrupt, type Session, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel, ToolTest } from "tenon/testing"
import { answeredIn, conversation, endsOf, openOf, reasonOf, told } from "./runner/fixtures.ts"

const { call, calls, text } = ScriptedModel
const Files = Artifacts.make("files")
const Mine = Artifacts.make("mine", { scope: "user" })

const Save = Tool.make("save", {
  parameters: Schema.Struct({ name: Schema.String, content: Schema.String }),
  success: Schema.Int,
  failure: Artifacts.Failure,
  writes: [Files, Mine]
})
const Load = Tool.make("load", {
  parameters: Schema.Struct({ name: Schema.String, version: Schema.optionalKey(Schema.Int) }),
  success: Schema.String,
  failure: Artifacts.Failure,
  reads: [Files]
})
const Spoil = Tool.make("spoil", { writes: [Files] })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Careful = Tool.make("careful", { writes: [Files], asks: [Confirm], failure: Artifacts.Failure })
const kit = Toolkit.make(Save, Load, Spoil, Careful)
const Keeper = Agent.make("keeper", { instructions: "Keep.", toolkit: kit })

const handlers = Toolkit.layer(kit, {
  save: Effect.fnUntraced(function*({ name, content }) {
    const saved = name.startsWith("my ") ? yield* Mine.save(name, content) : yield* Files.save(name, content)
    return saved.version
  }),
  load: ({ name, version }) =>
    Effect.map(Files.load(name, version), Option.match({ onNone: () => "(none)", onSome: Artifacts.textOf })),
  spoil: () => Effect.andThen(Effect.orDie(Files.save("a.txt", "spoilt")), Effect.die(new Error("broken"))),
  careful: Effect.fnUntraced(function*() {
    yield* Files.save("a.txt", "draft")
    if (yield* Confirm.ask("Sure?")) yield* Files.save("a.txt", "confirmed")
  })
})
const live = Effect.provide([handlers, ArtifactStore.layerMemory])

const put = (content: string) =>
  Effect.flatMap(ArtifactStore.ArtifactStore, (store) => store.put(new TextEncoder().encode(content)))
const save = (name: string, content: string) => call("save", { name, content })
const load = (name: string, version?: number) => call("load", { name, ...(version !== undefined && { version }) })
const valuesOf = (session: Session.Session) => endsOf(session).map(({ value }) => value)

describe("Artifacts", () => {
  it.effect("have versions from 0, and the last one is the current one", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(Keeper, [
        save("a.txt", "one"),
        save("a.txt", "two"),
        calls({ tool: "load", parameters: { name: "a.txt" } }, {
          tool: "load",
          parameters: { name: "a.txt", version: 0 }
        }, { tool: "load", parameters: { name: "a.txt", version: 2 } }),
        text("Done.")
      ])
      const { session } = yield* run()
      assert.deepStrictEqual(valuesOf(session).slice(0, 2), [0, 1])
      // loads overlap, and end in any order
      assert.deepStrictEqual(answeredIn(requests.at(-1)).map(({ value }) => value), ["two", "one", "(none)"])
    }).pipe(live))

  it.effect("are told by State and not by the store: a call that fails leaves no version, and its content is harmless", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Keeper, [save("a.txt", "one"), call("spoil"), load("a.txt"), text("Done.")])
      const { session } = yield* run()
      assert.strictEqual(valuesOf(session).at(-1), "one")
      assert.deepStrictEqual(Artifacts.versionsIn(session.state.get(Files), "a.txt").length, 1)
    }).pipe(live))

  it.effect("are saved once by a call that asks and runs again", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(Keeper, [call("careful"), load("a.txt"), text("Done.")])
      const paused = yield* run()
      assert.deepStrictEqual(paused.session.state.get(Files), [])
      const { session } = yield* resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      assert.deepStrictEqual(Artifacts.versionsIn(session.state.get(Files), "a.txt").map(({ version }) => version), [
        0,
        1
      ])
      assert.strictEqual(valuesOf(session).at(-1), "confirmed")
    }).pipe(live))

  it.effect("of a user lose nothing to a session that saves the same name at the same time", () =>
    Effect.gen(function*() {
      const started = yield* Latch.make()
      let waiting = 0
      const Slow = Tool.make("slow", { writes: [Mine], failure: Artifacts.Failure })
      const slow = Toolkit.make(Slow)
      const { run, session } = yield* conversation(Agent.make("agent", { instructions: "Keep.", toolkit: slow }), [
        call("slow"),
        call("slow"),
        text("Done."),
        text("Done.")
      ])
      const both = Effect.all([run(), run("Go.", { session: "s-2" })], { concurrency: 2 })
      yield* both.pipe(Effect.provide(Toolkit.layer(slow, {
        slow: Effect.fnUntraced(function*() {
          yield* Mine.save("a.txt", "saved")
          if (++waiting === 2) yield* started.open
          // neither ends before both have saved
          yield* started.await
        })
      })))
      const versions = Artifacts.versionsIn((yield* session()).state.get(Mine), "a.txt")
      assert.deepStrictEqual(versions.map(({ version }) => version), [0, 1])
    }).pipe(live))

  it.effect("are seen by a sub-agent, and its own come back where `returns` says so", () =>
    Effect.gen(function*() {
      const Child = Agent.make("child", { instructions: "Keep.", toolkit: kit })
      const Parent = Agent.make("parent", {
        instructions: "Delegate.",
        toolkit: kit,
        subAgents: [SubAgent.make(Child, { returns: [Files] })]
      })
      const { run } = yield* conversation(Parent, {
        parent: [save("a.txt", "one"), call("child", { task: "Go." }), load("a.txt"), text("Done.")],
        child: [load("a.txt"), save("a.txt", "two"), text("Kept.")]
      })
      const { session } = yield* run()
      assert.deepStrictEqual(valuesOf(session), [0, "one", 1, "Kept.", "two"])
    }).pipe(live))

  it.effect("whose content is lost are a typed error that names them", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Keeper, [save("a.txt", "one"), load("a.txt"), text("Done.")])
      const { session } = yield* run()
      assert.deepStrictEqual(valuesOf(session), [0, {
        _tag: "ArtifactLost",
        name: "a.txt",
        version: 0,
        hash: "0123"
      }])
    }).pipe(
      Effect.provide(handlers),
      Effect.provideService(ArtifactStore.ArtifactStore, {
        put: () => Effect.succeed("0123"),
        get: () => Effect.succeedNone,
        remove: () => Effect.void
      })
    ))

  it.effect("are listed by name, removed with all versions, and never get a number twice", () =>
    Effect.gen(function*() {
      yield* Files.save("b.bin", Uint8Array.from([255]), { mediaType: "image/png" })
      yield* Files.save("a.txt", "one")
      yield* Files.save("a.txt", "two")
      assert.deepStrictEqual(yield* Files.list, ["a.txt", "b.bin"])
      assert.deepStrictEqual((yield* Files.versions("b.bin")).map(({ mediaType, size }) => [mediaType, size]), [
        ["image/png", 1]
      ])
      assert.isTrue(yield* Files.remove("a.txt"))
      assert.isFalse(yield* Files.remove("a.txt"))
      assert.deepStrictEqual(yield* Files.list, ["b.bin"])
      assert.deepStrictEqual(yield* Files.load("a.txt"), Option.none())
      assert.deepStrictEqual(yield* Files.load("a.txt", 1), Option.none())
      assert.deepInclude(yield* Files.save("a.txt", "three"), { version: 2, mediaType: "text/plain", size: 5 })
      assert.deepStrictEqual((yield* Files.versions("a.txt")).map(({ version }) => version), [2])
    }).pipe(Effect.provide([
      ToolTest.layer(Save, { "files.entries": [], "mine.entries": [] }),
      ArtifactStore.layerMemory
    ])))

  it.effect("write one operation for a save, however many there are", () =>
    Effect.gen(function*() {
      for (const content of ["one", "two"]) yield* Files.save("a.txt", content)
      assert.deepStrictEqual((yield* ToolTest.delta).operations.map(({ op, field }) => `${op} ${field}`), [
        "append files.entries",
        "append files.entries"
      ])
    }).pipe(Effect.provide([
      ToolTest.layer(Save, { "files.entries": [], "mine.entries": [] }),
      ArtifactStore.layerMemory
    ])))

  it.effect("can start anew in a sub-agent", () =>
    Effect.gen(function*() {
      const Own = Artifacts.make("own", { child: "fresh" })
      const List = Tool.make("list", {
        success: Schema.Array(Schema.String),
        writes: [Own],
        failure: Artifacts.Failure
      })
      const own = Toolkit.make(List)
      const Child = Agent.make("child", { instructions: "Keep.", toolkit: own })
      const Parent = Agent.make("parent", { instructions: "Keep.", toolkit: own, subAgents: [SubAgent.make(Child)] })
      const { run } = yield* conversation(Parent, {
        parent: [call("list"), call("child", { task: "Go." }), text("Done.")],
        child: [call("list"), text("Kept.")]
      })
      const { session } = yield* run().pipe(Effect.provide(Toolkit.layer(own, {
        list: () =>
          Effect.andThen(Own.save("a.txt", "one"), Effect.map(Own.versions("a.txt"), (all) => [String(all.length)]))
      })))
      assert.deepStrictEqual(valuesOf(session), [["1"], ["1"], "Kept."])
    }).pipe(live))
})

describe("Artifacts in instructions", () => {
  const Told = Agent.make("told", {
    instructions: Instructions.template`Policy: ${Files.text("policy.md")} Notes: ${
      Files.text("notes.md", { otherwise: "none" })
    }`,
    toolkit: kit
  })

  it.effect("show the current text of an artifact, of which braces stay as they are", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(Told, [save("notes.md", "two"), text("Told.")])
      const content = { hash: yield* put("Be {kind}."), mediaType: "text/plain", size: 10 }
      yield* run("Go.", { state: [Files.to([{ name: "policy.md", content }])] })
      assert.deepStrictEqual(requests.map((request) => told(request)[0]), [
        "system: Policy: Be {kind}. Notes: none",
        "system: Policy: Be {kind}. Notes: two"
      ])
    }).pipe(live))

  it.effect("fail the run with the name of one that is not there", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Told, [text("Told.")])
      assert.deepInclude(yield* reasonOf(run()), {
        _tag: "HookFailed",
        hook: "instructions",
        problem: "there is no artifact 'policy.md' in 'files'"
      })
    }).pipe(live))
})
