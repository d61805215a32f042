import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Actions, ToolCall } from "tenon"

describe("ToolCall", () => {
  describe("layer", () => {
    it.effect("has a value for each property, and takes those that are given", () =>
      Effect.gen(function*() {
        const { actions, ...call } = yield* ToolCall.ToolCall
        assert.deepStrictEqual(call, {
          id: "call-7",
          providerId: "",
          tool: "tool",
          agent: "agent",
          agentPath: ["agent"],
          app: "app",
          user: undefined,
          session: "session",
          invocation: "invocation",
          step: 3,
          userInput: "",
          history: []
        })
        assert.deepStrictEqual([yield* actions.end, yield* actions.skipSummarization], [undefined, undefined])
      }).pipe(Effect.provide(ToolCall.layer({ id: "call-7", step: 3 }))))
  })
})

describe("Actions", () => {
  it("are none until one is asked for", () => {
    assert.isTrue(Actions.isEmpty(Actions.none) && Actions.isEmpty({ end: false }))
    assert.isFalse(Actions.isEmpty({ end: true }) || Actions.isEmpty({ skipSummarization: true }))
  })

  it("of several calls hold what one of them asked for", () => {
    assert.deepStrictEqual(Actions.merge([]), {})
    assert.deepStrictEqual(Actions.merge([{ end: true }, {}, { skipSummarization: true }]), {
      end: true,
      skipSummarization: true
    })
  })
})
