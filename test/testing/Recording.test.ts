import { assert, describe, it } from "@effect/vitest"
import {
  Arbitrary,
  ConfigProvider,
  Duration,
  Effect,
  Exit,
  Fiber,
  FileSystem,
  Layer,
  Redacted,
  Schema,
  Stream
} from "effect"
import { AiError, LanguageModel, type Prompt, type Response, Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import {
  Agent,
  type AgentError,
  AgentRunner,
  SessionStore,
  SubAgent,
  Tool as OurTool,
  Toolkit as OurToolkit
} from "tenon"
import { Recording, ScriptedModel } from "tenon/testing"

const { call, calls, fail, text } = ScriptedModel

/** A value as data, to compare: without what it came through. */
const data = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The model recorded, and what it came to. */
const recording = (script: ScriptedModel.Script, options?: Recording.Options) =>
  Recording.model(ScriptedModel.layer(script)).pipe(Layer.provideMerge(Recording.layerRecord(options)))

/** The recording as it is read from a file; a model that is made fails the test. */
const replaying = (document: Recording.Document, options?: Recording.Options) =>
  Layer.unwrap(
    Effect.map(Recording.decode(Recording.encode(document)), (read) =>
      Recording.model(Layer.effect(LanguageModel.LanguageModel, Effect.die("the model was made"))).pipe(
        Layer.provideMerge(Recording.layerReplay(read, options))
      ))
  )

/** What a program does while it is recorded, and the document. */
const recorded = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  script: ScriptedModel.Script,
  options?: Recording.Options
) =>
  Effect.gen(function*() {
    const exit = yield* Effect.exit(program)
    return { exit, document: yield* Recording.document }
  }).pipe(Effect.provide(recording(script, options)))

/** What it does in the replay. */
const replayed = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  document: Recording.Document,
  options?: Recording.Options
) => Effect.exit(Effect.tap(program, Recording.assertComplete)).pipe(Effect.provide(replaying(document, options)))

const unresolved = { disableToolCallResolution: true, toolCallValidation: "deferred" } as const

const stream = (prompt: Prompt.RawInput = "Go.") =>
  Effect.gen(function*() {
    const shown: Array<Response.AnyPart> = []
    const exit = yield* Effect.exit(
      Stream.runForEach(LanguageModel.streamText({ prompt, ...unresolved }), (part) =>
        Effect.sync(() => shown.push(part)))
    )
    return { shown, exit }
  })

const limited = new AiError.RateLimitError({ retryAfter: Duration.seconds(1) })

const Look = OurTool.make("look", {
  description: "Looks up.",
  parameters: Schema.Struct({ key: Schema.String }),
  success: Schema.String
})
const kit = OurToolkit.make(Look)
const Handlers = OurToolkit.layer(kit, { look: ({ key }) => Effect.succeed(`the ${key}`) })
const helper = Agent.make("helper", { instructions: "Help.", description: "Helps.", toolkit: kit })
const main = Agent.make("main", { instructions: "Lead.", toolkit: kit, subAgents: [SubAgent.make(helper)] })

const world = Layer.merge(Handlers, SessionStore.layerMemory)
type Given = Layer.Success<typeof world> | LanguageModel.LanguageModel
type Program = Effect.Effect<unknown, AgentError.AgentError, Given>
const run: Program = AgentRunner.run(main, { session: "s", input: "Go." })
const chunks: Program = Stream.runCollect(AgentRunner.stream(main, { session: "s", input: "Go." }))

const lookTwice: ScriptedModel.Script = {
  main: [
    calls({ tool: "look", parameters: { key: "a" }, id: "x" }, { tool: "helper", parameters: { task: "Find b." } }),
    text("All found.")
  ],
  helper: [call("look", { key: "b" }), text("It is b.")]
}

describe("Recording", () => {
  it.effect("answers a run as it was answered, streamed or not, and either as the other", () =>
    Effect.gen(function*() {
      for (const program of [run, chunks]) {
        const { document, exit } = yield* recorded(program, lookTwice).pipe(Effect.provide(world))
        assert.deepStrictEqual(document.exchanges.map(({ agent }) => agent.join("/")), [
          "main",
          "main/helper",
          "main/helper",
          "main"
        ])
        assert.deepStrictEqual(data(yield* Effect.provide(replayed(program, document), world)), data(exit))
        for (const other of [run, chunks]) {
          assert.isTrue(Exit.isSuccess(yield* Effect.provide(replayed(other, document), world)))
        }
      }
    }))

  it.effect("keeps chunks, metadata, usage, calls that stand in no toolkit, and ends", () =>
    Effect.gen(function*() {
      const parts: ReadonlyArray<Response.AnyPartEncoded> = [
        { type: "response-metadata", id: "r", modelId: "m", timestamp: "2026-01-01T00:00:00.000Z" },
        { type: "reasoning-start", id: "1" },
        { type: "reasoning-delta", id: "1", delta: "\ud83d" },
        { type: "reasoning-delta", id: "1", delta: "\ude00" },
        { type: "reasoning-end", id: "1", metadata: { p: { signature: "s" } } },
        { type: "source", sourceType: "url", id: "u", url: "https://example.org/", title: "t" },
        { type: "file", mediaType: "image/png", data: "AQID" },
        { type: "text-start", id: "2" },
        { type: "text-delta", id: "2", delta: "x" },
        { type: "text-end", id: "2" },
        {
          type: "finish",
          reason: "length",
          usage: { inputTokens: { uncached: 1, total: 3, cacheRead: 2 }, outputTokens: { total: 4 } }
        }
      ]
      const { document, exit } = yield* recorded(stream(), [{ parts }])
      assert.deepStrictEqual(document.exchanges[0]?.said.map(({ type }) => type), parts.map(({ type }) => type))
      assert.deepStrictEqual(yield* replayed(stream(), document), exit)
    }))

  it.effect("fails, falls silent and dies again where the model did", () =>
    Effect.gen(function*() {
      const program = Effect.gen(function*() {
        const first = yield* stream("1")
        const second = yield* Effect.exit(LanguageModel.generateText({ prompt: "2" }))
        const third = yield* Effect.exit(LanguageModel.generateText({ prompt: "3" }))
        const fourth = yield* Stream.runCollect(Stream.take(LanguageModel.streamText({ prompt: "4" }), 2))
        const fifth = yield* Effect.forkChild(LanguageModel.generateText({ prompt: "5" }))
        yield* TestClock.adjust("1 hour")
        assert.isUndefined(fifth.pollUnsafe())
        yield* Fiber.interrupt(fifth)
        const sixth = yield* stream("6")
        return { first, second, third: Exit.isFailure(third), fourth, sixth }
      })
      const { document, exit } = yield* recorded(program, [
        { text: "one two", error: limited, after: 2 },
        fail(
          new AiError.NetworkError({ reason: "TransportError", method: "POST", url: "http://x", description: "gone" })
        ),
        () => Effect.die(new Error("broken")),
        text("one two three"),
        ScriptedModel.never,
        { parts: [{ type: "error", error: AiError.make({ module: "M", method: "m", reason: limited }) }] }
      ])
      assert.deepStrictEqual(
        document.exchanges.map(({ ended }) => typeof ended === "string" ? ended : Object.keys(ended)[0]),
        ["failed", "failed", "died", "cut", "cut", "finished"]
      )
      assert.deepStrictEqual(data(yield* replayed(program, document)), data(exit))
      const again = yield* Effect.exit(program).pipe(
        Effect.provide(ScriptedModel.layer(Recording.toScript(document)[""] ?? []))
      )
      assert.isTrue(Exit.isSuccess(again))
    }))

  describe("whatever a model says", () => {
    const bits = Schema.Array(Schema.String)
    const step = Schema.Struct({
      text: bits,
      reasoning: bits,
      keys: Schema.Array(Schema.String).check(Schema.isMaxLength(3)),
      inputTokens: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
    })
    const script = Arbitrary.map(
      Arbitrary.array(Arbitrary.schema(step), { maxLength: 4 }),
      (steps): ScriptedModel.Script => [
        ...steps.filter(({ keys }) => keys.length > 0).map(({ inputTokens, keys, reasoning, text: said }) => ({
          text: said,
          reasoning,
          inputTokens,
          calls: keys.map((key) => ({ tool: "look", parameters: { key } }))
        })),
        text(steps[0]?.text.join("") ?? "Done.")
      ]
    )

    it.effect.prop("is said again by its recording, and by a script of it", { script, isStreamed: Schema.Boolean }, ({
      isStreamed,
      script: turns
    }) =>
      Effect.gen(function*() {
        const program = isStreamed ? chunks : run
        const { document, exit } = yield* recorded(Effect.provide(program, world), { main: turns as [], helper: [] })
        assert.isTrue(Exit.isSuccess(exit))
        const again = yield* replayed(Effect.provide(program, world), document)
        assert.deepStrictEqual(data(again), data(exit))
        const scripted = yield* Effect.exit(Effect.provide(run, world)).pipe(
          Effect.provide(ScriptedModel.layer(Recording.toScript(document)))
        )
        const events = (ended: typeof exit) =>
          Exit.isSuccess(ended) ? (ended.value as AgentRunner.AgentResult).session.events : []
        if (!isStreamed) assert.deepStrictEqual(data(events(scripted)), data(events(exit)))
      }), { arbitrary: { runs: 60 } })
  })

  it.effect("keeps structured answers, and runs the tools of a request that is no agent's", () =>
    Effect.gen(function*() {
      const Person = Schema.Struct({ name: Schema.String, born: Schema.DateTimeUtcFromString })
      const Now = Tool.make("now", { parameters: Schema.Struct({ zone: Schema.String }), success: Schema.Date })
      const tools = Toolkit.make(Now)
      const program = Effect.gen(function*() {
        const { value } = yield* LanguageModel.generateObject({ prompt: "Who?", schema: Person, objectName: "person" })
        const { toolResults } = yield* LanguageModel.generateText({ prompt: "When?", toolkit: tools })
        return { value, toolResults }
      }).pipe(Effect.provide(tools.toLayer({ now: () => Effect.succeed(new Date(0)) })))
      const { document, exit } = yield* recorded(program, [
        text(`{"name":"Ada","born":"1815-12-10T00:00:00.000Z"}`),
        call("now", { zone: "UTC" })
      ])
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(yield* replayed(program, document), exit)
    }))

  describe("what is asked", () => {
    const ask = (prompt: string) => Effect.map(LanguageModel.generateText({ prompt }), ({ text }) => text)

    it.effect("is told where it first differs, by the model and by assertComplete", () =>
      Effect.gen(function*() {
        const { document } = yield* recorded(ask(`${"a".repeat(100)}b`), [text("1"), text("2")])
        const error = yield* Effect.gen(function*() {
          const failed = yield* Effect.flip(ask(`${"a".repeat(100)}c`))
          const differs = yield* Effect.flip(Recording.assertComplete)
          assert.include(failed.message, differs.message.split("\n")[0] ?? "")
          return differs
        }).pipe(Effect.provide(replaying(document)))
        assert.deepStrictEqual(error.unasked, [{ agent: "", exchange: 1 }])
        assert.strictEqual(error.differences[0]?.path, "messages[0].content")
        const part = "a".repeat(40)
        assert.strictEqual(
          error.message,
          [
            `'' asks what was not recorded; in request 1, messages[0].content is "…${part}c", and was recorded as "…${part}b"`,
            "request 1, of '', was recorded and not asked"
          ].join("\n")
        )
      }))

    it.effect("is told where one has a key of a name that every object has", () =>
      Effect.gen(function*() {
        const on = (...names: ReadonlyArray<string>) => {
          const parameters = Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.String])))
          const toolkit = Toolkit.make(Tool.make("look", { parameters }))
          return LanguageModel.generateText({ prompt: "Go.", toolkit: toolkit as never, ...unresolved })
        }
        const { document } = yield* recorded(on("a", "toString"), [text("1")])
        const { differences } = yield* Effect.gen(function*() {
          yield* Effect.exit(on("a"))
          return yield* Effect.flip(Recording.assertComplete)
        }).pipe(Effect.provide(replaying(document)))
        assert.deepStrictEqual(
          differences.map(({ asked, path, recorded }) => [path, asked, recorded]),
          [["tools[0].parameters.properties.toString", undefined, { type: "string" }]]
        )
      }))

    it.effect("may not be more, or with other tools, than was recorded", () =>
      Effect.gen(function*() {
        const on = (description: string) => {
          const tools = OurToolkit.make(OurTool.make("look", { description }))
          const agent = Agent.make("a", { instructions: "", toolkit: tools })
          return AgentRunner.run(agent, { session: "s", input: "Go." }).pipe(
            Effect.provide([OurToolkit.layer(tools, { look: () => Effect.void }), SessionStore.layerMemory])
          )
        }
        const { document } = yield* recorded(on("Looks."), [text("1")])
        const differs = yield* Effect.gen(function*() {
          yield* Effect.exit(on("Sees."))
          yield* on("Looks.")
          yield* Effect.exit(on("Looks."))
          return yield* Effect.flip(Recording.assertComplete)
        }).pipe(Effect.provide(replaying(document)))
        assert.strictEqual(
          differs.message,
          [
            `'a' asks what was not recorded; in request 1, tools[0].description is "Sees.", and was recorded as "Looks."`,
            `'a' asks once more than was recorded: "Go."`
          ].join("\n")
        )
      }))

    it.effect("is matched with agents that run at the same time in any order", () =>
      Effect.gen(function*() {
        const both = calls({ tool: "helper", parameters: { task: "A." } }, {
          tool: "helper",
          parameters: { task: "B." }
        })
        const slow = (first: string): ScriptedModel.Step => ({ prompt }) => {
          const task = JSON.stringify(prompt.content.at(-1)).includes("A.") ? "A." : "B."
          return { text: `done ${task}`, delay: task === first ? "2 seconds" : "1 second" }
        }
        const timed: Program = Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(run)
          yield* TestClock.adjust("1 minute")
          return yield* Fiber.join(fiber)
        })
        const { document, exit } = yield* recorded(timed, {
          main: [both, text("Done.")],
          helper: [slow("A."), slow("A.")]
        }).pipe(Effect.provide(world))
        assert.isTrue(Exit.isSuccess(exit))
        const [first, ...others] = document.exchanges
        const swapped = first === undefined ? document : {
          ...document,
          exchanges: [first, ...others.slice(0, 2).toReversed(), ...others.slice(2)]
        }
        const again = yield* Effect.provide(replayed(run, swapped), world)
        assert.isTrue(Exit.isSuccess(again))
      }))
  })

  describe("secrets", () => {
    const key = Redacted.make(`se"cret-1`, { label: "key" })
    const options = {
      redact: [key, Redacted.make(`se"cret-12`), /\d{4}-\d\d-\d\d/, (text: string) => text.replace("Ada", "someone")]
    }

    it.effect("go out of requests, answers, errors and pieces, and what is asked again fits", () =>
      Effect.gen(function*() {
        const program = (date: string) =>
          Effect.gen(function*() {
            const shown = yield* stream(`Today is ${date}: Ada has se"cret-1 and se"cret-12.`)
            yield* Effect.flip(LanguageModel.generateText({ prompt: "again" }))
            return shown.shown.map((part) => "delta" in part ? part.delta : part.type)
          })
        const { document } = yield* recorded(program("2026-01-01"), [
          {
            text: ["it is s", `e"cr`, "et", "-1", "!"],
            calls: [{ tool: "look", parameters: { [`se"cret-1`]: [`"se"cret-1"`] }, cuts: 1 }]
          },
          fail(new AiError.InvalidRequestError({ description: `bad key se"cret-1`, metadata: { x: `se"cret-1` } }))
        ], options)
        const written = Recording.encode(document)
        for (const secret of ["cret-1", "2026-01", "Ada"]) assert.notInclude(written, secret)
        const again = yield* Effect.provide(program("2027-12-31"), replaying(document, options))
        assert.deepStrictEqual(again.slice(0, 5), ["text-start", "it is <redacted:key>", "", "", ""])
      }))

    it.effect("are taken out once: what stands for one is not taken out of what is asked again", () =>
      Effect.gen(function*() {
        const key = Redacted.make("sesame", { label: "sesame" })
        const program = Effect.gen(function*() {
          const { text } = yield* LanguageModel.generateText({ prompt: "Go." })
          yield* LanguageModel.generateText({ prompt: `${text} It is sesame.` })
        })
        const rules = { redact: [key, /[a-z\d]{8,}/] }
        const { document } = yield* recorded(program, [text("sesame or token12345"), text("")], rules)
        assert.deepInclude(document.exchanges[0]?.said[0], { text: "<redacted:sesame> or <redacted>" })
        assert.isTrue(Exit.isSuccess(yield* replayed(program, document, rules)))
      }))

    it.effect("go out of addresses, where they are written another way", () =>
      Effect.gen(function*() {
        const rules = { redact: [Redacted.make("a/b&c \ud800")] }
        const said = `https://host/?key=a%2Fb%26c%20%EF%BF%BD&other=1`
        const { document } = yield* recorded(LanguageModel.generateText({ prompt: "Go." }), [text(said)], rules)
        assert.deepInclude(document.exchanges[0]?.said[0], { text: "https://host/?key=<redacted>&other=1" })
      }))

    it.effect("do not take away what it takes to read a recording", () =>
      Effect.gen(function*() {
        const program = Effect.gen(function*() {
          yield* LanguageModel.generateText({ prompt: "Go." })
          return (yield* Effect.flip(LanguageModel.generateText({ prompt: "Go on." }))).reason._tag
        })
        const rules = { redact: [/[a-z]{3,}/i] }
        const { document, exit } = yield* recorded(program, [
          {
            parts: [{
              type: "finish",
              reason: "stop",
              usage: { inputTokens: {}, outputTokens: {} },
              response: { status: 200, headers: {} }
            }]
          },
          fail(new AiError.AuthenticationError({ kind: "InvalidKey" }))
        ], rules)
        assert.deepStrictEqual(exit, Exit.succeed("AuthenticationError"))
        assert.deepStrictEqual(yield* replayed(program, document, rules), exit)
      }))

    it.effect("go out of what stands beside an answer or an error, and headers do", () =>
      Effect.gen(function*() {
        const { document } = yield* recorded(stream("Go."), [{
          parts: [
            { type: "text", text: "sk-1 and sk-2" },
            { type: "error", error: "no sk-3", metadata: { p: { key: "sk-4" } } },
            {
              type: "finish",
              reason: "stop",
              usage: { inputTokens: {}, outputTokens: {} },
              metadata: { p: { "sk-5": "sk-6" } },
              response: { status: 200, headers: { "set-cookie": "session=7" } }
            }
          ]
        }], { redact: [/sk-\d/y] })
        const written = Recording.encode(document)
        for (const secret of ["sk-", "session=7"]) assert.notInclude(written, secret)
        const { exit } = yield* Effect.provide(stream("Go."), replaying(document))
        assert.isTrue(Exit.isSuccess(exit))
      }))
  })

  describe("decode", () => {
    it.effect("refuses what is no recording, and those of later versions", () =>
      Effect.gen(function*() {
        for (
          const [written, problem] of [["{", "no JSON"], ["{}", "format"], [
            `{"format":"tenon/recording","version":2}`,
            "version"
          ]]
        ) {
          const error = yield* Effect.flip(Recording.decode(written ?? ""))
          assert.include(error.message, problem ?? "")
        }
      }))
  })

  describe("layerFile", () => {
    /** Files in memory. */
    const disk = () => {
      const files = new Map<string, string>()
      const layer = FileSystem.layerNoop({
        exists: (path) => Effect.succeed(files.has(path)),
        makeDirectory: () => Effect.void,
        readFileString: (path) => Effect.sync(() => files.get(path) ?? ""),
        writeFileString: (path, data) => Effect.sync(() => void files.set(path, data))
      })
      return { files, layer }
    }
    const ask = Effect.map(LanguageModel.generateText({ prompt: "Go." }), ({ text }) => text)
    const env = (vars: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromUnknown(vars))
    const on = (answer: string, options?: Recording.FileOptions) =>
      Recording.model(ScriptedModel.layer([text(answer)])).pipe(
        Layer.provideMerge(Recording.layerFile("d/r.json", options))
      )

    it.effect("records where there is no file, replays where there is one, and records anew", () =>
      Effect.gen(function*() {
        const { files, layer } = disk()
        const given = Layer.merge(layer, env({}))
        const answers = [
          yield* Effect.provide(ask, Layer.provide(on("one"), given)),
          yield* Effect.provide(ask, Layer.provide(on("two"), given)),
          yield* Effect.provide(ask, Layer.provide(on("three", { mode: "replay" }), given)),
          yield* Effect.provide(ask, Layer.provide(on("four", { mode: "record" }), given)),
          yield* Effect.provide(ask, Layer.provide(on("five"), given))
        ]
        assert.deepStrictEqual(answers, ["one", "one", "one", "four", "four"])
        assert.deepStrictEqual([...files.keys()], ["d/r.json"])
      }))

    it.effect("writes nothing after a failure, nor in CI, nor where it only replays", () =>
      Effect.gen(function*() {
        const { files, layer } = disk()
        yield* Effect.exit(
          Effect.provide(Effect.andThen(ask, Effect.fail("no")), Layer.provide(on("one"), Layer.merge(layer, env({}))))
        )
        for (const [mode, ci] of [["auto", "true"], ["replay", ""]] as const) {
          const error = yield* Effect.flip(
            Effect.provide(ask, Layer.provide(on("one", { mode }), Layer.merge(layer, env({ CI: ci }))))
          )
          assert.strictEqual(error._tag, "RecordingMissing")
        }
        assert.strictEqual(files.size, 0)
      }))
  })
})
