/**
 * What a tool needs to act for a user: declared where it asks, found in the store, or asked for.
 *
 * A tool lists a credential under `asks`, and its handler reads it with `get`. One that the user of the run has is there
 * at once. Else the run pauses with the question `credential`, which says what is needed and where to get it. Whoever
 * answers puts the credential into the `CredentialStore` first: the answer says that it is granted, and no more, so no
 * secret ever comes near a session.
 *
 * Layer 4, keep.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { UserMissing } from "./AgentError.ts"
import { type Credential, CredentialStore, CredentialStoreFailed, type Owner } from "./CredentialStore.ts"
import { ToolCall } from "./internal/call.ts"
import type { AskDefinition } from "./internal/contract.ts"
import * as Interrupt from "./Interrupt.ts"
import type { OneName } from "./State.ts"

// ===== models ================================================================

/**
 * How a credential is shown to who asks for it.
 *
 * @category models
 * @since 0.1.0
 */
export const Scheme = Schema.Literals(["oauth2", "bearer", "api_key", "basic"])

/** @since 0.1.0 */
export type Scheme = typeof Scheme.Type

/**
 * What is needed. It is stored in the session, and holds no secret.
 *
 * @category models
 * @since 0.1.0
 */
export const Need = Schema.Struct({
  /** The name under which the store keeps the credential. */
  name: Schema.String,
  scheme: Scheme,
  scopes: Schema.Array(Schema.String),
  /** Where the user goes to give it. */
  authorize: Schema.optionalKey(Schema.String),
  /** What it is for, in words for the user. */
  description: Schema.optionalKey(Schema.String)
})

/** @since 0.1.0 */
export interface Need extends Schema.Schema.Type<typeof Need> {}

/**
 * Whether the store has the credential now. It never holds the credential itself.
 *
 * @category models
 * @since 0.1.0
 */
export const Decision = Schema.Struct({ granted: Schema.Boolean })

/** @since 0.1.0 */
export interface Decision extends Schema.Schema.Type<typeof Decision> {}

/**
 * The question for a credential. All credentials ask by it; `Credentials.Question.among(open)` gives the open ones.
 *
 * @category questions
 * @since 0.1.0
 */
export const Question: Interrupt.Interrupt<"credential", typeof Need, typeof Decision> = Interrupt.make("credential", {
  question: Need,
  answer: Decision
})

/** There is no credential that is good, and nobody gives one. @category errors @since 0.1.0 */
export class CredentialRefused extends Schema.TaggedError<CredentialRefused>()("CredentialRefused", {
  name: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `there is no credential '${this.name}': ${this.problem}`
  }
}

/**
 * What can go wrong with a credential, for a tool's `failure`.
 *
 * @category errors
 * @since 0.1.0
 */
export const Failure = Schema.Union([CredentialRefused, CredentialStoreFailed, UserMissing])

/** @since 0.1.0 */
export type Failure = typeof Failure.Type

/**
 * A credential that a tool may ask for, and stands under `asks` in its contract. `E` and `R` are what its refresh may fail
 * with, and needs.
 *
 * @category models
 * @since 0.1.0
 */
export interface Declared<out Name extends string, out E, out R> {
  readonly name: Name
  /**
   * The secret of the run's user. One that is expired is refreshed; where there is none that is good, the user is asked,
   * and the handler runs again once there is one.
   */
  readonly get: Effect.Effect<
    Redacted.Redacted,
    Failure | E,
    Interrupt.Asks<"credential", Need, Decision> | CredentialStore | ToolCall | R
  >
  /**
   * Forgets a secret that `get` gave, where whom it was shown to refused it: the next `get` asks for another one. A newer
   * one that was granted meanwhile stays.
   */
  readonly forget: (
    refused: Redacted.Redacted
  ) => Effect.Effect<void, CredentialStoreFailed | UserMissing, CredentialStore | ToolCall>
  readonly "~asks": Interrupt.Asks<"credential", Need, Decision> | CredentialStore | R
  readonly "~ask": AskDefinition
}

interface Common<E, R> {
  readonly scopes?: ReadonlyArray<string>
  /** What it is for, in words for the user. */
  readonly description?: string
  /**
   * Makes a new credential of one that is expired; it is stored before it is used. With none, the user is asked.
   */
  readonly refresh?: (expired: Credential) => Effect.Effect<Option.Option<Credential>, E, R>
}

/**
 * What is needed of a credential, and how it is refreshed.
 *
 * @category models
 * @since 0.1.0
 */
export type Options<E, R> =
  & Common<E, R>
  & (
    // `authorize` is where the user goes to give it: no secret belongs there, it is stored with the question
    | { readonly scheme: "oauth2"; readonly authorize: string }
    | { readonly scheme: Exclude<Scheme, "oauth2">; readonly authorize?: string }
  )

// ===== constructors ==========================================================

/**
 * Declares a credential.
 *
 * **Details**
 *
 * A credential that says for which scopes it is good is good where it has all that are needed. `get` asks at most once for
 * a call: what was granted and is not there, or is refused by the user, is `CredentialRefused`.
 *
 * **Gotchas**
 *
 * To ask ends the attempt, as with any question: read the credential first.
 *
 * **Example** (Asked once, and there for every later call)
 *
 * ```ts
 * import { Effect, Redacted, Schema } from "effect"
 * import { Agent, AgentRunner, Credentials, CredentialStore, SessionStore, Tool, Toolkit } from "tenon"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const GitHub = Credentials.make("github", {
 *   scheme: "oauth2",
 *   scopes: ["repo"],
 *   authorize: "https://github.com/login/oauth/authorize"
 * })
 * const Issues = Tool.make("issues", { success: Schema.String, failure: Credentials.Failure, asks: [GitHub] })
 * const kit = Toolkit.make(Issues)
 * const IssuesLive = Toolkit.layer(kit, {
 *   issues: () => Effect.map(GitHub.get, (token) => `two, by a token of ${Redacted.value(token).length} characters`)
 * })
 * const Triage = Agent.make("triage", { instructions: "Look at the issues.", toolkit: kit })
 * const where = { session: "s-1", user: "ada" }
 *
 * const program = Effect.gen(function*() {
 *   const { session: { open } } = yield* AgentRunner.run(Triage, { ...where, input: "How many?" })
 *   // a host sends the user to `question.authorize`, and comes back with a token
 *   const answers = yield* Effect.forEach(Credentials.Question.among(open), (asked) =>
 *     Credentials.grant({ app: "triage", user: "ada" }, asked, { secret: Redacted.make("t0ken") }))
 *   const { session } = yield* AgentRunner.resume(Triage, { ...where, answers })
 *   return session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : [])
 * }).pipe(Effect.provide([
 *   IssuesLive,
 *   ScriptedModel.layer([ScriptedModel.call("issues"), ScriptedModel.text("Two.")]),
 *   CredentialStore.layerMemory,
 *   SessionStore.layerMemory
 * ]))
 *
 * const results = await Effect.runPromise(program)
 * results // => ["two, by a token of 5 characters"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Name extends string, E = never, R = never>(
  name: OneName<Name>,
  options: Options<E, R>
): Declared<Name, E, R> => {
  const { authorize, description, refresh, scheme, scopes = [] } = options
  if (scheme === "oauth2" && authorize === undefined) {
    throw new TypeError(`the credential '${name}' needs 'authorize': where the user goes to give it`)
  }
  const need: Need = {
    name,
    scheme,
    scopes,
    ...(authorize !== undefined && { authorize }),
    ...(description !== undefined && { description })
  }

  const owner = Effect.flatMap(
    ToolCall,
    ({ app, user }): Effect.Effect<Owner, UserMissing> =>
      user === undefined
        ? Effect.fail(new UserMissing({ fields: [`the credential '${name}'`] }))
        : Effect.succeed({ app, user })
  )
  const reaches = (credential: Credential): boolean =>
    credential.scopes === undefined || scopes.every((scope) => credential.scopes?.includes(scope) === true)
  const isExpired = ({ expires }: Credential): Effect.Effect<boolean> =>
    Effect.map(Clock.currentTimeMillis, (now) => expires !== undefined && expires <= now)

  /** The credential that the store has, where it is good or is made so. */
  const found = Effect.fnUntraced(function*(of: Owner) {
    const store = yield* CredentialStore
    const kept = Option.filter(yield* store.get(of, name), reaches)
    if (Option.isNone(kept) || !(yield* isExpired(kept.value))) return kept
    if (refresh === undefined) return Option.none()
    return yield* store.alone(of, name)(Effect.gen(function*() {
      // another call may have refreshed it meanwhile
      const current = Option.filter(yield* store.get(of, name), reaches)
      if (Option.isNone(current) || !(yield* isExpired(current.value))) return current
      // once there is a new one it is stored, also where its call is cancelled: the old one may be good no more
      const renewed = yield* Effect.uninterruptibleMask((restore) =>
        Effect.tap(
          restore(refresh(current.value)),
          Option.match({ onNone: () => Effect.void, onSome: (credential) => store.put(of, name, credential) })
        )
      )
      return Option.filter(renewed, reaches)
    }))
  })

  return {
    name: name as Name,
    get: Effect.gen(function*() {
      const credential = yield* Effect.flatMap(owner, found)
      if (Option.isSome(credential)) return credential.value.secret
      // with a recorded answer this goes on, and the store has none for all that
      const { granted } = yield* Question.ask(need)
      return yield* new CredentialRefused({
        name,
        problem: granted ? "it was granted, and the store has none that is good" : "the user gives none"
      })
    }),
    forget: Effect.fnUntraced(function*(refused) {
      const store = yield* CredentialStore
      const of = yield* owner
      yield* store.alone(of, name)(Effect.flatMap(
        store.get(of, name),
        (kept) =>
          Option.exists(kept, ({ secret }) => Redacted.value(secret) === Redacted.value(refused))
            ? store.remove(of, name)
            : Effect.void
      ))
    }),
    "~asks": undefined as never,
    "~ask": Question["~ask"]
  }
}

// ===== answers ===============================================================

/**
 * Stores the credential that a question asks for, and gives the answer that says so.
 *
 * @category answers
 * @since 0.1.0
 */
export const grant = (
  owner: Owner,
  asked: { readonly id: string; readonly question: Need },
  credential: Credential
): Effect.Effect<Interrupt.Answer<"credential", Decision>, CredentialStoreFailed, CredentialStore> =>
  Effect.flatMap(CredentialStore, (store) =>
    Effect.as(
      // not while an older one is refreshed: what comes of that would take the place of this one
      store.alone(owner, asked.question.name)(store.put(owner, asked.question.name, credential)),
      Question.answer(asked.id, { granted: true })
    ))

/** The answer of a user who gives no credential. @category answers @since 0.1.0 */
export const refuse = (id: string): Interrupt.Answer<"credential", Decision> => Question.answer(id, { granted: false })
