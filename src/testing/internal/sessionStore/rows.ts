/**
 * The rows that sessions share. Layer 6.
 */
import { Effect } from "effect"
import type { Ref, SessionStore } from "../../../SessionStore.ts"
import { hardNames, is, type StoreCase } from "../cases.ts"
import { adding, on, setting } from "./world.ts"

type Case = StoreCase<SessionStore>

export const sharing: ReadonlyArray<Case> = [
  on(
    "shared keeps a user's rows for all of their sessions in an app, and an app's for all of its users",
    (world) =>
      Effect.gen(function*() {
        const { append, ref, store } = world
        yield* append(0, { writes: [setting("p.a", 1), setting("p.a", 2, { scope: "app" })] })
        const valuesIn = (of: Ref) =>
          Effect.forEach(
            ["user", "app"] as const,
            (scope) => Effect.map(store.shared(of, [{ scope, field: "p.a" }]), (rows) => rows.get("p.a")?.value)
          )
        yield* is(yield* valuesIn({ ...ref, session: "other" }), [1, 2])
        yield* is(yield* valuesIn({ ...ref, user: "v" }), [undefined, 2])
        yield* is(yield* valuesIn({ ...ref, user: "app" }), [undefined, 2])
        yield* is(yield* valuesIn({ ...ref, app: `${ref.app}'` }), [undefined, undefined])
      })
  ),

  on("shared tells fields and users apart by whatever names", ({ append, ref, rows }) =>
    Effect.gen(function*() {
      const fields = hardNames.map((name) => `p.${name}`)
      const users = hardNames.map((user, index): Ref => ({ ...ref, user, session: `s${index}` }))
      for (const [index, user] of users.entries()) {
        for (const expected of [0, 1]) {
          yield* append(expected, { writes: fields.map((field) => adding(field, index)) }, user)
        }
      }
      for (const [index, user] of users.entries()) {
        yield* is(yield* rows(user, ...fields), fields.map(() => [2 * index, 2]))
      }
    })),

  on("shared gives thousands of rows at once", ({ append, ref, rows }) =>
    Effect.gen(function*() {
      const fields = Array.from({ length: 2_345 }, (_, index) => `p.${index}`)
      yield* append(0, { writes: fields.map((field, index) => setting(field, index)) })
      yield* is(yield* rows(ref, ...fields), fields.map((_, index) => [index, 1]))
    }))
]
