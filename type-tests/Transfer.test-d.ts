import type { Effect } from "effect"
import { Schema } from "effect"
import { Agent, type AgentRunner, Tool, type ToolCall, Toolkit, Transfer } from "tenon"
import { Researcher } from "./fixture.ts"
import { same } from "./same.ts"

// what the target needs, the agent that lists it needs, with its handlers
const Desk = Agent.make("desk", { instructions: "", transfers: [Transfer.make(Researcher)] })
same<Agent.Needs<typeof Desk>, Agent.Needs<typeof Researcher>>(true)
same<AgentRunner.Requires<typeof Desk>, AgentRunner.Requires<typeof Researcher>>(true)

// a tool that transfers needs somebody to transfer to: within the list, or who lists its agent
const ToPerson = Transfer.to("person")
const Refund = Tool.make("refund", { dependencies: [ToPerson] })
const Clerk = Agent.make("clerk", { instructions: "", toolkit: Toolkit.make(Refund) })
same<Extract<Agent.Needs<typeof Clerk>, Transfer.AnyTo>, Transfer.To<"person">>(true)
const Person = Agent.make("person", { instructions: "", transfers: [Transfer.make(Clerk)] })
same<Extract<Agent.Needs<typeof Person>, Transfer.AnyTo>, never>(true)
const Other = Agent.make("other", {
  instructions: "",
  transfers: [Transfer.make(Clerk), Transfer.make(Agent.make("person", { instructions: "" }))]
})
same<Extract<Agent.Needs<typeof Other>, Transfer.AnyTo>, never>(true)

declare const call: ToolCall.Shape
same<ReturnType<typeof call.actions.transfer<"person">>, Effect.Effect<void, never, Transfer.To<"person">>>(true)

// whoever has the conversation answers
const Judge = Agent.make("judge", { instructions: "", output: Schema.Struct({ stars: Schema.Int }) })
const Root = Agent.make("root", { instructions: "", transfers: [Transfer.make(Judge)] })
same<Agent.Output<typeof Root>, string | { readonly stars: number }>(true)

// where a list may be absent, nobody is there for sure
declare const isOpen: boolean
const Maybe = Agent.make("maybe", {
  instructions: "",
  toolkit: Toolkit.make(Refund),
  ...(isOpen ? { transfers: [Transfer.make(Agent.make("person", { instructions: "" }))] } : {})
})
same<Extract<Agent.Needs<typeof Maybe>, Transfer.AnyTo>, Transfer.To<"person">>(true)

// @ts-expect-error a target is one name
Transfer.to("a" as "a" | "b")
