/**
 * The append-only record of a session: what happened, in order.
 *
 * Two folds read it. The state fold applies deltas; the history fold collects messages. An event leaves the runner only
 * after the store has it. Nothing of a ToolContext is ever in one.
 *
 * Each kind is a schema and an interface of its name, which also names its parts: so an editor shows it in a line.
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { Prompt } from "effect/ai"
import { Actions } from "./Actions.ts"
import { Open } from "./Interrupt.ts"
import { Operation, StateDelta } from "./StateDelta.ts"

/**
 * Tokens of one model call, or of several.
 *
 * @category models
 * @since 0.1.0
 */
export const Usage = Schema.Struct({ inputTokens: Schema.Int, outputTokens: Schema.Int })

/** @since 0.1.0 */
export interface Usage extends Schema.Schema.Type<typeof Usage> {}

/**
 * A section as a session stores it: its version, and the encoded initial values of its session fields.
 *
 * @category models
 * @since 0.1.0
 */
export const Section = Schema.Struct({ version: Schema.Int, fields: Schema.Record(Schema.String, Schema.Json) })

/** @since 0.1.0 */
export interface Section extends Schema.Schema.Type<typeof Section> {}

/**
 * A call that the model asked for.
 *
 * @category models
 * @since 0.1.0
 */
export const Call = Schema.Struct({
  /** Ours: by invocation, step and position. */
  id: Schema.String,
  /** The provider's, as it came. */
  providerId: Schema.String,
  tool: Schema.String,
  /** The arguments as the model gave them. */
  parameters: Schema.Unknown,
  /** The agent had no tool of this name when the model asked for it. */
  unknown: Schema.optionalKey(Schema.Literal(true))
})

/** @since 0.1.0 */
export interface Call extends Schema.Schema.Type<typeof Call> {}

/**
 * What came out of a call, encoded, as the model gets it.
 *
 * @category models
 * @since 0.1.0
 */
export const CallResult = Schema.Struct({
  isFailure: Schema.Boolean,
  value: Schema.Unknown,
  modelOutput: Schema.optionalKey(Schema.Array(Prompt.ToolModelOutputPart))
})

/** @since 0.1.0 */
export interface CallResult extends Schema.Schema.Type<typeof CallResult> {}

/**
 * What was done to `user` and `app` fields, for audit: their rows hold the truth.
 *
 * @category models
 * @since 0.1.0
 */
export const Shared = Schema.Struct({
  operations: Schema.Array(Operation),
  /** The versions that the rows have now, by field. */
  versions: Schema.Record(Schema.String, Schema.Int)
})

/** @since 0.1.0 */
export interface Shared extends Schema.Schema.Type<typeof Shared> {}

const head = {
  id: Schema.String,
  /** The event's place in the session's log, from 0. */
  sequence: Schema.Int,
  invocation: Schema.String,
  /** The agent's id. */
  agent: Schema.String,
  /** The names of the agents from the root down. */
  path: Schema.Array(Schema.String),
  /** Milliseconds since 1970. */
  time: Schema.Finite,
  /** When its content was redacted, if it was; milliseconds since 1970. */
  redacted: Schema.optionalKey(Schema.Finite)
}

const sections = Schema.Record(Schema.String, Section)

/**
 * Event 0: who the session is, and every stored section with its version and initial values.
 *
 * @category models
 * @since 0.1.0
 */
export const Created = Schema.Struct({
  ...head,
  kind: Schema.tag("created"),
  app: Schema.String,
  user: Schema.optionalKey(Schema.String),
  session: Schema.String,
  /** The fingerprint of the agent's contract. */
  fingerprint: Schema.String,
  sections
})

/** @since 0.1.0 */
export interface Created extends Schema.Schema.Type<typeof Created> {}

/**
 * A message for an agent: the user's, or a sub-agent's task.
 *
 * @category models
 * @since 0.1.0
 */
export const Input = Schema.Struct({
  ...head,
  kind: Schema.tag("input"),
  message: Prompt.UserMessage,
  /** The key that tells it from a second copy, where it has one. */
  key: Schema.optionalKey(Schema.String),
  delta: StateDelta,
  shared: Schema.optionalKey(Shared),
  /** Of a sub-agent: the call that delegates, and the place in the log whose state of the parent it starts from. */
  spawn: Schema.optionalKey(Schema.Struct({
    agent: Schema.String,
    call: Schema.String,
    base: Schema.Int,
    /** What it was called with, where that is more than a task. */
    parameters: Schema.optionalKey(Schema.Json)
  })),
  /** Sections that the log lacked until now. */
  sections: Schema.optionalKey(sections)
})

/** @since 0.1.0 */
export interface Input extends Schema.Schema.Type<typeof Input> {
  readonly delta: StateDelta
  readonly shared?: Shared
}

/**
 * A model call: what the model said, and the calls that it asked for. Appended before any handler starts.
 *
 * @category models
 * @since 0.1.0
 */
export const Model = Schema.Struct({
  ...head,
  kind: Schema.tag("model"),
  step: Schema.Int,
  messages: Schema.Array(Prompt.Message),
  calls: Schema.Array(Call),
  /** The tools that the model was shown, where a hook chose them. */
  shown: Schema.optionalKey(Schema.Array(Schema.String)),
  usage: Usage,
  finish: Schema.String
})

/** @since 0.1.0 */
export interface Model extends Schema.Schema.Type<typeof Model> {
  readonly calls: ReadonlyArray<Call>
  readonly usage: Usage
}

/**
 * The end of a call: its result, its delta and its actions, at once.
 *
 * @category models
 * @since 0.1.0
 */
export const CallEnded = Schema.Struct({
  ...head,
  kind: Schema.tag("call"),
  call: Schema.String,
  tool: Schema.String,
  result: CallResult,
  delta: StateDelta,
  shared: Schema.optionalKey(Shared),
  actions: Actions,
  /** It would have gone over a limit: it did not start, and does not count. */
  overLimit: Schema.optionalKey(Schema.Boolean)
})

/** @since 0.1.0 */
export interface CallEnded extends Schema.Schema.Type<typeof CallEnded> {
  readonly result: CallResult
  readonly delta: StateDelta
  readonly shared?: Shared
}

/**
 * What was written outside of a call: by a hook, or, with the middleware `"session"`, by `Session.write`, before a
 * sub-agent starts, or as sections that the log lacked.
 *
 * @category models
 * @since 0.1.0
 */
export const HookRan = Schema.Struct({
  ...head,
  kind: Schema.tag("hook"),
  middleware: Schema.String,
  hook: Schema.String,
  delta: StateDelta,
  shared: Schema.optionalKey(Shared),
  /** What hooks before a delegating call asked of the loop: it holds when the call ends. */
  actions: Schema.optionalKey(Actions),
  sections: Schema.optionalKey(sections)
})

/** @since 0.1.0 */
export interface HookRan extends Schema.Schema.Type<typeof HookRan> {
  readonly delta: StateDelta
  readonly shared?: Shared
}

/**
 * What stands in place of earlier messages of an agent from here on, in its history alone: the log keeps them, and State
 * is as it was.
 *
 * **Details**
 *
 * It replaces the messages that came from the agent's events between two places of the log, save for what is still open
 * when it is appended: a step with a call that waits for an answer, and what the invocation that goes on began with. A
 * step is replaced with the results of its calls. A compaction within a wider one does not hold any more,
 * whichever came first; of those that only overlap, each stands where what it replaces begins.
 *
 * @category models
 * @since 0.1.0
 */
export const Compacted = Schema.Struct({
  ...head,
  kind: Schema.tag("compacted"),
  /** Whose hook it was. */
  middleware: Schema.String,
  /** The first event whose messages are replaced, by its sequence. */
  from: Schema.Int,
  /** The last one. */
  to: Schema.Int,
  messages: Schema.Array(Prompt.Message),
  /** What it took to make them. */
  usage: Schema.optionalKey(Usage)
})

/** @since 0.1.0 */
export interface Compacted extends Schema.Schema.Type<typeof Compacted> {
  readonly usage?: Usage
}

/**
 * A question to the outside world.
 *
 * @category models
 * @since 0.1.0
 */
export const Asked = Schema.Struct({ ...head, kind: Schema.tag("asked"), question: Open })

/**
 * The answer to a question.
 *
 * @category models
 * @since 0.1.0
 */
export const Answered = Schema.Struct({
  ...head,
  kind: Schema.tag("answered"),
  question: Schema.String,
  answer: Schema.Json,
  /** The call stays pending: more answers will come. */
  progress: Schema.optionalKey(Schema.Boolean),
  /** Of an answer that came through the inbox: the key that tells it from a second copy. */
  key: Schema.optionalKey(Schema.String),
  sections: Schema.optionalKey(sections)
})

/** @since 0.1.0 */
export interface Answered extends Schema.Schema.Type<typeof Answered> {}

/** @since 0.1.0 */
export interface Asked extends Schema.Schema.Type<typeof Asked> {
  readonly question: Open
}

/**
 * What came through the inbox and changed nothing, and why: an answer that does not fit or comes too late, or a
 * cancellation that found no run.
 *
 * @category models
 * @since 0.1.0
 */
export const Refused = Schema.Struct({
  ...head,
  kind: Schema.tag("refused"),
  key: Schema.String,
  /** Of an answer: the id of the question that it was meant for. */
  question: Schema.optionalKey(Schema.String),
  problem: Schema.String
})

/** @since 0.1.0 */
export interface Refused extends Schema.Schema.Type<typeof Refused> {}

/**
 * What came after an event counts no more: neither for the state and the history nor for what is open. The log keeps it,
 * and its invocations and calls have been: their ids do not come again.
 *
 * @category models
 * @since 0.1.0
 */
export const Rewound = Schema.Struct({
  ...head,
  kind: Schema.tag("rewound"),
  /** The last event that counts before this one, by its sequence. */
  to: Schema.Int
})

/** @since 0.1.0 */
export interface Rewound extends Schema.Schema.Type<typeof Rewound> {}

/**
 * What an agent answered with.
 *
 * @category models
 * @since 0.1.0
 */
export const Answer = Schema.Struct({
  /** Who answered, by name. */
  agent: Schema.String,
  text: Schema.String,
  /** The value of the agent's output schema, encoded, where it has one. */
  output: Schema.optionalKey(Schema.Json)
})

/** @since 0.1.0 */
export interface Answer extends Schema.Schema.Type<typeof Answer> {}

/**
 * The end of a run.
 *
 * @category models
 * @since 0.1.0
 */
export const Ended = Schema.Struct({
  ...head,
  kind: Schema.tag("ended"),
  status: Schema.Literals(["completed", "paused", "failed", "cancelled"]),
  /** Milliseconds that the run took. */
  elapsed: Schema.Finite,
  /** Of a run that a cancellation in the inbox ended: the key that tells it from a second copy. */
  key: Schema.optionalKey(Schema.String),
  /** Of a completed invocation that a message with a key is part of: what a second copy of the message gets. */
  answer: Schema.optionalKey(Answer)
})

/** @since 0.1.0 */
export interface Ended extends Schema.Schema.Type<typeof Ended> {
  readonly answer?: Answer
}

/**
 * One record of a session's log.
 *
 * @category models
 * @since 0.1.0
 */
export const Event = Schema.Union([
  Created,
  Input,
  Model,
  CallEnded,
  HookRan,
  Compacted,
  Asked,
  Answered,
  Refused,
  Rewound,
  Ended
])

/** @since 0.1.0 */
export type Event =
  | Created
  | Input
  | Model
  | CallEnded
  | HookRan
  | Compacted
  | Asked
  | Answered
  | Refused
  | Rewound
  | Ended

type WithoutHead<E> = E extends Event ? Omit<E, keyof typeof head> : never

/** An event before the log gives it its place. @since 0.1.0 */
export type Body = WithoutHead<Event>

const codec = Schema.toCodecJson(Event)

/** An event as JSON. @category encoding @since 0.1.0 */
export const encode: (event: Event) => Schema.Json = Schema.encodeSync(codec)

/** Reads an event back. @category encoding @since 0.1.0 */
export const decode = Schema.decodeUnknownResult(codec)
