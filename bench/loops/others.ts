/** The tools that are never called: `TOOLS=50` puts 49 of them beside the one that is. */
import { Effect, Schema } from "effect"
import { Tool } from "effect/ai"

export const others = Array.from(
  { length: Number(process.env["TOOLS"] ?? 1) - 1 },
  (_, index) =>
    Tool.make(`other_${index}`, {
      description: "Does something else.",
      parameters: Schema.Struct({ a: Schema.String, b: Schema.optionalKey(Schema.Int) }),
      success: Schema.Array(Schema.String)
    })
)

export const otherHandlers = Object.fromEntries(others.map((tool) => [tool.name, () => Effect.succeed([])]))
