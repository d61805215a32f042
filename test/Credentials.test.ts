import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch, Layer, Option, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Agent, Credentials, CredentialStore, Interrupt, type Session, Tool, Toolkit } from "tenon"
import { ScriptedModel, ToolTest } from "tenon/testing"
import { conversation, endsOf, logOf, openOf } from "./runner/fixtures.ts"

const { call, calls, text } = ScriptedModel
const owner = { app: "app", user: "u-1" }

const Key = Credentials.make("service", { scheme: "api_key", description: "To look things up.", scopes: ["read"] })
const Use = Tool.make("use", { success: Schema.String, failure: Credentials.Failure, asks: [Key] })
const kit = Toolkit.make(Use)
const agent = Agent.make("agent", { instructions: "Look it up.", toolkit: kit })
const use = Toolkit.layer(kit, { use: () => Effect.map(Key.get, (secret) => `by ${Redacted.value(secret).length}`) })
const live = Effect.provide([use, CredentialStore.layerMemory])

const put = (credential: CredentialStore.Credential) =>
  Effect.flatMap(CredentialStore.CredentialStore, (store) => store.put(owner, "service", credential))
const stored = Effect.flatMap(CredentialStore.CredentialStore, (store) => store.get(owner, "service"))
const secret = (value: string) => ({ secret: Redacted.make(value) })
const results = (session: Session.Session) => endsOf(session).map(({ value }) => value)

describe("Credentials", () => {
  it.effect("are read from the store where it has them, and nobody is asked", () =>
    Effect.gen(function*() {
      yield* put(secret("1234"))
      const { run } = yield* conversation(agent, [call("use"), text("Done.")])
      assert.deepStrictEqual(results((yield* run()).session), ["by 4"])
    }).pipe(live))

  it.effect("are asked for once, with what is needed, and are there for later calls", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [call("use"), call("use"), text("Done.")])
      const asked = Credentials.Question.among(openOf(yield* run()))
      assert.deepStrictEqual(asked.map(({ question }) => question), [
        { name: "service", scheme: "api_key", scopes: ["read"], description: "To look things up." }
      ])
      const answers = yield* Effect.forEach(asked, (each) => Credentials.grant(owner, each, secret("123")))
      const { session } = yield* resume(answers)
      assert.deepStrictEqual(results(session), ["by 3", "by 3"])
      assert.strictEqual(logOf(session).filter((line) => line.includes("asked")).length, 1)
      assert.deepStrictEqual(session.events.flatMap((event) => event.kind === "answered" ? [event.answer] : []), [
        { granted: true }
      ])
    }).pipe(live))

  it.effect("that the user gives not are a typed failure, and the next call asks anew", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [call("use"), call("use")])
      const first = openOf(yield* run())
      const second = yield* resume(first.map(({ id }) => Credentials.refuse(id)))
      assert.deepStrictEqual(results(second.session), [
        { _tag: "CredentialRefused", name: "service", problem: "the user gives none" }
      ])
      assert.strictEqual(openOf(second).length, 1)
    }).pipe(live))

  it.effect("that are said to be granted, and are not there, are a typed failure, and no second question", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, [call("use"), text("Done.")])
      const open = openOf(yield* run())
      const { session } = yield* resume(open.map(({ id }) => Credentials.Question.answer(id, { granted: true })))
      assert.deepStrictEqual(results(session), [{
        _tag: "CredentialRefused",
        name: "service",
        problem: "it was granted, and the store has none that is good"
      }])
    }).pipe(live))

  it.effect("are asked for where they are expired, or lack a scope", () =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      for (const bad of [{ expires: now }, { scopes: ["write"] }]) {
        yield* put({ ...secret("123"), ...bad })
        const { run } = yield* conversation(agent, [call("use")])
        assert.strictEqual(openOf(yield* run()).length, 1)
      }
      for (const good of [{ expires: now + 1 }, { scopes: ["write", "read"] }]) {
        yield* put({ ...secret("123"), ...good })
        const { run } = yield* conversation(agent, [call("use"), text("Done.")])
        assert.deepStrictEqual(openOf(yield* run()), [])
      }
    }).pipe(live))

  it.effect("that were refused where they were shown are forgotten, and asked for in the same call", () =>
    Effect.gen(function*() {
      const forgetting = Toolkit.layer(kit, {
        use: Effect.fnUntraced(function*() {
          const shown = yield* Key.get
          if (Redacted.value(shown) === "good") return "let in"
          yield* Key.forget(shown)
          yield* Key.get
          return "not reached"
        })
      })
      yield* put(secret("bad"))
      const { resume, run } = yield* conversation(agent, [call("use"), call("use"), text("Done.")])
      const program = Effect.gen(function*() {
        const asked = Credentials.Question.among(openOf(yield* run()))
        assert.deepStrictEqual(yield* stored, Option.none())
        return yield* resume(yield* Effect.forEach(asked, (each) => Credentials.grant(owner, each, secret("good"))))
      })
      const { session } = yield* Effect.provide(program, forgetting)
      assert.deepStrictEqual(results(session), ["let in", "let in"])
    }).pipe(Effect.provide(CredentialStore.layerMemory)))

  it.effect("are forgotten only while they are the ones that were refused", () =>
    Effect.gen(function*() {
      yield* put(secret("bad"))
      const shown = yield* Key.get
      yield* put(secret("good"))
      yield* Key.forget(shown)
      assert.strictEqual(Redacted.value(yield* Key.get), "good")
      yield* Key.forget(Redacted.make("good"))
      assert.deepStrictEqual(yield* stored, Option.none())
      yield* Key.forget(shown)
    }).pipe(Effect.provide([ToolTest.layer(Use, {}, { call: owner }), CredentialStore.layerMemory])))

  it.effect("need a user", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Key.get)
      assert.strictEqual(
        error.message,
        "these fields belong to a user, pass 'user' to the run: the credential 'service'"
      )
    }).pipe(Effect.provide([ToolTest.layer(Use, {}), CredentialStore.layerMemory])))

  it.effect("are tested with a store that has them, or with an answer", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(Key.get))._tag, "CredentialRefused")
      yield* put(secret("123"))
      assert.strictEqual(yield* ToolTest.call(Use, {}), "by 3")
    }).pipe(Effect.provide([
      use,
      ToolTest.layer(Use, {}, { call: owner, answers: { credential: { granted: false } } }),
      CredentialStore.layerMemory
    ])))

  it("refuse an OAuth credential that says not where to get it, also where the types were silent", () => {
    assert.throws(
      () => Credentials.make("service", { scheme: "oauth2" } as never),
      "the credential 'service' needs 'authorize': where the user goes to give it"
    )
  })

  it.effect("of two names are asked for one after the other by one handler", () =>
    Effect.gen(function*() {
      const Other = Credentials.make("other", { scheme: "basic" })
      const Sure = Interrupt.make("sure", { question: Schema.String, answer: Schema.Boolean })
      const Both = Tool.make("both", { success: Schema.String, failure: Credentials.Failure, asks: [Key, Other, Sure] })
      const both = Toolkit.make(Both)
      const { resume, run } = yield* conversation(
        Agent.make("both", { instructions: "Look it up.", toolkit: both }),
        [call("both"), text("Done.")]
      )
      const grant = (open: ReadonlyArray<Interrupt.Open>) =>
        Effect.forEach(Credentials.Question.among(open), (each) =>
          Credentials.grant(owner, each, secret(each.question.name)))
      const { session } = yield* Effect.gen(function*() {
        const first = yield* run()
        const second = yield* resume(yield* grant(openOf(first)))
        const third = yield* resume(yield* grant(openOf(second)))
        return yield* resume(
          openOf(third).map(({ id }) =>
            Sure.answer(id, true)
          )
        )
      }).pipe(Effect.provide(Toolkit.layer(both, {
        both: Effect.fnUntraced(function*() {
          const texts = [Redacted.value(yield* Key.get), Redacted.value(yield* Other.get)]
          return (yield* Sure.ask("Sure?")) ? texts.join(" and ") : ""
        })
      })))
      assert.deepStrictEqual(results(session), ["service and other"])
    }).pipe(Effect.provide(CredentialStore.layerMemory)))
})

describe("a credential that is refreshed", () => {
  const refreshing = (refresh: (expired: CredentialStore.Credential) => CredentialStore.Credential | undefined) => {
    const asked: Array<string> = []
    const go = Latch.makeUnsafe(true)
    const Fresh = Credentials.make("service", {
      scheme: "bearer",
      refresh: (expired) =>
        Effect.andThen(
          go.await,
          Effect.sync(() => {
            asked.push(Redacted.value(expired.secret))
            return Option.fromUndefinedOr(refresh(expired))
          })
        )
    })
    const Use = Tool.make("use", { success: Schema.String, failure: Credentials.Failure, asks: [Fresh] })
    const fresh = Toolkit.make(Use)
    return {
      asked,
      go,
      agent: Agent.make("agent", { instructions: "Look it up.", toolkit: fresh }),
      use: Layer.provideMerge(
        Toolkit.layer(fresh, { use: () => Effect.map(Fresh.get, Redacted.value) }),
        CredentialStore.layerMemory
      )
    }
  }
  const old = { ...secret("old"), refresh: Redacted.make("again"), expires: 1000 }

  it.effect("is stored anew, once for calls that need it at the same time, and used until it expires", () => {
    const { agent, asked, go, use } = refreshing(() => ({ ...secret("new"), expires: 3000 }))
    return Effect.gen(function*() {
      yield* put(old)
      const { run } = yield* conversation(agent, [
        call("use"),
        text("Done."),
        calls({ tool: "use" }, { tool: "use" }),
        text("Done.")
      ])
      yield* run()
      yield* TestClock.adjust(1500)
      yield* go.close
      const fiber = yield* Effect.forkChild(run())
      yield* TestClock.adjust(100)
      yield* go.open
      assert.deepStrictEqual(results((yield* Fiber.join(fiber)).session), ["old", "new", "new"])
      assert.deepStrictEqual(Option.map(yield* stored, (each) => Redacted.value(each.secret)), Option.some("new"))
      assert.deepStrictEqual(asked, ["old"])
    }).pipe(Effect.provide(use))
  })

  it.effect("takes the place of no other one that is granted meanwhile", () => {
    const { agent, go, use } = refreshing(() => secret("refreshed"))
    return Effect.gen(function*() {
      yield* put({ ...old, expires: 0 })
      const { run } = yield* conversation(agent, [call("use"), text("Done.")])
      yield* go.close
      const fiber = yield* Effect.forkChild(run())
      yield* TestClock.adjust(100)
      const asked = { id: "q", question: { name: "service", scheme: "bearer", scopes: [] } } as const
      const granting = yield* Effect.forkChild(Credentials.grant(owner, asked, secret("granted")))
      yield* TestClock.adjust(100)
      yield* go.open
      yield* Fiber.joinAll([fiber, granting])
      assert.deepStrictEqual(Option.map(yield* stored, (each) => Redacted.value(each.secret)), Option.some("granted"))
    }).pipe(Effect.provide(use))
  })

  it.effect("is asked for where it cannot be", () => {
    const { agent, use } = refreshing(() => undefined)
    return Effect.gen(function*() {
      yield* put({ ...old, expires: 0 })
      const { run } = yield* conversation(agent, [call("use")])
      assert.strictEqual(openOf(yield* run()).length, 1)
    }).pipe(Effect.provide(use))
  })
})
