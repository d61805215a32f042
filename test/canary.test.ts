/**
 * C4: nothing of a ToolContext, and no credential, is in anything that leaves a run. A canary stands in every kind of
 * supplied value, and everything that can be read from outside is searched for it, also where something fails while it
 * is in hand.
 */
import { assert, describe, it } from "@effect/vitest"
import {
  Cause,
  Effect,
  Exit,
  Layer,
  Logger,
  Option,
  Redacted,
  References,
  Result,
  Schema,
  Stream,
  Tracer
} from "effect"
import { AiError, LanguageModel } from "effect/ai"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import {
  Agent,
  AgentRunner,
  Contract,
  Credentials,
  CredentialStore,
  Instructions,
  Interrupt,
  Middleware,
  Session,
  SessionDocument,
  SessionStore,
  State,
  StateSerializer,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

const canary = "canary-7f3a91"

// ===== what is supplied ======================================================

class Client {
  readonly token = `${canary} in a local object`
  readonly fail = (): never => {
    throw new Error(`${this.token} was refused`)
  }
}

const Env = ToolContext.make({
  tenant: Schema.String,
  apiKey: Schema.String,
  account: Schema.Struct({ id: Schema.Int, keys: Schema.Array(Schema.Struct({ token: Schema.String })) }),
  password: Schema.Redacted(Schema.String),
  client: ToolContext.value<Client>()
})
const keys = [Env.tenant, Env.apiKey, Env.account, Env.password, Env.client] as const

const supplied = {
  tenant: "acme",
  apiKey: `${canary} as a text`,
  account: { id: 1, keys: [{ token: `${canary} in a struct` }] },
  password: Redacted.make(`${canary} redacted`),
  client: new Client()
}

// ===== what leaves ===========================================================

/** Everything that can be seen from outside of a run, by where it left. */
class Outlets {
  private readonly seen: Array<readonly [string, string]> = []

  add(where: string, what: unknown): void {
    // two views: what JSON shows, and what a debugger shows, hidden properties included
    const json = Result.getOrElse(Result.try(() => JSON.stringify(what) ?? ""), () => "")
    const shown = inspect(what, { depth: 12, showHidden: true, maxStringLength: Infinity, maxArrayLength: Infinity })
    this.seen.push([where, `${json}\n${shown}\n${String(what)}`])
  }

  get leaks(): ReadonlyArray<string> {
    return this.seen.filter(([, text]) => text.includes(canary)).map(([where]) => where)
  }

  get places(): ReadonlySet<string> {
    return new Set(this.seen.map(([where]) => where.split(" ")[0] ?? ""))
  }
}

const loggerInto = (outlets: Outlets) =>
  Logger.make(({ message, cause, fiber }) => {
    outlets.add("log", message)
    outlets.add("log cause", Cause.pretty(cause))
    outlets.add("log annotations", fiber.getRef(References.CurrentLogAnnotations))
  })

const tracerInto = (outlets: Outlets) => {
  class WatchedSpan extends Tracer.NativeSpan {
    override attribute(key: string, value: unknown) {
      outlets.add(`span ${this.name} attribute ${key}`, value)
      super.attribute(key, value)
    }
    override event(name: string, time: bigint, attributes?: Record<string, unknown>) {
      outlets.add(`span ${this.name} event ${name}`, attributes)
      super.event(name, time, attributes)
    }
    override end(time: bigint, exit: Exit.Exit<unknown, unknown>) {
      if (Exit.isFailure(exit)) outlets.add(`span ${this.name} exit`, Cause.pretty(exit.cause))
      super.end(time, exit)
    }
  }
  return Tracer.make({
    span: (options) => {
      outlets.add("span", options.name)
      return new WatchedSpan(options)
    }
  })
}

const Work = State.make("work", {
  note: State.optional(Schema.String),
  count: State.field(Schema.Int, { initial: 0 }),
  code: State.field(Schema.String.check(Schema.isMaxLength(3)), { initial: "" }),
  kind: State.field(Schema.Struct({ of: Schema.Literals(["a", "b"]) }), { initial: { of: "a" } }),
  scratch: State.field(Schema.String, { initial: "", scope: "temp" })
})

// ===== what fails ============================================================

class Refused extends Schema.TaggedError<Refused>()("Refused", { code: Schema.Int }) {}

const Answer = Interrupt.make("answer", { question: Schema.String, answer: Schema.String })

const Token = Credentials.make("token", { scheme: "bearer" })
const credentials = Layer.succeed(CredentialStore.CredentialStore, {
  get: () =>
    Effect.succeedSome({ secret: Redacted.make(`${canary} in a store`), refresh: Redacted.make(`${canary} again`) }),
  put: () => Effect.void,
  remove: () => Effect.void,
  alone: () => (effect) => effect
})

const base = { context: keys, success: Schema.String } as const
const borrowing = { success: Schema.String, asks: [Token], failure: Credentials.Failure } as const
const tools = {
  uses: Tool.make("uses", { ...base, writes: [Work.note] }),
  merges: Tool.make("merges", { ...base, reads: [Work.note] }),
  dies: Tool.make("dies", base),
  dies_locally: Tool.make("dies_locally", base),
  fails: Tool.make("fails", { ...base, failure: Refused }),
  fails_wrongly: Tool.make("fails_wrongly", { ...base, failure: Refused }),
  breaks_state: Tool.make("breaks_state", { ...base, writes: [Work.count] }),
  breaks_check: Tool.make("breaks_check", { ...base, writes: [Work.code] }),
  breaks_choice: Tool.make("breaks_choice", { ...base, writes: [Work.kind] }),
  touches_more: Tool.make("touches_more", base),
  returns_wrongly: Tool.make("returns_wrongly", base),
  times_out: Tool.make("times_out", { ...base, timeout: "1 milli" }),
  logs: Tool.make("logs", base),
  asks_wrongly: Tool.make("asks_wrongly", { ...base, asks: [Answer] }),
  approval_dies: Tool.make("approval_dies", {
    ...base,
    approval: () => Effect.die(new Error(`${canary} in an approval`))
  }),
  writes_temp: Tool.make("writes_temp", { ...base, writes: [Work.scratch] }),
  borrows: Tool.make("borrows", borrowing),
  borrows_and_dies: Tool.make("borrows_and_dies", borrowing),
  borrows_and_fails: Tool.make("borrows_and_fails", borrowing)
}
const kit = Toolkit.make(...Object.values(tools))

const secrets = Effect.gen(function*() {
  const client = yield* Env.client
  return [yield* Env.apiKey, (yield* Env.account).keys[0]?.token, Redacted.value(yield* Env.password), client.token]
    .join()
})

/** Something that is wrong by its types, as a handler written without them can do. */
const wrong = (value: unknown): never => value as never

const handlers = Toolkit.layer(kit, {
  uses: Effect.fnUntraced(function*() {
    yield* Work.note.set("used")
    return String((yield* secrets).split(canary).length - 1)
  }),
  merges: () => Effect.map(ToolContext.merged(tools.merges), (view) => Object.keys(view).join(" ")),
  dies: () => Effect.flatMap(secrets, (all) => Effect.die(new Error(all))),
  dies_locally: () => Effect.map(Env.client, (client) => client.fail()),
  fails: () => Effect.flatMap(secrets, (all) => new Refused({ code: all.length })),
  fails_wrongly: () => Effect.flatMap(secrets, (all) => Effect.fail(wrong({ _tag: "Other", all }))),
  breaks_state: () => Effect.flatMap(secrets, (all) => Effect.as(Work.count.set(wrong(all)), "")),
  breaks_check: () => Effect.flatMap(secrets, (all) => Effect.as(Work.code.set(all), "")),
  breaks_choice: () => Effect.flatMap(secrets, (all) => Effect.as(Work.kind.set({ of: wrong(all) }), "")),
  touches_more: () => Effect.flatMap(secrets, (all) => wrong(Effect.as(Work.note.set(all), ""))),
  returns_wrongly: () => Effect.map(secrets, (all) => wrong({ all })),
  times_out: () => secrets.pipe(Effect.andThen(TestClock.adjust("1 second")), Effect.andThen(Effect.never)),
  logs: () => Effect.andThen(secrets, Effect.as(Effect.logInfo("it is used"), "")),
  asks_wrongly: () => Effect.flatMap(secrets, (all) => Answer.ask(wrong({ all }))),
  approval_dies: () => Effect.succeed(""),
  writes_temp: () => Effect.flatMap(secrets, (all) => Effect.as(Work.scratch.set(all.slice(0, 1)), "")),
  borrows: () => Effect.tap(Effect.map(Token.get, String), (token) => Effect.logInfo("it has", token)),
  borrows_and_dies: () => Effect.flatMap(Token.get, (token) => Effect.die(new Error(Redacted.value(token)))),
  borrows_and_fails: () =>
    Effect.flatMap(Token.get, (token) => Effect.fail(wrong({ _tag: "Other", token: Redacted.value(token) })))
})

const calls = Object.keys(tools).map((tool) => ({ tool }))
const instructions = Instructions.template`You work for ${Env.tenant}. The last note was ${Work.note}.`
const Child = Agent.make("child", { instructions, toolkit: Toolkit.make(tools.dies, tools.uses) })

// ===== searching =============================================================

interface Scenario {
  readonly agent: Agent.Any
  readonly script: ScriptedModel.Script
  readonly context?: Layer.Layer<never, ToolContext.ToolContextError>
}

/** Runs an agent as a stream, answers what it asks, and gives all that left. */
const watch = Effect.fnUntraced(function*({ agent, script, context }: Scenario) {
  const outlets = new Outlets()
  const { model, requests } = yield* ScriptedModel.make(script)
  const options = { app: "app", user: "u", session: "s" }
  const given = context ?? ToolContext.layer(agent, wrong(supplied)) as Layer.Layer<never>
  const layers = Layer.mergeAll(
    Layer.provideMerge(handlers, given),
    credentials,
    Layer.succeed(LanguageModel.LanguageModel, model),
    SessionStore.layerMemory
  )
  yield* Effect.gen(function*() {
    const shown = (start: AgentRunner.RunOptions | AgentRunner.ResumeOptions<Agent.Any>) =>
      Stream.runForEach(
        AgentRunner.stream(agent, start),
        (item) => Effect.sync(() => outlets.add(`stream ${item._tag}`, item))
      )
    const exit = yield* Effect.exit(Effect.gen(function*() {
      yield* shown({ ...options, input: "Go" })
      const { open } = yield* Session.load(options)
      if (open.length > 0) yield* shown({ ...options, answers: open.map(({ id }) => Interrupt.approve(id)) })
    }))
    if (Exit.isFailure(exit)) {
      outlets.add("failure", exit.cause)
      outlets.add("failure pretty", Cause.pretty(exit.cause))
      outlets.add("failure message", Option.getOrUndefined(Cause.findErrorOption(exit.cause)))
    }
    const store = yield* SessionStore.SessionStore
    const events = Option.getOrElse(yield* store.load(options), () => [])
    outlets.add("events", Session.encode(events))
    outlets.add("document", yield* Stream.mkString(SessionDocument.exportSession(options, { shared: agent })))
    const session = Result.getOrThrow(Session.fold(events, [Work]))
    outlets.add("state", yield* StateSerializer.make([Work]).serialize(session.state))
    outlets.add("history", session.history)
    const refused = yield* Effect.flip(
      AgentRunner.resume(agent, { ...options, answers: [Interrupt.fromJson("none", {})] })
    )
    outlets.add("refusal", refused)
  }).pipe(
    Effect.provide(layers),
    Effect.catchCause((cause) => Effect.sync(() => outlets.add("cause", Cause.pretty(cause)))),
    Effect.provideService(References.MinimumLogLevel, "All"),
    Effect.provide(Logger.layer([loggerInto(outlets)])),
    Effect.withTracer(tracerInto(outlets))
  ) as Effect.Effect<void>
  for (const { prompt, tools: shown } of requests) outlets.add("prompt", { prompt, shown })
  outlets.add("contract", [Contract.toJson(agent), Contract.table(agent), Contract.fingerprint(agent)])
  return outlets
})

const scripted = [ScriptedModel.calls(...calls), ScriptedModel.text("Done.")]

const failingHook = (error: unknown) =>
  Agent.make("hooked", {
    instructions,
    toolkit: kit,
    middleware: [
      Middleware.make("failing", {
        hooks: [Middleware.beforeTool({ context: keys }, () => Effect.andThen(secrets, Effect.fail(error)))]
      })
    ]
  })

const scenarios: ReadonlyArray<readonly [string, Scenario]> = [
  ["every tool, the failing ones included", {
    agent: Agent.make("agent", { instructions, toolkit: kit }),
    script: scripted
  }],
  ["tools in a sub-agent", {
    agent: Agent.make("parent", { instructions, subAgents: [SubAgent.make(Child)] }),
    script: {
      parent: [ScriptedModel.calls({ tool: "child", parameters: { task: "go" } }), ScriptedModel.text("Done.")],
      child: [ScriptedModel.calls({ tool: "uses" }, { tool: "dies" }), ScriptedModel.text("Done.")]
    }
  }],
  ["a model that fails", {
    agent: Agent.make("agent", { instructions, toolkit: kit }),
    script: [ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))]
  }],
  ["a hook that dies", {
    agent: Agent.make("hooked", {
      instructions,
      toolkit: kit,
      middleware: [
        Middleware.make("dying", {
          hooks: [
            Middleware.beforeModel(
              { context: keys },
              () => Effect.flatMap(secrets, (all) => Effect.die(new Error(all)))
            )
          ]
        })
      ]
    }),
    script: scripted
  }],
  ["a hook that fails with the value", {
    agent: failingHook(new Error(`${canary} in a failure`)),
    script: scripted
  }],
  ["a hook that fails with a tagged value", {
    agent: failingHook({ _tag: "Refused", detail: `${canary} in a failure` }),
    script: scripted
  }],
  ["a hook that breaks the state", {
    agent: Agent.make("hooked", {
      instructions,
      toolkit: kit,
      middleware: [
        Middleware.make("breaking", {
          hooks: [
            Middleware.afterTool(
              { context: keys, writes: [Work.count] },
              () => Effect.flatMap(secrets, (all) => Work.count.set(wrong(all)))
            )
          ]
        })
      ]
    }),
    script: scripted
  }],
  ["a provision that dies", {
    agent: Agent.make("provided", {
      instructions,
      toolkit: kit,
      middleware: [
        Middleware.make("providing", {
          provides: [
            Middleware.provide(
              Env.tenant,
              { context: [Env.apiKey] },
              Effect.flatMap(Env.apiKey, (key) => Effect.die(new Error(key)))
            )
          ]
        })
      ]
    }),
    script: scripted,
    context: wrong(
      ToolContext.make({
        apiKey: Schema.String,
        account: Schema.Unknown,
        password: Schema.Redacted(Schema.String),
        client: ToolContext.value<Client>()
      }).layer(supplied)
    )
  }],
  ["a context that does not fit", {
    agent: Agent.make("agent", { instructions, toolkit: kit }),
    script: scripted,
    context: ToolContext.layer(
      Agent.make("agent", { instructions, toolkit: kit }),
      wrong({ ...supplied, account: { id: canary, keys: [{ token: 1 }] } })
    ) as Layer.Layer<never, ToolContext.ToolContextError>
  }],
  ["a request's context that does not fit, with reserved names", {
    agent: Child,
    script: scripted,
    context: Layer.merge(
      Env.layer(supplied),
      ToolContext.make({ apiKey: Schema.Int }).layerUnknown({
        apiKey: canary,
        state: canary,
        toolCall: { token: canary }
      })
    ) as Layer.Layer<never, ToolContext.ToolContextError>
  }]
]

describe("a secret of the ToolContext, or a credential", () => {
  it.effect.each(scenarios)("leaves by nothing: %s", ([, scenario]) =>
    Effect.gen(function*() {
      const outlets = yield* watch(scenario)
      assert.deepStrictEqual(outlets.leaks, [])
    }))

  it.effect("meets every way in which a call can go wrong", () =>
    Effect.gen(function*() {
      const outlets = new Outlets()
      const agent = Agent.make("agent", { instructions, toolkit: kit })
      const options = { session: "s", user: "u" }
      const tags = yield* Effect.gen(function*() {
        const paused = yield* AgentRunner.run(agent, { ...options, input: "Go" })
        const answers = paused._tag === "Paused" ? paused.open.map(({ id }) => Interrupt.approve(id)) : []
        const { session } = yield* AgentRunner.resume(agent, { ...options, answers })
        return session.events.flatMap((event): ReadonlyArray<readonly [string, unknown]> =>
          event.kind === "call" && event.result.isFailure
            ? [[event.tool, (event.result.value as { readonly _tag?: string })._tag]]
            : []
        )
      }).pipe(
        Effect.provide(
          Layer.mergeAll(
            Layer.provideMerge(handlers, ToolContext.layer(agent, supplied)),
            credentials,
            ScriptedModel.layer(scripted),
            SessionStore.layerMemory
          ).pipe(Layer.provideMerge(Logger.layer([loggerInto(outlets)])))
        )
      )
      assert.deepStrictEqual(Object.fromEntries(tags), {
        dies: "ToolDied",
        dies_locally: "ToolDied",
        fails: "Refused",
        fails_wrongly: "ToolFailed",
        breaks_state: "InvalidStateWrite",
        breaks_check: "InvalidStateWrite",
        breaks_choice: "InvalidStateWrite",
        touches_more: "ToolDied",
        returns_wrongly: "InvalidResult",
        times_out: "TimedOut",
        asks_wrongly: "ToolDied",
        borrows_and_dies: "ToolDied",
        borrows_and_fails: "ToolFailed"
      })
    }))

  it.effect("is in the hands of the tools all the same", () =>
    Effect.gen(function*() {
      const agent = Agent.make("agent", { instructions, toolkit: kit })
      const result = yield* AgentRunner.run(agent, { session: "s", input: "Go" }).pipe(Effect.provide([
        Layer.provideMerge(handlers, ToolContext.layer(agent, supplied)),
        credentials,
        ScriptedModel.layer([ScriptedModel.call("uses"), ScriptedModel.text("Done.")]),
        SessionStore.layerMemory
      ]))
      const [, , tool] = result.session.history
      const part = tool?.role === "tool" ? tool.content[0] : undefined
      assert.strictEqual(part?.type === "tool-result" ? part.result : part, "4")
    }))

  it.effect("is found where a tool gives it away, so that this search can fail", () =>
    Effect.gen(function*() {
      const Leak = Tool.make("leak", { context: [Env.apiKey], success: Schema.String })
      const leaky = Toolkit.make(Leak)
      const agent = Agent.make("agent", { instructions: "", toolkit: leaky })
      const outlets = yield* watch({
        agent,
        script: [ScriptedModel.call("leak"), ScriptedModel.text("Done.")],
        context: wrong(
          Layer.provideMerge(Toolkit.layer(leaky, { leak: () => Env.apiKey }), Env.layer(supplied))
        )
      })
      assert.includeMembers([...new Set(outlets.leaks)], [
        "stream Event",
        "stream Result",
        "events",
        "document",
        "history",
        "prompt"
      ])
    }))

  it.effect("is searched for at every place where something leaves", () =>
    Effect.gen(function*() {
      const { places } = yield* watch({ agent: Agent.make("agent", { instructions, toolkit: kit }), script: scripted })
      assert.includeMembers([...places], [
        "stream",
        "log",
        "span",
        "prompt",
        "events",
        "document",
        "state",
        "history",
        "refusal",
        "contract"
      ])
    }))
})
