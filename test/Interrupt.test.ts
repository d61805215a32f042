import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Result, Schema } from "effect"
import { Interrupt, Tool, Toolkit } from "tenon"
import { ToolTest } from "tenon/testing"

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

/** What the types would refuse. */
const forced = (value: unknown): never => value as never

describe("Interrupt", () => {
  describe("make", () => {
    it("is a kind of question, whose answers carry its name", () => {
      assert.deepStrictEqual(Confirm.answer("i1.1.1?1", true), { name: "confirm", id: "i1.1.1?1", value: true })
      assert.deepStrictEqual([Confirm.name, Confirm.question], ["confirm", Schema.String])
    })

    it.effect("dies where it is asked outside of a call", () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(Confirm.ask("Sure?") as Effect.Effect<unknown>)
        assert.deepStrictEqual(
          Exit.isFailure(exit) && Cause.squash(exit.cause),
          new Error("'confirm' is asked outside of a tool call: provide an answer, or run it in an agent")
        )
      }))

    it.effect("gives a test's answer to a tool under test, and dies where there is none", () =>
      Effect.gen(function*() {
        const Erase = Tool.make("erase", { success: Schema.String, asks: [Confirm] })
        const kit = Toolkit.make(Erase)
        const handlers = Toolkit.layer(kit, {
          erase: () => Effect.map(Confirm.ask("Sure?"), (sure) => sure ? "gone" : "kept")
        })
        const call = (answers: object) =>
          Effect.provide(
            ToolTest.call(Erase, forced({})),
            Layer.mergeAll(handlers, ToolTest.layer(Erase, {}, { answers }))
          )
        assert.deepStrictEqual([yield* call({ confirm: true }), yield* call({ confirm: false })], ["gone", "kept"])
        const exit = yield* Effect.exit(call({}))
        assert.deepStrictEqual(
          Exit.isFailure(exit) && Cause.squash(exit.cause),
          new Error("'confirm' is asked, and the test has no answer for it")
        )
      }))
  })

  describe("fromJson", () => {
    it("is an answer that nobody has decoded", () => {
      assert.deepStrictEqual(Interrupt.fromJson("i1.1.1?1", { any: 1 }), { id: "i1.1.1?1", json: { any: 1 } })
    })
  })

  describe("approve, edit and reject", () => {
    it("answer the question for an approval", () => {
      const id = "i1.1.1?0"
      assert.deepStrictEqual(
        [
          Interrupt.approve(id),
          Interrupt.edit(id, { amount: 1 }),
          Interrupt.reject(id),
          Interrupt.reject(id, "too much")
        ],
        [
          { name: "approval", id, value: { decision: "approve" } },
          { name: "approval", id, value: { decision: "edit", arguments: { amount: 1 } } },
          { name: "approval", id, value: { decision: "reject" } },
          { name: "approval", id, value: { decision: "reject", reason: "too much" } }
        ]
      )
    })

    it("are all the decisions that there are", () => {
      const decode = Schema.decodeUnknownResult(Interrupt.Decision)
      for (const { value } of [Interrupt.approve(""), Interrupt.edit("", null), Interrupt.reject("")]) {
        assert.deepStrictEqual(decode(value), Result.succeed(value))
      }
      for (const value of [{ decision: "perhaps" }, { decision: "edit" }, "approve", {}]) {
        assert.isTrue(Result.isFailure(decode(value)))
      }
    })
  })
})
