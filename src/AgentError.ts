/**
 * Why a run failed. One error, whose `reason` is one of a closed set of small ones.
 *
 * Handle one with `Effect.catchReason("AgentError", "LimitReached", …)`. Every reason survives encoding and decoding.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { AiError } from "effect/ai"
import { ToolContextError } from "./internal/supply.ts"
import * as Interrupt from "./Interrupt.ts"

export { ToolContextError }

/** The model failed, after its own retries. @category reasons @since 0.1.0 */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  agent: Schema.String,
  error: AiError.AiError
}) {
  override get message(): string {
    return `the model of '${this.agent}' failed: ${this.error.message}`
  }
}

/** A limit of the invocation was reached. What was committed stays, and the session can go on. @category reasons @since 0.1.0 */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  limit: Schema.Literals(["steps", "toolCalls", "tokens", "time"]),
  /** The limit: a count, or milliseconds for time. */
  max: Schema.Finite,
  agent: Schema.String
}) {
  override get message(): string {
    const unit = this.limit === "time" ? " ms" : ""
    return `'${this.agent}' reached its limit of ${this.max}${unit} for ${this.limit}`
  }
}

/** A hook failed, or instructions, or what middleware provides. @category reasons @since 0.1.0 */
export class HookFailed extends Schema.TaggedError<HookFailed>()("HookFailed", {
  /** The middleware; of instructions also the agent. */
  middleware: Schema.String,
  hook: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `'${this.hook}' of '${this.middleware}' failed: ${this.problem}`
  }
}

/** A stored value does not fit this program. The stored bytes stay as they are. @category reasons @since 0.1.0 */
export class StateError extends Schema.TaggedError<StateError>()("StateError", {
  section: Schema.String,
  version: Schema.Int,
  path: Schema.Array(Schema.String),
  problem: Schema.String
}) {
  override get message(): string {
    return `the state at '${[this.section, ...this.path].join(".")}' (version ${this.version}): ${this.problem}`
  }
}

/** The session is run by somebody else. @category reasons @since 0.1.0 */
export class SessionBusy extends Schema.TaggedError<SessionBusy>()("SessionBusy", { session: Schema.String }) {
  override get message(): string {
    return `the session '${this.session}' has a run already: one writer a session (a killed one's lease must run out first)`
  }
}

/**
 * The lease that a run writes its session under is over: it was not renewed in time, and another run took the session on;
 * or it was given back, or its session was removed. What the run did since its last commit is not kept.
 *
 * @category reasons
 * @since 0.1.0
 */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { session: Schema.String }) {
  override get message(): string {
    return `the lease of the session '${this.session}' is over: another run may write it now`
  }
}

/** Somebody else appended to the session in the meantime. @category reasons @since 0.1.0 */
export class StaleSession extends Schema.TaggedError<StaleSession>()("StaleSession", {
  session: Schema.String,
  expected: Schema.Int,
  actual: Schema.Int
}) {
  override get message(): string {
    return `the session '${this.session}' is at revision ${this.actual}, not ${this.expected}: load it again`
  }
}

/** A `user` or `app` field that a call or hook saw has changed meanwhile. @category reasons @since 0.1.0 */
export class StateConflict extends Schema.TaggedError<StateConflict>()("StateConflict", {
  fields: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `changed meanwhile by another session: ${this.fields.join(", ")}`
  }
}

/**
 * A stored event was damaged, or is one that this program cannot read. The stored bytes stay as they are.
 *
 * @category reasons
 * @since 0.1.0
 */
export class EventUnreadable extends Schema.TaggedError<EventUnreadable>()("EventUnreadable", {
  session: Schema.String,
  sequence: Schema.Int,
  problem: Schema.String
}) {
  override get message(): string {
    return `event ${this.sequence} of the session '${this.session}' cannot be read: ${this.problem}`
  }
}

/** The store failed. @category reasons @since 0.1.0 */
export class StoreFailed extends Schema.TaggedError<StoreFailed>()("StoreFailed", { problem: Schema.String }) {
  override get message(): string {
    return `the session store failed: ${this.problem}`
  }
}

/**
 * A store that one process holds at a time is held by another one. A killed process holds it for a term.
 *
 * @category errors
 * @since 0.1.0
 */
export class StoreHeld extends Schema.TaggedError<StoreHeld>()("StoreHeld", {}) {
  override get message(): string {
    return "another process holds the session store: one at a time (a killed one's term must run out first)"
  }
}

/** A new message came while questions wait for their answers. @category reasons @since 0.1.0 */
export class QuestionsOpen extends Schema.TaggedError<QuestionsOpen>()("QuestionsOpen", {
  open: Schema.Array(Interrupt.Open)
}) {
  override get message(): string {
    const ids = this.open.map(({ id, name }) => `${name} (${id})`).join(", ")
    return `answer these questions first, or abandon them: ${ids}`
  }
}

/** An answer was refused; nothing changed, and the question stays as it was. @category reasons @since 0.1.0 */
export class AnswerRefused extends Schema.TaggedError<AnswerRefused>()("AnswerRefused", {
  id: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `the answer to '${this.id}' was refused: ${this.problem}`
  }
}

/**
 * A cancellation that was posted ended the run: its running tools were cancelled, its calls are closed, and the session
 * can go on.
 *
 * @category reasons
 * @since 0.1.0
 */
export class RunCancelled extends Schema.TaggedError<RunCancelled>()("RunCancelled", {
  /** The key that the cancellation was posted under. */
  key: Schema.String
}) {
  override get message(): string {
    return `the run was cancelled by '${this.key}'`
  }
}

/**
 * A message was sent again under its key. It was taken before, and got no answer, and the session has gone on since: it is
 * not taken a second time.
 *
 * @category reasons
 * @since 0.1.0
 */
export class InputTaken extends Schema.TaggedError<InputTaken>()("InputTaken", {
  key: Schema.String,
  /** The invocation that took it. */
  invocation: Schema.String
}) {
  override get message(): string {
    return `the message '${this.key}' was taken by the invocation '${this.invocation}', which gave no answer: send a new one under a key of its own`
  }
}

/** The agent's answer does not fit its output schema, also after the model was asked again. @category reasons @since 0.1.0 */
export class OutputInvalid extends Schema.TaggedError<OutputInvalid>()("OutputInvalid", {
  agent: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `the answer of '${this.agent}' does not fit its output: ${this.problem}`
  }
}

/** A sub-agent that a composition called failed. @category reasons @since 0.1.0 */
export class SubAgentFailed extends Schema.TaggedError<SubAgentFailed>()("SubAgentFailed", {
  /** The composition. */
  agent: Schema.String,
  subAgent: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `'${this.subAgent}' failed in '${this.agent}': ${this.problem}`
  }
}

/** The agent touches fields of a user, and the run names none. @category reasons @since 0.1.0 */
export class UserMissing
  extends Schema.TaggedError<UserMissing>()("UserMissing", { fields: Schema.Array(Schema.String) })
{
  override get message(): string {
    return `these fields belong to a user, pass 'user' to the run: ${this.fields.join(", ")}`
  }
}

/** A session of that name does not exist. @category reasons @since 0.1.0 */
export class SessionMissing extends Schema.TaggedError<SessionMissing>()("SessionMissing", {
  app: Schema.String,
  user: Schema.optionalKey(Schema.String),
  session: Schema.String
}) {
  override get message(): string {
    const whose = this.user === undefined ? "without a user" : `of the user '${this.user}'`
    return `there is no session '${this.session}' ${whose} in the app '${this.app}' (the agent's name, unless the run named another): name it as the run did that began it`
  }
}

/**
 * A session of that name is there already.
 *
 * @category errors
 * @since 0.1.0
 */
export class SessionExists extends Schema.TaggedError<SessionExists>()("SessionExists", {
  app: Schema.String,
  user: Schema.optionalKey(Schema.String),
  session: Schema.String
}) {
  override get message(): string {
    return `there is a session '${this.session}' in the app '${this.app}' already: choose another name, or remove it first`
  }
}

/** Tools that are known only at run time have names that are taken. @category reasons @since 0.1.0 */
export class ToolNamesClash extends Schema.TaggedError<ToolNamesClash>()("ToolNamesClash", {
  tools: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `give the run-time toolkit another prefix, these names are taken: ${this.tools.join(", ")}`
  }
}

/**
 * What a session holds that a program no longer takes.
 *
 * @category models
 * @since 0.1.0
 */
export const Mismatch = Schema.Struct({
  kind: Schema.Literals(["question", "call", "field", "answer"]),
  /** The id of the question or the call, the field's full name, or the invocation of the answer. */
  at: Schema.String,
  /** The event that it stands in, by its sequence. */
  event: Schema.Int,
  problem: Schema.String,
  cure: Schema.String
})

/** @since 0.1.0 */
export interface Mismatch extends Schema.Schema.Type<typeof Mismatch> {}

/**
 * The session was written under a contract that this program does not have any more. Nothing was written, and no model
 * was asked; `AgentRunner.abandon` works all the same.
 *
 * @category reasons
 * @since 0.1.0
 */
export class ContractMismatch extends Schema.TaggedError<ContractMismatch>()("ContractMismatch", {
  session: Schema.String,
  found: Schema.Array(Mismatch)
}) {
  override get message(): string {
    const found = this.found.map(({ at, cure, event, kind, problem }) =>
      `the ${kind} '${at}' (event ${event}): ${problem}; ${cure}`
    )
    return [`the session '${this.session}' was written under another contract:`, ...found].join("\n- ")
  }
}

/**
 * Everything that can be the reason.
 *
 * @category models
 * @since 0.1.0
 */
export const Reason = Schema.Union([
  ToolContextError,
  ModelFailed,
  LimitReached,
  HookFailed,
  StateError,
  SessionBusy,
  LeaseLost,
  StaleSession,
  StateConflict,
  EventUnreadable,
  StoreFailed,
  QuestionsOpen,
  AnswerRefused,
  RunCancelled,
  InputTaken,
  OutputInvalid,
  SubAgentFailed,
  UserMissing,
  SessionMissing,
  ToolNamesClash,
  ContractMismatch
])

/** @since 0.1.0 */
export type Reason = typeof Reason.Type

const retryable: ReadonlySet<Reason["_tag"]> = new Set([
  "SessionBusy",
  "LeaseLost",
  "StaleSession",
  "StateConflict",
  "StoreFailed"
])

/**
 * A run failed. What it committed before stays, and the session can go on.
 *
 * @category errors
 * @since 0.1.0
 */
export class AgentError extends Schema.TaggedError<AgentError>()("AgentError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }

  /** May the same run succeed when it is tried again? */
  get isRetryable(): boolean {
    return this.reason._tag === "ModelFailed" ? this.reason.error.isRetryable : retryable.has(this.reason._tag)
  }
}

/** Wraps a reason. @category constructors @since 0.1.0 */
export const make = (reason: Reason): AgentError => new AgentError({ reason })
