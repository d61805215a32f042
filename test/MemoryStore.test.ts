import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, MemoryStore, SubAgent } from "tenon"
import { MemoryStoreTest, ScriptedModel } from "tenon/testing"
import { conversation } from "./runner/fixtures.ts"

const ada = { app: "app", user: "ada" }
const bob = { app: "app", user: "bob" }

const put = (owner: MemoryStore.Owner, source: string, ...texts: ReadonlyArray<string>) =>
  Effect.flatMap(
    MemoryStore.MemoryStore,
    (store) => store.put(owner, source, texts.map((text, index) => ({ text, time: index })))
  )
const search = (owner: MemoryStore.Owner, query: string, limit?: number) =>
  Effect.flatMap(
    MemoryStore.MemoryStore,
    (store) => Effect.map(store.search(owner, query, limit), (found) => found.map(({ text }) => text))
  )

describe("MemoryStore.layerMemory", () => {
  for (const { name, run } of MemoryStoreTest.cases) it.effect(name, () => Effect.provide(run, MemoryStore.layerMemory))
})

describe("MemoryStore", () => {
  it.effect("finds nothing by no word, and what it has by any word of a query", () =>
    Effect.gen(function*() {
      yield* put(ada, "s", "The cat sat.", "A dog barked.")
      assert.deepStrictEqual(yield* search(ada, ""), [])
      assert.deepStrictEqual(yield* search(ada, "?!"), [])
      assert.deepStrictEqual(yield* search(ada, "which dog, which bird?"), ["A dog barked."])
    }).pipe(Effect.provide(MemoryStore.layerMemory)))

  it.effect("gives what has more and rarer words first, the newer of two that are equal, and no more than asked for", () =>
    Effect.gen(function*() {
      yield* put(ada, "s", "the tea", "the coffee", "the green tea", "the house", "the coffee")
      assert.deepStrictEqual(yield* search(ada, "the green tea", 2), ["the green tea", "the tea"])
      assert.deepStrictEqual(yield* search(ada, "the coffee", 3), ["the coffee", "the coffee", "the house"])
    }).pipe(Effect.provide(MemoryStore.layerMemory)))

  it.effect("knows the words of other scripts, and no difference of case or width", () =>
    Effect.gen(function*() {
      yield* put(ada, "s", "Ich wohne in ZÜRICH", "私は東京に住んでいます", "ｆｕｌｌ width")
      assert.deepStrictEqual(yield* search(ada, "zürich"), ["Ich wohne in ZÜRICH"])
      assert.deepStrictEqual(yield* search(ada, "東京"), ["私は東京に住んでいます"])
      assert.deepStrictEqual(yield* search(ada, "FULL"), ["ｆｕｌｌ width"])
    }).pipe(Effect.provide(MemoryStore.layerMemory)))

  it.effect("keeps what a source says now, and what users of an app said apart", () =>
    Effect.gen(function*() {
      yield* put(ada, "s", "old news")
      yield* put(ada, "t", "other news")
      yield* put(ada, "s", "new news")
      yield* put(bob, "s", "his news")
      assert.deepStrictEqual(yield* search(ada, "news"), ["new news", "other news"].toSorted())
      assert.deepStrictEqual(yield* search(bob, "news"), ["his news"])
      assert.deepStrictEqual(yield* search({ ...ada, app: "other" }, "news"), [])
    }).pipe(Effect.provide(MemoryStore.layerMemory)))

  it.effect("forgets a source, or a user", () =>
    Effect.gen(function*() {
      const store = yield* MemoryStore.MemoryStore
      yield* put(ada, "s", "old news")
      yield* put(ada, "t", "other news")
      yield* put(bob, "s", "his news")
      yield* store.remove(ada, "s")
      assert.deepStrictEqual(yield* search(ada, "news"), ["other news"])
      yield* store.remove(ada)
      assert.deepStrictEqual(yield* search(ada, "news"), [])
      yield* store.remove(ada)
      assert.deepStrictEqual(yield* search(bob, "news"), ["his news"])
    }).pipe(Effect.provide(MemoryStore.layerMemory)))
})

describe("ingest", () => {
  const Child = Agent.make("child", { instructions: "Help." })
  const agent = Agent.make("agent", { instructions: "Help.", subAgents: [SubAgent.make(Child)] })

  it.effect("remembers what the user and the agent said, once, and nothing of what sub-agents said", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, {
        agent: [
          ScriptedModel.call("child", { task: "the task" }),
          ScriptedModel.text("the answer"),
          ScriptedModel.text("the end")
        ],
        child: [ScriptedModel.text("the report")]
      })
      yield* MemoryStore.ingest((yield* run("the question")).session)
      const { session } = yield* run("the word")
      yield* MemoryStore.ingest(session)
      const store = yield* MemoryStore.MemoryStore
      const found = yield* store.search({ app: "app", user: "u-1" }, "the")
      assert.sameDeepMembers(found.map(({ author, text }) => [author, text]), [
        ["user", "the question"],
        ["agent", "the answer"],
        ["user", "the word"],
        ["agent", "the end"]
      ])
    }).pipe(Effect.provide(MemoryStore.layerMemory)))

  it.effect("is refused where the session has no user", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(agent, { agent: [ScriptedModel.text("the answer")] })
      const { session } = yield* run("the question")
      const error = yield* Effect.flip(MemoryStore.ingest({ ...session, ref: { app: "app", session: "s" } }))
      assert.strictEqual(error.message, "these fields belong to a user, pass 'user' to the run: memories")
    }).pipe(Effect.provide(MemoryStore.layerMemory)))
})
