/**
 * A typed question that the outside world answers.
 *
 * Asking is a requirement that a tool declares under `asks`; answering takes a value of the answer's type. To ask ends
 * the attempt: nothing that the handler did so far is kept, and with the answer it runs again from its start. So ask
 * first. (Fibers are *cancelled*; the word interrupt is not used for them.)
 *
 * Layer 2, declare.
 *
 * @since 0.1.0
 */
import { Context, type Duration, Effect, Schema } from "effect"
import { Asker } from "./internal/call.ts"
import type { AskDefinition } from "./internal/contract.ts"
import { jsonCodec } from "./internal/json.ts"
import type { OneName } from "./internal/types.ts"
import type * as State from "./State.ts"

// ===== identifiers ===========================================================

/**
 * The right to raise an interrupt. Invariant: a question and its answer are stored by one schema each.
 *
 * @category identifiers
 * @since 0.1.0
 */
export interface Asks<out Name extends string, in out Question, in out Answer> {
  readonly name: Name
  readonly "~tenon/Asks": (_: Question, answer: Answer) => readonly [Question, Answer]
}

/** Any right to raise an interrupt, for constraints. @since 0.1.0 */
export type AnyAsks = Asks<string, any, any>

// ===== models ================================================================

/**
 * An answer to an open question, by its id.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answer<out Name extends string, out Type> {
  readonly name: Name
  readonly id: string
  readonly value: Type
  /** More answers will come. */
  readonly progress?: boolean
}

/**
 * An answer as it came over a wire: it is decoded by the question that it answers.
 *
 * @category models
 * @since 0.1.0
 */
export interface EncodedAnswer {
  readonly id: string
  readonly json: unknown
  /** More answers will come. */
  readonly progress?: boolean
}

/**
 * A kind of question.
 *
 * @category models
 * @since 0.1.0
 */
export interface Interrupt<
  out Name extends string,
  Question extends Schema.Constraint,
  Given extends Schema.Constraint
> {
  readonly name: Name
  readonly question: Question
  /** Raises the question, and gives its answer. */
  readonly ask: (
    question: Question["Type"]
  ) => Effect.Effect<Given["Type"], never, Asks<Name, Question["Type"], Given["Type"]>>
  /**
   * Leaves the question open when the call ends, for work that goes on elsewhere: the call's result is pending, nothing
   * waits for it, and each answer takes its place and starts a run. Once a call, in the root agent.
   */
  readonly pending: (
    question: Question["Type"]
  ) => Effect.Effect<void, never, Asks<Name, Question["Type"], Given["Type"]>>
  /** The open questions of this kind, decoded, each with its id. */
  readonly among: (
    open: ReadonlyArray<Open>
  ) => ReadonlyArray<{ readonly id: string; readonly question: Question["Type"] }>
  /** An answer to the question with this id. */
  readonly answer: (id: string, value: Given["Type"]) => Answer<Name, Given["Type"]>
  readonly "~asks": Asks<Name, Question["Type"], Given["Type"]>
  readonly "~ask": AskDefinition
}

/**
 * A question that waits for its answer.
 *
 * @category models
 * @since 0.1.0
 */
export const Open = Schema.Struct({
  /** Who asks, `?`, and the number of the question there; 0 is a tool's own approval, `pending` what a call left open. */
  id: Schema.String,
  /** The interrupt's name. */
  name: Schema.String,
  /** The encoded question. */
  question: Schema.Json,
  /** The call's id; of a hook outside of one, its place in the run. */
  call: Schema.String,
  /** Empty where a hook outside of a call asks. */
  tool: Schema.String,
  /** The middleware and the hook that ask, `"guard.beforeModel"`, where no call does. */
  hook: Schema.optionalKey(Schema.String),
  /** `"pending"`: the call has ended, and nobody waits for the answer. */
  mode: Schema.optionalKey(Schema.Literal("pending")),
  /** When the call waits no longer, in milliseconds since 1970. */
  expires: Schema.optionalKey(Schema.Finite),
  agentPath: Schema.Array(Schema.String)
})

/** @since 0.1.0 */
export interface Open extends Schema.Schema.Type<typeof Open> {}

// ===== constructors ==========================================================

const define = <const Name extends string, Question extends Schema.Constraint, Given extends Schema.Constraint>(
  name: Name,
  options: { readonly question: Question; readonly answer: Given; readonly lifetime?: Duration.Input }
): Interrupt<Name, Question, Given> => {
  const definition: AskDefinition = {
    name,
    question: options.question,
    answer: options.answer,
    lifetime: options.lifetime
  }
  const decode = Schema.decodeUnknownSync(jsonCodec(options.question)) as (json: unknown) => Question["Type"]
  const asking = <A>(use: (asker: Asker["Service"]) => Effect.Effect<A>): Effect.Effect<A> =>
    Effect.withFiber((fiber) => {
      const asker = Context.getOrUndefined(fiber.context, Asker)
      return asker === undefined
        ? Effect.die(new Error(`'${name}' is asked outside of a tool call: provide an answer, or run it in an agent`))
        : use(asker)
    })
  return {
    name,
    question: options.question,
    ask: (question) => asking((asker) => asker.ask(definition, question)) as Effect.Effect<never>,
    pending: (question) => asking((asker) => asker.pending(definition, question)),
    among: (open) =>
      open.filter((each) => each.name === name).map((each) => ({ id: each.id, question: decode(each.question) })),
    answer: (id, value) => ({ name, id, value }),
    "~asks": undefined as never,
    "~ask": definition
  }
}

/**
 * A kind of question, with a schema for the question and one for its answer. Both are stored, so both have a codec to
 * JSON that needs no services.
 *
 * **Example** (May I?)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Interrupt } from "tenon"
 *
 * const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
 *
 * Confirm.answer("i1.1.1?1", true) // => { name: "confirm", id: "i1.1.1?1", value: true }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Name extends string, Question extends Schema.Constraint, Given extends Schema.Constraint>(
  name: OneName<Name>,
  // two types, so that the compiler infers the one where the other is misspelt
  options:
    & { readonly question: State.StoredAs<"a question", Question> }
    & { readonly answer: State.StoredAs<"an answer", Given> }
    /** How long a call waits for an answer: after that it gets an "expired" result at the next run. */
    & { readonly lifetime?: Duration.Input }
): Interrupt<Name, Question, Given> => {
  if ((name as string) === "approval") {
    throw new TypeError("'approval' is a reserved name: a tool with an approval asks it")
  }
  return define(
    name as Name,
    options as { readonly question: Question; readonly answer: Given; readonly lifetime?: Duration.Input }
  )
}

/**
 * An answer that came over a wire, as JSON.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromJson = (id: string, json: unknown): EncodedAnswer => ({ id, json })

// ===== approval ==============================================================

/**
 * What a person decides about a call before it runs. Edited arguments are validated again.
 *
 * @category models
 * @since 0.1.0
 */
export const Decision = Schema.Union([
  Schema.Struct({
    decision: Schema.Literal("approve"),
    /** Holds for later calls too, where the question offers to remember it. */
    always: Schema.optionalKey(Schema.Boolean)
  }),
  Schema.Struct({ decision: Schema.Literal("edit"), arguments: Schema.Json }),
  Schema.Struct({
    decision: Schema.Literal("reject"),
    reason: Schema.optionalKey(Schema.String),
    always: Schema.optionalKey(Schema.Boolean)
  })
])

/** @since 0.1.0 */
export type Decision = typeof Decision.Type

/**
 * The question before a guarded call: which tool, with which arguments.
 *
 * @category models
 * @since 0.1.0
 */
export const Approval = define("approval", {
  question: Schema.Struct({
    tool: Schema.String,
    arguments: Schema.Json,
    /** A hash of tool and arguments: the answer is bound to them. */
    hash: Schema.String,
    reason: Schema.optionalKey(Schema.String),
    /** The decisions that are taken; without it, all. */
    allowed: Schema.optionalKey(Schema.Array(Schema.Literals(["approve", "edit", "reject"]))),
    /** May a decision hold for later calls too? */
    remember: Schema.optionalKey(Schema.Boolean)
  }),
  answer: Decision
})

/** Lets the call run as it was asked for; with `always`, later ones too. @category constructors @since 0.1.0 */
export const approve = (id: string, options?: { readonly always?: boolean }): Answer<"approval", Decision> =>
  Approval.answer(id, { decision: "approve", ...options })

/** Lets the call run with other arguments; they are validated again. @category constructors @since 0.1.0 */
export const edit = (id: string, args: Schema.Json): Answer<"approval", Decision> =>
  Approval.answer(id, { decision: "edit", arguments: args })

/**
 * Refuses the call: the model gets the reason as the call's result. With `always`, later ones are refused too.
 *
 * @category constructors
 * @since 0.1.0
 */
export const reject = (
  id: string,
  reason?: string,
  options?: { readonly always?: boolean }
): Answer<"approval", Decision> =>
  Approval.answer(id, { decision: "reject", ...(reason !== undefined && { reason }), ...options })

/**
 * An answer to a call that ended pending, after which more answers will come: the question stays open.
 *
 * **Example** (A job that reports)
 *
 * ```ts
 * import { Schema } from "effect"
 * import { Interrupt } from "tenon"
 *
 * const Job = Interrupt.make("job", { question: Schema.String, answer: Schema.String })
 *
 * Interrupt.progress(Job.answer("i1.1.1?pending", "half done")).progress // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const progress = <A extends Answer<string, unknown> | EncodedAnswer>(answer: A): A => ({
  ...answer,
  progress: true
})
