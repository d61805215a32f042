import { Schema } from "effect"
import { Agent, type AgentRunner, Compose, SubAgent } from "tenon"
import { Researcher } from "./fixture.ts"
import { same } from "./same.ts"

const Research = SubAgent.make(Researcher)
const Judge = SubAgent.make(Agent.make("judge", { instructions: "", output: Schema.Struct({ stars: Schema.Int }) }))
type Stars = { readonly stars: number }

// what the members need, the composition needs, with their handlers
const InOrder = Compose.sequential("in-order", { subAgents: [Research, Judge] })
same<Agent.Needs<typeof InOrder>, (typeof Research)["~needs"]>(true)
const Boss = Agent.make("boss", { instructions: "", subAgents: [Research] })
same<AgentRunner.Requires<typeof InOrder>, AgentRunner.Requires<typeof Boss>>(true)

// the last one answers; or all; or any
same<Agent.Output<typeof InOrder>, Stars>(true)
const Both = Compose.parallel("both", { subAgents: [Research, Judge] })
same<Agent.Output<typeof Both>, { readonly researcher: string; readonly judge: Stars }>(true)
// of two that are chosen between one answers, and nobody knows who is in a list
declare const some: ReadonlyArray<typeof Research>
const Chosen = Compose.parallel("chosen", { subAgents: [Judge, Math.random() > 0.5 ? Research : SubAgent.make(Boss)] })
same<
  Agent.Output<typeof Chosen>,
  { readonly judge: Stars; readonly researcher?: string; readonly boss?: string }
>(true)
const Listed = Compose.parallel("listed", { subAgents: [Judge, ...some] })
same<Agent.Output<typeof Listed>, { readonly judge?: Stars; readonly researcher?: string }>(true)
const Round = Compose.loop("round", { subAgents: [Research, Judge], times: 2 })
same<Agent.Output<typeof Round>, string | Stars>(true)

// compositions compose
const Nested = Compose.sequential("nested", { subAgents: [SubAgent.make(Both), SubAgent.make(Round)] })
same<Agent.Output<typeof Nested>, string | Stars>(true)

Compose.sequential("a", {
  subAgents: [Research],
  task: ({ answers, message }, name) => {
    same<typeof name, "researcher">(true)
    return `${message} ${answers.length}`
  }
})
