/** Tools that touch no data: thinking, arithmetic, handing over. */
import { Effect, Result, Schema } from "effect"
import { Tool, Toolkit } from "tenon"
import { asText, refuse } from "../answer.ts"
import { calculate } from "../calculator.ts"
import { float, round2 } from "../python.ts"

export const Think = Tool.make("think", {
  description: "Think about something. It changes nothing and finds nothing out.",
  parameters: Schema.Struct({ thought: Schema.String }),
  success: Schema.String
})

export const Calculate = Tool.make("calculate", {
  description: "Calculate the value of an expression of numbers, + - * / and parentheses.",
  parameters: Schema.Struct({ expression: Schema.String }),
  success: Schema.String
})

export const TransferToHumanAgents = Tool.make("transfer_to_human_agents", {
  description: "Hand the customer over to a person, with a summary. Only where no other tool can help.",
  parameters: Schema.Struct({ summary: Schema.String }),
  success: Schema.String
})

export const ThinkingTools = Toolkit.make(Think, Calculate, TransferToHumanAgents)

export const ThinkingLive = Toolkit.layer(ThinkingTools, {
  think: () => Effect.succeed(""),

  calculate: ({ expression }) =>
    asText(Result.match(calculate(expression), {
      onSuccess: (value) => Effect.succeed(float(round2(value))),
      onFailure: refuse
    })),

  transfer_to_human_agents: () => Effect.succeed("Transfer successful")
})
