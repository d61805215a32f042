import { Effect, type Layer, type Option, Schema } from "effect"
import type { AiError, Tool as AiTool } from "effect/ai"
import { type StateDelta, Tool, type ToolContext } from "tenon"
import { ToolTest } from "tenon/testing"
import { Approve, Conversation, type Db, Env, Search, type SearchDocs } from "../fixture.ts"
import { same } from "../same.ts"

// a value for each key and field, and nothing else
same<
  ToolTest.Values<typeof SearchDocs>,
  {
    readonly tenant: string
    readonly db: Db
    readonly "conversation.title": string
    readonly "search.lastQuery": Option.Option<string>
    readonly "search.byId": { readonly [x: string]: { readonly tags: ReadonlyArray<string> } }
    readonly "search.count": number
  }
>(true)
same<ToolTest.Answers<typeof SearchDocs>, { readonly approve: boolean }>(true)
const Nothing = Tool.make("nothing", {})
ToolTest.layer(Nothing, {})

// the layer gives all that the tool may touch
const Count = Tool.make("count", {
  parameters: Schema.Struct({ by: Schema.Int }),
  success: Schema.Int,
  failure: Schema.String,
  context: [Env.tenant],
  reads: [Conversation.title],
  combines: [Search.count],
  asks: [Approve]
})
const layer = ToolTest.layer(Count, { tenant: "acme", "conversation.title": "", "search.count": 0 })
same<typeof layer, Layer.Layer<AiTool.Requirements<typeof Count>, ToolContext.ToolContextError>>(true)
const call = ToolTest.call(Count, { by: 1 })
same<Effect.Success<typeof call>, number>(true)
same<Effect.Error<typeof call>, string | AiError.AiError | AiError.AiErrorReason>(true)
const provided = Effect.provide(call, layer)
same<Effect.Services<typeof provided>, AiTool.Handler<"count">>(true)
same<typeof ToolTest.delta, Effect.Effect<StateDelta.StateDelta>>(true)
