/**
 * Questions to the outside world, from where they are asked: each has its recorded answer, or ends what asks. Layer 5.
 */
import { Context, Deferred, type Duration, Effect, Result, Schema } from "effect"
import type { HookFailed } from "../AgentError.ts"
import { Asker } from "./call.ts"
import type { AskDefinition } from "./contract.ts"
import { ContractViolation, undeclaredAsk } from "./fork.ts"
import { deepFreeze } from "./freeze.ts"
import { encodeJson, jsonCodec } from "./json.ts"

/** An answer that was given to the k-th question of a call. */
export interface Recorded {
  readonly name: string
  readonly question: Schema.Json
  readonly answer: Schema.Json
}

/** A question that ended an attempt. */
export interface Raised {
  readonly _tag: "Asked"
  readonly number: number
  readonly name: string
  readonly question: Schema.Json
  readonly lifetime: Duration.Input | undefined
}

/** A question that outlives its call. */
export interface Left {
  readonly name: string
  readonly question: Schema.Json
}

/** An attempt whose call goes on later, or not at all: `value` says why. */
export interface Suspended<A> {
  readonly _tag: "Suspended"
  readonly value: A
}

/** What ends an attempt from within its handler, whatever the handler would catch. */
type Stop<A, E> = Deferred.Deferred<Raised | Suspended<A>, E>

/** What an attempt that is over waits for: its cancellation, also where a handler would not be cancelled. */
export const forever = Effect.interruptible(Effect.never)

const encodeQuestion = (definition: AskDefinition, question: unknown): Schema.Json =>
  Result.getOrThrowWith(
    encodeJson(jsonCodec(definition.question))(question),
    () => new TypeError(`the question of '${definition.name}' does not fit its schema`)
  )

/** How many questions were asked, and where one goes that is left open. */
export interface Counter {
  asked: number
  /** Leaves a question open when the call ends. */
  readonly leave: (left: Left) => void
}

/** Who may ask what, and what was answered before. */
export interface Asking {
  readonly owner: string
  readonly asks: ReadonlyArray<AskDefinition>
  readonly answers: ReadonlyMap<number, Recorded>
  /** Absent outside of a call. */
  readonly counter?: Counter
}

const outsideOfCall = (): Counter => ({
  asked: 0,
  leave: () => {
    throw new ContractViolation("only a call can end pending")
  }
})

/** Gives recorded answers to the next questions, and ends the attempt at the first one without. */
const asker = <A, E>(
  { answers, asks, counter = outsideOfCall(), owner }: Asking,
  stop: Stop<A, E>
): Asker["Service"] => {
  // by name alone, an answer would be checked by another schema than its question
  const mayAsk = (definition: AskDefinition): void => {
    if (!asks.includes(definition)) throw undeclaredAsk(owner, definition.name)
  }
  return {
    ask: (definition, question) =>
      Effect.suspend(() => {
        mayAsk(definition)
        const number = ++counter.asked
        const encoded = encodeQuestion(definition, question)
        const recorded = answers.get(number)
        const same = recorded?.name === definition.name && JSON.stringify(recorded.question) === JSON.stringify(encoded)
        if (recorded !== undefined && same) {
          const answer = Schema.decodeResult(jsonCodec(definition.answer))(recorded.answer)
          if (Result.isSuccess(answer)) return Effect.succeed(answer.success)
        }
        const raised = {
          _tag: "Asked",
          number,
          name: definition.name,
          question: deepFreeze(encoded),
          lifetime: definition.lifetime
        } as const
        return Effect.andThen(Deferred.succeed(stop, raised), forever)
      }),
    pending: (definition, question) =>
      Effect.sync(() => {
        mayAsk(definition)
        counter.leave({ name: definition.name, question: deepFreeze(encodeQuestion(definition, question)) })
      })
  }
}

/** Runs what may be ended from within: by a question, or because it goes on later. */
export const stoppable = <B, A, E>(
  asking: Asking,
  body: (
    stop: (end: Effect.Effect<A, E>) => Effect.Effect<never>,
    context: Context.Context<never>
  ) => Effect.Effect<B, HookFailed>,
  context: Context.Context<never>
): Effect.Effect<B | Raised | Suspended<A>, HookFailed | E> =>
  Effect.suspend(() => {
    const stopped: Stop<A, E> = Deferred.makeUnsafe()
    const stop = (end: Effect.Effect<A, E>) =>
      Effect.andThen(
        Deferred.complete(stopped, Effect.map(end, (value): Suspended<A> => ({ _tag: "Suspended", value }))),
        forever
      )
    return Effect.raceFirst(
      body(stop, Context.add(context, Asker, asker(asking, stopped))),
      Deferred.await(stopped)
    )
  })
