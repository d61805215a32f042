import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { AiError } from "effect/ai"
import { AgentError } from "tenon"

const rateLimit = AiError.make({ module: "Model", method: "generateText", reason: new AiError.RateLimitError({}) })
const refused = AiError.make({
  module: "Model",
  method: "generateText",
  reason: new AiError.InvalidRequestError({ description: "no" })
})

interface Sample {
  readonly reason: AgentError.Reason
  readonly message: string
  readonly retryable: boolean
}

/** One of each: a reason that is added without a sample does not compile. */
const samples: { readonly [Tag in AgentError.Reason["_tag"]]: Sample } = {
  ToolContextError: {
    reason: new AgentError.ToolContextError({ key: "tenant", problem: "missing" }),
    message: "the context key 'tenant' is missing: supply it with ToolContext.layer",
    retryable: false
  },
  ModelFailed: {
    reason: new AgentError.ModelFailed({ agent: "writer", error: rateLimit }),
    message: `the model of 'writer' failed: ${rateLimit.message}`,
    retryable: true
  },
  LimitReached: {
    reason: new AgentError.LimitReached({ limit: "time", max: 1_000, agent: "writer" }),
    message: "'writer' reached its limit of 1000 ms for time",
    retryable: false
  },
  HookFailed: {
    reason: new AgentError.HookFailed({ middleware: "guard", hook: "beforeTool", problem: "Refused" }),
    message: "'beforeTool' of 'guard' failed: Refused",
    retryable: false
  },
  StateError: {
    reason: new AgentError.StateError({ section: "search", version: 2, path: ["hits", "0"], problem: "no number" }),
    message: "the state at 'search.hits.0' (version 2): no number",
    retryable: false
  },
  SubAgentFailed: {
    reason: new AgentError.SubAgentFailed({ agent: "report", subAgent: "writer", problem: "no model" }),
    message: "'writer' failed in 'report': no model",
    retryable: false
  },
  SessionBusy: {
    reason: new AgentError.SessionBusy({ session: "s-1" }),
    message: "the session 's-1' has a run already: one writer a session (a killed one's lease must run out first)",
    retryable: true
  },
  InputTaken: {
    reason: new AgentError.InputTaken({ key: "m-1", invocation: "i2" }),
    message:
      "the message 'm-1' was taken by the invocation 'i2', which gave no answer: send a new one under a key of its own",
    retryable: false
  },
  LeaseLost: {
    reason: new AgentError.LeaseLost({ session: "s-1" }),
    message: "the lease of the session 's-1' is over: another run may write it now",
    retryable: true
  },
  StaleSession: {
    reason: new AgentError.StaleSession({ session: "s-1", expected: 3, actual: 4 }),
    message: "the session 's-1' is at revision 4, not 3: load it again",
    retryable: true
  },
  StateConflict: {
    reason: new AgentError.StateConflict({ fields: ["profile.name", "profile.age"] }),
    message: "changed meanwhile by another session: profile.name, profile.age",
    retryable: true
  },
  EventUnreadable: {
    reason: new AgentError.EventUnreadable({ session: "s-1", sequence: 4, problem: "it is damaged" }),
    message: "event 4 of the session 's-1' cannot be read: it is damaged",
    retryable: false
  },
  StoreFailed: {
    reason: new AgentError.StoreFailed({ problem: "disk full" }),
    message: "the session store failed: disk full",
    retryable: true
  },
  QuestionsOpen: {
    reason: new AgentError.QuestionsOpen({
      open: [{
        id: "i1.1.1?1",
        name: "confirm",
        question: "Sure?",
        call: "i1.1.1",
        tool: "erase",
        agentPath: ["writer"]
      }]
    }),
    message: "answer these questions first, or abandon them: confirm (i1.1.1?1)",
    retryable: false
  },
  AnswerRefused: {
    reason: new AgentError.AnswerRefused({ id: "i1.1.1?1", problem: "no open question has this id" }),
    message: "the answer to 'i1.1.1?1' was refused: no open question has this id",
    retryable: false
  },
  RunCancelled: {
    reason: new AgentError.RunCancelled({ key: "stop-1" }),
    message: "the run was cancelled by 'stop-1'",
    retryable: false
  },
  OutputInvalid: {
    reason: new AgentError.OutputInvalid({ agent: "writer", problem: "it is no JSON" }),
    message: "the answer of 'writer' does not fit its output: it is no JSON",
    retryable: false
  },
  ContractMismatch: {
    reason: new AgentError.ContractMismatch({
      session: "s-1",
      found: [{ kind: "call", at: "i1.1.1", event: 2, problem: "'a' has no tool 'b' any more", cure: "keep it" }]
    }),
    message:
      "the session 's-1' was written under another contract:\n- the call 'i1.1.1' (event 2): 'a' has no tool 'b' any more; keep it",
    retryable: false
  },
  UserMissing: {
    reason: new AgentError.UserMissing({ fields: ["profile.name"] }),
    message: "these fields belong to a user, pass 'user' to the run: profile.name",
    retryable: false
  },
  SessionMissing: {
    reason: new AgentError.SessionMissing({ app: "app", user: "u-1", session: "s-1" }),
    message:
      "there is no session 's-1' of the user 'u-1' in the app 'app' (the agent's name, unless the run named another): name it as the run did that began it",
    retryable: false
  },
  ToolNamesClash: {
    reason: new AgentError.ToolNamesClash({ tools: ["mcp_find"] }),
    message: "give the run-time toolkit another prefix, these names are taken: mcp_find",
    retryable: false
  }
}

const codec = Schema.toCodecJson(AgentError.AgentError)

describe("AgentError", () => {
  it.each(Object.entries(samples))("carries %s through JSON and back, with its message", (tag, { reason, message }) => {
    const error = AgentError.make(reason)
    const wire: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(codec)(error)))
    const read = Result.getOrThrow(Schema.decodeUnknownResult(codec)(wire))
    assert.strictEqual(read._tag, "AgentError")
    assert.strictEqual(read.reason._tag, tag)
    assert.instanceOf(read.reason, reason.constructor as typeof AgentError.StoreFailed)
    assert.deepStrictEqual(read.reason, reason)
    assert.deepStrictEqual([read.message, read.reason.message], [message, message])
  })

  it.each(Object.entries(samples))("knows whether %s may go away by itself", (_, { reason, retryable }) => {
    assert.strictEqual(AgentError.make(reason).isRetryable, retryable)
  })

  it("asks the model's own error whether it may go away by itself", () => {
    assert.isFalse(AgentError.make(new AgentError.ModelFailed({ agent: "a", error: refused })).isRetryable)
  })

  it.effect("is handled reason by reason", () =>
    Effect.gen(function*() {
      const failed: Effect.Effect<string, AgentError.AgentError> = Effect.fail(
        AgentError.make(new AgentError.LimitReached({ limit: "steps", max: 3, agent: "a" }))
      )
      const handled = yield* Effect.catchReason(failed, "AgentError", "LimitReached", ({ max }) =>
        Effect.succeed(`${max} steps`))
      assert.strictEqual(handled, "3 steps")
    }))

  it("says of a context value whether it is missing or wrong, and never what it is", () => {
    assert.strictEqual(
      new AgentError.ToolContextError({ key: "tenant", problem: "invalid" }).message,
      "the value supplied for the context key 'tenant' does not fit its schema"
    )
  })
})
