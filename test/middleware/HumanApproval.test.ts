import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, Interrupt, SubAgent, Tool, Toolkit } from "tenon"
import { HumanApproval } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { bad, conversation, endsOf, good, idsOf, openOf, reasonOf, restarted } from "../runner/fixtures.ts"

const { call, calls, text } = ScriptedModel

const Send = Tool.make("send", {
  parameters: Schema.Struct({ to: Schema.String, at: Schema.optionalKey(Schema.Date) }),
  success: Schema.String
})
const Find = Tool.make("find", { success: Schema.String })
const kit = Toolkit.make(Send, Find)
const live = Toolkit.layer(kit, {
  send: ({ at, to }) => Effect.succeed(`sent to ${to}${at === undefined ? "" : ` in ${at.getUTCFullYear()}`}`),
  find: () => Effect.succeed("found")
})
const send = (to: string, more: object = {}) => ({ tool: "send", parameters: { to, ...more } })
const around = (
  policies: ReadonlyArray<HumanApproval.Policy>,
  remember: HumanApproval.Remember = "nobody"
) =>
  Agent.make("agent", {
    instructions: "Work.",
    toolkit: kit,
    middleware: [HumanApproval.make({ policies, remember })]
  })
const guarded = around([{ tools: [Send], reason: "it leaves the house" }])

describe("HumanApproval", () => {
  it.effect("asks before calls that a policy names; the others run", () =>
    Effect.gen(function*() {
      const { run } = yield* conversation(guarded, [calls(send("ada"), { tool: "find" })])
      const paused = yield* run()
      const [open, ...rest] = Interrupt.Approval.among(openOf(paused))
      assert.deepStrictEqual(rest, [])
      assert.deepInclude(open?.question, {
        tool: "send",
        arguments: { to: "ada" },
        reason: "it leaves the house",
        allowed: ["approve", "edit", "reject"]
      })
      assert.deepStrictEqual(endsOf(paused.session), [good("find", "found")])
    }).pipe(Effect.provide(live)))

  it.effect("does what is decided, in another process too", () =>
    Effect.gen(function*() {
      const { run, session } = yield* conversation(guarded, [calls(send("ada"), send("bob"), send("cy"))])
      const [a = "", b = "", c = ""] = idsOf(openOf(yield* run()))
      const again = yield* restarted(guarded, yield* session(), [text("Done.")])
      const result = yield* again.resume([
        Interrupt.approve(a),
        Interrupt.reject(b, "not him"),
        Interrupt.edit(c, { to: "dan", at: "2026-01-01T00:00:00.000Z" })
      ])
      assert.deepStrictEqual(endsOf(result.session).toSorted((x, y) => String(x.value) < String(y.value) ? 1 : -1), [
        good("send", "sent to dan in 2026"),
        good("send", "sent to ada"),
        bad("send", "Rejected", "not him")
      ])
    }).pipe(Effect.provide(live)))

  it.effect("refuses a decision that the policy does not take, and one that nobody would remember", () =>
    Effect.gen(function*() {
      const agent = around([{ tools: ["send"], decisions: ["approve"] }])
      const { resume, run } = yield* conversation(agent, [calls(send("ada")), text("Done.")])
      const [id = ""] = idsOf(openOf(yield* run()))
      const reasons = yield* Effect.forEach(
        [Interrupt.edit(id, { to: "bob" }), Interrupt.reject(id), Interrupt.approve(id, { always: true })],
        (answer) => reasonOf(resume([answer]))
      )
      assert.deepStrictEqual(reasons.map((reason) => "problem" in reason ? reason.problem : reason._tag), [
        "the decision 'edit' is not allowed here; allowed: approve",
        "the decision 'reject' is not allowed here; allowed: approve",
        "this approval cannot be remembered"
      ])
      assert.deepStrictEqual(endsOf((yield* resume([Interrupt.approve(id)])).session), [good("send", "sent to ada")])
    }).pipe(Effect.provide(live)))

  it.effect("checks edited arguments, of a tool that is named by its declaration or by a text", () =>
    Effect.gen(function*() {
      for (const tool of [Send, "send"] as const) {
        const { resume, run } = yield* conversation(around([{ tools: [tool] }]), [calls(send("ada")), text("Done.")])
        const [id = ""] = idsOf(openOf(yield* run()))
        const { session } = yield* resume([Interrupt.edit(id, { to: 7 })])
        assert.match(JSON.stringify(endsOf(session)), /InvalidArguments.*do not fit.*Expected string/)
      }
    }).pipe(Effect.provide(live)))

  it.effect("takes the first policy that covers a call, which may except it", () =>
    Effect.gen(function*() {
      const agent = around([
        { tools: ({ parameters }) => (parameters as { readonly to?: string }).to === "ada", decisions: [] },
        { tools: () => true, reason: "anything else" }
      ])
      const { run } = yield* conversation(agent, [calls(send("ada"), send("bob"), { tool: "find" })])
      const paused = yield* run()
      assert.deepStrictEqual(endsOf(paused.session), [good("send", "sent to ada")])
      assert.deepStrictEqual(idsOf(openOf(paused)), ["i1.1.2?1", "i1.1.3?1"])
    }).pipe(Effect.provide(live)))

  it.effect("asks in a sub-agent, and the answer finds its way", () =>
    Effect.gen(function*() {
      const parent = Agent.make("parent", { instructions: "Delegate.", subAgents: [SubAgent.make(guarded)] })
      const { resume, run } = yield* conversation(parent, {
        parent: [call("agent", { task: "Send." }), text("Done.")],
        agent: [calls(send("ada")), text("Sent.")]
      })
      const open = openOf(yield* run())
      assert.deepStrictEqual(open.map(({ agentPath, tool }) => [agentPath.join("/"), tool]), [["parent/agent", "send"]])
      const { session } = yield* resume(open.map(({ id }) => Interrupt.approve(id)))
      assert.deepStrictEqual(endsOf(session), [good("send", "sent to ada"), good("agent", "Sent.")])
    }).pipe(Effect.provide(live)))
})

describe("HumanApproval › remember", () => {
  const policies: ReadonlyArray<HumanApproval.Policy> = [{ tools: [Send] }]

  it.effect("holds a decision for later calls of the tool, in the same step and over a restart", () =>
    Effect.gen(function*() {
      const agent = around(policies, "session")
      const { run, session } = yield* conversation(agent, [calls(send("ada"), send("bob"))])
      const open = openOf(yield* run())
      // the second waits for what the first makes of it
      assert.deepStrictEqual(idsOf(open), ["i1.1.1?1"])
      const again = yield* restarted(agent, yield* session(), [text("Done."), calls(send("cy")), text("Done.")])
      yield* again.resume(open.map(({ id }) => Interrupt.approve(id, { always: true })))
      const result = yield* again.run()
      assert.deepStrictEqual(endsOf(result.session).map(({ value }) => value), [
        "sent to ada",
        "sent to bob",
        "sent to cy"
      ])
      assert.deepStrictEqual(result.session.state.get(HumanApproval.Session.always), { send: "approve" })
    }).pipe(Effect.provide(live)))

  it.effect("holds a rejection for all sessions of a user, and of no other", () =>
    Effect.gen(function*() {
      const { resume, run } = yield* conversation(around(policies, "user"), [
        calls(send("ada")),
        text("Done."),
        calls(send("bob")),
        text("Done."),
        calls(send("cy"))
      ])
      const [id = ""] = idsOf(openOf(yield* run()))
      yield* resume([Interrupt.reject(id, "never", { always: true })])
      const second = yield* run("Go.", { session: "s-2" })
      assert.deepStrictEqual(endsOf(second.session), [bad("send", "Rejected", "a person rejected this call")])
      assert.strictEqual((yield* run("Go.", { session: "s-3", user: "u-2" }))._tag, "Paused")
    }).pipe(Effect.provide(live)))

  it.effect("brings a sub-agent's decision back where the parent says so", () =>
    Effect.gen(function*() {
      const child = around(policies, "session")
      const parent = Agent.make("parent", {
        instructions: "Delegate.",
        subAgents: [SubAgent.make(child, { returns: [HumanApproval.Session.always] })]
      })
      const delegate = call("agent", { task: "Send." })
      const { resume, run } = yield* conversation(parent, {
        parent: [delegate, delegate, text("Done.")],
        agent: [calls(send("ada")), text("Sent."), calls(send("bob")), text("Sent.")]
      })
      const [id = ""] = idsOf(openOf(yield* run()))
      const { session } = yield* resume([Interrupt.approve(id, { always: true })])
      assert.deepStrictEqual(endsOf(session).map(({ value }) => value), [
        "sent to ada",
        "Sent.",
        "sent to bob",
        "Sent."
      ])
    }).pipe(Effect.provide(live)))
})
