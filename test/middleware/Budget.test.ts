import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Schema } from "effect"
import { AiError, Model, Response } from "effect/ai"
import { Agent, AgentError, Interrupt, Middleware, SubAgent, Tool, Toolkit } from "tenon"
import { Budget } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf, reasonOf, restarted, textOf } from "../runner/fixtures.ts"

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Wonder)
const live = Toolkit.layer(kit, { wonder: () => Confirm.ask("Sure?") })

/** An answer that costs this many tokens. */
const costing = (tokens: number, turn: ScriptedModel.Turn = ScriptedModel.text("Done.")): ScriptedModel.Turn => ({
  ...turn,
  inputTokens: tokens - 1,
  outputTokens: 1
})
const wondering = (tokens: number) => costing(tokens, ScriptedModel.call("wonder"))
const around = (options: Omit<Budget.Options<"session">, "scope">) =>
  Agent.make("agent", {
    instructions: "Help.",
    toolkit: kit,
    middleware: [Budget.make({ scope: "session", ...options })]
  })

describe("Budget", () => {
  it.effect("refuses the next model call with an answer, and counts over pauses, restarts and messages", () => {
    const agent = around({ tokens: 100, answer: "Enough." })
    return Effect.gen(function*() {
      const { run, session } = yield* conversation(agent, [wondering(40)])
      const paused = yield* run()
      assert.strictEqual(paused.session.state.get(Budget.Session.tokens), 40)
      const again = yield* restarted(agent, yield* session(), [costing(59), costing(30)])
      yield* again.resume(openOf(paused).map(({ id }) => Confirm.answer(id, true)))
      // one token is left: the call is made, and goes over
      assert.strictEqual(textOf(yield* again.run()), "Done.")
      const refused = yield* again.run()
      assert.deepStrictEqual(
        [textOf(refused), refused.session.state.get(Budget.Session.tokens), again.requests.length],
        ["Enough.", 129, 2]
      )
    }).pipe(Effect.provide(live))
  })

  it.effect("fails the run by name where no answer is given, within an invocation too", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(around({ tokens: 5 }), [wondering(5)])
      const paused = yield* run()
      const answers = openOf(paused).map(({ id }) => Confirm.answer(id, true))
      const failed = new AgentError.HookFailed({
        middleware: "budget",
        hook: "beforeModel",
        problem: "BudgetExceeded"
      })
      assert.deepStrictEqual(yield* reasonOf(resume(answers)), failed)
      assert.deepStrictEqual(yield* reasonOf(run()), failed)
      assert.strictEqual(requests.length, 1)
      assert.strictEqual(
        new Budget.BudgetExceeded({ scope: "session", limit: "tokens", allowed: 5, spent: 7 }).message,
        "the session spent 7 of 5 (tokens)"
      )
    }).pipe(Effect.provide(live)))

  it.effect("counts the cost by a price for the model and its usage", () => {
    const seen: Array<string> = []
    const agent = around({
      cost: 30,
      answer: "Too dear.",
      price: (model, { inputTokens, outputTokens }) => {
        seen.push(model)
        return (inputTokens.total ?? 0) + 10 * (outputTokens.total ?? 0)
      }
    })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [costing(11), costing(12)])
      const named = run().pipe(Effect.provideService(Model.ModelName, "large"))
      assert.strictEqual((yield* run()).session.state.get(Budget.Session.cost), 20)
      assert.strictEqual((yield* named).session.state.get(Budget.Session.cost), 41)
      assert.strictEqual(textOf(yield* named), "Too dear.")
      assert.deepStrictEqual(seen, ["", "large"])
    }).pipe(Effect.provide(live))
  })

  it.effect("takes the model's name from the response, where it gives one", () => {
    const seen: Array<string> = []
    const answering = Middleware.make("answering", {
      hooks: [Middleware.beforeModel({}, () =>
        Effect.succeed(Middleware.answer([
          Response.makePart("response-metadata", {
            id: undefined,
            modelId: "small",
            timestamp: undefined
          }),
          Response.makePart("text", { text: "Done." }),
          Response.makePart("finish", {
            reason: "stop",
            usage: new Response.Usage({
              inputTokens: { uncached: undefined, total: 3, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: undefined, text: undefined, reasoning: undefined }
            }),
            response: undefined
          })
        ])))]
    })
    const budget = Budget.make({
      scope: "session",
      price: (model, { inputTokens }) => seen.push(model) * (inputTokens.total ?? 0)
    })
    const agent = Agent.make("agent", { instructions: "Help.", middleware: [answering, budget] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [])
      const { session } = yield* run().pipe(Effect.provideService(Model.ModelName, "large"))
      assert.deepStrictEqual([seen, session.state.get(Budget.Session.cost)], [["small"], 3])
    })
  })

  it("needs a price where it bounds a cost", () => {
    assert.throws(() => Budget.make({ scope: "session", cost: 1 }), TypeError, "needs a price")
  })

  it.effect("warns once, where a call crosses the share", () => {
    const warnings: Array<Budget.Spent> = []
    const logged: Array<unknown> = []
    const agents = [
      around({ tokens: 100, warnAt: 0.5, onWarning: (spent) => Effect.sync(() => void warnings.push(spent)) }),
      around({ cost: 100, price: () => 60, warnAt: 0.5 })
    ]
    return Effect.gen(function*() {
      for (const agent of agents) {
        const { run } = yield* conversation(agent, [costing(30), costing(30), costing(30)])
        yield* run()
        yield* run()
        if (agent === agents[0]) yield* run()
      }
      assert.deepStrictEqual(warnings, [{ tokens: 60, cost: 0 }])
      assert.deepStrictEqual(logged, [["the budget of the session is nearly spent: 30 tokens, 60"]])
    }).pipe(Effect.provide([live, Logger.layer([Logger.make(({ message }) => void logged.push(message))])]))
  })

  it.effect("does not count a call that failed", () =>
    Effect.gen(function*() {
      const { run, session } = yield* conversation(around({ tokens: 5 }), [
        ScriptedModel.fail(new AiError.InternalProviderError({ description: "down" }))
      ])
      yield* reasonOf(run())
      assert.strictEqual((yield* session()).state.get(Budget.Session.tokens), 0)
    }).pipe(Effect.provide(live)))

  it.effect("of a user is one for all sessions of the user", () => {
    const budget = Budget.make({ scope: "user", tokens: 50, answer: "Enough." })
    const agent = Agent.make("agent", { instructions: "Help.", middleware: [budget] })
    return Effect.gen(function*() {
      const { run } = yield* conversation(agent, [costing(30), costing(30), costing(30)])
      yield* run("Go.", { session: "s-1" })
      yield* run("Go.", { session: "s-2" })
      const said = [
        textOf(yield* run("Go.", { session: "s-3" })),
        textOf(yield* run("Go.", { session: "s-4", user: "u-2" }))
      ]
      assert.deepStrictEqual(said, ["Enough.", "Done."])
    })
  })

  const family = (scope: Budget.Scope) => {
    const middleware = [Budget.make({ scope, tokens: 50, answer: "Enough." })]
    const child = Agent.make("child", { instructions: "Look.", middleware })
    return Agent.make("parent", { instructions: "Delegate.", middleware, subAgents: [SubAgent.make(child)] })
  }
  const returning = () => {
    const middleware = [Budget.make({ scope: "session", tokens: 50, answer: "Enough." })]
    const child = Agent.make("child", { instructions: "Look.", middleware })
    const { cost, tokens } = Budget.Session
    return Agent.make("parent", {
      instructions: "Delegate.",
      middleware,
      subAgents: [SubAgent.make(child, { returns: [tokens, cost] })]
    })
  }
  const delegating = {
    parent: [costing(10, ScriptedModel.call("child", { task: "Look." })), costing(10)],
    child: [costing(45)]
  }

  it.effect("of a session counts a sub-agent's calls where they come back", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(returning(), delegating)
      assert.strictEqual(textOf(yield* run()), "Enough.")
    }))

  it.effect("of a session is the sub-agent's own where they do not", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(family("session"), delegating)
      assert.strictEqual(textOf(yield* run()), "Done.")
    }))

  it.effect("of a user counts a sub-agent's calls at once", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(family("user"), delegating)
      assert.strictEqual(textOf(yield* run()), "Enough.")
    }))
})
