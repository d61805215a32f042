import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, Option, Redacted } from "effect"
import { CredentialStore } from "tenon"
import { CredentialStoreTest } from "tenon/testing"

const ada = { app: "app", user: "ada" }
const token = { secret: Redacted.make("token") }
const layer = Effect.provide(CredentialStore.layerMemory)

describe("CredentialStore.layerMemory", () => {
  for (const { name, run } of CredentialStoreTest.cases) {
    it.effect(name, () => Effect.provide(run, CredentialStore.layerMemory))
  }
})

describe("CredentialStore", () => {
  it.effect("keeps a credential by app, user and name, until it is removed", () =>
    Effect.gen(function*() {
      const { get, put, remove } = yield* CredentialStore.CredentialStore
      yield* put(ada, "github", token)
      assert.deepStrictEqual(yield* get(ada, "github"), Option.some(token))
      for (
        const [owner, name] of [[{ ...ada, user: "bob" }, "github"], [{ ...ada, app: "other" }, "github"], [
          ada,
          "gitlab"
        ]] as const
      ) {
        assert.deepStrictEqual(yield* get(owner, name), Option.none())
      }
      yield* remove(ada, "github")
      assert.deepStrictEqual(yield* get(ada, "github"), Option.none())
    }).pipe(layer))

  it.effect("runs one Effect at a time for a credential, and those for others beside it", () =>
    Effect.gen(function*() {
      const { alone } = yield* CredentialStore.CredentialStore
      const log: Array<string> = []
      const go = yield* Latch.make()
      const work = (label: string) =>
        Effect.gen(function*() {
          log.push(`${label} starts`)
          if (label === "a") yield* go.await
          log.push(`${label} ends`)
          if (label === "other") yield* go.open
        })
      yield* Effect.all([
        alone(ada, "github")(work("a")),
        alone(ada, "github")(work("b")),
        alone({ ...ada, user: "bob" }, "github")(work("other"))
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(log, ["a starts", "other starts", "other ends", "a ends", "b starts", "b ends"])
    }).pipe(layer))
})
