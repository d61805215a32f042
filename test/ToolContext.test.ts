import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { LanguageModel } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Middleware,
  Precedence,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolCall,
  ToolContext,
  Toolkit
} from "tenon"
import { ScriptedModel } from "tenon/testing"

class Database {
  readonly rows: Array<string> = []
}

const Env = ToolContext.make({
  tenant: Schema.String,
  plan: Schema.Struct({ seats: Schema.Int, names: Schema.Array(Schema.String) }),
  since: Schema.Date,
  db: ToolContext.value<Database>()
})
const plan = { seats: 2, names: ["Ada"] }
const values = { tenant: "acme", plan, since: new Date(7), db: new Database() }

/** Why a layer refuses to be built. */
const refusal = <I>(layer: Layer.Layer<I, ToolContext.ToolContextError>) =>
  Effect.map(Effect.flip(Layer.build(layer)), ({ key, problem }) => `${problem} ${key}`)

/** What the types would refuse. */
const forced = (value: unknown): never => value as never

const scripted = (...turns: ReadonlyArray<ScriptedModel.Step>) =>
  Layer.mergeAll(ScriptedModel.layer(turns), SessionStore.layerMemory)

describe("ToolContext", () => {
  describe("make", () => {
    it.effect("gives a key for each name, which reads the supplied value", () =>
      Effect.gen(function*() {
        const { tenant, db } = { tenant: yield* Env.tenant, db: yield* Env.db }
        assert.strictEqual(Env.tenant.name, "tenant")
        assert.strictEqual(tenant, "acme")
        assert.strictEqual(db, values.db)
      }).pipe(Effect.provide(Env.layer(values))))

    it.effect("knows a key by name and type alone: another package's declaration reads the same value", () =>
      Effect.gen(function*() {
        const Theirs = ToolContext.make({ tenant: Schema.String })
        assert.strictEqual(yield* Theirs.tenant, "acme")
      }).pipe(Effect.provide(Env.layer(values))))

    it.effect("takes a name that every object has for a name like any other", () =>
      Effect.gen(function*() {
        const Odd = ToolContext.make({ constructor: Schema.Int, ["__proto__"]: Schema.Int })
        const record: unknown = JSON.parse("{\"constructor\":1,\"__proto__\":2}")
        const read = Effect.all([Odd.constructor, Odd["__proto__"]])
        assert.deepStrictEqual(yield* Effect.provide(read, Odd.layerUnknown(record)), [1, 2])
        assert.strictEqual(yield* refusal(Odd.layerUnknown({})), "missing constructor")
      }))
  })

  describe("layer of a group", () => {
    it.effect("copies and freezes values with a schema at every depth, and passes local ones as they are", () =>
      Effect.gen(function*() {
        const given = yield* Env.plan
        const since = yield* Env.since
        assert.deepStrictEqual(given, plan)
        assert.notStrictEqual(given, plan)
        assert.isTrue(Object.isFrozen(given) && Object.isFrozen(given.names))
        assert.isFalse(Object.isFrozen(plan) || Object.isFrozen(plan.names))
        assert.throws(() => since.setTime(9), "this date is read-only")
      }).pipe(Effect.provide(Env.layer(values))))

    it.effect("freezes the copy of an instance of a schema's class", () =>
      Effect.gen(function*() {
        class Account
          extends Schema.Class<Account>("Account")({ name: Schema.String, tags: Schema.Array(Schema.String) })
        {}
        const Held = ToolContext.make({ account: Account })
        const account = yield* Effect.provide(
          Held.account,
          Held.layer({ account: new Account({ name: "Ada", tags: [] }) })
        )
        assert.isTrue(Object.isFrozen(account) && Object.isFrozen(account.tags))
      }))

    it.effect("takes a redacted value, still redacted", () =>
      Effect.gen(function*() {
        const Secret = ToolContext.make({ key: Schema.Redacted(Schema.String) })
        const key = yield* Effect.provide(Secret.key, Secret.layer({ key: Redacted.make("sk") }))
        assert.strictEqual(Redacted.value(key), "sk")
        assert.strictEqual(JSON.stringify(key), "\"<redacted>\"")
      }))

    it.effect("fails on the first value that is missing or does not fit, by its key", () =>
      Effect.gen(function*() {
        const { tenant: _, ...without } = values
        assert.strictEqual(yield* refusal(Env.layer(forced(without))), "missing tenant")
        assert.strictEqual(yield* refusal(Env.layer(forced({ ...values, tenant: undefined }))), "invalid tenant")
        assert.strictEqual(yield* refusal(Env.layer({ ...values, plan: { seats: 1.5, names: [] } })), "invalid plan")
        assert.strictEqual(yield* refusal(Env.layer({ ...values, since: new Date(Number.NaN) })), "invalid since")
        assert.strictEqual(yield* refusal(Env.layer(forced(Object.create(values)))), "missing tenant")
        assert.strictEqual(yield* refusal(Env.layer(forced(null))), "missing tenant")
      }))
  })

  describe("layerUnknown of a group", () => {
    const Wire = ToolContext.make({ tenant: Schema.String, since: Schema.Date, limit: Schema.FiniteFromString })

    it.effect("decodes a record as a request carries it", () =>
      Effect.gen(function*() {
        const layer = Wire.layerUnknown({ tenant: "acme", since: "1970-01-01T00:00:00.007Z", limit: "5", more: 1 })
        const read = yield* Effect.provide(Effect.all([Wire.tenant, Wire.since, Wire.limit]), layer)
        assert.deepStrictEqual([read[0], read[1].getTime(), read[2]], ["acme", 7, 5])
      }))

    it.effect("fails by key on what is missing or does not fit, and reads nothing that is inherited", () =>
      Effect.gen(function*() {
        const whole = { tenant: "acme", since: "1970-01-01T00:00:00.000Z", limit: "5" }
        assert.strictEqual(yield* refusal(Wire.layerUnknown({ ...whole, limit: 5 })), "invalid limit")
        assert.strictEqual(yield* refusal(Wire.layerUnknown({ ...whole, since: "yesterday" })), "invalid since")
        assert.strictEqual(yield* refusal(Wire.layerUnknown(Object.create(whole))), "missing tenant")
        for (const input of [undefined, null, "acme", []]) {
          assert.strictEqual(yield* refusal(Wire.layerUnknown(input)), "missing tenant")
        }
      }))

    it.effect("takes no local value from a request, also when it is forced", () =>
      Effect.gen(function*() {
        const layer = Env.layerUnknown(forced({ ...values, since: "1970-01-01T00:00:00.000Z" }))
        assert.strictEqual(yield* refusal(layer), "invalid db")
      }))
  })

  describe("layer of a declaration", () => {
    const Find = Tool.make("find", { context: [Env.tenant], success: Schema.String })
    const Keep = Tool.make("keep", { context: [Env.db] })
    const kit = Toolkit.make(Find, Keep)
    const agent = Agent.make("agent", { instructions: "", toolkit: kit })

    it.effect("supplies what a tool, an agent or a sub-agent requires", () =>
      Effect.gen(function*() {
        const db = new Database()
        assert.strictEqual(yield* Effect.provide(Env.tenant, ToolContext.layer(Find, { tenant: "acme" })), "acme")
        const both = Effect.all([Env.tenant, Env.db])
        assert.deepStrictEqual(yield* Effect.provide(both, ToolContext.layer(agent, { tenant: "acme", db })), [
          "acme",
          db
        ])
        const child = SubAgent.make(agent)
        assert.deepStrictEqual(yield* Effect.provide(both, ToolContext.layer(child, { tenant: "acme", db })), [
          "acme",
          db
        ])
      }))

    it.effect("holds a value to every declaration of its name", () =>
      Effect.gen(function*() {
        const Strict = ToolContext.make({ tenant: Schema.String.check(Schema.isMinLength(5)) })
        const Other = Tool.make("other", { context: [Strict.tenant] })
        const demanding = Agent.make("demanding", { instructions: "", toolkit: Toolkit.make(Find, Other) })
        assert.strictEqual(yield* refusal(ToolContext.layer(demanding, { tenant: "acme" })), "invalid tenant")
        const long = ToolContext.layer(demanding, { tenant: "acme-corp" })
        assert.strictEqual(yield* Effect.provide(Env.tenant, long), "acme-corp")
      }))

    it.effect("decodes what a tool requires from a request", () =>
      Effect.gen(function*() {
        const layer = ToolContext.layerUnknown(Find, { tenant: "acme", db: "none of its keys" })
        assert.strictEqual(yield* Effect.provide(Env.tenant, layer), "acme")
      }))
  })

  describe("merged", () => {
    const Doc = State.make("doc", {
      title: State.field(Schema.String, { initial: "" }),
      words: State.field(Schema.Int, { initial: 0 }),
      pages: State.record(Schema.String, Schema.Int)
    })
    const Look = Tool.make("look", {
      parameters: Schema.Struct({ page: Schema.String }),
      context: [Env.tenant],
      reads: [Doc.title, Doc.pages.at("page")]
    })
    const view = ToolContext.merged(Look).pipe(Effect.provide(Layer.mergeAll(
      ToolContext.layer(Look, { tenant: "acme" }),
      State.layer(Look, { "doc.title": "Licence", "doc.pages": { a: 1 } }),
      ToolCall.layer({ id: "call-9" })
    )))

    it.effect("shows the supplied values flat, under the internal keys", () =>
      Effect.gen(function*() {
        const merged = yield* view
        assert.deepStrictEqual(Object.keys(merged), ["tenant", ...Object.keys(Precedence.table)])
        assert.strictEqual(merged.tenant, "acme")
        assert.strictEqual(merged.toolCall.id, "call-9")
        assert.deepStrictEqual({ ...merged.toolContext }, { tenant: "acme" })
        assert.deepStrictEqual([merged.parentTools, merged.parentMiddleware], [[], []])
      }))

    it.effect("shows of the state the declared reads, and cannot be changed", () =>
      Effect.gen(function*() {
        const merged = yield* view
        assert.strictEqual(merged.state.doc.title, "Licence")
        assert.isFalse("words" in merged.state.doc)
        for (const each of [merged, merged.state, merged.state.doc, merged.toolContext]) {
          assert.isTrue(Object.isFrozen(each))
        }
      }))

    it.effect("shows under `toolContext` what the tool declares, and nothing else", () =>
      Effect.gen(function*() {
        const Show = Tool.make("show", { context: [Env.tenant], success: Schema.String })
        const Other = Tool.make("other", { context: [Env.since] })
        const kit = Toolkit.make(Show, Other)
        const agent = Agent.make("agent", { instructions: "", toolkit: kit })
        const seen: Array<unknown> = []
        yield* AgentRunner.run(agent, { session: "s", input: "Go" }).pipe(Effect.provide([
          Toolkit.layer(kit, {
            show: () =>
              Effect.map(ToolContext.merged(Show), ({ toolContext }) => {
                seen.push(Object.keys(toolContext))
                return ""
              }),
            other: () => Effect.void
          }),
          ToolContext.layer(agent, { tenant: "acme", since: new Date(0) }),
          scripted(ScriptedModel.call("show"), ScriptedModel.text("Done."))
        ]))
        assert.deepStrictEqual(seen, [["tenant"]])
      }))

    it.effect("names the agent's tools and middleware, in a child those of the child", () =>
      Effect.gen(function*() {
        const Show = Tool.make("show", { context: [Env.tenant], success: Schema.String })
        const kit = Toolkit.make(Show)
        const watch = Middleware.make("watch", {})
        const child = Agent.make("child", { instructions: "", toolkit: kit, middleware: [watch] })
        const parent = Agent.make("parent", { instructions: "", subAgents: [SubAgent.make(child)] })
        const seen: Array<unknown> = []
        yield* AgentRunner.run(parent, { session: "s", input: "Go" }).pipe(Effect.provide([
          Toolkit.layer(kit, {
            show: () =>
              Effect.map(ToolContext.merged(Show), ({ parentTools, parentMiddleware, toolContext }) => {
                seen.push(parentTools, parentMiddleware, { ...toolContext })
                return ""
              })
          }),
          ToolContext.layer(parent, { tenant: "acme" }),
          ScriptedModel.layer({
            parent: [ScriptedModel.call("child", { task: "go" }), ScriptedModel.text("Done.")],
            child: [ScriptedModel.call("show"), ScriptedModel.text("Done.")]
          }),
          SessionStore.layerMemory
        ]))
        assert.deepStrictEqual(seen, [["show"], ["watch"], { tenant: "acme" }])
      }))
  })

  describe("in a run", () => {
    const Look = Tool.make("look", { context: [Env.tenant, Env.plan], success: Schema.String })
    const kit = Toolkit.make(Look)
    const agent = Agent.make("agent", { instructions: "", toolkit: kit })
    const options = { session: "s", input: "Go" }

    it.effect("is whole before anything happens: neither model nor store see a run without it", () =>
      Effect.gen(function*() {
        const { model, requests } = yield* ScriptedModel.make([ScriptedModel.text("Hello.")])
        const error = yield* Effect.flip(
          AgentRunner.run(agent, options).pipe(
            Effect.provide(Toolkit.layer(kit, { look: () => Effect.succeed("") })),
            Effect.provideService(LanguageModel.LanguageModel, model)
          ) as Effect.Effect<unknown, { readonly reason: ToolContext.ToolContextError }, SessionStore.SessionStore>
        )
        assert.strictEqual(
          error.reason.message,
          "the context key 'tenant' is missing: supply it with ToolContext.layer"
        )
        const store = yield* SessionStore.SessionStore
        assert.deepStrictEqual(requests, [])
        assert.deepStrictEqual(yield* store.load({ app: "agent", session: "s" }), Option.none())
      }).pipe(Effect.provide(SessionStore.layerMemory)))

    it.effect("gives every call of a run the same frozen value", () =>
      Effect.gen(function*() {
        const seen: Array<unknown> = []
        yield* AgentRunner.run(agent, options).pipe(Effect.provide([
          Toolkit.layer(kit, {
            look: () =>
              Effect.map(Env.plan, (value) => {
                seen.push(value)
                return ""
              })
          }),
          ToolContext.layer(agent, { tenant: "acme", plan }),
          scripted(ScriptedModel.calls({ tool: "look" }, { tool: "look" }), ScriptedModel.text("Done."))
        ]))
        assert.strictEqual(seen[0], seen[1])
        assert.isTrue(Object.isFrozen(seen[0]))
      }))

    it.effect("gives a handler no key that no contract of the agent names", () =>
      Effect.gen(function*() {
        const More = ToolContext.make({ more: Schema.String })
        const seen: Array<unknown> = []
        yield* AgentRunner.run(agent, options).pipe(
          Effect.provide([
            Toolkit.layer(kit, {
              look: () =>
                Effect.map(Effect.serviceOption(More.more), (found) => {
                  seen.push(found)
                  return ""
                })
            }),
            ToolContext.layer(agent, { tenant: "acme", plan }),
            scripted(ScriptedModel.call("look"), ScriptedModel.text("Done."))
          ]),
          Effect.provide(More.layer({ more: "leaks" }))
        )
        assert.deepStrictEqual(seen, [Option.none()])
      }))

    it.effect("prefers what the run supplies to what the handlers' layer captured", () =>
      Effect.gen(function*() {
        const seen: Array<string> = []
        const handlers = Toolkit.layer(kit, {
          look: () =>
            Effect.map(Env.tenant, (tenant) => {
              seen.push(tenant)
              return ""
            })
        }).pipe(Layer.provide(Env.layer({ ...values, tenant: "captured" })))
        yield* AgentRunner.run(agent, options).pipe(Effect.provide([
          handlers,
          ToolContext.layer(agent, { tenant: "supplied", plan }),
          scripted(ScriptedModel.call("look"), ScriptedModel.text("Done."))
        ]))
        assert.deepStrictEqual(seen, ["supplied"])
      }))
  })
})
