import { Instructions, type State, type ToolContext } from "tenon"
import { Conversation, Env, Search } from "./fixture.ts"
import { same } from "./same.ts"

const text = Instructions.template`Help.`
same<typeof text, Instructions.Instructions<never>>(true)
const both = Instructions.template`For ${Env.tenant}, about ${Conversation.title}; last: ${Search.lastQuery}.`
same<
  typeof both,
  Instructions.Instructions<
    | ToolContext.Key<"tenant", string>
    | State.Read<"conversation.title", string>
    | State.Owner<"conversation", { readonly title: string }>
    | (typeof Search.lastQuery)["~reads"]
  >
>(true)

// plain texts and numbers need nothing
const plain = Instructions.template`Answer in ${"German"}, in ${3} sentences.`
same<typeof plain, Instructions.Instructions<never>>(true)

// other instructions pass on what they need
const outer = Instructions.template`${both} ${Env.tenant} ${Instructions.template`Help.`}`
same<typeof outer, typeof both>(true)
