import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option, Schema } from "effect"
import { Agent, Artifacts, type ArtifactStore, Tool, Toolkit } from "tenon"
import { ScriptedModel, ToolTest } from "tenon/testing"
import { Postgres } from "../../sql/postgres.ts"
import { onEachArtifactStore } from "./backends.ts"
import { callsOf, conversation, resultsOf } from "./fixtures.ts"

const { call, text } = ScriptedModel

const Keep = Tool.make("keep", {
  parameters: Schema.Struct({ name: Schema.String }),
  success: Schema.Array(Schema.Int),
  failure: Artifacts.Failure,
  writes: [Artifacts.Session]
})
const kit = Toolkit.make(Keep)
const Keeper = Agent.make("keeper", { instructions: "Keep.", toolkit: kit })
const keepTwice = Toolkit.layer(kit, {
  keep: Effect.fnUntraced(function*({ name }) {
    const first = yield* Artifacts.Session.save(name, "first")
    const second = yield* Artifacts.Session.save(name, "second")
    return [first.version, second.version]
  })
})

const inCall = ToolTest.layer(Keep, { "artifacts.entries": [] })
/** In a call, on every store. */
const alone = <E>(
  effect: Effect.Effect<void, E, Layer.Success<typeof inCall> | ArtifactStore.ArtifactStore>
) => onEachArtifactStore((store) => Effect.provide(effect, [inCall, store]))

layer(Postgres.layer, { timeout: "60 seconds" })("adk 2.7: artifacts", (it) => {
  it.effect("T165 an artifact that nobody saved is none", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Artifacts.Session.load("nothing.txt"), Option.none())
    }).pipe(alone))

  it.effect("T167 artifacts are listed by name, in order", () =>
    Effect.gen(function*() {
      const names = [0, 1, 2, 3, 4].map((number) => `filename${number}`)
      for (const name of names.toReversed()) yield* Artifacts.Session.save(name, name)
      assert.deepStrictEqual(yield* Artifacts.Session.list, names)
    }).pipe(alone))

  it.effect("T168 an artifact has versions from 0, and is its last one unless a version is named", () =>
    Effect.gen(function*() {
      for (const content of ["one", "two", "three"]) yield* Artifacts.Session.save("a.txt", content)
      assert.deepStrictEqual((yield* Artifacts.Session.versions("a.txt")).map(({ version }) => version), [0, 1, 2])
      const texts = [undefined, 0, 1, 2].map((version) =>
        Effect.map(Artifacts.Session.load("a.txt", version), Option.map(Artifacts.textOf))
      )
      assert.deepStrictEqual(
        (yield* Effect.all(texts)).map(Option.getOrNull),
        ["three", "one", "two", "three"]
      )
    }).pipe(alone))

  it.effect("T169 an artifact of a user is in the user's other sessions, and in no other user's", () => {
    const Draw = Tool.make("draw", { writes: [Artifacts.User], failure: Artifacts.Failure })
    const Look = Tool.make("look", {
      success: Schema.Struct({ names: Schema.Array(Schema.String), picture: Schema.Array(Schema.Int) }),
      failure: Artifacts.Failure,
      reads: [Artifacts.User]
    })
    const drawing = Toolkit.make(Draw, Look)
    return onEachArtifactStore((store) =>
      Effect.gen(function*() {
        const agent = Agent.make("drawer", { instructions: "Draw.", toolkit: drawing })
        const { send } = yield* conversation(agent, [
          call("draw"),
          text("drawn"),
          call("look"),
          text("seen"),
          call("look"),
          text("nothing")
        ])
        yield* send("go", { user: "ada", session: "a" })
        const hers = yield* send("go", { user: "ada", session: "b" })
        assert.deepStrictEqual(resultsOf(hers), [{ names: ["pic.png"], picture: [1, 2] }])
        const his = yield* send("go", { user: "bob", session: "c" })
        assert.deepStrictEqual(resultsOf(his), [{ names: [], picture: [] }])
      }).pipe(Effect.provide([
        Toolkit.layer(drawing, {
          draw: () => Artifacts.User.save("pic.png", Uint8Array.of(1, 2), { mediaType: "image/png" }),
          look: Effect.fnUntraced(function*() {
            const picture = yield* Artifacts.User.load("pic.png")
            return {
              names: yield* Artifacts.User.list,
              picture: Option.match(picture, { onNone: () => [], onSome: ({ bytes }) => [...bytes] })
            }
          })
        }),
        store
      ]))
    )
  })

  it.effect("T170 two saves of one name in one call give two versions, and both are in the call's event", () =>
    onEachArtifactStore((store) =>
      Effect.gen(function*() {
        const { send } = yield* conversation(Keeper, [call("keep", { name: "a.txt" }), text("done")])
        const result = yield* send("go")
        assert.deepStrictEqual(resultsOf(result), [[0, 1]])
        const written = callsOf(result).flatMap(({ delta }) => delta.operations)
        assert.deepStrictEqual(written.map(({ op, field }) => [op, field]), [
          ["append", "artifacts.entries"],
          ["append", "artifacts.entries"]
        ])
        const versions = Artifacts.versionsIn(result.session.state.get(Artifacts.Session), "a.txt")
        assert.strictEqual(versions.at(-1)?.version, 1)
      }).pipe(Effect.provide([keepTwice, store]))
    ))
})
