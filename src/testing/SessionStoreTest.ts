/**
 * What every session store must do, as test cases for whichever test runner.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import type { SessionStore } from "../SessionStore.ts"
import { CaseFailed, type StoreCase } from "./internal/cases.ts"
import { posting } from "./internal/sessionStore/inbox.ts"
import { appending, loading, rewriting, snapshots } from "./internal/sessionStore/log.ts"
import { sharing } from "./internal/sessionStore/rows.ts"
import { leasing, listing, removing } from "./internal/sessionStore/sessions.ts"

// ===== models ================================================================

/**
 * One thing that a store must do. It fails, or dies, where the store does not.
 *
 * @category models
 * @since 0.1.0
 */
export type Case = StoreCase<SessionStore>

export { CaseFailed }

// ===== cases =================================================================

/**
 * What every store must do. Each case has an app of its own, so that all may run on one database.
 *
 * **Example** (A store of your own)
 *
 * ```ts
 * import { Effect } from "effect"
 * import { SessionStore } from "tenon"
 * import { SessionStoreTest } from "tenon/testing"
 *
 * // your test runner's; with "@effect/vitest": it.effect(name, () => Effect.provide(run, layer))
 * const test = (_name: string, body: () => Promise<void>) => body()
 *
 * for (const { name, run } of SessionStoreTest.cases) {
 *   await test(name, () => Effect.runPromise(Effect.provide(run, SessionStore.layerMemory)))
 * }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const cases: ReadonlyArray<Case> = [
  ...loading,
  ...snapshots,
  ...rewriting,
  ...appending,
  ...sharing,
  ...posting,
  ...leasing,
  ...listing,
  ...removing
]
