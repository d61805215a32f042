import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, Artifacts, ArtifactStore, Interrupt, SubAgent } from "tenon"
import { HumanApproval, VirtualFiles } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, openOf, restarted, told } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel
const { Files } = VirtualFiles
const Writer = Agent.make("writer", { instructions: "Write.", middleware: [VirtualFiles.make()] })
const live = Effect.provide([VirtualFiles.layer({ lines: 3 }), ArtifactStore.layerMemory])

const write = (path: string, content: string) => call("write_file", { path, content })
const edit = (path: string, old: string, replacement: string) => call("edit_file", { path, old, new: replacement })
const read = (path: string, range: { readonly from?: number; readonly lines?: number } = {}) =>
  call("read_file", { path, ...range })

/** What the tools said to these calls, one a step. */
const saidTo = (...script: ReadonlyArray<ScriptedModel.Turn>) =>
  Effect.gen(function*() {
    const { run } = yield* conversation(Writer, [...script, text("Done.")])
    const { session } = yield* run()
    return endsOf(session).map(({ failed, value }) => failed ? (value as { readonly problem: string }).problem : value)
  })

describe("VirtualFiles", () => {
  it.effect("tells the agent that it has files, and lists them with their sizes", () =>
    Effect.gen(function*() {
      const { requests, run } = yield* conversation(Writer, [
        call("ls"),
        write("notes/b.md", "zwei"),
        write("a.md", "ü"),
        call("ls"),
        call("ls", { folder: "/notes/" }),
        call("ls", { folder: "note" }),
        text("Done.")
      ])
      const { session } = yield* run()
      assert.match(told(requests[0])[0] ?? "", /^system: Write\.\n\nYou have files of your own/)
      assert.deepStrictEqual(endsOf(session).map(({ value }) => value), [
        "There are no files.",
        "Created notes/b.md (4 bytes).",
        "Created a.md (2 bytes).",
        "a.md (2 bytes)\nnotes/b.md (4 bytes)",
        "notes/b.md (4 bytes)",
        "There are no files."
      ])
    }).pipe(live))

  it.effect("reads lines with their numbers, as many as asked for or as the handler is told", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* saidTo(
          write("a.md", "one\ntwo\n\nfour\n"),
          read("a.md"),
          read("a.md", { from: 2 }),
          read("a.md", { from: 4, lines: 9 }),
          read("a.md", { lines: 4 }),
          read("a.md", { from: 5 }),
          write("a.md", ""),
          read("a.md")
        ),
        [
          "Created a.md (14 bytes).",
          "1\tone\n2\ttwo\n3\t\n(lines 1 to 3 of 4)",
          "2\ttwo\n3\t\n4\tfour\n(lines 2 to 4 of 4)",
          "4\tfour\n(lines 4 to 4 of 4)",
          "1\tone\n2\ttwo\n3\t\n4\tfour",
          "it ends with line 4",
          "Wrote a.md (0 bytes).",
          "The file is empty."
        ]
      )
    }).pipe(live))

  it.effect("edits a piece that stands there exactly once, and takes what stands in its place as it is", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* saidTo(
          write("a.md", "one two one"),
          edit("a.md", "one", "1"),
          edit("a.md", "three", "3"),
          edit("a.md", "", "3"),
          edit("a.md", "two", "$& $1"),
          read("a.md")
        ),
        [
          "Created a.md (11 bytes).",
          "the old text stands in it 2 times: give more of what is around it",
          "the old text does not stand in it",
          "the old text does not stand in it",
          "Edited a.md (13 bytes).",
          "1\tone $& $1 one"
        ]
      )
    }).pipe(live))

  it.effect("edits no piece that stands there twice where the two overlap", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* saidTo(write("a.md", "one\n\n\ntwo"), edit("a.md", "\n\n", "\n")),
        ["Created a.md (9 bytes).", "the old text stands in it 2 times: give more of what is around it"]
      )
    }).pipe(live))

  it.effect("changes nothing of a file but the piece that is edited: not its type, nor its byte order mark", () =>
    Effect.gen(function*() {
      const store = yield* ArtifactStore.ArtifactStore
      const csv = "\ufeffname\r\nAda\r\n"
      const hash = yield* store.put(new TextEncoder().encode(csv))
      const table = { name: "a.csv", content: { hash, mediaType: "text/csv", size: 14 } }
      const { run } = yield* conversation(Writer, [edit("a.csv", "Ada", "Bob"), text("Done.")])
      const { session } = yield* run("Go.", { state: [Files.to([table])] })
      const edited = Artifacts.versionsIn(session.state.get(Files), "a.csv").at(-1)
      assert.deepInclude(edited, { version: 1, mediaType: "text/csv", size: 14 })
      assert.strictEqual(
        Artifacts.textOf(yield* Artifacts.read(edited as Artifacts.Version)),
        csv.replace("Ada", "Bob")
      )
    }).pipe(live))

  it.effect("takes several ways to write a path for one, and refuses what is none", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* saidTo(write("/notes//a.md", "one"), read("./notes/a.md"), write("../a.md", ""), write("/", "")),
        ["Created notes/a.md (3 bytes).", "1\tone", "this is no path of a file", "this is no path of a file"]
      )
    }).pipe(live))

  it.effect("deletes a file once, and says what is not there", () =>
    Effect.gen(function*() {
      const gone = "there is no such file"
      assert.deepStrictEqual(
        yield* saidTo(
          write("a.md", "one"),
          call("delete_file", { path: "a.md" }),
          call("delete_file", { path: "a.md" }),
          read("a.md"),
          edit("a.md", "one", "two")
        ),
        ["Created a.md (3 bytes).", "Deleted a.md.", gone, gone, gone]
      )
    }).pipe(live))

  it.effect("does not show as text what is none", () =>
    Effect.gen(function*() {
      const store = yield* ArtifactStore.ArtifactStore
      // the other one is "Zürich" in Latin-1: an edit would damage what stands beside the piece
      for (const bytes of [Uint8Array.of(137, 80, 0, 71), Uint8Array.of(90, 252, 114, 105, 99, 104)]) {
        const hash = yield* store.put(bytes)
        const picture = { name: "a.png", content: { hash, mediaType: "image/png", size: bytes.length } }
        const { run } = yield* conversation(Writer, [read("a.png"), edit("a.png", "r", "R"), text("Done.")])
        const { session } = yield* run("Go.", { state: [Files.to([picture])] })
        const refused = { _tag: "FileProblem", path: "a.png", problem: "it is no text: image/png" }
        assert.deepStrictEqual(endsOf(session).map(({ value }) => value), [refused, refused])
      }
    }).pipe(live))

  it.effect("keeps the files over a pause, in another process too, and what was written over", () =>
    Effect.gen(function*() {
      const Guarded = Agent.make("writer", {
        instructions: "Write.",
        middleware: [HumanApproval.make({ policies: [{ tools: [VirtualFiles.DeleteFile] }] }), VirtualFiles.make()]
      })
      const { run, session } = yield* conversation(Guarded, [
        write("a.md", "one"),
        write("a.md", "two"),
        call("delete_file", { path: "a.md" })
      ])
      const paused = yield* run()
      const again = yield* restarted(Guarded, yield* session(), [read("a.md"), text("Done.")])
      const resumed = yield* again.resume(openOf(paused).map(({ id }) => Interrupt.reject(id)))
      assert.strictEqual(endsOf(resumed.session).at(-1)?.value, "1\ttwo")
      const versions = Artifacts.versionsIn(resumed.session.state.get(Files), "a.md")
      assert.deepStrictEqual(
        yield* Effect.forEach(versions, (version) => Effect.map(Artifacts.read(version), Artifacts.textOf)),
        ["one", "two"]
      )
    }).pipe(live))

  it.effect("gives a sub-agent some of the tools and its parent's files", () =>
    Effect.gen(function*() {
      const Reader = Agent.make("reader", {
        instructions: "Read.",
        middleware: [VirtualFiles.make({ tools: ["ls", "read_file"], instructions: "Read!" })]
      })
      const Parent = Agent.make("parent", {
        instructions: "Delegate.",
        middleware: [VirtualFiles.make()],
        subAgents: [SubAgent.make(Reader)]
      })
      const { requests, run } = yield* conversation(Parent, {
        parent: [write("a.md", "one"), call("reader", { task: "Read." }), text("Done.")],
        reader: [read("a.md"), write("a.md", "two"), text("Read.")]
      })
      const { session } = yield* run()
      assert.strictEqual(told(requests[2])[0], "system: Read.\n\nRead!")
      assert.deepStrictEqual(endsOf(session).map(({ failed }) => failed), [false, false, true, false])
      assert.strictEqual(Artifacts.versionsIn(session.state.get(Files), "a.md").length, 1)
    }).pipe(live))
})
