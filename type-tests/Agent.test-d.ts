import { Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { Agent, Instructions, SubAgent, Toolkit } from "tenon"
import { Assistant, Conversation, Env, type Fetch, kit, Quota, Researcher, type SearchDocs } from "./fixture.ts"
import { same } from "./same.ts"

type Needs<T> = AiTool.Requirements<T>

// what an agent needs is what its parts need
same<Agent.Needs<typeof Researcher>, Needs<typeof SearchDocs> | Needs<typeof Fetch>>(true)
same<Agent.Tools<typeof Researcher>, typeof SearchDocs | typeof Fetch>(true)
same<(typeof Researcher)["name"], "researcher">(true)
same<
  Agent.Tools<typeof Assistant>,
  typeof Quota | typeof SearchDocs | typeof Fetch | Agent.Delegate<"researcher">
>(true)
const Plain = Agent.make("plain", { instructions: "" })
same<typeof Plain, Agent.Agent<"plain", never, never>>(true)
const Told = Agent.make("told", { instructions: Instructions.template`${Env.tenant} ${Conversation.title}` })
same<
  Agent.Needs<typeof Told>,
  (typeof Env.tenant)["Identifier"] | (typeof Conversation.title)["~reads"]
>(true)
declare const flag: boolean
const Perhaps = Agent.make("perhaps", { instructions: flag ? "" : Instructions.template`${Env.tenant}` })
same<Agent.Needs<typeof Perhaps>, (typeof Env.tenant)["Identifier"]>(true)

// a tool that parent and child share is no clash
const Shared = Agent.make("shared", { instructions: "", toolkit: kit, subAgents: [SubAgent.make(Researcher)] })
same<Agent.Tools<typeof Shared>, typeof SearchDocs | typeof Fetch | Agent.Delegate<"researcher">>(true)

// made in place, deep inside, nothing is lost
const Deep = Agent.make("deep", {
  instructions: "",
  subAgents: [
    SubAgent.make(Agent.make("middle", {
      instructions: Instructions.template`${Env.tenant}`,
      subAgents: [SubAgent.make(Agent.make("inner", { instructions: "", toolkit: Toolkit.make(Quota) }))]
    }))
  ]
})
same<Agent.Needs<typeof Deep>, (typeof Env.tenant)["Identifier"] | Needs<typeof Quota>>(true)
same<Agent.Tools<typeof Deep>, typeof Quota | Agent.Delegate<"inner"> | Agent.Delegate<"middle">>(true)

// a list in a variable
const subAgents: [SubAgent.SubAgent<"deep", never, never>, SubAgent.SubAgent<"researcher", never, never>] = null!
const Listed = Agent.make("listed", { instructions: "", subAgents })
same<Agent.Needs<typeof Listed>, never>(true)

// helpers that make agents
const helper = <const Name extends string>(name: Name) =>
  Agent.make(name, { instructions: "", toolkit: Toolkit.make(Quota) })
const Helped = helper("helped")
same<typeof Helped, Agent.Agent<"helped", Needs<typeof Quota>, typeof Quota>>(true)

// a wider type says `any agent`, and no more
export const any: Agent.Any = Assistant

// ----- output ---------------------------------------------------------------------------

const Typed = Agent.make("typed", { instructions: "", output: Schema.Struct({ n: Schema.Int }) })
same<Agent.Output<typeof Typed>, { readonly n: number }>(true)
same<Agent.Output<typeof Plain>, string>(true)
// an answer is JSON
// @ts-expect-error
Agent.make("typed", { instructions: "", output: Schema.instanceOf(URL) })

// an expected type does not change what is inferred
const listed: ReadonlyArray<Agent.Any> = [
  Agent.make("listed", { instructions: "", subAgents: [SubAgent.make(Researcher)] })
]
void listed

// where the schema may be absent, the answer may be a text
const Perchance = Agent.make("perchance", { instructions: "", ...(flag ? { output: Schema.Int } : {}) })
same<Agent.Output<typeof Perchance>, string | number>(true)
