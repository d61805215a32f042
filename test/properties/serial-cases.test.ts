/**
 * S3 by hand: what the random cases of `serial-equivalence.test.ts` seldom or never meet.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { Agent, AgentRunner, Interrupt, Middleware, Reducer, SessionStore, State, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const calls = ScriptedModel.calls
const done = ScriptedModel.text("Done.")
const options = { app: "app", user: "u", session: "s" } as const

/** Lets all others go first. */
const slowly = Effect.repeat(Effect.yieldNow, { times: 30 })

const modulo = Reducer.make((current: number, operand: number) => (current + operand) % 97, { commutative: true })

const Args = Schema.Struct({ key: Schema.String, amount: Schema.Int })
const args = (key: string, amount = 0) => ({ key, amount })

const resultsOf = ({ session }: AgentRunner.AgentResult) =>
  session.history.flatMap((message) => message.role === "tool" ? message.content : [])
    .map((part) => part.type === "tool-result" ? part.result : part.type)

const bounded = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

describe("calls of one step", () => {
  for (const scope of ["session", "user"] as const) {
    it.effect(`are refused by a bounded sum in call order (${scope})`, () =>
      Effect.gen(function*() {
        const Purse = State.make("purse", { coins: State.field(bounded, { initial: 0, reducer: Reducer.sum, scope }) })
        const Put = Tool.make("put", { parameters: Args, success: Schema.String, combines: [Purse.coins] })
        const kit = Toolkit.make(Put)
        const agent = Agent.make("bank", { instructions: "", toolkit: kit })
        const program = AgentRunner.run(agent, { ...options, input: "Go" }).pipe(Effect.provide([
          Toolkit.layer(kit, {
            put: ({ amount }) =>
              Effect.as(Effect.andThen(amount === 15 ? slowly : Effect.void, Purse.coins.combine(amount)), "ok")
          }),
          ScriptedModel.layer([
            calls({ tool: "put", parameters: args("", 15) }, { tool: "put", parameters: args("", 10) }),
            done
          ]),
          SessionStore.layerMemory
        ]))
        const result = yield* program
        assert.strictEqual(result.session.state.get(Purse.coins), 15)
        assert.strictEqual(resultsOf(result)[0], "ok")
      }))
  }

  it.effect("never push a bounded sum of a user over its bound from two sessions", () =>
    Effect.gen(function*() {
      const Purse = State.make("purse", {
        coins: State.field(bounded, { initial: 0, reducer: Reducer.sum, scope: "user" })
      })
      const Put = Tool.make("put", { parameters: Args, combines: [Purse.coins] })
      const kit = Toolkit.make(Put)
      const agent = Agent.make("bank", { instructions: "", toolkit: kit })
      const turns = [calls({ tool: "put", parameters: args("", 15) }), done]
      const coins = yield* Effect.gen(function*() {
        const once = (session: string) =>
          Effect.provide(AgentRunner.run(agent, { ...options, session, input: "Go" }), ScriptedModel.layer(turns))
        yield* Effect.all([once("one"), once("two")], { concurrency: 2 })
        return (yield* once("three")).session.state.get(Purse.coins)
      }).pipe(Effect.provide([
        Toolkit.layer(kit, { put: ({ amount }) => Effect.andThen(slowly, Purse.coins.combine(amount)) }),
        SessionStore.layerMemory
      ]))
      assert.strictEqual(coins, 15)
    }))

  it.effect("lose no combine by a reducer of one's own into a temp field in a sub-agent", () =>
    Effect.gen(function*() {
      const Scratch = State.make("scratch", {
        sum: State.field(Schema.Int, { initial: 0, reducer: modulo, scope: "temp" })
      })
      const Add = Tool.make("add", { parameters: Args, combines: [Scratch.sum] })
      const kit = Toolkit.make(Add)
      const child = Agent.make("child", { instructions: "", toolkit: kit })
      const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
      const result = yield* AgentRunner.run(parent, { ...options, input: "Go" }).pipe(Effect.provide([
        Toolkit.layer(kit, { add: () => Effect.andThen(slowly, Scratch.sum.combine(10)) }),
        ScriptedModel.layer({
          parent: [
            calls({ tool: "child", parameters: { task: "a" } }, { tool: "child", parameters: { task: "b" } }),
            done
          ],
          child: [
            calls({ tool: "add", parameters: args("") }),
            calls({ tool: "add", parameters: args("") }),
            done,
            done
          ]
        }),
        SessionStore.layerMemory
      ]))
      assert.strictEqual(result.session.state.get(Scratch.sum), 20)
    }))

  it.effect.each(["fail", "last"] as const)(
    "meet no conflict by combines of a reducer of one's own beside a plain write (%s)",
    (onConflict) =>
      Effect.gen(function*() {
        const Mine = State.make("mine", {
          sum: State.field(Schema.Int, { initial: 0, reducer: modulo, scope: "user" }),
          name: State.field(Schema.String, { initial: "", scope: "user", onConflict })
        })
        const Both = Tool.make("both", { success: Schema.String, combines: [Mine.sum], writes: [Mine.name] })
        const Add = Tool.make("add", { success: Schema.String, combines: [Mine.sum] })
        const kit = Toolkit.make(Both, Add)
        const agent = Agent.make("agent", { instructions: "", toolkit: kit })
        const result = yield* AgentRunner.run(agent, { ...options, input: "Go" }).pipe(Effect.provide([
          Toolkit.layer(kit, {
            both: () =>
              slowly.pipe(Effect.andThen(Mine.sum.combine(1)), Effect.andThen(Mine.name.set("Ada")), Effect.as("ok")),
            add: () => Effect.as(Mine.sum.combine(2), "ok")
          }),
          ScriptedModel.layer([calls({ tool: "both" }, { tool: "add" }), done]),
          SessionStore.layerMemory
        ]))
        assert.deepStrictEqual(resultsOf(result), ["ok", "ok"])
      })
  )

  it.effect("meet no conflict by different entries of a user's record beside a plain write", () =>
    Effect.gen(function*() {
      const Mine = State.make("mine", {
        orders: State.record(Schema.String, Schema.Int, { scope: "user" }),
        last: State.field(Schema.String, { initial: "", scope: "user" })
      })
      const Both = Tool.make("both", {
        parameters: Args,
        success: Schema.String,
        writes: [Mine.orders.at("key"), Mine.last]
      })
      const One = Tool.make("one", { parameters: Args, success: Schema.String, writes: [Mine.orders.at("key")] })
      const kit = Toolkit.make(Both, One)
      const agent = Agent.make("agent", { instructions: "", toolkit: kit })
      const result = yield* AgentRunner.run(agent, { ...options, input: "Go" }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          both: Effect.fnUntraced(function*({ key }) {
            const old = yield* Mine.orders.entry(key)
            yield* slowly
            yield* Mine.orders.put(key, 1)
            yield* Mine.last.set(key)
            return Option.isNone(old) ? "new" : "known"
          }),
          one: ({ key }) => Effect.as(Mine.orders.put(key, 2), "ok")
        }),
        ScriptedModel.layer([
          calls({ tool: "both", parameters: args("x") }, { tool: "one", parameters: args("y") }),
          done
        ]),
        SessionStore.layerMemory
      ]))
      assert.deepStrictEqual(resultsOf(result), ["new", "ok"])
    }))

  it.effect("overlap with no exclusive call inside of a sub-agent", () =>
    Effect.gen(function*() {
      let running = 0
      let overlap = 0
      const Files = Tool.make("files", { exclusive: "files" })
      const kit = Toolkit.make(Files)
      const child = Agent.make("child", { instructions: "", toolkit: kit })
      const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
      yield* AgentRunner.run(parent, { ...options, input: "Go" }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          files: () =>
            Effect.gen(function*() {
              overlap = Math.max(overlap, ++running)
              yield* slowly
              running--
            })
        }),
        ScriptedModel.layer({
          parent: [
            calls({ tool: "child", parameters: { task: "a" } }, { tool: "child", parameters: { task: "b" } }),
            done
          ],
          child: [calls({ tool: "files" }), calls({ tool: "files" }), done, done]
        }),
        SessionStore.layerMemory
      ]))
      assert.strictEqual(overlap, 1)
    }))

  it.effect("run when the call that they waited for is refused by a person, whatever that one waited for", () =>
    Effect.gen(function*() {
      const Board = State.make("board", { points: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
      const Ask = Interrupt.make("ask", { question: Schema.String, answer: Schema.Boolean })
      const First = Tool.make("first", { success: Schema.String, combines: [Board.points], asks: [Ask] })
      const Guarded = Tool.make("guarded", { success: Schema.String, writes: [Board.points], approval: true })
      const Last = Tool.make("last", { success: Schema.String, combines: [Board.points] })
      const kit = Toolkit.make(First, Guarded, Last)
      const agent = Agent.make("agent", { instructions: "", toolkit: kit })
      const result = yield* Effect.gen(function*() {
        const paused = yield* AgentRunner.run(agent, { ...options, input: "Go" })
        const open = paused._tag === "Paused" ? paused.open : []
        const approval = open.find(({ name }) => name === "approval")
        const question = open.find(({ name }) => name === "ask")
        yield* AgentRunner.resume(agent, { ...options, answers: [Interrupt.reject(approval?.id ?? "")] })
        return yield* AgentRunner.resume(agent, { ...options, answers: [Ask.answer(question?.id ?? "", true)] })
      }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          first: () => Ask.ask("May I?").pipe(Effect.andThen(Board.points.combine(1)), Effect.as("first")),
          guarded: () => Effect.as(Board.points.set(100), "guarded"),
          last: () => Effect.as(Board.points.combine(10), "last")
        }),
        ScriptedModel.layer([calls({ tool: "first" }, { tool: "guarded" }, { tool: "last" }), done]),
        SessionStore.layerMemory
      ]))
      assert.deepStrictEqual([resultsOf(result)[0], resultsOf(result)[2]], ["first", "last"])
      assert.strictEqual(result.session.state.get(Board.points), 11)
    }))

  it.effect("stay behind a call whose arguments a person edits to those of theirs", () =>
    Effect.gen(function*() {
      const Shop = State.make("shop", { orders: State.record(Schema.String, Schema.Int) })
      const Guarded = Tool.make("guarded", { parameters: Args, writes: [Shop.orders.at("key")], approval: true })
      const Write = Tool.make("write", { parameters: Args, writes: [Shop.orders.at("key")] })
      const kit = Toolkit.make(Guarded, Write)
      const agent = Agent.make("agent", { instructions: "", toolkit: kit })
      const put = ({ key, amount }: typeof Args.Type) => Shop.orders.put(key, amount)
      const result = yield* Effect.gen(function*() {
        const paused = yield* AgentRunner.run(agent, { ...options, input: "Go" })
        const id = paused._tag === "Paused" ? paused.open[0]?.id ?? "" : ""
        return yield* AgentRunner.resume(agent, { ...options, answers: [Interrupt.edit(id, args("y", 1))] })
      }).pipe(Effect.provide([
        Toolkit.layer(kit, { guarded: put, write: put }),
        ScriptedModel.layer([
          calls({ tool: "guarded", parameters: args("x", 1) }, { tool: "write", parameters: args("y", 2) }),
          done
        ]),
        SessionStore.layerMemory
      ]))
      assert.deepStrictEqual(result.session.state.get(Shop.orders), { y: 2 })
    }))

  it.effect("meet no conflict by a hook around a sub-agent that writes what the sub-agent writes", () =>
    Effect.gen(function*() {
      const Mine = State.make("mine", { name: State.field(Schema.String, { initial: "", scope: "user" }) })
      const Rename = Tool.make("rename", { writes: [Mine.name] })
      const kit = Toolkit.make(Rename)
      const child = Agent.make("child", { instructions: "", toolkit: kit })
      const Stamp = Middleware.make("stamp", {
        hooks: [Middleware.afterTool({ writes: [Mine.name] }, () => Mine.name.update((name) => `${name}!`))]
      })
      const parent = Agent.make("parent", { instructions: "", middleware: [Stamp], subAgents: [SubAgent.make(child)] })
      const result = yield* AgentRunner.run(parent, { ...options, input: "Go" }).pipe(Effect.provide([
        Toolkit.layer(kit, { rename: () => Mine.name.set("Ada") }),
        ScriptedModel.layer({
          parent: [calls({ tool: "child", parameters: { task: "a" } }), done],
          child: [calls({ tool: "rename" }), done]
        }),
        SessionStore.layerMemory
      ]))
      assert.strictEqual(result.session.state.get(Mine.name), "Ada!")
    }))

  it.effect("meet no conflict by a hook before a sub-agent that writes what the sub-agent writes", () =>
    Effect.gen(function*() {
      const Mine = State.make("mine", { name: State.field(Schema.String, { initial: "", scope: "user" }) })
      const Rename = Tool.make("rename", { writes: [Mine.name] })
      const kit = Toolkit.make(Rename)
      const child = Agent.make("child", { instructions: "", toolkit: kit })
      const Stamp = Middleware.make("stamp", {
        hooks: [Middleware.beforeTool({ writes: [Mine.name] }, () => Mine.name.set("busy"))]
      })
      const parent = Agent.make("parent", { instructions: "", middleware: [Stamp], subAgents: [SubAgent.make(child)] })
      const result = yield* AgentRunner.run(parent, { ...options, input: "Go" }).pipe(Effect.provide([
        Toolkit.layer(kit, { rename: () => Mine.name.set("Ada") }),
        ScriptedModel.layer({
          parent: [calls({ tool: "child", parameters: { task: "a" } }), done],
          child: [calls({ tool: "rename" }), done]
        }),
        SessionStore.layerMemory
      ]))
      assert.deepStrictEqual(resultsOf(result), ["Done."])
      assert.strictEqual(result.session.state.get(Mine.name), "Ada")
    }))

  it.effect("leave the entries of a record in an order that does not depend on which call ends first", () =>
    Effect.gen(function*() {
      const Shop = State.make("shop", { orders: State.record(Schema.String, Schema.Int) })
      const Put = Tool.make("put", { parameters: Args, writes: [Shop.orders.at("key")] })
      const kit = Toolkit.make(Put)
      const agent = Agent.make("agent", { instructions: "", toolkit: kit })
      const result = yield* AgentRunner.run(agent, { ...options, input: "Go" }).pipe(Effect.provide([
        Toolkit.layer(kit, {
          put: ({ key }) => Effect.andThen(key === "a" ? slowly : Effect.void, Shop.orders.put(key, 1))
        }),
        ScriptedModel.layer([
          calls({ tool: "put", parameters: args("a") }, { tool: "put", parameters: args("b") }),
          done
        ]),
        SessionStore.layerMemory
      ]))
      assert.deepStrictEqual(Object.keys(result.session.state.get(Shop.orders)), ["a", "b"])
    }))
})
