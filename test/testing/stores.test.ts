/** The cases that a store must pass: each kind of fault in a store is noticed by one of them. */
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Exit, Layer, Option, Stream } from "effect"
import { ArtifactStore, CredentialStore, MemoryStore, SessionStore } from "tenon"
import { ArtifactStoreTest, CredentialStoreTest, MemoryStoreTest, SessionStoreTest } from "tenon/testing"

type Faults<Store> = Readonly<Record<string, (store: Store) => Partial<Store>>>

/** The names of the cases that fail over a store with a fault; one that waits for ever fails too. */
const failing = <I, Store extends object>(
  cases: ReadonlyArray<{ readonly name: string; readonly run: Effect.Effect<void, unknown, I> }>,
  tag: Context.Service<I, Store>,
  layer: Layer.Layer<I>,
  fault: (store: Store) => Partial<Store>
): Effect.Effect<ReadonlyArray<string>> => {
  const faulty = Layer.fresh(Layer.provide(
    Layer.effect(tag, Effect.map(tag, (store) => ({ ...store, ...fault(store) }))),
    Layer.fresh(layer)
  ))
  return Effect.map(
    Effect.forEach(cases, ({ name, run }) =>
      Effect.map(
        Effect.exit(Effect.timeout(Effect.provide(run, faulty), "3 seconds")),
        (exit) => Exit.isFailure(exit) ? [name] : []
      ), { concurrency: 8 }),
    (names) => names.flat()
  )
}

const noticed = <I, Store extends object>(
  cases: ReadonlyArray<{ readonly name: string; readonly run: Effect.Effect<void, unknown, I> }>,
  tag: Context.Service<I, Store>,
  layer: Layer.Layer<I>,
  faults: Faults<Store>
) => {
  for (const [name, fault] of Object.entries(faults)) {
    it.live(name, () =>
      Effect.map(failing(cases, tag, layer, fault), (failed) => {
        assert.isNotEmpty(failed)
        // a store of which nothing works would show nothing
        assert.isBelow(failed.length, cases.length)
      }))
  }
}

const stored = (store: SessionStore.SessionStore["Service"], ref: SessionStore.Ref): Effect.Effect<number> =>
  Effect.map(Effect.orDie(store.load(ref)), (found) => Option.getOrElse(found, () => []).length)

describe("SessionStoreTest.cases notice a store that", () => {
  noticed(SessionStoreTest.cases, SessionStore.SessionStore, SessionStore.layerMemory, {
    "loads all where a part was asked for": ({ load }) => ({ load: (ref) => load(ref) }),
    "loads an empty log where there is none": ({ load }) => ({
      load: (ref, part) => Effect.map(load(ref, part), (found) => Option.some(Option.getOrElse(found, () => [])))
    }),
    "loads no log where a part of it is empty": ({ load }) => ({
      load: (ref, part) => Effect.map(load(ref, part), Option.filter((events) => events.length > 0))
    }),
    "appends at whatever revision": (store) => ({
      append: (ref, append) =>
        Effect.flatMap(stored(store, ref), (expected) => store.append(ref, { ...append, expected }))
    }),
    "appends under a lease that was lost": ({ append }) => ({
      append: (ref, { lease: _, ...rest }) => append(ref, rest)
    }),
    "loses what is shared": ({ append }) => ({ append: (ref, { writes: _, ...rest }) => append(ref, rest) }),
    "does not look whether what is shared is unchanged": ({ append }) => ({
      append: (ref, { unchanged: _, ...rest }) => append(ref, rest)
    }),
    "leaves in the inbox what was taken": ({ append }) => ({
      append: (ref, { takes: _, ...rest }) => append(ref, rest)
    }),
    "appends although something waits": ({ append }) => ({
      append: (ref, { unlessWaiting: _, ...rest }) => append(ref, rest)
    }),
    "knows no snapshot": ({ newest }) => ({
      newest: (ref) => Effect.map(newest(ref), Option.map(({ events }) => ({ events })))
    }),
    "forgets what came after a snapshot": ({ newest }) => ({
      newest: (ref) =>
        Effect.map(
          newest(ref),
          Option.map((found) => found.snapshot === undefined ? found : { ...found, events: [] })
        )
    }),
    "keeps no snapshot": () => ({ saveSnapshot: () => Effect.void }),
    "rewrites nothing": () => ({ rewrite: () => Effect.void }),
    "shows no row": () => ({ shared: () => Effect.succeed(new Map()) }),
    "gives the inbox the wrong way round": ({ inbox }) => ({
      inbox: (ref) => Effect.map(inbox(ref), (waiting) => waiting.toReversed())
    }),
    "forgets what is posted": () => ({ post: () => Effect.void }),
    "tells of no post": () => ({ watch: () => Stream.never }),
    "gives two leases of one session": () => ({ lease: () => Effect.succeed({ fence: 1 }) }),
    "lists the sessions of all users": ({ list }) => ({ list: ({ user: _, ...rest }) => list(rest) }),
    "lists all pages at once": ({ list }) => ({ list: ({ limit: _, ...rest }) => list(rest) }),
    "begins a list anew": ({ list }) => ({ list: ({ after: _, ...rest }) => list(rest) }),
    "lists whatever the time": ({ list }) => ({ list: ({ since: _, until: _until, ...rest }) => list(rest) }),
    "removes nothing": () => ({ remove: () => Effect.void })
  })
})

describe("ArtifactStoreTest.cases notice a store that", () => {
  noticed(ArtifactStoreTest.cases, ArtifactStore.ArtifactStore, ArtifactStore.layerMemory, {
    "keeps nothing": () => ({ put: () => Effect.succeed("") }),
    "finds nothing": () => ({ get: () => Effect.succeed(Option.none()) }),
    "removes nothing": () => ({ remove: () => Effect.void }),
    "shows its own bytes": ({ get }) => {
      const seen = new Map<string, Option.Option<Uint8Array>>()
      return {
        get: (hash) =>
          seen.has(hash)
            ? Effect.succeed(seen.get(hash) ?? Option.none())
            : Effect.tap(get(hash), (found) => Effect.sync(() => Option.isSome(found) && seen.set(hash, found))),
        remove: () => Effect.sync(() => seen.clear())
      }
    }
  })
})

describe("CredentialStoreTest.cases notice a store that", () => {
  noticed(CredentialStoreTest.cases, CredentialStore.CredentialStore, CredentialStore.layerMemory, {
    "gives everyone the same": ({ get, put, remove }) => {
      const owner = { app: "app", user: "all" }
      return {
        get: (_, name) => get(owner, name),
        put: (_, name, credential) => put(owner, name, credential),
        remove: (_, name) => remove(owner, name)
      }
    },
    "keeps what it has": ({ get, put }) => ({
      put: (owner, name, credential) =>
        Effect.flatMap(get(owner, name), (found) => Option.isSome(found) ? Effect.void : put(owner, name, credential))
    }),
    "keeps a secret alone": ({ put }) => ({
      put: (owner, name, { secret }) => put(owner, name, { secret })
    }),
    "removes nothing": () => ({ remove: () => Effect.void }),
    "lets two in at once": () => ({ alone: () => (effect) => effect })
  })
})

describe("MemoryStoreTest.cases notice a store that", () => {
  noticed(MemoryStoreTest.cases, MemoryStore.MemoryStore, MemoryStore.layerMemory, {
    "remembers one source alone": ({ put }) => ({ put: (owner, _, memories) => put(owner, "one", memories) }),
    "finds as many as there are": ({ search }) => ({ search: (owner, query) => search(owner, query, 1_000) }),
    "gives the best last": ({ search }) => ({
      search: (owner, query, limit) => Effect.map(search(owner, query, limit), (found) => found.toReversed())
    }),
    "finds by the first word": ({ search }) => ({
      search: (owner, query, limit) => search(owner, query.split(" ")[0] ?? "", limit)
    }),
    "forgets all where a source was named": ({ remove }) => ({ remove: (owner) => remove(owner) }),
    "forgets nothing": () => ({ remove: () => Effect.void })
  })
})
