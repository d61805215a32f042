// give these interrupts one type of question and answer
// cure: Share one declaration of the interrupt, or rename one of the two.
import { Effect, Schema } from "effect"
import { Agent, Interrupt, Middleware, SubAgent, Tool, Toolkit } from "tenon"
import { Approve as Approved, Researcher, SearchDocs } from "../fixture.ts"

const Approve = Interrupt.make("approve", { question: Schema.String, answer: Schema.Int })
const Other = Tool.make("other", { asks: [Approve] })

// error: give these interrupts one type of question and answer: 'approve'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(SearchDocs, Other) })

// error: give these interrupts one type of question and answer: 'approve'
Agent.make("both", { instructions: "", toolkit: Toolkit.make(Other), subAgents: [SubAgent.make(Researcher)] })

// error: give these interrupts one type of question and answer: 'approve'
Agent.make("both", {
  instructions: "",
  toolkit: Toolkit.make(SearchDocs),
  middleware: [
    Middleware.make("m", {
      hooks: [Middleware.beforeTool({ asks: [Approve] }, () => Effect.asVoid(Approve.ask("?")))]
    })
  ]
})

const Counted = Interrupt.make("approve", { question: Schema.Int, answer: Schema.Boolean })

// error: give these interrupts one type of question and answer: 'approve'
Agent.make("both", {
  instructions: "",
  toolkit: Toolkit.make(SearchDocs, Tool.make("counted", { asks: [Counted] }))
})

// error: Asks<"approve", number, boolean>
Toolkit.layer(Toolkit.make(Tool.make("t", { asks: [Approved] })), { t: () => Effect.asVoid(Counted.ask(5)) })
