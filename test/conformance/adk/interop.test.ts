import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result, type Schema } from "effect"
import { Session, SessionStore } from "tenon"
import { Adk, Imported } from "tenon/interop"
import { Scorer, Trajectory } from "tenon/testing"

type Part = Readonly<Record<string, Schema.Json>>

const said = (author: string, ...parts: ReadonlyArray<Part>) => ({
  author,
  content: { role: author === "user" ? "user" : "model", parts }
})
const text = (value: string): Part => ({ text: value })
const call = (name: string, args: Part): Part => ({ function_call: { name, args } })

const sessionOf = (events: ReadonlyArray<unknown>) =>
  Result.getOrThrow(Session.fold(
    Result.getOrThrow(Adk.importSession({ id: "s-1", app_name: "app", user_id: "u-1", events })).events
  ))

/** The turns of a session as a case, in the words of the old form. */
const turnsOf = (events: ReadonlyArray<unknown>) =>
  Adk.evalCaseOf(sessionOf(events), { id: "case" }).value.conversation.map((
    { finalResponse, intermediateData, userContent }
  ) => ({
    query: userContent.parts,
    tools: (intermediateData?.toolUses ?? []).map(({ args, name }) => [name, args]),
    intermediate: intermediateData?.intermediateResponses,
    reference: finalResponse?.parts
  }))

const readSet = (json: unknown, id = "set") => Result.getOrThrow(Adk.importEvalSet(json, { id }))

const oldSet = [{
  name: "roll_and_check",
  data: [
    {
      query: "What can you do?",
      expected_tool_use: [],
      expected_intermediate_agent_responses: [],
      reference: "Rolls."
    },
    {
      query: "Roll twice.",
      expected_tool_use: [
        { tool_name: "roll_die", tool_input: { sides: 6 }, mock_tool_output: 3 },
        { tool_name: "check_prime", tool_input: { nums: [3] } }
      ],
      expected_intermediate_agent_responses: [{ author: "roller", text: "I rolled 3." }],
      reference: "3 is prime."
    }
  ],
  initial_session: { state: { "user:Name": "Ada" }, app_name: "hello_world", user_id: "user" }
}]

describe("interop", () => {
  it("T270 a message and its answer are a turn of a case", () => {
    assert.deepStrictEqual(
      turnsOf([said("user", text("What is the time?")), said("root_agent", text("It is 3 PM."))]),
      [
        { query: [text("What is the time?")], tools: [], intermediate: [], reference: [text("It is 3 PM.")] }
      ]
    )
  })

  it("T271 a call without a text is a use of a tool, and there is no final response", () => {
    assert.deepStrictEqual(
      turnsOf([said("user", text("Weather?")), said("root_agent", call("get_weather", { city: "Seattle" }))]),
      [{
        query: [text("Weather?")],
        tools: [["get_weather", { city: "Seattle" }]],
        intermediate: [],
        reference: undefined
      }]
    )
  })

  it("T272 texts on the way are told with who said them, and the last one is the answer", () => {
    assert.deepStrictEqual(
      turnsOf([
        said("user", text("Plan.")),
        said("root_agent", text("I ask."), call("ask", { a: 1 })),
        said("helper", text("I look."), call("look", {})),
        said("root_agent", text("Done."))
      ]),
      [{
        query: [text("Plan.")],
        tools: [["ask", { a: 1 }], ["look", {}]],
        intermediate: [["root_agent", [text("I ask.")]], ["helper", [text("I look.")]]],
        reference: [text("Done.")]
      }]
    )
  })

  it("T274 a session without messages has no turns, and what an agent says first is none", () => {
    assert.deepStrictEqual(turnsOf([]), [])
    assert.deepStrictEqual(
      turnsOf([said("root_agent", text("Hello.")), said("user", text("Hi.")), said("root_agent", text("Well?"))]).map(
        ({ reference }) => reference
      ),
      [[text("Well?")]]
    )
  })

  it("T275 a set in the old form is read as one of today's, and what it has besides is reported", () => {
    const { report, value } = readSet(oldSet)
    const [only, ...others] = value.evalCases
    assert.deepStrictEqual([value.evalSetId, only?.evalId, others], ["set", "roll_and_check", []])
    assert.deepStrictEqual(only?.sessionInput, {
      appName: "hello_world",
      userId: "user",
      state: { "user:Name": "Ada" }
    })
    assert.deepStrictEqual(only?.conversation[1], {
      invocationId: "roll_and_check-2",
      userContent: { role: "user", parts: [text("Roll twice.")] },
      finalResponse: { role: "model", parts: [text("3 is prime.")] },
      intermediateData: {
        toolUses: [{ name: "roll_die", args: { sides: 6 } }, { name: "check_prime", args: { nums: [3] } }],
        intermediateResponses: [["roller", [text("I rolled 3.")]]]
      }
    })
    assert.deepStrictEqual(report, [{
      path: ["0", "data", "1", "expected_tool_use", "0", "mock_tool_output"],
      problem: "today's form has no place for it"
    }])
  })

  it("T276 a row needs a query and a reference, and an empty session is none", () => {
    const rows = readSet([{ query: "Hello", reference: "World" }]).value.evalCases
    assert.deepStrictEqual(rows.map(({ conversation, evalId }) => [evalId, conversation.length]), [["set", 1]])
    assert.deepStrictEqual(rows[0]?.conversation[0]?.userContent.parts, [text("Hello")])
    const data = [{ query: "Hello", reference: "World" }]
    const [named] = readSet([{ name: "greet", data, initial_session: {} }]).value.evalCases
    assert.isFalse(named !== undefined && "sessionInput" in named)
    const error = Result.getOrThrow(Result.flip(Adk.importEvalSet([{ query: "Hello" }, { reference: "World" }])))
    assert.deepStrictEqual([error._tag, error.path], ["InteropError", ["1", "query"]])
  })

  it("T277 a trajectory is the mean of its turns, each all or nothing", () => {
    const roll = { name: "roll", args: { sides: 6 } }
    const check = { name: "check", args: { nums: [1] } }
    type Use = { readonly name: string; readonly args: Part; readonly mock_tool_output?: Part }
    const scoreOf = (...turns: ReadonlyArray<readonly [actual: ReadonlyArray<Use>, expected: ReadonlyArray<Use>]>) => {
      const asCall = ({ args, name }: Use) => ({ tool: name, parameters: args })
      const values = turns.map(([actual, expected]) =>
        Trajectory.score(expected.map(asCall), actual.map(asCall), "exact")
      )
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    assert.strictEqual(scoreOf([[roll, check], [roll, check]]), 1)
    assert.strictEqual(scoreOf([[roll], [check]]), 0)
    assert.strictEqual(scoreOf([[roll], [roll]], [[check], [roll]], [[roll], [roll]], [[roll], [check]]), 0.5)
    assert.strictEqual(scoreOf([[roll, check], [check, roll]]), 0)
    assert.strictEqual(scoreOf([[roll, check], [roll]]), 0)
    assert.strictEqual(scoreOf([[], []]), 1)
    assert.strictEqual(scoreOf([[roll], [{ ...roll, mock_tool_output: {} }]]), 1)
    assert.strictEqual(Scorer.trajectory().threshold, 1)
  })

  it.effect("T287 a session and an eval set go out as they came, up to nulls and the spelling", () =>
    Effect.gen(function*() {
      const session = {
        id: "trip_planner",
        app_name: "trip_planner_agent",
        user_id: "test_user",
        state: { origin: "San Francisco", "user:Prefs": { maxPrice: 100, pets_allowed: null }, list: [1, { aB: 2 }] },
        events: [
          {
            id: "8kQ2",
            invocation_id: "e-1b2",
            author: "user",
            timestamp: 1_741_218_715.233_54,
            content: { role: "user", parts: [{ text: "Plan a trip." }] },
            actions: { state_delta: {}, artifact_delta: {}, requested_auth_configs: {} }
          },
          {
            id: "9xZ1",
            invocation_id: "e-1b2",
            author: "identify_agent",
            branch: "trip_planner.identify_agent",
            timestamp: 1_741_218_716.5,
            content: {
              role: "model",
              parts: [
                { text: "I look.", thought: true, thought_signature: "c2ln" },
                { function_call: { id: "adk-1", name: "find_city", args: { maxPrice: 100, near_by: ["A b"] } } }
              ]
            },
            grounding_metadata: { web_search_queries: ["a"] },
            usage_metadata: { prompt_token_count: 12, candidates_token_count: 3, total_token_count: 15 },
            long_running_tool_ids: ["adk-1"],
            turn_complete: true
          },
          {
            id: "7aB3",
            invocation_id: "e-1b2",
            author: "identify_agent",
            timestamp: 1_741_218_717,
            content: {
              role: "user",
              parts: [{ function_response: { id: "adk-1", name: "find_city", response: { bestCity: "Rome" } } }]
            },
            actions: {
              state_delta: { "user:Prefs": { maxPrice: 100, pets_allowed: null } },
              transfer_to_agent: "writer"
            }
          }
        ],
        last_update_time: 1_741_218_717.25
      }
      const set = {
        eval_set_id: "trips",
        name: "Trips",
        eval_cases: [{
          eval_id: "one",
          conversation: [{
            invocation_id: "e-1",
            user_content: { role: "user", parts: [{ text: "Hi" }] },
            final_response: { role: "model", parts: [{ text: "Hello" }] },
            intermediate_data: {
              tool_uses: [{ id: "t-1", name: "find", args: { maxPrice: 1, near_by: null } }],
              intermediate_responses: [["helper", [{ text: "…" }]]]
            },
            creation_timestamp: 1_747_337_309.23
          }],
          session_input: { app_name: "trips", user_id: "u-1", state: { "user:Prefs": { maxPrice: 1 } } },
          a_later_field: { inner_name: 1 }
        }],
        creation_timestamp: 1_747_337_309.25
      }
      const { value } = readSet(set)
      assert.deepStrictEqual(Adk.exportEvalSet(value), set)
      assert.deepStrictEqual(Adk.exportEvalSet(readSet(Adk.exportEvalSet(value, { spelling: "camelCase" })).value), set)
      const through = (json: unknown, options: Adk.ExportOptions = {}) =>
        Effect.gen(function*() {
          const imported = yield* Effect.fromResult(Adk.importSession(json))
          yield* Imported.save(imported)
          return (yield* Adk.exportSession(imported.ref, options)).value
        }).pipe(Effect.provide(Layer.fresh(SessionStore.layerMemory)))
      assert.deepStrictEqual(yield* through(session), session)
      const camel = yield* through(session, { spelling: "camelCase", times: "seconds" })
      assert.isTrue(JSON.stringify(camel).includes(`"args":{"maxPrice":100,"near_by":["A b"]}`))
      assert.deepStrictEqual(yield* through(camel), session)
    }))
})
