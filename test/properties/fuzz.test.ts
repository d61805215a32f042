/**
 * Whatever is read from outside may be anything. Each decoder gives a value or a typed error: it never dies and never
 * hangs, it writes nothing where it fails, and it repeats nothing of what it read: neither in the error nor in a log or a
 * span. `TENON_CASES=100000` for more; `TENON_SEED` and `TENON_CASE` for one.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import {
  Cause,
  Context,
  Duration,
  Effect,
  Exit,
  Layer,
  Logger,
  Option,
  Redacted,
  References,
  Result,
  Schema,
  Scope,
  Stream,
  Tracer
} from "effect"
import { LanguageModel } from "effect/ai"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { copyFile } from "node:fs/promises"
import { inspect } from "node:util"
import {
  Agent,
  type AgentError,
  AgentRunner,
  Event,
  History,
  Interrupt,
  Reducer,
  Session,
  SessionStore,
  State,
  StateDelta,
  StateSerializer,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { AiSdk } from "tenon/ai-sdk"
import { HumanApproval } from "tenon/middleware"
import { SqlStore } from "tenon/sql"
import { ScriptedModel } from "tenon/testing"
import { definitionOf } from "../../src/internal/field.ts"
import { Log } from "../../src/internal/log.ts"
import { snapshotOf } from "../../src/internal/snapshot.ts"
import * as Sqlite from "../../src/sql/internal/sqlite.ts"
import { freshFile } from "../sql/file.ts"
import { mutated, mutatedText, shown, writeDown } from "./mutate.ts"
import * as Random from "./random.ts"

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 10)

/** Stands in every text that is a value: of a message, of arguments, of State, of an answer, of the context. */
const marker = "canary-51c0de"

// ===== looking ===============================================================

/** Everything that a program shows besides its value. */
const watched = Effect.fnUntraced(function*<A, E, R>(program: Effect.Effect<A, E, R>) {
  const told: Array<string> = []
  const tell = (what: unknown) => told.push(inspect(what, { depth: 12, showHidden: true, maxStringLength: Infinity }))
  const logger = Logger.make(({ cause, fiber, message }) => {
    tell(message)
    tell(Cause.pretty(cause))
    tell(fiber.getRef(References.CurrentLogAnnotations))
  })
  class Span extends Tracer.NativeSpan {
    override attribute(key: string, value: unknown) {
      tell([key, value])
      super.attribute(key, value)
    }
    override event(name: string, time: bigint, attributes?: Record<string, unknown>) {
      tell([name, attributes])
      super.event(name, time, attributes)
    }
    override end(time: bigint, exit: Exit.Exit<unknown, unknown>) {
      if (Exit.isFailure(exit)) tell(Cause.pretty(exit.cause))
      super.end(time, exit)
    }
  }
  const exit = yield* Effect.exit(program).pipe(
    Effect.withTracer(Tracer.make({ span: (options) => new Span(options) })),
    Effect.provide(Logger.layer([logger]))
  )
  if (Exit.isFailure(exit)) {
    tell(Cause.pretty(exit.cause))
    const error = Cause.squash(exit.cause)
    // open questions are told to whoever must answer them
    if (!inspect(error).includes("QuestionsOpen")) tell([error, String(error), JSON.stringify(error)])
  }
  return { exit, told }
})

/** Neither did anything die nor did it tell what it read. */
const check = <A, E>(
  { exit, told }: { readonly exit: Exit.Exit<A, E>; readonly told: ReadonlyArray<string> }
): void => {
  if (Exit.isFailure(exit)) {
    for (const reason of exit.cause.reasons) {
      assert.isTrue(Cause.isFailReason(reason), `it died: ${Cause.pretty(exit.cause).slice(0, 2_000)}`)
      const error: unknown = Cause.isFailReason(reason) ? reason.error : undefined
      assert.isTrue(typeof error === "object" && error !== null && "_tag" in error, `no typed error: ${inspect(error)}`)
    }
  }
  const leak = told.find((text) => text.includes(marker))
  assert.isUndefined(leak, `it tells what it read: ${leak?.slice(0, 2_000)}`)
}

/** One input, what is done with it, and what must hold then. */
interface Case {
  readonly input: unknown
  readonly run: Effect.Effect<unknown, unknown>
  readonly after?: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>
}

const fuzz = (
  name: string,
  each: (random: Random.Random) => Case | Effect.Effect<Case, unknown, Scope.Scope>,
  share = 1
) =>
  it.effect(
    `${name} (seed ${Random.seed})`,
    () =>
      Effect.gen(function*() {
        const numbers = Random.onlyCase === undefined
          ? Array.from({ length: Math.ceil(cases * share) }, (_, index) => index)
          : [Random.onlyCase]
        let failed = 0
        for (const number of numbers) {
          yield* Effect.scoped(Effect.gen(function*() {
            const made = each(Random.make(Random.mix(Random.seed, `${name} ${number}`)))
            const { after, input, run } = Effect.isEffect(made) ? yield* made : made
            const seen = yield* watched(run)
            yield* Effect.suspend(() => {
              check(seen)
              return after === undefined ? Effect.void : after(seen.exit)
            }).pipe(Effect.catchDefect((defect) => {
              const problem = defect instanceof Error ? defect.message : String(defect)
              return Effect.die(
                new Error(`${problem}\nTENON_SEED=${Random.seed} TENON_CASE=${number}\n${shown(input)}`)
              )
            }))
            if (Exit.isFailure(seen.exit)) failed++
          }))
        }
        // what goes wrong must go wrong now and then
        if (Random.onlyCase === undefined) assert.isAbove(failed, 0)
      }),
    Math.max(60_000, cases * 1_000)
  )

// ===== a program that reads all kinds of things ==============================

// an interface is not known to be JSON
// oxlint-disable-next-line consistent-type-definitions
type Tree = { readonly name: string; readonly children: ReadonlyArray<Tree> }
const Tree = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
}).annotate({ identifier: "Tree" })
const tree: Tree = { name: `${marker} root`, children: [{ name: `${marker} leaf`, children: [] }] }

const Many = Schema.Struct({
  count: Schema.Int,
  share: Schema.Finite,
  note: Schema.String,
  kind: Schema.Literals(["a", "b"]),
  at: Schema.DateFromString,
  url: Schema.URLFromString,
  bytes: Schema.Uint8ArrayFromBase64,
  number: Schema.NumberFromString,
  big: Schema.BigIntFromString,
  wait: Schema.Duration,
  perhaps: Schema.Option(Schema.String),
  byName: Schema.Record(Schema.String, Schema.Json),
  either: Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.Int })]),
  tree: Tree
})
const encodeMany = Schema.encodeSync(Schema.toCodecJson(Many))
const many = encodeMany({
  count: 3,
  share: 0.5,
  note: `${marker} note`,
  kind: "a",
  at: new Date(0),
  url: new URL(`https://example.org/${marker}`),
  bytes: new Uint8Array([1, 2, 3]),
  number: 4,
  big: 5n,
  wait: Duration.seconds(2),
  perhaps: Option.some(`${marker} perhaps`),
  byName: { one: [`${marker} entry`, { deep: null }] },
  either: { a: `${marker} either` },
  tree
})

const Notes = State.make("notes", {
  many: State.optional(Many),
  all: State.field(Schema.Array(Schema.Json), { initial: [], reducer: Reducer.append<Schema.Json>() }),
  byName: State.record(Schema.String, Tree),
  count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum })
})
const Profile = State.make("profile", {
  many: State.optional(Many, { scope: "user" }),
  visits: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "app" })
})
const Confirm = Interrupt.make("confirm", { question: Schema.Struct({ why: Schema.String }), answer: Many })

const Keep = Tool.make("keep", {
  parameters: Many,
  success: Many,
  writes: [Notes.many, Notes.byName, Profile.many],
  combines: [Notes.all, Notes.count, Profile.visits]
})
const Free = Tool.make("free", {
  parameters: Schema.Struct({ any: Schema.Json }),
  success: Schema.Json,
  combines: [Notes.all]
})
const Pay = Tool.make("pay", { parameters: Many, success: Schema.String, approval: true })
const Send = Tool.make("send", { parameters: Many, success: Schema.String })
const Wait = Tool.make("wait", { success: Many, asks: [Confirm] })
const kit = Toolkit.make(Keep, Free, Pay, Send, Wait)
const live = Toolkit.layer(kit, {
  keep: Effect.fnUntraced(function*(given) {
    yield* Notes.many.set(given)
    yield* Profile.many.set(given)
    yield* Notes.byName.put("k", given.tree)
    yield* Notes.all.combine(given.byName)
    yield* Notes.count.combine(1)
    yield* Profile.visits.combine(1)
    return given
  }),
  free: ({ any }) => Effect.as(Notes.all.combine(any), any),
  pay: () => Effect.succeed("paid"),
  send: () => Effect.succeed("sent"),
  wait: () => Confirm.ask({ why: `${marker} why` })
})
const Child = Agent.make("child", { instructions: "", toolkit: Toolkit.make(Keep) })
const agent = Agent.make("agent", {
  instructions: "",
  toolkit: kit,
  middleware: [HumanApproval.make({ policies: [{ tools: [Send] }] })],
  subAgents: [SubAgent.make(Child, { returns: [Notes.many] })]
})
const known = [Notes, Profile]
const ref = { app: "app", user: "u-1", session: "s-1" }

const { call, calls, text } = ScriptedModel

const run = (script: ScriptedModel.Script, input = `${marker} input`) =>
  AgentRunner.run(agent, { ...ref, input }).pipe(Effect.provide([live, ScriptedModel.layer(script)]))
const resume = (answers: ReadonlyArray<Interrupt.EncodedAnswer>, script: ScriptedModel.Script = [text("On.")]) =>
  AgentRunner.resume(agent, { ...ref, answers }).pipe(Effect.provide([live, ScriptedModel.layer(script)]))

/** A session with all kinds of events, which waits for three answers. */
const talk = Effect.gen(function*() {
  yield* run([text(`${marker} first`)])
  yield* run([call("keep", many), text(`${marker} second`)])
  yield* History.rewind(ref, { before: "i2" })
  yield* History.compact(ref, { from: 0, to: 2 }, `${marker} summary`)
  yield* run({
    agent: [
      calls({ tool: "keep", parameters: many }, { tool: "child", parameters: { task: `${marker} task` } }),
      text(`${marker} said`)
    ],
    child: [call("keep", many), text(`${marker} child`)]
  })
  yield* run([
    calls({ tool: "pay", parameters: many }, { tool: "send", parameters: many }, { tool: "wait" }),
    text("Never.")
  ])
})

const storeOf = Layer.build(SessionStore.layerMemory)

/** The same in a store of its own. */
const talked = Effect.gen(function*() {
  const store = yield* storeOf
  yield* Effect.provideContext(talk, store)
  const { events, open } = yield* Effect.provideContext(Session.load(ref, known), store)
  return { store, events, open }
})

/** The same for those who only read it, in memory and in a file that each may have a copy of. */
const { events, store: memory } = await Effect.runPromise(Effect.scoped(Effect.provide(talked, Logger.layer([]))))
const closing = Scope.makeUnsafe()
const template = await Effect.runPromise(Effect.provideService(freshFile, Scope.Scope, closing))
await Effect.runPromise(
  Effect.gen(function*() {
    yield* talk
    yield* AgentRunner.post(agent, { ...ref, key: "k-1", input: `${marker} posted` })
    const { open } = yield* Session.load(ref, known)
    const question = open.find(({ name }) => name === "confirm")
    const answer = Interrupt.fromJson(question?.id ?? "", many)
    yield* AgentRunner.post(agent, { ...ref, key: "k-2", answer })
    const store = yield* SessionStore.SessionStore
    const sections = new Map(known.map((section) => [definitionOf(section).name, definitionOf(section)]))
    const snapshot = snapshotOf(new Log(events.slice(0, 12)), sections) as SessionStore.Snapshot
    yield* Effect.scoped(Effect.flatMap(store.lease(ref), (lease) => store.saveSnapshot(ref, snapshot, lease)))
  }).pipe(Effect.provide([SqlStore.layerSqlite({ filename: template }), Logger.layer([])]))
)
const onDisk = await Effect.runPromise(
  Effect.provideService(Layer.build(SqlStore.layerSqlite({ filename: template })), Scope.Scope, closing)
)
afterAll(() => Effect.runPromise(Scope.close(closing, Exit.void)))

/** All of a session in a store. */
const stateIn = (store: Context.Context<SessionStore.SessionStore>) =>
  Effect.gen(function*() {
    const service = Context.get(store, SessionStore.SessionStore)
    const events = yield* service.load(ref)
    const rows = yield* service.shared(ref, [
      { scope: "user", field: "profile.many" },
      { scope: "app", field: "profile.visits" }
    ])
    return [events, rows, yield* service.inbox(ref)]
  }).pipe(Effect.orDie)

const failedWith = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const error = Cause.squash(exit.cause) as { readonly reason?: { readonly _tag: string }; readonly _tag: string }
  return error.reason?._tag ?? error._tag
}

/** What a decoder gives can be written again. */
const writable = <A>(decoded: Result.Result<A, unknown>, encode: (value: A) => unknown) =>
  Effect.map(Effect.fromResult(decoded), (value) => writeDown(encode(value)))

// ===== documents =============================================================

describe("a decoder of documents", () => {
  fuzz("Event.decode", (random) => {
    const input = mutated(random, Event.encode(random.pick(events)))
    return { input, run: Effect.suspend(() => writable(Event.decode(input), Event.encode)) }
  }, 3)

  fuzz("Session.decode, and the folds of what it gives", (random) => {
    const input = mutated(random, Session.encode(events))
    const run = Effect.gen(function*() {
      const decoded = yield* Effect.fromResult(Session.decode(input))
      writeDown(Session.encode(decoded))
      const session = yield* Effect.fromResult(Session.fold(decoded, known))
      session.state.get(Notes.many)
      yield* Effect.fromResult(Session.fold(decoded))
    })
    return { input, run }
  }, 3)

  fuzz("StateSerializer", (random) => {
    const serializer = StateSerializer.make(known)
    const given = {
      format: "tenon/state",
      version: 1,
      time: 0,
      sections: {
        notes: { version: 1, data: { many, all: [many], byName: { k: tree }, count: 1 } },
        profile: { version: 1, data: { many, visits: 2 } },
        other: { version: 7, data: { any: many } }
      }
    }
    const input = mutated(random, given)
    const run = Effect.gen(function*() {
      const state = yield* serializer.deserialize(input)
      state.get(Notes.many)
      state.get(Profile.many)
      writeDown(yield* serializer.serialize(state))
    })
    return { input, run }
  }, 3)

  fuzz("StateDelta.decode, and its application", (random) => {
    const delta = {
      versions: { notes: 1 },
      operations: [
        { op: "set", field: "notes.many", value: many },
        { op: "unset", field: "notes.many" },
        { op: "append", field: "notes.all", values: [many, `${marker} item`] },
        { op: "union", field: "notes.all", values: [many, `${marker} item`] },
        { op: "put", field: "notes.byName", key: "k", value: many },
        { op: "remove", field: "notes.byName", key: "k" },
        { op: "sum", field: "notes.count", value: 1 }
      ]
    }
    const input = mutated(random, delta)
    const run = Effect.gen(function*() {
      const decoded = yield* Effect.fromResult(StateDelta.decode(input))
      yield* Effect.fromResult(StateDelta.applyResult(new Map<string, Schema.Json>([["notes.all", ["a"]]]), decoded))
      writeDown(StateDelta.encode(decoded))
    })
    return { input, run }
  })
})

describe("a log that names itself", () => {
  it("folds, whoever is whose parent", () => {
    const asInput = (event: Event.Event, agent: string, spawn: NonNullable<Event.Input["spawn"]>): Event.Event =>
      event.kind === "input" ? { ...event, agent, spawn } : event
    const log = events.map((event) =>
      asInput(event, event.sequence % 2 === 0 ? "agent" : "child", {
        agent: event.sequence % 2 === 0 ? "child" : "agent",
        call: "c",
        base: 1_000
      })
    )
    assert.isTrue(Result.isSuccess(Session.fold(log, known)))
    const own = events.map((event) => asInput(event, "agent", { agent: "agent", call: "c", base: event.sequence }))
    assert.isTrue(Result.isSuccess(Session.fold(own, known)))
  })
})

// ===== what comes to a run ===================================================

const Env = ToolContext.make({ many: Many, tree: Tree, secret: Schema.Redacted(Schema.String), any: Schema.Json })

describe("what comes to a run", () => {
  const Reads = Tool.make("reads", { success: Schema.String, context: [Env.many, Env.tree, Env.secret, Env.any] })
  const reader = Agent.make("reader", { instructions: "", toolkit: Toolkit.make(Reads) })
  const readsLive = Toolkit.layer(Toolkit.make(Reads), { reads: () => Effect.as(Env.many, "read") })
  const asked = AgentRunner.run(reader, { ...ref, input: "Go." }).pipe(
    Effect.provide([readsLive, ScriptedModel.layer([call("reads"), text("Done.")]), SessionStore.layerMemory])
  )

  fuzz("a context that is read", (random) => {
    const input = mutated(random, { many, tree, secret: `${marker} secret`, any: [many] })
    return { input, run: Effect.provide(asked, Env.layerUnknown(input)) }
  })

  fuzz("a context that is given past the types", (random) => {
    const given = { many: { ...Schema.decodeSync(Schema.toCodecJson(Many))(many) }, tree, any: [many] }
    const input = {
      ...given,
      secret: Redacted.make(`${marker} secret`),
      tree: mutated(random, tree),
      any: mutated(random, many)
    }
    return { input, run: Effect.provide(asked, ToolContext.layer(reader, input as never)) }
  })

  fuzz("arguments of calls", (random) =>
    Effect.gen(function*() {
      const store = yield* storeOf
      const input = [
        { tool: "keep", parameters: mutated(random, many) },
        { tool: "free", parameters: mutated(random, { any: [many] }) },
        { tool: "child", parameters: mutated(random, { task: "Go." }) }
      ]
      const script = {
        agent: [calls(...input), text("Done.")],
        child: [call("keep", mutated(random, many)), text("Done.")]
      }
      const program = Effect.gen(function*() {
        yield* run(script)
        // it is the same in another process
        const { events } = yield* Session.load(ref, known)
        const again = Session.decode(JSON.parse(JSON.stringify(Session.encode(events))))
        yield* Effect.fromResult(Session.fold(yield* Effect.fromResult(again), known))
        // a run ends well, whatever was asked for: what fails is told to the model
        if (random.once(3)) return yield* Effect.fail({ _tag: "Enough" })
      })
      const after = (exit: Exit.Exit<unknown, unknown>) =>
        Effect.sync(() => assert.include([undefined, "Enough"], failedWith(exit)))
      return { input, run: Effect.provideContext(program, store), after }
    }), 2)

  fuzz("answers, resumed with or posted", (random) =>
    Effect.gen(function*() {
      const { open, store } = yield* talked
      const question = random.pick(open)
      const decision = { decision: "edit", arguments: many }
      const json = mutated(random, question.name === "confirm" ? many : decision)
      const answer = Interrupt.fromJson(random.once(9) ? `${question.id}x` : question.id, json)
      const before = yield* stateIn(store)
      const program: Effect.Effect<unknown, AgentError.AgentError, SessionStore.SessionStore> = random.once(2)
        ? AgentRunner.post(agent, { ...ref, key: "k", answer })
        : resume([answer])
      return {
        input: answer,
        run: Effect.provideContext(program, store),
        after: (exit) =>
          Effect.gen(function*() {
            if (failedWith(exit) !== undefined) assert.deepStrictEqual(yield* stateIn(store), before)
          })
      }
    }), 2)

  const Typed = Agent.make("typed", { instructions: "", output: Many })

  fuzz("answers of a model under an output's schema", (random) => {
    const said = Array.from({ length: 4 }, () => text(mutatedText(random, JSON.stringify(many))))
    const program = AgentRunner.run(Typed, { ...ref, input: "Go." })
    return { input: said, run: Effect.provide(program, [ScriptedModel.layer(said), SessionStore.layerMemory]) }
  })

  fuzz("places and tokens of pages", (random) =>
    Effect.gen(function*() {
      const store = random.once(2) ? memory : onDisk
      const service = Context.get(store, SessionStore.SessionStore)
      const number = () => random.pick([Number.NaN, Infinity, -Infinity, -1, 0.5, 1.5, 3, 2 ** 53, 1e300, -0, 7])
      const token = random.pick([
        "",
        " ",
        "NaN NaN",
        "1e400 1",
        "1 1e400",
        "x y z",
        "\0",
        "1.5 2.5",
        `${number()} ${number()}`,
        "1"
      ])
      const input = { before: number(), limit: number(), token, since: number(), until: number(), from: number() }
      const { before, limit, since, until, from } = input
      const run = Effect.gen(function*() {
        const page = yield* Effect.provideContext(Session.page(ref, { before, limit }), store)
        assert.isAtMost(page.events.length, 100)
        const listed = yield* service.list({ app: "app", after: token, limit, since, until })
        assert.isAtMost(listed.sessions.length, 1)
        yield* service.load(ref, { from, limit })
        if (random.once(5)) return yield* Effect.fail({ _tag: "Enough" })
      })
      return { input, run }
    }), 2)
})

// ===== what a provider answers ===============================================

describe("AiSdk", () => {
  const usage = {
    inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 2, text: 2, reasoning: 0 }
  }
  const providerMetadata = { local: { id: `${marker} id`, list: [1] } }
  const finishReason = { unified: "stop", raw: "stop" }
  const answer = {
    content: [
      { type: "reasoning", text: `${marker} thought`, providerMetadata },
      { type: "text", text: `${marker} text` },
      { type: "source", sourceType: "url", id: "s1", url: `https://example.org/${marker}`, title: marker },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
      {
        type: "tool-call",
        toolCallId: "c1",
        toolName: "free",
        input: JSON.stringify({ any: [many] }),
        providerMetadata
      },
      { type: "custom", kind: "local.kind", providerMetadata },
      { type: "tool-result", toolCallId: "c2", toolName: "elsewhere", result: { any: [many] } }
    ],
    finishReason,
    usage,
    warnings: [],
    response: { id: "r1", modelId: "m1" }
  }
  const chunks = [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: "r1", modelId: "m1" },
    { type: "reasoning-start", id: "1", providerMetadata },
    { type: "reasoning-delta", id: "1", delta: `${marker} thought` },
    { type: "reasoning-end", id: "1" },
    { type: "text-start", id: "2" },
    { type: "text-delta", id: "2", delta: `${marker} text` },
    { type: "text-end", id: "2" },
    { type: "tool-input-start", id: "c1", toolName: "free" },
    { type: "tool-input-delta", id: "c1", delta: JSON.stringify({ any: [many] }) },
    { type: "tool-input-end", id: "c1" },
    { type: "tool-call", toolCallId: "c1", toolName: "free", input: JSON.stringify({ any: [many] }) },
    { type: "finish", finishReason, usage, providerMetadata }
  ]
  const modelOf = (answers: {
    readonly doGenerate?: () => Promise<unknown>
    readonly doStream?: () => Promise<unknown>
  }) =>
    AiSdk.make(
      {
        specificationVersion: "v4",
        provider: "local",
        modelId: "m1",
        supportedUrls: {},
        doGenerate: () => Promise.reject(new Error("unused")),
        doStream: () => Promise.reject(new Error("unused")),
        ...answers
      } as AiSdk.ProviderModel,
      { headers: { authorization: `Bearer ${marker}` } }
    )
  const asked = {
    prompt: "Go.",
    toolkit: kit,
    disableToolCallResolution: true,
    toolCallValidation: "deferred"
  } as const

  fuzz("an answer", (random) => {
    const input = mutated(random, answer)
    const run = Effect.flatMap(
      modelOf({ doGenerate: () => Promise.resolve(input) }),
      (model) => model.generateText(asked)
    )
    return { input, run: Effect.provide(run, live) }
  }, 4)

  fuzz("an answer in chunks", (random) => {
    const all = mutated(random, chunks)
    const input = Array.isArray(all) ? all : [all]
    const doStream = () => Promise.resolve(random.once(20) ? input : { stream: ReadableStream.from(input) })
    const run = Effect.flatMap(modelOf({ doStream }), (model) => Stream.runCollect(model.streamText(asked)))
    return { input, run: Effect.provide(run, live) }
  }, 4)

  fuzz("arguments that are no JSON, in a run", (random) => {
    const input = mutatedText(random, JSON.stringify({ any: [many] }))
    let number = 0
    const content = () =>
      number++ === 0
        ? [{ type: "tool-call", toolCallId: "c1", toolName: "free", input }]
        : [{ type: "text", text: "Done." }]
    const program = Effect.gen(function*() {
      const model = yield* modelOf({ doGenerate: () => Promise.resolve({ ...answer, content: content() }) })
      yield* Effect.provideService(AgentRunner.run(agent, { ...ref, input: "Go." }), LanguageModel.LanguageModel, model)
      yield* Session.load(ref, known)
      if (random.once(5)) return yield* Effect.fail({ _tag: "Enough" })
    })
    return {
      input,
      run: Effect.provide(program, [live, SessionStore.layerMemory]),
      after: (exit) => Effect.sync(() => assert.include([undefined, "Enough"], failedWith(exit)))
    }
  })

  fuzz("an error", (random) => {
    const given = {
      name: "AI_APICallError",
      message: "no",
      statusCode: 400,
      url: "https://example.org",
      responseHeaders: { "retry-after": "3" },
      responseBody: JSON.stringify({ error: { message: "no", details: [{ retryDelay: "3s" }] } }),
      data: { error: { type: "invalid", code: "c", message: "no" } },
      cause: { name: "Error", message: "no" }
    }
    const input = mutated(random, given)
    const run = Effect.flatMap(
      modelOf({ doGenerate: () => Promise.reject(input) }),
      (model) => model.generateText(asked)
    )
    return { input, run: Effect.provide(run, live) }
  }, 2)
})

// ===== what a database holds =================================================

/** The checksums of the store, over whatever a row holds now. */
const sums = {
  tenon_events: (row: Row) => JSON.stringify(["app", "user:u-1", "s-1", row["sequence"], row["data"]]),
  tenon_snapshots: (row: Row) => JSON.stringify(["app", "user:u-1", "s-1", "snapshot", row["taken"], row["data"]])
}

type Row = Record<string, string | number | null>

/** The columns that are damaged, and the one that is text. */
const columns: Record<string, { readonly text?: string; readonly numbers: ReadonlyArray<string> }> = {
  tenon_events: { text: "data", numbers: ["sequence"] },
  tenon_snapshots: { text: "data", numbers: ["taken"] },
  tenon_inbox: { text: "content", numbers: [] },
  tenon_shared: { text: "value", numbers: ["version", "section"] },
  tenon_sessions: { numbers: ["revision", "created", "updated", "fence"] }
}

describe("a database", () => {
  fuzz("whose rows are others, with the right checksums", (random) =>
    Effect.gen(function*() {
      const file = yield* freshFile
      yield* Effect.promise(() => copyFile(template, file))
      const client = yield* Layer.build(Sqlite.layer(file))
      const sql = Context.get(client, SqlClient.SqlClient)
      const table = random.pick(Object.keys(columns))
      const { numbers, text: column } = columns[table] as (typeof columns)[string]
      const rows = yield* sql<Row>`SELECT rowid AS place, * FROM ${sql(table)}`
      const row = { ...random.pick(rows) }
      if (column !== undefined && (numbers.length === 0 || !random.once(6))) {
        row[column] = mutatedText(random, String(row[column]))
      } else row[random.pick(numbers)] = random.pick([-1, 0, 1, 5, 2 ** 31 - 1, -(2 ** 31)])
      const sum = Object.entries(sums).find(([name]) => name === table)?.[1]
      if (sum !== undefined && !random.once(10)) row["checksum"] = hash("sha256", sum(row), "base64url")
      // these need none: an earlier version wrote them without
      if ("checksum" in row && sum === undefined) row["checksum"] = null
      const { place, ...values } = row
      yield* Effect.ignore(sql`UPDATE ${sql(table)} SET ${sql.update(values)} WHERE rowid = ${place}`)

      const store = yield* Layer.build(Layer.provide(SqlStore.layer(), Layer.succeedContext(client)))
      const all = Effect.map(
        Effect.forEach(Object.keys(columns), (name) => sql<Row>`SELECT * FROM ${sql(name)} ORDER BY rowid`),
        (tables) => tables.map((each) => each.map(({ fence: _, leased_until: __, ...others }) => others))
      ).pipe(Effect.orDie)
      const before = yield* all
      const what = random.pick(["load", "newest", "page", "inbox", "list", "run", "resume", "write"])
      const write = Session.write(ref, [Notes.count.to(7)])
      const service = Context.get(store, SessionStore.SessionStore)
      const doing: Record<string, Effect.Effect<unknown, unknown, SessionStore.SessionStore>> = {
        load: Effect.map(Session.load(ref, known), ({ state }) => known.length && state.get(Profile.many)),
        newest: Effect.map(Session.newest(ref, known), ({ state }) => state.get(Notes.many)),
        page: Session.page(ref, { limit: 5 }),
        inbox: service.inbox(ref),
        list: service.list({ app: "app" }),
        run: run([text("Done.")]),
        resume: resume([], [text("On.")]),
        write
      }
      return {
        input: { what, table, row },
        run: Effect.provideContext(doing[what] ?? Effect.void, store),
        after: (exit) =>
          Effect.gen(function*() {
            const reason = failedWith(exit)
            // a run that began may end as failed; who could not read wrote nothing
            const isUnread = ["StateError", "EventUnreadable", "StoreFailed"].includes(reason ?? "")
            if (isUnread) assert.deepStrictEqual(yield* all, before, `${what} wrote and failed: ${reason}`)
          })
      }
    }), 3)
})
