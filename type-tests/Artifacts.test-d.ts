import {
  Agent,
  type AgentRunner,
  Artifacts,
  type ArtifactStore,
  Instructions,
  type State,
  SubAgent,
  Tool,
  type ToolCall,
  Toolkit
} from "tenon"
import { same } from "./same.ts"

const Reports = Artifacts.make("reports")
type Owned =
  | State.Owner<"reports", { readonly entries: ReadonlyArray<Artifacts.Entry> }>
  | ArtifactStore.ArtifactStore

// a collection is a field that brings its store along
const Look = Tool.make("look", { reads: [Reports] })
same<
  Tool.Requirements<typeof Look>,
  State.Read<"reports.entries", ReadonlyArray<Artifacts.Entry>> | Owned | ToolCall.ToolCall
>(true)

// who only reads cannot save
Toolkit.layer(Toolkit.make(Look), {
  // @ts-expect-error
  look: () => Reports.save("a.txt", "text")
})

// the store is what is left for a run to provide, also of a place in instructions and of a sub-agent's
const kit = Toolkit.make(Tool.make("write", { writes: [Reports], failure: Artifacts.Failure }))
const Child = Agent.make("child", { instructions: Instructions.template`${Reports.text("a.txt")}`, toolkit: kit })
const Parent = Agent.make("parent", {
  instructions: "Delegate.",
  subAgents: [SubAgent.make(Child, { returns: [Reports] })]
})
same<Extract<AgentRunner.Requires<typeof Parent>, ArtifactStore.ArtifactStore>, ArtifactStore.ArtifactStore>(true)

// a name is one literal, as of any section
// @ts-expect-error
Artifacts.make("reports" as string)
