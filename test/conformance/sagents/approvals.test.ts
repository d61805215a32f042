import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Contract, Interrupt, Tool, Toolkit } from "tenon"
import { HumanApproval } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { callsOf, historyOf, world } from "./fixtures.ts"

const { text } = ScriptedModel

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const WriteFile = Tool.make("write_file", {
  parameters: Schema.Struct({ path: Schema.String }),
  success: Schema.String
})
const ReadFile = Tool.make("read_file", { parameters: Schema.Struct({ path: Schema.String }), success: Schema.String })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(WriteFile, ReadFile, Wonder)
const live = Toolkit.layer(kit, {
  write_file: ({ path }) => Effect.succeed(`wrote ${path}`),
  read_file: ({ path }) => Effect.succeed(`read ${path}`),
  wonder: () => Confirm.ask("Sure?")
})

/** An agent whose `write_file` waits for a person. */
const guarded = (...policies: ReadonlyArray<HumanApproval.Policy>) =>
  Agent.make("agent", { instructions: "Work.", toolkit: kit, middleware: [HumanApproval.make({ policies })] })
const writing = { tools: [WriteFile] }
const Guarded = guarded(writing)

const write = (path: string) => ({ tool: "write_file", parameters: { path } })
const read = (path: string) => ({ tool: "read_file", parameters: { path } })
const asking = (...calls: ReadonlyArray<ScriptedModel.Call>) => [ScriptedModel.calls(...calls), text("Done.")]

type Answer = AgentRunner.Answers<typeof Guarded>
const run = (agent: typeof Guarded) => AgentRunner.run(agent, { session: "s-1", input: "Write." })
const resume = (agent: typeof Guarded, ...answers: ReadonlyArray<Answer>) =>
  AgentRunner.resume(agent, { session: "s-1", answers })
/** Why answers are refused. */
const refusal = (agent: typeof Guarded, ...answers: ReadonlyArray<Answer>) =>
  Effect.map(Effect.flip(resume(agent, ...answers)), ({ reason }) => "problem" in reason ? reason.problem : reason._tag)
const openOf = (result: AgentRunner.AgentResult) => result._tag === "Paused" ? result.open : []
const questionsOf = (result: AgentRunner.AgentResult) => Interrupt.Approval.among(openOf(result))
/** The id of the question about the n-th call of the n-th step. */
const about = (call: number, step = 1) => `i1.${step}.${call}?1`

/** Runs a program with a fresh model and store. */
const given = (...script: ReadonlyArray<ScriptedModel.Step>) => Effect.provide([live, world(script)])

describe("approvals", () => {
  it.effect("T176 a policy takes the decisions that it names, all three without, and none with an empty list", () =>
    Effect.gen(function*() {
      const allowed = (...policies: ReadonlyArray<HumanApproval.Policy>) =>
        Effect.map(run(guarded(...policies)), (result) => questionsOf(result).map(({ question }) => question.allowed))
          .pipe(given(...asking(write("a"))))
      assert.deepStrictEqual(yield* allowed(writing), [["approve", "edit", "reject"]])
      assert.deepStrictEqual(yield* allowed({ ...writing, decisions: [] }), [])
      assert.deepStrictEqual(yield* allowed({ ...writing, decisions: ["approve", "reject"] }), [["approve", "reject"]])
      assert.deepStrictEqual(yield* allowed(), [])
      const [asked] = yield* Effect.map(run(guarded({ ...writing, reason: "it writes" })), questionsOf).pipe(
        given(...asking(write("a")))
      )
      assert.deepInclude(asked?.question, { reason: "it writes", allowed: ["approve", "edit", "reject"] })
    }))

  it.effect("T177 without calls, with calls of other tools and with no decision to take, nobody is asked", () =>
    Effect.gen(function*() {
      const status = (agent: typeof Guarded, ...script: ReadonlyArray<ScriptedModel.Step>) =>
        Effect.map(run(agent), ({ _tag }) => _tag).pipe(given(...script))
      assert.strictEqual(yield* status(Guarded, text("Done.")), "Completed")
      assert.strictEqual(yield* status(Guarded, ...asking(read("a"))), "Completed")
      assert.strictEqual(yield* status(guarded({ ...writing, decisions: [] }), ...asking(write("a"))), "Completed")
    }))

  it.effect("T179 only the guarded calls of a step are asked about, wherever they stand; the others run", () =>
    Effect.gen(function*() {
      const waiting = (...calls: ReadonlyArray<ScriptedModel.Call>) =>
        Effect.map(run(Guarded), (result) => [
          questionsOf(result).map(({ id }) => id),
          callsOf(result.session).map(({ value }) => value)
        ]).pipe(given(...asking(...calls)))
      assert.deepStrictEqual(yield* waiting(write("a"), read("b"), write("c")), [[about(1), about(3)], ["read b"]])
      assert.deepStrictEqual(yield* waiting(read("a"), write("b"), write("c")), [[about(2), about(3)], ["read a"]])
      assert.deepStrictEqual(yield* waiting(write("a"), write("b"), read("c")), [[about(1), about(2)], ["read c"]])
    }))

  it.effect("T180 only the calls of the newest step are asked about", () =>
    Effect.gen(function*() {
      yield* run(Guarded)
      const second = yield* resume(Guarded, Interrupt.approve(about(1)))
      assert.deepStrictEqual(questionsOf(second).map(({ id, question }) => [id, question.arguments]), [
        [about(1, 2), { path: "b" }]
      ])
    }).pipe(given(ScriptedModel.calls(write("a")), ScriptedModel.calls(write("b")))))

  it.effect("T181 each decision is taken, alone and beside others, and decides its own call", () =>
    Effect.gen(function*() {
      yield* run(Guarded)
      const { session } = yield* resume(
        Guarded,
        Interrupt.reject(about(3)),
        Interrupt.approve(about(1)),
        Interrupt.edit(about(2), { path: "B" })
      )
      assert.deepStrictEqual(callsOf(session).map(({ failed }) => failed), [false, false, true])
      assert.deepStrictEqual(callsOf(session).map(({ value }) => value).slice(0, 2), ["wrote a", "wrote B"])
    }).pipe(given(...asking(write("a"), write("b"), write("c")))))

  it.effect("T182 what is no decision about an open question is refused, and changes nothing", () =>
    Effect.gen(function*() {
      const agent = guarded({ ...writing, decisions: ["approve", "edit"] })
      const before = yield* run(agent)
      const refused = (answer: Answer) => refusal(agent, answer)
      // decisions go by id: there is no count that could be wrong
      assert.strictEqual(yield* refused(Interrupt.approve(about(2))), "no open question has this id")
      assert.match(yield* refused(Interrupt.fromJson(about(1), {})), /does not fit/)
      assert.match(yield* refused(Interrupt.fromJson(about(1), { decision: "edit" })), /does not fit/)
      assert.match(yield* refused(Interrupt.fromJson(about(1), "approve")), /does not fit/)
      assert.match(yield* refused(Interrupt.reject(about(1))), /'reject' is not allowed here; allowed: approve, edit/)
      assert.match(
        yield* refused(Interrupt.fromJson(about(1), { decision: "reject" })),
        /'reject' is not allowed here/
      )
      const after = yield* resume(agent)
      assert.deepStrictEqual(openOf(after), openOf(before))
      assert.deepStrictEqual(callsOf(after.session), [])
    }).pipe(given(...asking(write("a")))))

  it.effect("T184 without a list all three are allowed, and a fourth is none", () =>
    Effect.gen(function*() {
      for (const decision of [Interrupt.approve, Interrupt.reject, (id: string) => Interrupt.edit(id, { path: "b" })]) {
        const result = yield* Effect.andThen(run(Guarded), resume(Guarded, decision(about(1)))).pipe(
          given(...asking(write("a")))
        )
        assert.strictEqual(result._tag, "Completed")
      }
      const refused = Effect.andThen(
        run(Guarded),
        refusal(Guarded, Interrupt.fromJson(about(1), { decision: "shrug" }))
      )
      assert.match(yield* refused.pipe(given(...asking(write("a")))), /does not fit/)
    }))

  it.effect("T185 an answer goes to the question with its id, and fits its kind", () =>
    Effect.gen(function*() {
      yield* run(Guarded)
      assert.strictEqual(
        yield* refusal(Guarded, Confirm.answer(about(1), true)),
        "it answers 'confirm', the question is 'approval'"
      )
      assert.match(yield* refusal(Guarded, Interrupt.fromJson(about(2), [])), /does not fit/)
      const half = yield* resume(Guarded, Confirm.answer(about(2), true))
      assert.deepStrictEqual(openOf(half).map(({ id }) => id), [about(1)])
    }).pipe(given(...asking(write("a"), { tool: "wonder" }))))

  it.effect("T186 an approved call runs, and the history holds its real result", () =>
    Effect.gen(function*() {
      yield* run(Guarded)
      const { session } = yield* resume(Guarded, Interrupt.approve(about(1)))
      assert.deepStrictEqual(historyOf(session), [
        "user: Write.",
        "assistant: write_file()",
        "tool: \"wrote a\"",
        "assistant: Done."
      ])
    }).pipe(given(...asking(write("a")))))

  it.effect("T187 an edited call runs with the person's arguments", () =>
    Effect.gen(function*() {
      yield* run(Guarded)
      const { session } = yield* resume(Guarded, Interrupt.edit(about(1), { path: "b" }))
      assert.deepStrictEqual(callsOf(session), [{ tool: "write_file", failed: false, value: "wrote b" }])
    }).pipe(given(...asking(write("a")))))

  it.effect("T189 a decision that the policy does not take is refused, and the run still waits", () => {
    const agent = guarded({ ...writing, decisions: ["approve", "reject"] })
    return Effect.gen(function*() {
      yield* run(agent)
      assert.include(yield* refusal(agent, Interrupt.edit(about(1), { path: "b" })), "not allowed")
      const { session } = yield* resume(agent, Interrupt.approve(about(1)))
      assert.deepStrictEqual(callsOf(session).map(({ value }) => value), ["wrote a"])
    }).pipe(given(...asking(write("a"))))
  })

  it.effect("T190 an answer to nothing is refused", () =>
    Effect.gen(function*() {
      const agent = guarded()
      yield* run(agent)
      assert.strictEqual(yield* refusal(agent, Interrupt.approve(about(1))), "no open question has this id")
    }).pipe(given(...asking(write("a")))))

  it.effect("T191 two calls of a step are decided each by itself; results stand in the calls' order", () =>
    Effect.gen(function*() {
      yield* run(Guarded)
      const { session } = yield* resume(Guarded, Interrupt.edit(about(2), { path: "B" }), Interrupt.approve(about(1)))
      assert.include(historyOf(session), "tool: \"wrote a\" \"wrote B\"")
    }).pipe(given(...asking(write("a"), write("b")))))

  it.effect("T192 an agent without the middleware, or without a policy in it, asks nobody", () =>
    Effect.gen(function*() {
      const Free = Agent.make("agent", { instructions: "Work.", toolkit: Toolkit.make(WriteFile) })
      assert.deepStrictEqual(Contract.of(Free).asks, [])
      const result = yield* run(guarded()).pipe(given(...asking(write("a"))))
      assert.strictEqual(result._tag, "Completed")
    }))
})
