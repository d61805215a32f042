/**
 * Checks of what comes in and of what goes out: of the user's message, the model's text, the arguments of a tool and its
 * result.
 *
 * A guard is an Effect with a contract. It lets pass, refuses with a reason, or gives something else in its place. One
 * that fails, fails the run: nothing passes unchecked.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Effect, Exit, Hash, Schema } from "effect"
import { Prompt, Response } from "effect/ai"
import type * as Contract from "../Contract.ts"
import { textOf } from "../internal/fold.ts"
import { textOfParts } from "../internal/parts.ts"
import { isUsers } from "../internal/summary.ts"
import * as Middleware from "../Middleware.ts"
import * as State from "../State.ts"
import type { ToolCall } from "../ToolCall.ts"

// ===== verdicts ==============================================================

/** What a guard decides; nothing lets pass. @category models @since 0.1.0 */
export type Verdict<A> =
  | { readonly _tag: "Refuse"; readonly reason: string }
  | { readonly _tag: "Replace"; readonly value: A }

/** Refuses, with a reason that the user or the model reads. @category constructors @since 0.1.0 */
export const refuse = (reason: string): Verdict<never> => ({ _tag: "Refuse", reason })

/** Gives something else in its place. @category constructors @since 0.1.0 */
export const replace = <A>(value: A): Verdict<A> => ({ _tag: "Replace", value })

// ===== models ================================================================

/** A text that is checked. @category models @since 0.1.0 */
export interface Text {
  readonly agent: string
  readonly text: string
}

/** A guard with what it needs. @category models @since 0.1.0 */
export interface Guard<out Needs> {
  readonly "~hooks": ReadonlyArray<Middleware.Hook<Needs>>
  readonly "~needs": Needs
}

/** Any guard, for constraints. @since 0.1.0 */
export type AnyGuard = Guard<any>

// ===== state =================================================================

/**
 * The section that holds what stands in place of messages that did not pass: the model reads it in each later call.
 *
 * @category state
 * @since 0.1.0
 */
export const Section = State.make("guardrails", {
  replaced: State.record(Schema.String, Schema.String)
}, { child: "fresh" })

type KeepsReplaced = (typeof Section.replaced)["~writes"]

const withheld = "(This message was refused.)"

/** A message by its text: the log holds the text itself. */
const keyOf = (text: string): string => `${text.length}-${(Hash.string(text) >>> 0).toString(16)}`

// ===== guards ================================================================

type MakeGuard<Input, Output, Kept = never, Given = never> = <
  const C extends Contract.Keys = [],
  const R extends Contract.Fields<unknown> = [],
  const W extends Contract.Fields<unknown> = [],
  const B extends Contract.Reduced = [],
  const D extends Contract.Services = []
>(
  contract: Omit<Contract.Options<C, R, W, B, [], D>, "asks">,
  check: (input: Input) => Effect.Effect<Verdict<Output> | void, unknown, Contract.Touched<C, R, W, B, [], D> | Given>
) => Guard<Contract.Touched<C, R, W, B, [], D> | Kept>

/** A contract whose types were checked. */
type AnyContract = Omit<
  Contract.Options<Contract.Keys, Contract.Fields, Contract.Fields, Contract.Reduced, [], Contract.Services>,
  "asks"
>

/** What a guard's effect is once its contract was checked. */
type Check<Input, Output> = (input: Input) => Effect.Effect<Verdict<Output> | void, unknown, any>

/** A guard of one hook, whose needs the exported types say. */
const guard = (hook: Middleware.AnyHook): Guard<any> => ({ "~hooks": [hook], "~needs": undefined })

/** The message with another text; what else it holds stays, unless it was refused. */
const withText = (message: Prompt.UserMessage, text: string): Prompt.UserMessage =>
  Prompt.userMessage({
    content: [
      Prompt.textPart({ text }),
      ...(text === withheld ? [] : message.content.filter(({ type }) => type !== "text"))
    ],
    options: message.options
  })

/**
 * Checks each message of the user before the model first sees it; in a sub-agent, its task.
 *
 * **Details**
 *
 * A refused message is answered with the reason, without asking the model. In later model calls a note stands in its
 * place; where it is replaced, the other text does. The stored message stays as it was.
 *
 * @category constructors
 * @since 0.1.0
 */
export const input: MakeGuard<Text, string, KeepsReplaced> = (contract: AnyContract, check: Check<Text, string>) =>
  guard(Middleware.beforeModel(
    { ...contract, writes: [...contract.writes ?? [], Section.replaced] } as object,
    ({ agent, messages }) =>
      Effect.gen(function*() {
        // all that came since the model spoke: a message of the inbox stands before the run's own
        let refused: string | undefined
        for (const message of messages.slice(messages.findLastIndex((each) => !isUsers(each)) + 1)) {
          const text = textOf(message)
          const verdict = text === "" ? undefined : yield* check({ agent, text })
          if (verdict === undefined) continue
          yield* Section.replaced.put(keyOf(text), verdict._tag === "Refuse" ? withheld : verdict.value)
          if (verdict._tag === "Refuse") refused ??= verdict.reason
        }
        if (refused !== undefined) return Middleware.answer(refused)
        const replaced = yield* Section.replaced.get
        if (Object.keys(replaced).length === 0) return undefined
        return Middleware.change({
          messages: messages.map((message) => {
            const other = message.role === "user" ? replaced[keyOf(textOf(message))] : undefined
            return message.role !== "user" || other === undefined ? message : withText(message, other)
          })
        })
      }) as Effect.Effect<Middleware.Answer | Middleware.Change | undefined>
  ))

const isText = ({ type }: Response.AnyPart): boolean =>
  type === "text" || type === "text-start" || type === "text-delta" || type === "text-end"

/** The parts with another text in place of theirs, first; calls, reasoning and usage stay. */
const saying = (parts: ReadonlyArray<Response.AnyPart>, text: string): ReadonlyArray<Response.AnyPart> => {
  const at = parts.findIndex(isText)
  const rest = (some: ReadonlyArray<Response.AnyPart>) => some.filter((part) => !isText(part))
  return [...rest(parts.slice(0, at)), Response.makePart("text", { text }), ...rest(parts.slice(at))]
}

/** An answer in place of all that the model said; what it used stays counted. */
const refusing = (parts: ReadonlyArray<Response.AnyPart>, reason: string): ReadonlyArray<Response.AnyPart> => [
  Response.makePart("text", { text: reason }),
  ...parts.flatMap((part) => part.type === "finish" ? [Response.makePart("finish", { ...part, reason: "stop" })] : [])
]

/**
 * Checks each text of the model before it is stored.
 *
 * **Details**
 *
 * A refused text is replaced by the reason, and the calls beside it are not made. A replaced one leaves them.
 *
 * **Gotchas**
 *
 * `AgentRunner.stream` has sent the model's chunks when the guard sees the whole text. Show nobody a stream of which a
 * word may have to be taken back: wait for the events, which hold what passed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const output: MakeGuard<Text, string> = (contract: AnyContract, check: Check<Text, string>) =>
  guard(Middleware.afterModel(contract as object, ({ agent, exit }) =>
    Effect.gen(function*() {
      const parts = Exit.isSuccess(exit) ? exit.value : []
      const text = textOfParts(parts)
      if (text === "") return undefined
      const verdict = yield* check({ agent, text })
      if (verdict === undefined) return undefined
      return Middleware.answer(
        verdict._tag === "Refuse" ? refusing(parts, verdict.reason) : saying(parts, verdict.value)
      )
    }) as Effect.Effect<Middleware.Answer | undefined>))

/**
 * Checks the decoded arguments of each call before its handler runs.
 *
 * **Details**
 *
 * A refused call has the reason as its result. Arguments that are given instead are checked by the tool's schema; the
 * model's message stays as it was.
 *
 * @category constructors
 * @since 0.1.0
 */
export const toolArguments: MakeGuard<Middleware.ToolRequest, unknown, never, ToolCall> = (
  contract: AnyContract,
  check: Check<Middleware.ToolRequest, unknown>
) =>
  guard(
    Middleware.beforeTool(contract as object, (request) =>
      Effect.map(check(request), (verdict) =>
        verdict === undefined
          ? undefined
          : verdict._tag === "Refuse"
          ? Middleware.refuse(verdict.reason)
          : Middleware.edit(verdict.value)) as Effect.Effect<Middleware.Verdict | undefined>)
  )

/**
 * Checks what each call gives back before the model reads it.
 *
 * **Details**
 *
 * A refused result is an error result with the reason. What the handler did stays done: to prevent that, check the
 * arguments.
 *
 * @category constructors
 * @since 0.1.0
 */
export const toolResult: MakeGuard<Middleware.ToolOutcome, Schema.Json, never, ToolCall> = (
  contract: AnyContract,
  check: Check<Middleware.ToolOutcome, Schema.Json>
) =>
  guard(
    Middleware.afterTool(contract as object, (outcome) =>
      Effect.map(check(outcome), (verdict) =>
        verdict === undefined
          ? undefined
          : verdict._tag === "Refuse"
          ? Middleware.result({ _tag: "Refused", message: verdict.reason }, { isFailure: true })
          : Middleware.result(verdict.value)) as Effect.Effect<Middleware.Result | undefined>)
  )

// ===== middleware ============================================================

/**
 * Puts guards around an agent.
 *
 * **Gotchas**
 *
 * A guard of a tool's arguments or results that touches State does so in every call of the agent: calls that it makes
 * conflict run one after the other.
 *
 * **Example** (No secret leaves)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { Guardrails } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Discreet = Guardrails.make("discreet", [
 *   Guardrails.input({}, ({ text }) =>
 *     Effect.succeed(text.includes("password") ? Guardrails.refuse("I do not talk about passwords.") : undefined)),
 *   Guardrails.output({}, ({ text }) => Effect.succeed(Guardrails.replace(text.replaceAll("4711", "…"))))
 * ])
 * const Assistant = Agent.make("assistant", { instructions: "Help.", middleware: [Discreet] })
 * const say = (input: string) =>
 *   Effect.map(
 *     AgentRunner.run(Assistant, { session: "s-1", input }),
 *     (result) => result._tag === "Completed" ? result.text : ""
 *   )
 *
 * const said = await Effect.runPromise(
 *   Effect.all([say("The password?"), say("The number?")]).pipe(
 *     Effect.provide([ScriptedModel.layer([ScriptedModel.text("It is 4711.")]), SessionStore.layerMemory])
 *   )
 * )
 * said // => ["I do not talk about passwords.", "It is …."]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Name extends string, const G extends ReadonlyArray<AnyGuard>>(
  name: Name,
  guards: G
): Middleware.Middleware<Name, G[number]["~needs"], never, never> =>
  Middleware.make(name, {
    hooks: guards.flatMap((each): ReadonlyArray<Middleware.Hook<G[number]["~needs"]>> => each["~hooks"])
  })
