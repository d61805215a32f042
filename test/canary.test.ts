import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger, Redacted, Schema, Tracer } from "effect"
import { LanguageModel } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Instructions,
  Interrupt,
  Middleware,
  Session,
  SessionStore,
  State,
  StateSerializer,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

/** In every kind of value that a ToolContext can hold. */
const secret = "canary-7f3a-secret"
const Env = ToolContext.make({
  token: Schema.String,
  account: Schema.Struct({ keys: Schema.Array(Schema.String) }),
  password: Schema.RedactedFromValue(Schema.String),
  client: ToolContext.value<{ readonly key: string }>(),
  tenant: Schema.String
})
const Doc = State.make("doc", { words: State.field(Schema.Int, { initial: 0 }) })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const all = [Env.token, Env.account, Env.password, Env.client, Env.tenant] as const

const good = Tool.make("good", { success: Schema.Int, context: all, writes: [Doc.words] })
const viewed = Tool.make("viewed", { success: Schema.Int, context: all, reads: [Doc.words] })
const died = Tool.make("died", { context: all })
const failed = Tool.make("failed", { context: all, failure: Schema.String })
const broken = Tool.make("broken", { context: all, writes: [Doc.words] })
const late = Tool.make("late", { context: all, timeout: "1 millis" })
const asking = Tool.make("asking", { context: all, asks: [Confirm], approval: () => Effect.succeed("it asks") })
const kit = Toolkit.make(good, viewed, died, failed, broken, late, asking)

const live = Toolkit.layer(kit, {
  good: () =>
    Effect.gen(function*() {
      const { length } = (yield* Env.token) + (yield* Env.account).keys.join() + Redacted.value(yield* Env.password)
      yield* Doc.words.set(length)
      yield* Effect.log(`a handler that is careful, for ${yield* Env.tenant}`)
      return length
    }),
  viewed: () => Effect.map(ToolContext.merged(viewed), ({ toolContext }) => Object.keys(toolContext).length),
  died: () => Effect.flatMap(Env.token, (token) => Effect.die(new Error(`it broke with ${token}`))),
  failed: () => Effect.fail("nothing was found"),
  broken: () => Effect.flatMap(Env.token, (token) => Doc.words.set(token.length + 0.5)),
  late: () => Effect.never,
  asking: () => Effect.asVoid(Confirm.ask("May I?"))
})

const Watch = Middleware.make("watch", {
  instructions: Instructions.template`You work for ${Env.tenant}.`,
  hooks: [
    Middleware.beforeModel({ context: [Env.token] }, () => Effect.asVoid(Env.token)),
    Middleware.afterTool({ context: [Env.client] }, () => Effect.asVoid(Env.client))
  ]
})
const Faulty = Middleware.make("faulty", {
  hooks: [
    Middleware.beforeRun(
      { context: [Env.token] },
      () => Effect.flatMap(Env.token, (token) => Effect.die(new Error(token)))
    )
  ]
})
const Child = Agent.make("child", { instructions: "Help.", toolkit: kit })
const Parent = Agent.make("parent", {
  instructions: "Help.",
  toolkit: kit,
  middleware: [Watch],
  subAgents: [SubAgent.make(Child)]
})
const Unlucky = Agent.make("unlucky", { instructions: "Help.", toolkit: kit, middleware: [Faulty] })

const supply = {
  token: secret,
  account: { keys: [secret] },
  password: Redacted.make(secret),
  client: { key: secret },
  tenant: "acme"
}

/** Everything that a program can see of a run, as one text. */
const watched = () => {
  const seen: Array<string> = []
  const logger = Logger.make(({ message, cause }) => seen.push(String(message), Cause.pretty(cause)))
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (time, exit) => {
        end(time, exit)
        seen.push(span.name, JSON.stringify([...span.attributes]), JSON.stringify(span.events), String(exit))
      }
      return span
    }
  })
  return { seen, layer: Layer.merge(Logger.layer([logger]), Layer.succeed(Tracer.Tracer, tracer)) }
}

describe("a secret in the ToolContext", () => {
  it.live("leaves by no prompt, event, state, log, span or message", () =>
    Effect.gen(function*() {
      const { seen, layer } = watched()
      const tools = ["good", "viewed", "died", "failed", "broken", "late", "asking"]
      const { model, requests } = yield* ScriptedModel.make({
        parent: [
          ScriptedModel.calls(
            ...tools.map((tool) => ({ tool })),
            { tool: "child", parameters: { task: "Do." } },
            { tool: "ghost" }
          ),
          ScriptedModel.text("done")
        ],
        child: [
          ScriptedModel.calls(...tools.filter((tool) => tool !== "asking").map((tool) => ({ tool }))),
          ScriptedModel.text("done")
        ],
        unlucky: [ScriptedModel.text("never")]
      })
      const provide = Effect.provide([
        live,
        Layer.succeed(LanguageModel.LanguageModel, model),
        ToolContext.layer(Parent, supply),
        layer
      ])

      const paused = yield* AgentRunner.run(Parent, { session: "s", input: "hi" }).pipe(provide)
      const approved = yield* AgentRunner.resume(Parent, {
        session: "s",
        answers: paused.session.open.map(({ id }) => Interrupt.approve(id))
      }).pipe(provide)
      const done = yield* AgentRunner.resume(Parent, {
        session: "s",
        answers: approved.session.open.map(({ id }) => Confirm.answer(id, true))
      }).pipe(provide)
      const unlucky = yield* Effect.flip(
        AgentRunner.run(Unlucky, { session: "u", input: "hi" }).pipe(
          Effect.provide(ToolContext.layer(Unlucky, supply)),
          provide
        )
      )
      const invalid = yield* Effect.flip(
        AgentRunner.run(Parent, { session: "v", input: "hi" }).pipe(
          Effect.provide(ToolContext.layerUnknown(Child as never, { token: [secret], tenant: secret })),
          provide
        )
      )
      const stored = yield* StateSerializer.make([Doc]).serialize(done.session.state)
      const identity = yield* ToolCall.ToolCall.pipe(Effect.provide(ToolCall.layer()))

      seen.push(
        JSON.stringify(requests),
        JSON.stringify(Session.encode(done.session.events)),
        JSON.stringify(stored),
        JSON.stringify(paused.session.open),
        JSON.stringify(identity),
        ...[unlucky, invalid].flatMap((error) => [error.message, String(error), JSON.stringify(error)])
      )
      // the run did all that it was asked: every tool ended in parent and child, the right ones as failures
      const ended = done.session.events.flatMap((event) =>
        event.kind === "call" ? [`${event.tool} ${event.result.isFailure}`] : []
      )
      assert.strictEqual(done._tag, "Completed")
      assert.strictEqual(ended.length, 15)
      assert.includeMembers(ended, [
        "good false",
        "viewed false",
        "died true",
        "failed true",
        "broken true",
        "late true",
        "ghost true"
      ])
      assert.include(seen.join("\n"), "the tool 'died' died: Error")
      assert.include(JSON.stringify(requests), "You work for acme.")
      assert.deepStrictEqual(seen.filter((text) => text.includes(secret)), [])
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})
