/** What the package shows, and that it steps on no name of effect's. */
import { assert, describe, it } from "@effect/vitest"
import * as effect from "effect"
import * as ai from "effect/ai"
import * as tenon from "tenon"
import * as aiSdk from "tenon/ai-sdk"
import * as interop from "tenon/interop"
import * as middleware from "tenon/middleware"
import * as sql from "tenon/sql"
import * as testing from "tenon/testing"

/** Names of values, module by module. */
const surface = (barrel: Readonly<Record<string, object>>): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(Object.entries(barrel).map(([name, module]) => [name, Object.keys(module).sort()]))

describe("tenon", () => {
  it("exports these names, and no others", () => {
    assert.deepStrictEqual(surface(tenon), {
      Actions: ["Actions", "isEmpty", "merge", "none"],
      Agent: ["make"],
      AgentError: [
        "AgentError",
        "AnswerRefused",
        "ContractMismatch",
        "EventUnreadable",
        "HookFailed",
        "InputTaken",
        "LeaseLost",
        "LimitReached",
        "Mismatch",
        "ModelFailed",
        "OutputInvalid",
        "QuestionsOpen",
        "Reason",
        "RunCancelled",
        "SessionBusy",
        "SessionExists",
        "SessionMissing",
        "StaleSession",
        "StateConflict",
        "StateError",
        "StoreFailed",
        "StoreHeld",
        "SubAgentFailed",
        "ToolContextError",
        "ToolNamesClash",
        "UserMissing",
        "make"
      ],
      AgentRunner: ["abandon", "post", "resume", "run", "stream"],
      ArtifactStore: ["ArtifactStore", "ArtifactStoreFailed", "layerKvs", "layerMemory", "make"],
      Artifacts: [
        "ArtifactLost",
        "Entry",
        "Failure",
        "Session",
        "User",
        "make",
        "namesIn",
        "read",
        "textOf",
        "versionsIn"
      ],
      Compose: ["loop", "parallel", "sequential"],
      Contract: [
        "Change",
        "Snapshot",
        "SnapshotError",
        "decode",
        "diff",
        "fingerprint",
        "of",
        "on",
        "report",
        "table",
        "toJson",
        "tree"
      ],
      CredentialStore: ["CredentialStore", "CredentialStoreFailed", "layerMemory", "make"],
      Credentials: [
        "CredentialRefused",
        "Decision",
        "Failure",
        "Need",
        "Question",
        "Scheme",
        "grant",
        "make",
        "refuse"
      ],
      Event: [
        "Answer",
        "Answered",
        "Asked",
        "Call",
        "CallEnded",
        "CallResult",
        "Compacted",
        "Created",
        "Ended",
        "Event",
        "HookRan",
        "Input",
        "Model",
        "Refused",
        "Rewound",
        "Section",
        "Shared",
        "Usage",
        "decode",
        "encode"
      ],
      History: ["HistoryRefused", "compact", "fork", "redact", "rewind"],
      Instructions: ["make", "template"],
      Interrupt: ["Approval", "Decision", "Open", "approve", "edit", "fromJson", "make", "progress", "reject"],
      KvsStore: ["layer"],
      MemoryStore: ["Memory", "MemoryStore", "MemoryStoreFailed", "ingest", "layerMemory"],
      Middleware: [
        "afterModel",
        "afterRun",
        "afterTool",
        "answer",
        "aroundTool",
        "beforeModel",
        "beforeRun",
        "beforeStep",
        "beforeTool",
        "change",
        "compact",
        "edit",
        "make",
        "onEvent",
        "provide",
        "refuse",
        "result"
      ],
      ModelPlan: ["forAgent", "layer"],
      Precedence: ["isInternalKey", "isReserved", "override", "table"],
      Reconcile: ["failed", "notRun", "on", "succeeded", "unknown"],
      Reducer: ["append", "make", "max", "min", "sum", "union"],
      Session: ["decode", "encode", "fold", "load", "newest", "page", "write"],
      SessionDocument: ["exportSession", "importSession", "jsonSchema"],
      SessionStore: ["SessionStore", "Waiting", "layerMemory", "layerMemoryWith"],
      State: ["field", "history", "layer", "make", "optional", "record"],
      StateDelta: [
        "Operation",
        "StateDelta",
        "StateDeltaError",
        "apply",
        "applyOperation",
        "applyResult",
        "concat",
        "decode",
        "empty",
        "encode",
        "isEmpty",
        "make"
      ],
      StateSerializer: ["Envelope", "Section", "make"],
      SubAgent: ["make"],
      Tool: ["Idempotent", "Readonly", "make"],
      ToolCall: ["ToolCall", "layer"],
      ToolContext: ["ToolContextError", "layer", "layerUnknown", "make", "merged", "value"],
      Toolkit: ["dynamic", "layer", "make", "merge"],
      Transfer: ["make", "to"]
    })
  })

  it("shares with effect only the names of what it stands in for, and `Reducer`", () => {
    const theirs = new Set([...Object.keys(effect), ...Object.keys(ai)])
    assert.deepStrictEqual(Object.keys(tenon).filter((name) => theirs.has(name)).sort(), ["Reducer", "Tool", "Toolkit"])
  })

  it("has services under keys of its own, and shows two marks of effect's", () => {
    const keys = Object.values(tenon).flatMap((module) => Object.values(module as Readonly<Record<string, unknown>>))
      .flatMap((each) => typeof each === "function" && "key" in each && typeof each.key === "string" ? [each] : [])
    assert.sameMembers(keys.map(({ key }) => key), [
      "effect/ai/Tool/Idempotent",
      "effect/ai/Tool/Readonly",
      "tenon/ArtifactStore",
      "tenon/CredentialStore",
      "tenon/MemoryStore",
      "tenon/SessionStore",
      "tenon/ToolCall"
    ])
  })
})

describe("tenon/ai-sdk", () => {
  it("exports these names, and no others", () => {
    assert.deepStrictEqual(surface(aiSdk), {
      AiSdk: ["RequestSettings", "layer", "make", "model", "providerTool"]
    })
  })
})

describe("tenon/testing", () => {
  it("exports these names, and no others", () => {
    assert.deepStrictEqual(surface(testing), {
      ArtifactStoreTest: ["CaseFailed", "cases"],
      ContractTest: [
        "ContractTestFailed",
        "Problem",
        "asks",
        "asksNothing",
        "noConflict",
        "requires",
        "sees",
        "writes",
        "writesNothing"
      ],
      CredentialStoreTest: ["CaseFailed", "cases"],
      Evaluation: ["run"],
      EvaluationReport: [
        "Report",
        "Run",
        "Score",
        "ThresholdsMissed",
        "cases",
        "check",
        "fromJson",
        "make",
        "passAll",
        "passAny",
        "table",
        "toJUnit",
        "toJson"
      ],
      Generate: ["context", "parameters", "state"],
      MemoryStoreTest: ["CaseFailed", "cases"],
      Recording: [
        "Recording",
        "RecordingDiffers",
        "RecordingMissing",
        "RecordingUnreadable",
        "assertComplete",
        "decode",
        "document",
        "encode",
        "layerFile",
        "layerRecord",
        "layerReplay",
        "model",
        "toScript"
      ],
      Scorer: [
        "ScorerFailed",
        "judge",
        "make",
        "output",
        "overlap",
        "rouge1",
        "state",
        "stateHas",
        "textContains",
        "textEquals",
        "trajectory"
      ],
      ScriptedModel: [
        "ScriptIncomplete",
        "ScriptedModel",
        "assertComplete",
        "call",
        "calls",
        "fail",
        "layer",
        "make",
        "never",
        "requests",
        "text"
      ],
      SessionStoreTest: ["CaseFailed", "cases"],
      TestAgent: ["RunFailed", "check", "make", "places", "transcript"],
      ToolTest: ["call", "delta", "layer"],
      Trajectory: ["call", "of", "score"]
    })
  })
})

describe("tenon/interop", () => {
  it("exports these names, and no others", () => {
    assert.deepStrictEqual(surface(interop), {
      Adk: [
        "Carried",
        "EvalCase",
        "EvalSet",
        "evalCaseOf",
        "evaluationCase",
        "exportEvalSet",
        "exportEvents",
        "exportSession",
        "importEvalSet",
        "importSession"
      ],
      Imported: ["InteropError", "save"],
      Prompts: ["exportPrompt", "importPrompt"],
      Sagents: ["Carried", "exportState", "importState"],
      UiMessages: ["UiMessage", "UiPart", "fromHistory", "toHistory"]
    })
  })
})

describe("tenon/sql", () => {
  it("exports these names, and no others", () => {
    assert.deepStrictEqual(surface(sql), {
      SqlArtifacts: ["layer", "layerSqlite"],
      SqlCredentials: ["keys", "layer", "layerSqlite"],
      SqlMemories: ["layer", "layerSqlite"],
      SqlStore: ["layer", "layerSqlite"]
    })
  })
})

describe("tenon/middleware", () => {
  it("exports these names, and no others", () => {
    assert.deepStrictEqual(surface(middleware), {
      Budget: ["BudgetExceeded", "Session", "User", "make"],
      Compaction: ["byModel", "every", "make", "over"],
      ConversationTitle: ["Conversation", "byModel", "make"],
      DebugLog: ["make"],
      Guardrails: ["Section", "input", "make", "output", "refuse", "replace", "toolArguments", "toolResult"],
      HumanApproval: ["Session", "User", "make"],
      Memory: ["Found", "SearchMemory", "layer", "make"],
      RepairHistory: ["make", "repair"],
      ResultCache: ["Store", "layer", "layerMemory", "make"],
      SpanAttributes: ["make"],
      TodoList: ["Item", "Status", "Todo", "Todos", "WriteTodos", "isOpen", "layer", "make", "parse"],
      ToolRetry: ["make"],
      ToolTimeout: ["make"],
      VirtualFiles: [
        "DeleteFile",
        "EditFile",
        "FileProblem",
        "Files",
        "Ls",
        "ReadFile",
        "WriteFile",
        "layer",
        "make"
      ]
    })
  })
})
