/** The command, started as its users start it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Contract } from "tenon"
import { freshFile } from "../sql/file.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url))
const node = ["--conditions=tenon-source", "--disable-warning=ExperimentalWarning", main]

interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

const tenon = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Effect.Effect<Ran> =>
  Effect.callback((resume) => {
    const options = { cwd: fixtures, env: { ...process.env, NO_COLOR: "1", ...env } }
    execFile(process.execPath, [...node, ...args], options, (failed, out, error) => {
      resume(Effect.succeed({ code: typeof failed?.code === "number" ? failed.code : 0, out, error }))
    })
  })

const show = (...args: ReadonlyArray<string>) => tenon(["contract", "show", ...args])
const check = (...args: ReadonlyArray<string>) => tenon(["contract", "check", ...args])
const snapshotFile = Effect.map(freshFile, (file) => join(dirname(file), "contract.json"))

describe("tenon contract show", () => {
  it.effect("shows the only agent of a module, as a table and as a list where the terminal is narrow", () =>
    Effect.gen(function*() {
      const { code, error, out } = yield* show("before.ts")
      assert.deepStrictEqual([code, error], [0, ""])
      assert.deepStrictEqual(
        out.trimEnd().split("\n"),
        [
          "                 requires  writes",
          "agent assistant  tenant    search.last",
          "  tool find      tenant    search.last"
        ]
      )
      const narrow = yield* tenon(["contract", "show", "before.ts"], { COLUMNS: "30" })
      assert.deepStrictEqual(narrow.out.trimEnd().split("\n"), [
        "agent assistant",
        "    requires  tenant",
        "    writes    search.last",
        "  tool find",
        "      requires  tenant",
        "      writes    search.last"
      ])
    }))

  it.effect("shows the export that is named, as JSON that can be kept", () =>
    Effect.gen(function*() {
      const { code, out } = yield* show("before.ts", "--export", "tools", "--json")
      assert.strictEqual(code, 0)
      const snapshot = Result.getOrThrow(Contract.decode(JSON.parse(out)))
      assert.strictEqual(snapshot.declaration.kind, "toolkit")
    }))

  it.effect.each(
    [
      [["nothing.ts"], "there is no file 'nothing.ts'"],
      [["none.ts"], "'none.ts' exports no declaration; it exports answer, and none of them has a contract"],
      [
        ["many.ts"],
        "say which declaration of 'many.ts' is meant, with --export; it exports these:\n  One: agent one\n  Two: agent two"
      ],
      [["before.ts", "--export", "Nobody"], "'before.ts' exports no declaration 'Nobody'; it exports these:"],
      [["broken.ts"], "'broken.ts' cannot be imported: there is no database"],
      [["before.ts", "--exprot", "x"], "Unrecognized flag: --exprot"]
    ] as const
  )("ends with 2 on wrong use, and says what there is: %s", ([args, problem]) =>
    Effect.gen(function*() {
      const { code, error } = yield* show(...args)
      assert.strictEqual(code, 2)
      assert.include(error.replaceAll("\n  ", "\n").replaceAll("\n", " "), problem.replaceAll("\n  ", " "))
    }))
})

describe("tenon contract check", () => {
  it.effect(
    "keeps a contract, and ends with 0 while nothing breaks, with 1 when something does",
    () =>
      Effect.gen(function*() {
        const file = yield* snapshotFile
        const missing = yield* check("before.ts", "--snapshot", file)
        assert.strictEqual(missing.code, 2)
        assert.include(missing.error, "make it with --update")

        const kept = yield* check("before.ts", "--snapshot", file, "--update")
        assert.deepStrictEqual([kept.code, kept.out], [0, `'${file}' is written.\n`])
        const same = yield* check("before.ts", "--snapshot", file)
        assert.deepStrictEqual([same.code, same.out], [0, "Nothing has changed.\n"])

        const before = readFileSync(file, "utf8")
        const broken = yield* check("after.ts", "--snapshot", file)
        assert.strictEqual(broken.code, 1)
        assert.deepStrictEqual(broken.out.trimEnd().split("\n"), [
          "This breaks:",
          "  keys.user: it is new, and whoever runs it must supply it",
          "    cure: provide it in middleware, or supply it everywhere first",
          "  sections.search.last: string does not fit integer",
          "    cure: raise the section's version, and give it a migration (State.history, up)",
          "This does not:",
          "  sections.search.count: it is new: sessions that lack it get its initial value",
          "  assistant/find: it is 'look' now, and takes its calls",
          `Where that is meant, write '${file}' anew with --update.`
        ])
        assert.strictEqual(readFileSync(file, "utf8"), before)

        const meant = yield* check("after.ts", "--snapshot", file, "--update")
        assert.strictEqual(meant.code, 0)
        assert.include(meant.out, "This breaks:")
        assert.strictEqual((yield* check("after.ts", "--snapshot", file)).code, 0)
      }),
    120_000
  )

  it.effect("ends with 2 where the file is no contract", () =>
    Effect.gen(function*() {
      const file = yield* snapshotFile
      writeFileSync(file, "{}")
      const { code, error } = yield* check("before.ts", "--snapshot", file)
      assert.strictEqual(code, 2)
      assert.include(error, "the contract at 'format' does not fit")
    }))

  it.effect("tells how it is used, with --help", () =>
    Effect.gen(function*() {
      const { code, out } = yield* check("--help")
      assert.strictEqual(code, 0)
      for (const word of ["--snapshot", "--update", "Exits with 0", "tenon contract check src/assistant.ts"]) {
        assert.include(out, word)
      }
    }))
})
