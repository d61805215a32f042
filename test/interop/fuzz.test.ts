/** What comes in may be anything: it is taken whole, or refused by a typed error that repeats nothing of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Session, SessionStore } from "tenon"
import { Adk, Imported, Prompts, Sagents, UiMessages } from "tenon/interop"
import { mutated } from "../properties/mutate.ts"
import * as Random from "../properties/random.ts"

const ref = { app: "guide", user: "ada", session: "s-1" }
const said = (author: string, ...parts: ReadonlyArray<unknown>) => ({
  author,
  invocation_id: "e-1",
  content: { parts }
})

const documents = {
  adk: {
    id: "s-1",
    app_name: "guide",
    user_id: "ada",
    state: { city: "Oslo", "user:units": { a: [1] } },
    events: [
      { ...said("user", { text: "canary" }), timestamp: 1, actions: { state_delta: { city: "canary" } } },
      said("guide", { function_call: { id: "c", name: "look", args: { at: "canary" } } }),
      said("guide", { function_response: { id: "c", name: "look", response: { result: 1 } } }),
      { ...said("guide", { inline_data: { mime_type: "image/png", data: "aGk=" } }), timestamp: 2 }
    ],
    last_update_time: 3
  },
  sagents: {
    version: 1,
    serialized_at: "2026-11-30T13:26:48Z",
    pending_message: { role: "user", content: "canary" },
    state: {
      messages: [
        { role: "user", content: [{ type: "text", content: "canary" }] },
        { role: "assistant", content: null, tool_calls: [{ call_id: "c", name: "task", arguments: "{\"a\":1}" }] },
        { role: "tool", tool_results: [{ tool_call_id: "c", name: "task", content: "canary" }] }
      ],
      todos: [{ id: 1, content: "canary", status: "pending" }],
      metadata: { key: "canary" }
    }
  },
  ui: [
    { id: "m-1", role: "user", parts: [{ type: "text", text: "canary" }] },
    {
      id: "m-2",
      role: "assistant",
      metadata: { at: 1 },
      parts: [
        { type: "step-start" },
        { type: "tool-look", toolCallId: "c", state: "output-available", input: { at: "canary" }, output: [1] }
      ]
    }
  ]
}

/** A log is one: it folds, and goes through JSON. */
const isLog = ({ events }: Imported.Imported) =>
  Effect.gen(function*() {
    const read = yield* Effect.fromResult(
      Session.decode(JSON.parse(JSON.stringify(events.length === 0 ? {} : Session.encode(events))))
    )
    yield* Effect.fromResult(Session.fold(read, [Adk.Carried, Sagents.Carried]))
  })

const importers = {
  adk: (input: unknown) =>
    Effect.gen(function*() {
      const imported = yield* Effect.fromResult(Adk.importSession(input))
      yield* isLog(imported)
      yield* Imported.save(imported)
      yield* Adk.exportSession(imported.ref)
    }).pipe(Effect.provide(Layer.fresh(SessionStore.layerMemory))),
  sagents: (input: unknown) =>
    Effect.gen(function*() {
      const imported = yield* Effect.fromResult(Sagents.importState(input, { ref }))
      yield* isLog(imported)
      yield* Sagents.exportState(yield* Effect.fromResult(Session.fold(imported.events)))
    }),
  ui: (input: unknown) =>
    Effect.gen(function*() {
      const { value } = yield* Effect.fromResult(UiMessages.toHistory(input))
      yield* isLog(yield* Prompts.importPrompt(value, ref))
      UiMessages.fromHistory(value)
    })
}

const cases = Math.ceil(Number(process.env["TENON_CASES"] ?? 1_000) / 2)

describe("interop", () => {
  for (const name of ["adk", "sagents", "ui"] as const) {
    it.effect(`takes or refuses whatever ${name} is`, () =>
      Effect.gen(function*() {
        for (let number = 0; number < cases; number++) {
          const input = mutated(Random.make(Random.mix(Random.seed, `${name} ${number}`)), documents[name])
          const outcome = yield* Effect.exit(Effect.result(Effect.suspend(() => importers[name](input))))
          assert.strictEqual(
            outcome._tag,
            "Success",
            `${name}, seed ${Random.seed}, case ${number}: ${String(outcome)}`
          )
          if (outcome._tag !== "Success" || Result.isSuccess(outcome.value)) continue
          const error = outcome.value.failure
          assert.strictEqual(
            error._tag,
            "InteropError",
            `${name}, seed ${Random.seed}, case ${number}: ${error.message}`
          )
          assert.isFalse(JSON.stringify(error).includes("canary"))
        }
      }))
  }
})
