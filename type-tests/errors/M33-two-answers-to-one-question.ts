// give these interrupts one type of answer
import { Effect, Schema } from "effect"
import { Agent, Interrupt, Middleware, SubAgent, Tool, Toolkit } from "tenon"
import { Researcher, SearchDocs } from "../fixture.ts"

const Approve = Interrupt.make("approve", { question: Schema.String, answer: Schema.Int })
const Other = Tool.make("other", { asks: [Approve] })

// error: give these interrupts one type of answer
// error: "approve"
Agent.make("both", { instructions: "", toolkit: Toolkit.make(SearchDocs, Other) })

// error: give these interrupts one type of answer
// error: "approve"
Agent.make("both", { instructions: "", toolkit: Toolkit.make(Other), subAgents: [SubAgent.make(Researcher)] })

// error: give these interrupts one type of answer
// error: "approve"
Agent.make("both", {
  instructions: "",
  toolkit: Toolkit.make(SearchDocs),
  middleware: [
    Middleware.make("m", {
      hooks: [Middleware.beforeTool({ asks: [Approve] }, () => Effect.asVoid(Approve.ask("?")))]
    })
  ]
})
