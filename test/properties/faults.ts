/** Lives of sessions over stores that break, in one process. */
import { assert } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Schedule } from "effect"
import { AgentError, ArtifactStore, CredentialStore, SessionStore } from "tenon"
import { check, digestOf } from "../crash/check.ts"
import { type Chapter, live, type Owned, type World } from "../crash/life.ts"
import { type Acknowledged, nothing, type Told, withTold } from "../crash/protocol.ts"
import type { Outside } from "../crash/world.ts"

/** A store that breaks as a plan says. */
export interface Broken<Plan> {
  readonly store: SessionStore.SessionStore["Service"]
  /** The same sessions, of a store that works. */
  readonly plain: SessionStore.SessionStore["Service"]
  /** What goes wrong from here on; nothing, where there is no plan. */
  readonly begin: (plan: Plan | undefined) => Effect.Effect<void>
}

const ref: Owned = { app: "app", user: "ada", session: "s" }

// a fork whose append was done twice finds its own session
const typed = new Set([
  "AgentError",
  "SessionBusy",
  "LeaseLost",
  "StaleSession",
  "StateConflict",
  "StoreFailed",
  "SessionExists"
])

/** A failure that says what it is, and may be tried again; or a word about what else it is. */
const wrongIn = (exit: Exit.Exit<void, unknown>): string | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const { cause } = exit
  if (Cause.hasDies(cause) || Cause.hasInterrupts(cause)) return Cause.pretty(cause)
  const error = Cause.squash(cause) as { readonly _tag?: string }
  const isRetryable = error instanceof AgentError.AgentError ? error.isRetryable : typed.has(error._tag ?? "")
  return isRetryable ? undefined : Cause.pretty(cause)
}

/**
 * Lives a life over a store that breaks, as often as there are plans of what goes wrong, and once more without any: each
 * ends well or with an error that may be tried again, and nothing is lost or doubled.
 */
export const survive = Effect.fnUntraced(
  function*<Plan>({ begin, plain, store }: Broken<Plan>, chapter: Chapter, lives: ReadonlyArray<Plan>) {
    let failed = 0
    let known: Acknowledged = nothing
    const tell = (told: Partial<Told>) => Effect.sync(() => void (known = withTold(known, told)))
    const observed: SessionStore.SessionStore["Service"] = {
      ...store,
      append: (of, append) =>
        Effect.tap(
          store.append(of, append),
          (events) =>
            of.session === ref.session
              ? tell({ events: events.map((each) => [each.sequence, digestOf(each)]) })
              : Effect.void
        ),
      rewrite: (of, rewrite) =>
        Effect.tap(
          store.rewrite(of, rewrite),
          () => tell({ events: rewrite.events.map((each) => [each.sequence, digestOf(each)]) })
        ),
      post: (of, waiting) => Effect.tap(store.post(of, waiting), () => tell({ posted: waiting.key }))
    }
    const effects: Array<string> = []
    const outside: Outside = {
      effects: () => effects,
      effect: (tool, call) => void effects.push(`${tool} ${call}`),
      hasContent: () => true,
      hasCredential: () => true
    }
    const world: World = {
      pass: () => (effect) => effect,
      reach: () => Effect.void,
      effect: (tool, call) => Effect.sync(() => outside.effect(tool, call)),
      hasEffect: (tool, call) => Effect.sync(() => effects.includes(`${tool} ${call}`)),
      renewed: Effect.yieldNow,
      tell
    }
    const around = yield* Layer.build(Layer.merge(ArtifactStore.layerMemory, CredentialStore.layerMemory))
    // a lease that nobody gave back runs out
    const alive = Effect.retry(live(ref, chapter, world), {
      while: (error) =>
        error instanceof AgentError.AgentError
          ? error.reason._tag === "SessionBusy"
          : (error as { readonly _tag?: string })._tag === "SessionBusy",
      schedule: Schedule.spaced("10 millis").pipe(Schedule.upTo({ times: 100 }))
    }).pipe(Effect.provideContext(Context.add(around, SessionStore.SessionStore, observed)))
    const look = (of: string, end?: Chapter) =>
      Effect.map(
        Effect.provideService(check(ref, known, outside, end), SessionStore.SessionStore, plain),
        (problems) => assert.deepStrictEqual(problems, [], of)
      )

    for (const plan of [...lives, undefined]) {
      yield* begin(plan)
      const exit = yield* Effect.exit(alive)
      yield* begin(undefined)
      assert.strictEqual(wrongIn(exit), undefined)
      if (Exit.isFailure(exit)) failed += 1
      yield* look("after a life")
      if (plan === undefined) assert.isTrue(Exit.isSuccess(exit), String(exit))
    }
    yield* look("at the end", chapter)
    return failed
  },
  Effect.scoped
)
