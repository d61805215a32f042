import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { events, json, type Reply, serve } from "../ai-sdk/server.ts"
import { folderOf, tasks } from "./folder.ts"

interface Ended {
  readonly code: number
  readonly lines: ReadonlyArray<string>
  readonly errors: string
}

/** What would make it ask a provider, taken away. */
const offline = {
  TENON_BASE_URL: undefined,
  TENON_MODEL: undefined,
  TENON_API_KEY: undefined,
  OPENAI_API_KEY: undefined,
  ANTHROPIC_API_KEY: undefined,
  GOOGLE_GENERATIVE_AI_API_KEY: undefined
}

/** What `npm start -- …` does, without the time that npm takes. */
const startWith = (
  variables: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    execFile(
      process.execPath,
      ["--conditions=tenon-source", "--disable-warning=ExperimentalWarning", "examples/main.ts", ...args],
      { env: { ...process.env, FORCE_COLOR: undefined, ...offline, ...variables } },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
        resume(Effect.succeed({ code, lines: stdout.trimEnd().split("\n"), errors: stderr }))
      }
    )
  })

const start = (...args: ReadonlyArray<string>): Effect.Effect<Ended> => startWith({}, ...args)

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

describe("npm start with a provider's model", () => {
  /** A server that speaks as OpenAI does, whole and in chunks; it says these messages in turn. */
  const speaking = (
    ...messages: ReadonlyArray<{ readonly content?: string; readonly tool_calls?: ReadonlyArray<object> }>
  ) =>
    serve(...messages.map((message): Reply => (response, asked) => {
      const finish_reason = message.tool_calls === undefined ? "stop" : "tool_calls"
      const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
      const choice = { index: 0, finish_reason }
      const reply = asked.body.stream === true
        ? events(JSON.stringify({ choices: [{ ...choice, delta: message }], usage }), "[DONE]")
        : json({ choices: [{ ...choice, message: { role: "assistant", ...message } }], usage })
      reply(response, asked)
    }))

  const exchange = {
    order_id: "#W1000001",
    item_ids: ["5201"],
    new_item_ids: ["5202"],
    payment_method_id: "gift_card_71"
  }
  const call = (name: string, parameters: object, index: number) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(parameters) }
  })

  it.effect(
    "asks the server that the environment names, and pauses where that model stops it",
    () =>
      Effect.gen(function*() {
        const server = yield* speaking(
          { tool_calls: [call("my_orders", {}, 0), call("modify_pending_order_items", exchange, 1)] },
          { content: "The mallet is of oak now." }
        )
        const { code, lines, errors } = yield* startWith({
          TENON_BASE_URL: `${server.url}/v1`,
          TENON_MODEL: "llama-test",
          TENON_API_KEY: "canary-key"
        })
        assert.strictEqual(code, 0, errors)
        const text = lines.join("\n")
        for (
          const part of [
            "The model is llama-test of local.chat",
            "? Exchange 5201 of #W1000001 for 5202, by gift_card_71?",
            "From its JSON, with the answer",
            "“The mallet is of oak now.”",
            "order          pending (item modified): Block Plane $89.00, Mallet $27.00",
            "usage          2 steps, 2 calls, 200 + 20 tokens"
          ]
        ) assert.include(text, part)
        assert.deepStrictEqual(server.asked.map(({ path, body }) => [path, body.model, body.stream ?? false]), [
          ["/v1/chat/completions", "llama-test", true],
          ["/v1/chat/completions", "llama-test", false]
        ])
        assert.strictEqual(server.asked[0]?.headers.authorization, "Bearer canary-key")
        const results = server.body(1).messages.slice(-2)
        assert.deepStrictEqual(results.map(({ tool_call_id }: any) => tool_call_id), ["call_0", "call_1"])
        assert.notInclude(text + errors, "canary-key")
      }),
    patience
  )

  it.effect("ends where the model asks nothing, and where the server fails", () =>
    Effect.gen(function*() {
      const polite = yield* speaking({ content: "Which plane do you mean?" })
      const quiet = yield* startWith({ TENON_BASE_URL: polite.url, TENON_MODEL: "m" })
      assert.strictEqual(quiet.code, 0, quiet.errors)
      assert.include(quiet.lines.join("\n"), "order          pending: Block Plane $89.00, Mallet $24.50")
      const broken = yield* serve(json({ error: { message: "overloaded" } }, 503))
      const failed = yield* startWith({ TENON_BASE_URL: broken.url, TENON_MODEL: "m" })
      assert.strictEqual(failed.code, 1)
      assert.include(failed.errors, "the model of 'support' failed")
      const half = yield* startWith({ TENON_BASE_URL: broken.url })
      assert.strictEqual(half.code, 2)
      assert.include(half.errors, "TENON_BASE_URL needs a TENON_MODEL")
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
