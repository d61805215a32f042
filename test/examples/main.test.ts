import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { folderOf, tasks } from "./folder.ts"

interface Ended {
  readonly code: number
  readonly lines: ReadonlyArray<string>
  readonly errors: string
}

/** What `npm start -- …` does, without the time that npm takes. */
const start = (...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    execFile(
      process.execPath,
      ["--conditions=tenon-source", "--disable-warning=ExperimentalWarning", "examples/main.ts", ...args],
      { env: { ...process.env, FORCE_COLOR: undefined } },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
        resume(Effect.succeed({ code, lines: stdout.trimEnd().split("\n"), errors: stderr }))
      }
    )
  })

const patience = 60_000

describe("npm start", () => {
  it.effect("shows the support agent up to its question, and from its JSON on", () =>
    Effect.gen(function*() {
      const { code, lines, errors } = yield* start()
      assert.strictEqual(code, 0, errors)
      assert.strictEqual(errors, "")
      assert.isAtMost(lines.length, 80)
      assert.isAtMost(Math.max(...lines.map((line) => line.length)), 100)
      const text = lines.join("\n")
      assert.notInclude(text, "\u001b")
      for (
        const part of [
          "agent support\n    requires  customer, money\n",
          "  ▸ a call   ◂ its result   ± what it did to State   ? a question   ! the answer",
          "catalogue  support-sub-2: sees money, not customer; starts with its task alone",
          "± comes back: case.findings gets 5202 · oak, $27.00 · support-sub-2",
          "? Exchange 4101, 5201 of #W1000001 for 4103, 5202, by gift_card_71?",
          "the run has paused",
          "± shop.users ida_berg: payment_methods.gift_card_71.balance 20 → 10",
          "the run has completed",
          "order          pending (item modified): Block Plane $96.50, Mallet $27.00",
          "search.last    no value: it stayed with the sub-agent",
          "usage          7 steps, 7 calls, 3190 + 209 tokens"
        ]
      ) assert.include(text, part)
    }), patience)

  it.effect("explains itself", () =>
    Effect.gen(function*() {
      const { code, lines } = yield* start("--help")
      assert.strictEqual(code, 0)
      assert.include(lines.join("\n"), "npm start -- tau FOLDER")
    }), patience)

  it.effect("refuses what it does not know, with a sentence", () =>
    Effect.gen(function*() {
      const asked = [["tao"], ["--colour"], ["tau"]]
      const ends = yield* Effect.forEach(asked, (args) => start(...args), { concurrency: 2 })
      assert.deepStrictEqual(ends.map(({ code }) => code), [2, 2, 2])
      assert.deepStrictEqual(ends.map(({ errors }) => errors.split("\n")[0]), [
        "There is no 'tao' to start.",
        "Unknown option '--colour'.",
        "'tau' needs a folder."
      ])
      for (const { errors } of ends) assert.include(errors, "npm start -- --help")
    }), patience)
})

describe("npm start -- tau", () => {
  it.effect("ends with what reproduces", () =>
    Effect.gen(function*() {
      const { code, lines, errors } = yield* start("tau", yield* folderOf())
      assert.strictEqual(code, 0, errors)
      assert.strictEqual(lines.at(-1), "3 of 3 tasks reproduce")
      assert.match(lines.join("\n"), /stored deltas +[\d.]+ k?B for 6 calls; one copy of the data has [\d.]+ kB/)
      assert.match(lines.join("\n"), /tool calls +\d+ a second/)
    }), patience)

  it.effect("tells what does not, and fails", () =>
    Effect.gen(function*() {
      const wrong = tasks.map((task) => task.id === 0 ? { ...task, results: ["ann", "4.0"] } : task)
      const { code, lines } = yield* start("tau", yield* folderOf({ tasks: wrong }))
      assert.strictEqual(code, 1)
      assert.include(lines, "✗ task 0, call 2 calculate: 4 expected, 3 found")
      assert.strictEqual(lines.at(-1), "2 of 3 tasks reproduce")
    }), patience)

  it.effect("says of a folder that it cannot use what belongs there", () =>
    Effect.gen(function*() {
      const { code, errors } = yield* start("tau", yield* folderOf({ tasks: undefined }))
      assert.strictEqual(code, 2)
      const [problem, hint] = errors.split("\n")
      assert.match(problem ?? "", /: it has no tasks\.json$/)
      assert.strictEqual(
        hint,
        "'tau' reads orders.json, users.json, products.json, tasks.json of a folder; "
          + "npm start -- --help tells what is in them."
      )
    }), patience)
})
