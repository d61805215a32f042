/**
 * What is left for a session, and who is told of it. Layer 6.
 */
import { Deferred, Effect, Fiber, Stream } from "effect"
import type { SessionStore } from "../../../SessionStore.ts"
import { hardNames, is, type StoreCase } from "../cases.ts"
import { answer, cancellation, input, message, on, posted, setting } from "./world.ts"

type Case = StoreCase<SessionStore>

export const posting: ReadonlyArray<Case> = [
  on(
    "inbox gives the messages that wait, in the order in which they came, once each",
    ({ ref, store }) =>
      Effect.gen(function*() {
        for (const key of ["b", "a", "b"]) yield* store.post(ref, posted(key))
        yield* is((yield* store.inbox(ref)).map(({ key }) => key), ["b", "a"])
        yield* is(yield* store.inbox({ ...ref, session: "other" }), [])
        const text = (yield* store.inbox(ref)).flatMap((each) => each.kind === "message" ? each.message.content : [])
        yield* is(text.map((part) => part.type === "text" && part.text), ["b", "a"])
      })
  ),

  on(
    "inbox gives answers and cancellations as they were posted, under keys of their own",
    ({ append, ref, store }) =>
      Effect.gen(function*() {
        const all = [cancellation("c"), answer("a")]
        for (const each of [...all, answer("c"), posted("a")]) yield* store.post(ref, each)
        yield* is(yield* store.inbox(ref), all)
        yield* append(0, { takes: ["c"] })
        yield* store.post(ref, posted("c"))
        yield* is(yield* store.inbox(ref), [answer("a")])
      })
  ),

  on("watch tells to look at once, and after each post", ({ ref, store }) =>
    Effect.gen(function*() {
      yield* store.post(ref, posted("a"))
      const looked = yield* Deferred.make<void>()
      const looking = store.watch(ref).pipe(
        Stream.mapEffect(() => store.inbox(ref)),
        Stream.tap(() => Deferred.succeed(looked, undefined)),
        Stream.takeUntil(({ length }) => length === 2),
        Stream.runDrain
      )
      const fiber = yield* Effect.forkChild(looking)
      yield* Deferred.await(looked)
      yield* store.post({ ...ref, session: "other" }, posted("a"))
      yield* store.post(ref, cancellation("b"))
      yield* Fiber.join(fiber)
    })),

  on("inbox makes no session", ({ log, ref, store }) =>
    Effect.gen(function*() {
      yield* store.post(ref, posted("a"))
      yield* is(yield* log(), undefined)
      yield* is(yield* store.list({ app: ref.app }), { sessions: [] })
    })),

  on("append takes what waits with its events, for good", ({ append, ref, store }) =>
    Effect.gen(function*() {
      for (const key of ["a", "b"]) yield* store.post(ref, posted(key))
      yield* Effect.flip(append(1, { takes: ["a"] }))
      yield* is((yield* store.inbox(ref)).length, 2)
      yield* append(0, { takes: ["a"] })
      yield* store.post(ref, posted("a", "again"))
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), ["b"])
    })),

  on("append takes a message of whatever key, and no other", ({ append, ref, store }) =>
    Effect.gen(function*() {
      for (const key of hardNames) yield* store.post(ref, posted(key))
      const [first, ...others] = hardNames
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), hardNames)
      yield* append(0, { takes: first === undefined ? [] : [first] })
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), others)
    })),

  on("append takes what waits under the keys of its events", ({ append, ref, store }) =>
    Effect.gen(function*() {
      yield* store.post(ref, posted("a"))
      yield* store.post(ref, posted("b"))
      yield* append(0, { events: () => [input(0, message("a"), { key: "a" })] })
      yield* is((yield* store.inbox(ref)).map(({ key }) => key), ["b"])
    })),

  on("post adds no copy of a message that is in the log", ({ append, ref, store }) =>
    Effect.gen(function*() {
      yield* append(0, { events: () => [input(0, message("a"), { key: "a" })] })
      yield* store.post(ref, posted("a"))
      yield* is(yield* store.inbox(ref), [])
    })),

  on(
    "append does nothing where something of a kind waits, if it is asked to",
    ({ append, log, ref, rows, store }) =>
      Effect.gen(function*() {
        yield* store.post(ref, posted("a"))
        yield* is(yield* append(0, { unlessWaiting: ["answer", "message"], writes: [setting("p.a", 1)] }), [])
        yield* is(yield* log(), undefined)
        yield* is(yield* rows(ref, "p.a"), [[undefined, 0]])
        yield* append(0, { unlessWaiting: ["answer", "cancellation"] })
        yield* append(1, { takes: ["a"] })
        yield* is((yield* append(2, { unlessWaiting: ["answer", "message"] })).length, 1)
      })
  )
]
