/**
 * 14 · Evaluating an agent
 *
 * A case is what a user says and what is expected: the calls, the answer, the State that is left. Each case runs several
 * times, each time in a store of its own, and what goes wrong is a line of the report. Here a script speaks, and makes a
 * mistake in one run; with a provider's model in its place the cases stay as they are.
 */
import { Effect, Schema } from "effect"
import assert from "node:assert/strict"
import { Agent, Reducer, State, Tool, ToolContext, Toolkit } from "tenon"
import { ContractTest, Evaluation, EvaluationReport, Scorer, ScriptedModel, Trajectory } from "tenon/testing"

const Env = ToolContext.make({ tenant: Schema.String })
const Search = State.make("search", { count: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }) })
const Find = Tool.make("find", {
  parameters: Schema.Struct({ query: Schema.String }),
  success: Schema.String,
  context: [Env.tenant],
  combines: [Search.count]
})
const kit = Toolkit.make(Find)
const Assistant = Agent.make("assistant", { instructions: "Look before you answer.", toolkit: kit })
const FindLive = Toolkit.layer(kit, {
  find: Effect.fnUntraced(function*({ query }) {
    yield* Search.count.combine(1)
    return `${yield* Env.tenant}/${query}.md`
  })
})

// ----- what the agent is, before it runs -------------------------------------------------

ContractTest.requires(Assistant, ["tenant"])
ContractTest.writes(Find, ["search.count"])
ContractTest.noConflict(Find, Find)

// ----- what it does ----------------------------------------------------------------------

const look = ScriptedModel.call("find", { query: "licence" })
const answer = ScriptedModel.text("It is in acme/licence.md.")

const report = await Effect.runPromise(
  Evaluation.run(Assistant, {
    name: "assistant",
    cases: [
      {
        name: "looks before it answers",
        context: { tenant: "acme" },
        turns: [{
          input: "Where is the licence?",
          calls: [Trajectory.call(Find, ({ query }) => query.includes("licence"))],
          answer: "It is in acme/licence.md."
        }],
        scorers: [Scorer.state(Search.count, 1)]
      },
      {
        name: "greets",
        context: { tenant: "acme" },
        turns: [{ input: "Hello", calls: [] }],
        scorers: [Scorer.state(Search.count, 0), Scorer.textContains("good day")]
      }
    ],
    scorers: [Scorer.trajectory(), Scorer.rouge1()],
    repeats: 2,
    layer: ({ name }, run) =>
      ScriptedModel.layer(
        name === "greets" ? [ScriptedModel.text("Good day.")] : run === 1 ? [look, answer] : [answer]
      )
  }).pipe(Effect.provide(FindLive))
)

console.log(EvaluationReport.table(report))
assert.equal(EvaluationReport.passAny(report, 2), 1)
assert.equal(EvaluationReport.passAll(report, 2), 0.5)

// a program that wants more than three runs of four would end here with another code than 0
await Effect.runPromise(EvaluationReport.check(report, { passRate: 0.75, scores: { "rouge-1": 0.9 } }))
