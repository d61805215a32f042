import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted, Schema } from "effect"
import { Agent, Credentials, CredentialStore, Interrupt, Session, SubAgent, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { conversation, endsOf, textOf, told } from "../../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const One = Credentials.make("one", { scheme: "oauth2", authorize: "https://one.example/authorize?client_id=1" })
const Two = Credentials.make("two", { scheme: "oauth2", authorize: "https://two.example/authorize?client_id=2" })
const base = { success: Schema.Int, failure: Credentials.Failure }
const CallOne = Tool.make("call_one", { ...base, asks: [One] })
const CallTwo = Tool.make("call_two", { ...base, asks: [Two] })
const kit = Toolkit.make(CallOne, CallTwo)
const Caller = Agent.make("caller", { instructions: "Call.", toolkit: kit })

/** Calls that count how often they ran. */
const counting = () => {
  const ran: Array<string> = []
  const run = (tool: string, result: number) =>
    Effect.suspend(() => {
      ran.push(tool)
      return Effect.succeed(result)
    })
  return {
    ran,
    layer: Toolkit.layer(kit, {
      call_one: () => Effect.andThen(run("one", 1), Effect.as(One.get, 1)),
      call_two: () => Effect.andThen(run("two", 2), Effect.as(Two.get, 2))
    })
  }
}

const ada = { app: "app", user: "ada" }
const bob = { app: "app", user: "bob" }
const askedIn = ({ session }: { readonly session: Session.Session }) => Credentials.Question.among(session.open)

/** The answers of a user who gives all that is asked for. */
const grantAll = (result: { readonly session: Session.Session }, of = ada) =>
  Effect.forEach(
    askedIn(result),
    (asked) => Credentials.grant(of, asked, { secret: Redacted.make(`the secret of ${of.user}`) })
  )

const both = calls({ tool: "call_one" }, { tool: "call_two" })

describe("adk 2.6: auth", () => {
  it.effect("T150 two calls of a step each ask for a credential, in order and by their own ids", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(Caller, [both])
      const paused = yield* run("go", ada)
      assert.deepStrictEqual(paused.session.open.map((each) => each.call), ["i1.1.1", "i1.1.2"])
      assert.deepStrictEqual(askedIn(paused).map(({ question }) => [question.name, question.authorize]), [
        ["one", "https://one.example/authorize?client_id=1"],
        ["two", "https://two.example/authorize?client_id=2"]
      ])
    }).pipe(Effect.provide([counting().layer, CredentialStore.layerMemory])))

  it.effect("T151 with both answers both calls run again, and the model gets both results", () => {
    const { layer, ran } = counting()
    return Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(Caller, [both, text("done")])
      const result = yield* resume(yield* grantAll(yield* run("go", ada)), ada)
      assert.deepStrictEqual(ran.toSorted(), ["one", "one", "two", "two"])
      assert.strictEqual(textOf(result), "done")
      assert.strictEqual(told(requests[1]).at(-1), "tool: call_one = 1, call_two = 2")
    }).pipe(Effect.provide([layer, CredentialStore.layerMemory]))
  })

  it.effect("T153 a call whose credential is there asks nothing", () =>
    Effect.gen(function*() {
      const store = yield* CredentialStore.CredentialStore
      yield* store.put(ada, "one", { secret: Redacted.make("a secret") })
      const { run } = yield* conversation(Caller, [call("call_one"), text("done")])
      const { session } = yield* run("go", ada)
      assert.deepStrictEqual(session.events.filter(({ kind }) => kind === "asked"), [])
    }).pipe(Effect.provide([counting().layer, CredentialStore.layerMemory])))

  // ours: a question is an event, and no message of anybody's
  it.effect("T154 a question for a credential is no part of the conversation", () =>
    Effect.gen(function*() {
      const { requests, resume, run } = yield* conversation(Caller, [call("call_one"), text("done")])
      const paused = yield* run("go", ada)
      assert.deepStrictEqual(paused.session.history.map(({ role }) => role), ["user", "assistant"])
      yield* resume(yield* grantAll(paused), ada)
      assert.deepStrictEqual(told(requests[1]).slice(1), [
        "user: go",
        "assistant: call_one({})",
        "tool: call_one = 1"
      ])
    }).pipe(Effect.provide([counting().layer, CredentialStore.layerMemory])))

  // ours: the type of `get` names the call, so this does not compile; forced, it dies
  it.effect("T155 outside of a call nobody can ask for a credential", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(One.get as Effect.Effect<unknown>)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }).pipe(Effect.provide(CredentialStore.layerMemory)))

  // ours: what the client of an OAuth server has of its own is no part of what a tool declares
  it("T156 an OAuth credential says where the user gives it, or is refused", () => {
    assert.throws(
      // @ts-expect-error -- Property 'authorize' is missing
      () => Credentials.make("three", { scheme: "oauth2" }),
      "the credential 'three' needs 'authorize'"
    )
  })

  it.effect("T158 a sub-agent asks, goes on with the answer, and the next message is the parent's", () => {
    const { layer, ran } = counting()
    const Root = Agent.make("root", { instructions: "Delegate.", subAgents: [SubAgent.make(Caller)] })
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(Root, {
        root: [call("caller", { task: "call" }), text("called"), text("good day")],
        caller: [call("call_one"), text("one")]
      })
      const paused = yield* run("go", ada)
      assert.deepStrictEqual(paused.session.open.map(({ agentPath }) => agentPath), [["root", "caller"]])
      assert.strictEqual(textOf(yield* resume(yield* grantAll(paused), ada)), "called")
      assert.deepStrictEqual(ran, ["one", "one"])
      const next = yield* run("hello", ada)
      assert.strictEqual(textOf(next), "good day")
      assert.strictEqual(next.session.events.filter(({ kind }) => kind === "asked").length, 1)
    }).pipe(Effect.provide([layer, CredentialStore.layerMemory]))
  })

  it.effect("T159 two users of one tool are each asked once, and none gets the other's credential", () => {
    const seen: Array<string> = []
    const Show = Tool.make("show", { failure: Credentials.Failure, asks: [One] })
    const showing = Toolkit.make(Show)
    return Effect.gen(function*() {
      const agent = Agent.make("shower", { instructions: "Show.", toolkit: showing })
      const { resume, run } = yield* conversation(agent, [
        call("show"),
        call("show"),
        text("done"),
        text("done"),
        call("show"),
        text("done")
      ])
      const hers = yield* run("go", { ...ada, session: "a" })
      const his = yield* run("go", { ...bob, session: "b" })
      yield* resume(yield* grantAll(his, bob), { ...bob, session: "b" })
      yield* resume(yield* grantAll(hers, ada), { ...ada, session: "a" })
      assert.strictEqual((yield* run("again", { ...ada, session: "c" }))._tag, "Completed")
      assert.deepStrictEqual(seen, ["the secret of bob", "the secret of ada", "the secret of ada"])
    }).pipe(Effect.provide([
      Toolkit.layer(showing, {
        show: () => Effect.map(One.get, (secret) => void seen.push(Redacted.value(secret)))
      }),
      CredentialStore.layerMemory
    ]))
  })

  it.effect("T160 of an answer from outside it counts that it was granted, and nothing else is kept", () =>
    Effect.gen(function*() {
      const store = yield* CredentialStore.CredentialStore
      yield* store.put(ada, "one", { secret: Redacted.make("a secret"), expires: 0 })
      const { resume, run } = yield* conversation(Caller, [call("call_one"), text("done")])
      const [asked] = askedIn(yield* run("go", ada))
      yield* store.put(ada, "one", { secret: Redacted.make("a secret") })
      const json = { granted: true, client_id: "another", token: "injected", name: "two" }
      const { session } = yield* resume([Interrupt.fromJson(asked?.id ?? "", json)], ada)
      assert.deepStrictEqual(
        session.events.flatMap((event) => event.kind === "answered" ? [event.answer] : []),
        [{ granted: true }]
      )
      assert.notInclude(JSON.stringify(Session.encode(session.events)), "injected")
      assert.strictEqual(endsOf(session)[0]?.value, 1)
    }).pipe(Effect.provide([counting().layer, CredentialStore.layerMemory])))
})
