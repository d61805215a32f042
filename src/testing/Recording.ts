/**
 * What models were asked in a run and what they said, kept as a JSON document, and said again without them: a provider is
 * asked once, and its answers are there for every later run of the test.
 *
 * A recording stands around models, whatever they are: it keeps what an agent's model was asked (messages, tools with
 * their schemas, the choice of a tool, the schema of the answer) and what it said as it said it: chunks of a stream, calls
 * with their ids, usage, metadata, errors. It keeps no settings, headers or addresses of a provider, and takes what you
 * name out of the rest. When it is replayed, each request must be one that was recorded.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Config, Context, Effect, Exit, FileSystem, Layer, Option, type PlatformError, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Response, type Tool, type Toolkit } from "effect/ai"
import { deepestDocument, parseJson } from "../internal/json.ts"
import { inChunks } from "./internal/chunks.ts"
import { type Difference, firstDifference, told } from "./internal/difference.ts"
import {
  type Asked,
  askedOf,
  decodeError,
  encodedPart,
  endedBy,
  Exchange,
  redactedSaid,
  saidAgain
} from "./internal/exchange.ts"
import { type Redact, redactor, type Rule } from "./internal/redact.ts"
import { type Answer, asking, lastText, short, speak } from "./internal/speak.ts"
import type * as ScriptedModel from "./ScriptedModel.ts"

// ===== models ================================================================

/**
 * What is taken out: a secret, wherever it stands, what a pattern finds, or whatever a function leaves out of a text. Also
 * what differs from run to run (a date, say) goes this way, since what is asked again is redacted as the recording is.
 *
 * @category models
 * @since 0.1.0
 */
export type Redaction = Rule

/** How a recording is made and read. @category models @since 0.1.0 */
export interface Options {
  /** What is taken out of requests, answers and errors, before anything is kept or compared. */
  readonly redact?: ReadonlyArray<Redaction>
}

/** Requests, in the order in which they were asked, with what was said. @category models @since 0.1.0 */
export interface Document {
  readonly format: "tenon/recording"
  readonly version: 1
  readonly exchanges: ReadonlyArray<Exchange>
}

export type {
  /** One request, and what was said. @category models @since 0.1.0 */
  Exchange
}

const DocumentSchema = Schema.Struct({
  format: Schema.Literal("tenon/recording"),
  version: Schema.Literal(1),
  exchanges: Schema.Array(Exchange)
})

const documentOf = (exchanges: ReadonlyArray<Exchange>): Document => ({
  format: "tenon/recording",
  version: 1,
  exchanges
})

// ===== errors ================================================================

/** What is read is no recording, or one of a later version. @category errors @since 0.1.0 */
export class RecordingUnreadable extends Schema.TaggedError<RecordingUnreadable>()("RecordingUnreadable", {
  problem: Schema.String
}) {
  override get message(): string {
    return `the recording cannot be read: ${this.problem}`
  }
}

/** There is no file, and this is no place to record one. @category errors @since 0.1.0 */
export class RecordingMissing extends Schema.TaggedError<RecordingMissing>()("RecordingMissing", {
  path: Schema.String
}) {
  override get message(): string {
    return `there is no recording ${this.path}, and it is not made here: run the test where the model can be asked, with the mode "record"`
  }
}

/**
 * What was asked and what was recorded are not the same.
 *
 * @category errors
 * @since 0.1.0
 */
export class RecordingDiffers extends Schema.TaggedError<RecordingDiffers>()("RecordingDiffers", {
  /** Requests that were not recorded, each with the first place in which it differs from the one that was expected. */
  differences: Schema.Array(Schema.Struct({
    agent: Schema.String,
    /** The number of the recorded request, from 1; none where all requests of the agent had been asked. */
    exchange: Schema.optionalKey(Schema.Int),
    /** Where in the request: `messages[2].content[0].text`. */
    path: Schema.String,
    /** Nothing where it is missing. */
    asked: Schema.optional(Schema.Json),
    recorded: Schema.optional(Schema.Json)
  })),
  /** Recorded requests that nobody asked. */
  unasked: Schema.Array(Schema.Struct({ agent: Schema.String, exchange: Schema.Int }))
}) {
  override get message(): string {
    return [
      ...this.differences.map(differenceTold),
      ...this.unasked.map(({ agent, exchange }) => `request ${exchange}, of '${agent}', was recorded and not asked`)
    ].join("\n")
  }
}

type Differs = RecordingDiffers["differences"][number]

const differenceTold = ({ agent, asked, exchange, path, recorded }: Differs): string =>
  exchange === undefined
    ? `'${agent}' asks once more than was recorded: ${short(JSON.stringify(asked))}`
    : `'${agent}' asks what was not recorded; in request ${exchange}, ${told({ path, asked, recorded })}`

// ===== texts =================================================================

/**
 * The document as a text, to be kept beside the test.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (document: Document): string => `${JSON.stringify(document, undefined, 2)}\n`

const decodeDocument = Schema.decodeUnknownEffect(DocumentSchema)

/**
 * Reads the text of a document.
 *
 * @category encoding
 * @since 0.1.0
 */
export const decode: (text: string) => Effect.Effect<Document, RecordingUnreadable> = Effect.fn("Recording.decode")(
  function*(text) {
    const json = yield* Effect.fromResult(parseJson(text, deepestDocument)).pipe(
      Effect.mapError((problem) => new RecordingUnreadable({ problem }))
    )
    return yield* Effect.mapError(
      decodeDocument(json),
      ({ message }) => new RecordingUnreadable({ problem: message })
    )
  }
)

// ===== the service ===========================================================

/**
 * A recording under way, or one that is replayed.
 *
 * @category services
 * @since 0.1.0
 */
export class Recording extends Context.Service<Recording, {
  /** What was recorded so far, or what is replayed. */
  readonly document: Effect.Effect<Document>
  readonly assertComplete: Effect.Effect<void, RecordingDiffers>
  /** The model that is asked in place of this one, which is not made where the recording is replayed. */
  readonly around: <E, R>(
    model: Effect.Effect<LanguageModel.LanguageModel, E, R>
  ) => Effect.Effect<LanguageModel.LanguageModel, E, R>
}>()("tenon/testing/Recording") {}

/** What was recorded so far, or what is replayed. @category getters @since 0.1.0 */
export const document: Effect.Effect<Document, never, Recording> = Effect.flatMap(
  Recording,
  ({ document }) => document
)

/**
 * Fails unless a replay asked for all that was recorded, and for nothing else. It tells of a request that differs also where
 * the failure of the model became something else: an error result of a call, say. It never fails while it is recorded.
 *
 * @category asserting
 * @since 0.1.0
 */
export const assertComplete: Effect.Effect<void, RecordingDiffers, Recording> = Effect.flatMap(
  Recording,
  ({ assertComplete }) => assertComplete
)

// ===== recording =============================================================

/** Tools that are shown to a model and not run. */
const shownOnly = (tools: ReadonlyArray<Tool.Any>): Toolkit.WithHandler<Record<string, Tool.Any>> => ({
  tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
  handle: (name) => Effect.die(new Error(`'${name}' is not run here`))
})

/** What asks a model for what a provider is asked: no calls are run, and their parameters are left as they are. */
const requestOf = ({ prompt, toolChoice, tools }: LanguageModel.ProviderOptions) => ({
  prompt,
  toolkit: shownOnly(tools),
  toolChoice,
  disableToolCallResolution: true,
  toolCallValidation: "deferred"
} as const)

/** A structured answer, as the schema alone would write it: a provider may have had one that it understands better. */
const structured = Effect.fnUntraced(function*(
  model: LanguageModel.LanguageModel,
  options: LanguageModel.ProviderOptions,
  { objectName, schema }: Extract<LanguageModel.ProviderOptions["responseFormat"], { readonly type: "json" }>
) {
  const { content, value } = yield* model.generateObject({ ...requestOf(options), objectName, schema: schema as never })
  const text = JSON.stringify(Schema.encodeUnknownSync(schema as Schema.Codec<unknown>)(value))
  const rest = content.filter((part: Response.AnyPart) => part.type !== "text")
  return [{ type: "text", text } as const, ...rest.map(encodedPart)]
})

/** One exchange; until it ends it is `cut`. */
interface Entry {
  readonly begun: Pick<Exchange, "agent" | "asked" | "id" | "streamed">
  readonly said: ReadonlyArray<Response.AnyPartEncoded>
  ended: Exchange["ended"]
}

/** What models are asked and say. */
const recorder = (redact: Redact) => {
  const exchanges: Array<Entry> = []

  const begin = (options: LanguageModel.ProviderOptions, streamed: boolean) =>
    Effect.map(asking, ({ id, path }) => {
      const asked = askedOf(options, redact)
      const said: Array<Response.AnyPartEncoded> = []
      const entry: Entry = { begun: { agent: path, id, streamed, asked }, said, ended: "cut" }
      exchanges.push(entry)
      return {
        say: (part: Response.AnyPartEncoded) => said.push(part),
        finish: Effect.sync(() => {
          entry.ended = "finished"
        }),
        end: <A, E>(exit: Exit.Exit<A, E>) =>
          Effect.sync(() => {
            if (Exit.isFailure(exit)) entry.ended = endedBy(exit.cause, redact)
          })
      }
    })

  const around = (model: LanguageModel.LanguageModel): Effect.Effect<LanguageModel.LanguageModel> =>
    LanguageModel.make({
      supportsSystemMessagesInHistory: model.supportsSystemMessagesInHistory,
      generateText: (options) =>
        Effect.flatMap(begin(options, false), ({ end, finish, say }) => {
          const { responseFormat } = options
          const said = responseFormat.type === "json"
            ? structured(model, options, responseFormat)
            : Effect.map(model.generateText(requestOf(options)), ({ content }) => content.map(encodedPart))
          return (said as Effect.Effect<Array<Response.PartEncoded>, AiError.AiError>).pipe(
            Effect.tap((parts) => {
              for (const part of parts) say(part)
              return finish
            }),
            Effect.onExit(end)
          )
        }),
      streamText: (options) =>
        Stream.unwrap(Effect.map(begin(options, true), ({ end, finish, say }) => {
          const parts = model.streamText(requestOf(options)) as Stream.Stream<Response.AnyPart, AiError.AiError>
          return parts.pipe(
            Stream.map((part) => {
              const encoded = encodedPart(part) as Response.StreamPartEncoded
              say(encoded)
              return part.type === "error" ? { type: part.type, error: part.error } as const : encoded
            }),
            Stream.onEnd(finish),
            Stream.onExit(end)
          )
        }))
    })

  const document = Effect.sync(() =>
    documentOf(exchanges.map(({ begun, ended, said }) => ({ ...begun, said: redactedSaid(said, redact), ended })))
  )
  return { around, document }
}

/**
 * Records whatever the models around which it stands are asked.
 *
 * **Example** (A run as a document)
 *
 * ```ts
 * import { Effect, Layer, Redacted } from "effect"
 * import { LanguageModel } from "effect/ai"
 * import { Recording, ScriptedModel } from "tenon/testing"
 *
 * const Model = ScriptedModel.layer([ScriptedModel.text("It is sesame.")]) // yours is a provider's
 * const password = Redacted.make("sesame")
 *
 * const recorded = await Effect.gen(function*() {
 *   yield* LanguageModel.generateText({ prompt: "What opens the door?" })
 *   return yield* Recording.document
 * }).pipe(
 *   Effect.provide(Recording.model(Model).pipe(Layer.provideMerge(Recording.layerRecord({ redact: [password] })))),
 *   Effect.runPromise
 * )
 * recorded.exchanges[0]?.said[0] // => { type: "text", text: "It is <redacted>." }
 *
 * const replayed = Effect.gen(function*() {
 *   const { text } = yield* LanguageModel.generateText({ prompt: "What opens the door?" })
 *   yield* Recording.assertComplete
 *   return text
 * }).pipe(
 *   Effect.provide(Recording.model(Model).pipe(Layer.provideMerge(Recording.layerReplay(recorded))))
 * )
 * await Effect.runPromise(replayed) // => "It is <redacted>."
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerRecord = ({ redact = [] }: Options = {}): Layer.Layer<Recording> =>
  Layer.sync(Recording, () => {
    const { around, document } = recorder(redactor(redact))
    return Recording.of({ assertComplete: Effect.void, document, around: Effect.flatMap(around) })
  })

// ===== replaying =============================================================

/** How an answer ends that did not end well. */
const brokenBy = (ended: Exchange["ended"]): Answer["broken"] => {
  if (ended === "finished") return undefined
  if (ended === "cut") return Effect.never
  return "died" in ended
    ? Effect.die(new Error(ended.died))
    : Effect.flatMap(Effect.orDie(decodeError(ended.failed)), Effect.fail)
}

/** Where what was asked differs from a recorded request, as JSON; nowhere if they are the same. */
const differenceOf = (asked: Asked, recorded: Asked): Difference | undefined => firstDifference(asked, recorded)

const replayer = Effect.fnUntraced(function*({ exchanges }: Document, redact: Redact) {
  const left = exchanges.map((exchange, index) => ({ exchange, number: index + 1 }))
  const differences: Array<Differs> = []

  /** Agents of one name ask at the same time: each gets the answer to its own request. */
  const answer = Effect.fnUntraced(function*(options: LanguageModel.ProviderOptions) {
    const { id, path } = yield* asking
    const asked = askedOf(options, redact)
    const named = left.filter(({ exchange }) => exchange.agent.join("/") === path.join("/"))
    const candidates = [
      ...named.filter(({ exchange }) => exchange.id === id),
      ...named.filter(({ exchange }) => exchange.id !== id)
    ]
    const found = candidates.find(({ exchange }) => differenceOf(asked, exchange.asked) === undefined)
    if (found === undefined) {
      const [expected] = candidates
      const agent = path.at(-1) ?? ""
      const differs: Differs = expected === undefined
        ? { agent, path: "", asked: lastText(options.prompt) }
        : { agent, exchange: expected.number, ...differenceOf(asked, expected.exchange.asked) as Difference }
      differences.push(differs)
      return yield* AiError.make({
        module: "Recording",
        method: options.span.name,
        reason: new AiError.InvalidRequestError({ description: differenceTold(differs) })
      })
    }
    left.splice(left.indexOf(found), 1)
    const said = yield* Effect.forEach(found.exchange.said, saidAgain)
    return { said, broken: brokenBy(found.exchange.ended) }
  })

  const assertComplete = Effect.suspend(() =>
    left.length + differences.length === 0
      ? Effect.void
      : new RecordingDiffers({
        differences: [...differences],
        unasked: left.map(({ exchange, number }) => ({ agent: exchange.agent.at(-1) ?? "", exchange: number }))
      })
  )
  return { model: yield* speak(answer), assertComplete }
})

/**
 * Replays a recording: the models around which it stands are not made, and what they would be asked is answered as it was
 * recorded.
 *
 * **Details**
 *
 * A request is answered if an agent of the same name and place asked the same of its model: messages, tools, choice of a
 * tool and schema of the answer, redacted. Each recorded answer is given once, equal requests get theirs in order, and
 * agents that run at the same time may ask in any order. Any other request fails the model, with an `InvalidRequestError`
 * that tells the first difference, and is told again by `assertComplete`. A stream comes in the chunks in which it came,
 * and ends as it ended; what was recorded as an answer at once can be asked for as a stream, and the other way round. An
 * answer whose reader left before its end never ends.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerReplay = (document: Document, { redact = [] }: Options = {}): Layer.Layer<Recording> =>
  Layer.effect(
    Recording,
    Effect.map(replayer(document, redactor(redact)), ({ assertComplete, model }) =>
      Recording.of({
        assertComplete,
        document: Effect.succeed(document),
        around: () => Effect.succeed(model)
      }))
  )

/**
 * A model, recorded or replayed as the `Recording` says. Several models can stand in one recording.
 *
 * **Gotchas**
 *
 * A replay does not make the model, so that it needs no key; then names of it are missing too, so they are left out of a
 * recording: use `Model.make` around this, if what you test shows them.
 *
 * @category layers
 * @since 0.1.0
 */
export const model = <E, R>(
  model: Layer.Layer<LanguageModel.LanguageModel, E, R>
): Layer.Layer<LanguageModel.LanguageModel, E, R | Recording> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(Recording, ({ around }) =>
      around(Effect.map(Layer.build(model), (context) =>
        Context.get(context, LanguageModel.LanguageModel))))
  )

// ===== files =================================================================

/** When a file is recorded: if there is none and this is not CI, always, or never. @category models @since 0.1.0 */
export type Mode = "auto" | "record" | "replay"

/** How a recording is kept in a file. @category models @since 0.1.0 */
export interface FileOptions extends Options {
  /** By default "auto". */
  readonly mode?: Mode
}

/** Is this a machine that makes nothing new? */
const isCi = Config.String("CI").pipe(
  Config.option,
  Config.map(Option.exists((ci) => ci !== "" && ci !== "0" && ci !== "false"))
)

/** Leaves the file as it is where what was recorded ended in failure. */
const writing = (path: string, options: Options) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const recording = Context.get(yield* Layer.build(layerRecord(options)), Recording)
    yield* Effect.addFinalizer((exit) =>
      Exit.isFailure(exit) ? Effect.void : Effect.gen(function*() {
        const folder = path.replace(/[^/\\]*$/, "")
        if (folder !== "") yield* files.makeDirectory(folder, { recursive: true })
        yield* files.writeFileString(path, encode(yield* recording.document))
      }).pipe(Effect.orDie)
    )
    return recording
  })

const reading = (path: string, options: Options) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const document = yield* decode(yield* files.readFileString(path))
    return Context.get(yield* Layer.build(layerReplay(document, options)), Recording)
  })

/**
 * A recording in a file: made by the first run, replayed by each later one.
 *
 * **Details**
 *
 * With the mode "auto" it is replayed if there is a file, and else recorded, unless the environment has `CI`: there it
 * fails with `RecordingMissing`. With "record" it is recorded anew, with "replay" never. The file is written when the layer
 * is released, whole, and not if that is after a failure: a run that broke leaves no recording of its beginning.
 *
 * **Example** (A provider that is asked once)
 *
 * ```ts no-run
 * import { createOpenAI } from "@ai-sdk/openai"
 * import { Config, Effect, FileSystem, Layer, Redacted } from "effect"
 * import { AiSdk } from "tenon/ai-sdk"
 * import { Recording } from "tenon/testing"
 *
 * const Key = Config.Redacted("OPENAI_API_KEY")
 *
 * // made, and the key read, only where the provider is asked
 * const OpenAi = Layer.unwrap(Effect.map(Key, (key) =>
 *   AiSdk.layer(createOpenAI({ apiKey: Redacted.value(key) })("gpt-5-mini"))))
 *
 * // with the `FileSystem` of your platform: `NodeFileSystem.layer` of "@effect/platform-node", say
 * export const Model: Layer.Layer<Recording.Recording, unknown, FileSystem.FileSystem> = Recording.model(OpenAi).pipe(
 *   Layer.provideMerge(Recording.layerFile("test/recordings/weather.json", { redact: [/sk-[\w-]+/] }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFile = (
  path: string,
  { mode = "auto", ...options }: FileOptions = {}
): Layer.Layer<
  Recording,
  Config.ConfigError | PlatformError.PlatformError | RecordingMissing | RecordingUnreadable,
  FileSystem.FileSystem
> =>
  Layer.effect(
    Recording,
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      if (mode === "record") return yield* writing(path, options)
      if (yield* files.exists(path)) return yield* reading(path, options)
      return mode === "replay" || (yield* isCi) ? yield* new RecordingMissing({ path }) : yield* writing(path, options)
    })
  )

// ===== scripts ===============================================================

/**
 * The recording as a script: turns of a `ScriptedModel`, by agent, which answer whatever is asked. To change one, or to
 * begin a test where a run had come to.
 *
 * **Example** (The next answer is another one)
 *
 * ```ts
 * import { Recording, ScriptedModel } from "tenon/testing"
 *
 * const instead = (recorded: Recording.Document) => {
 *   const { weather = [] } = Recording.toScript(recorded)
 *   return ScriptedModel.layer({ weather: [...weather.slice(0, -1), ScriptedModel.text("I do not know.")] })
 * }
 * ```
 *
 * @category converting
 * @since 0.1.0
 */
export const toScript = ({ exchanges }: Document): Readonly<Record<string, ReadonlyArray<ScriptedModel.Step>>> => {
  const script = new Map<string, Array<ScriptedModel.Step>>()
  for (const exchange of exchanges) {
    const agent = exchange.agent.at(-1) ?? ""
    const steps = script.get(agent) ?? []
    script.set(agent, [...steps, stepOf(exchange)])
  }
  return Object.fromEntries(script)
}

/** The turn that says the same. */
const stepOf = ({ ended, said }: Exchange): ScriptedModel.Step =>
  Effect.fnUntraced(function*() {
    const parts = yield* Effect.forEach(said, saidAgain)
    if (ended === "finished") return { parts }
    const after = inChunks(parts).length
    if (ended === "cut") return { parts, silent: true, after }
    if ("died" in ended) return yield* Effect.die(new Error(ended.died))
    return { parts, error: (yield* Effect.orDie(decodeError(ended.failed))).reason, after }
  })
