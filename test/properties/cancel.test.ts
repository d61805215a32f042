/**
 * L6: a run may be cancelled at any of its awaits, and at any operation between them. Running tools end, their finalizers
 * run, nothing of them is committed, their calls are closed, and the session goes on. `survive` checks it after each run.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ScriptedModel } from "tenon/testing"
import { type Case, survive } from "./chaos.ts"

const call = (tool: string, ...script: ReadonlyArray<string>): ScriptedModel.Call => ({ tool, parameters: { script } })
const delegate = (depth: number, ...plan: ReadonlyArray<ReadonlyArray<ScriptedModel.Call>>): ScriptedModel.Call => ({
  tool: `a${depth}`,
  parameters: { task: JSON.stringify(plan) }
})

const base = {
  faults: [],
  choices: [2, 5, 1, 0],
  pace: 3,
  hooked: [false, false, false, false],
  steps: undefined,
  concurrency: 8,
  streamed: false
} as const

const made: Readonly<Record<string, Case>> = {
  "calls side by side, and in turn": {
    ...base,
    plans: [[
      [
        call("list", "write", "turn"),
        call("sum", "turn", "write"),
        call("text", "write"),
        call("text", "turn", "write")
      ],
      [
        call("last", "write", "turn"),
        call("person", "turn", "write"),
        call("kept", "fail"),
        call("plain", "turn", "die")
      ]
    ]]
  },
  "sub-agents, hooks around all": {
    ...base,
    hooked: [true, true, true, false],
    plans: [[[
      delegate(1, [call("set", "write", "turn"), delegate(2, [call("person", "write", "turn")])], [
        call("text", "write")
      ]),
      call("list", "turn", "write")
    ]]]
  },
  "questions, approvals and what comes meanwhile": {
    ...base,
    faults: [{ turn: 30, fault: "answer" }, { turn: 45, fault: "message" }],
    plans: [[
      [call("sum", "ask", "turn", "write"), call("list", "guarded", "write"), call("set", "turn", "turn", "write")],
      [delegate(1, [call("text", "write", "ask")]), call("kept", "pending", "write")]
    ]]
  },
  "a stream": { ...base, streamed: true, plans: [[[call("list", "write", "turn"), call("set", "turn", "write")]]] }
}

describe("AgentRunner", () => {
  for (const [name, each] of Object.entries(made)) {
    for (const fault of ["interrupt", "cancel", "crash"] as const) {
      it.effect(`survives at each await: ${fault}, ${name}`, () =>
        Effect.gen(function*() {
          const { disturbed } = yield* survive(each)
          assert.isAbove(disturbed, 20)
          for (let at = 0; at < disturbed; at++) {
            const { met } = yield* Effect.mapError(
              survive({ ...each, faults: [...each.faults, { turn: at, fault }] }),
              ({ message }) => `${fault} at turn ${at}: ${message}`
            )
            assert.isTrue(met.has(fault))
          }
        }), 120_000)
    }

    it.effect(`survives an interruption between awaits: ${name}`, () =>
      Effect.gen(function*() {
        const { operations } = yield* survive(each, Number.POSITIVE_INFINITY)
        const stride = Math.max(1, Math.floor(operations / 80))
        for (let at = 1; at <= operations; at += stride) {
          yield* Effect.mapError(survive(each, at), ({ message }) => `at operation ${at}: ${message}`)
        }
      }), 120_000)
  }
})
