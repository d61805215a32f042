import { Agent, type State, SubAgent, type ToolContext } from "tenon"
import { type Db, Env, Researcher, Search } from "./fixture.ts"
import { same } from "./same.ts"

const Child = SubAgent.make(Researcher)
same<(typeof Child)["name"], "researcher">(true)
// what the child needs, the parent needs; what the child writes stays with the child
same<Extract<(typeof Child)["~needs"], State.AnyRight>, never>(true)
same<
  Extract<(typeof Child)["~needs"], ToolContext.AnyKey>,
  ToolContext.Key<"tenant", string> | ToolContext.LocalKey<"db", Db> | ToolContext.Key<"userId", number>
>(true)
same<
  Exclude<(typeof Child)["~needs"], State.AnyOwner | ToolContext.AnyKey>,
  Exclude<Agent.Needs<typeof Researcher>, State.AnyRight | State.AnyOwner | ToolContext.AnyKey>
>(true)

// what comes back is a write of the parent's
const Returning = SubAgent.make(Researcher, { returns: [Search.count, Search.byId] })
same<
  Extract<(typeof Returning)["~needs"], State.AnyRight>,
  Extract<(typeof Search.count)["~writes"] | (typeof Search.byId)["~writes"], State.AnyRight>
>(true)
// and may come back again
const Parent = Agent.make("parent", { instructions: "", subAgents: [Returning] })
const Again = SubAgent.make(Parent, { returns: [Search.count] })
same<Extract<(typeof Again)["~needs"], State.AnyRight>, Extract<(typeof Search.count)["~writes"], State.AnyRight>>(true)
// @ts-expect-error what does not come back to the parent cannot come back from it
SubAgent.make(Parent, { returns: [Search.lastQuery] })

// narrowing promises; it changes nothing of what is needed
const Narrow = SubAgent.make(Researcher, { narrow: [Env.tenant, Env.db, Env.userId, Env.token], snapshot: "step" })
same<(typeof Narrow)["~needs"], (typeof Child)["~needs"]>(true)
