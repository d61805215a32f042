/** Stores of keys and values for tests: a map that breaks when it is told to, and files. */
import { Effect, Layer } from "effect"
import { KeyValueStore } from "effect/persistence"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export type Data = Map<string, string>

/** How a process ends at a change: before it, after it, or in the midst of the value that it sets. */
export type Break = "before" | "after" | "torn"

const broken = (method: string) =>
  Effect.fail(new KeyValueStore.KeyValueStoreError({ message: "the process is dead", method }))

/**
 * A store on a map. It counts the changes under these prefixes; at the one of number `at` it breaks, and changes nothing
 * more.
 */
export const breaking = (data: Data, at = Infinity, how: Break = "before") => {
  const counted: Array<string> = []
  let isDead = false
  const change = (method: string, key: string, make: () => void, torn: () => void) =>
    Effect.suspend(() => {
      if (isDead) return broken(method)
      // who holds the store counts on by itself
      if (!/\.(holder|beat\..*)$/.test(key)) counted.push(`${method} ${key}`)
      isDead = counted.length > at
      if (!isDead) return Effect.sync(make)
      if (how === "after") make()
      if (how === "torn") torn()
      return broken(method)
    })
  const store = KeyValueStore.makeStringOnly({
    get: (key) => isDead ? broken("get") : Effect.sync(() => data.get(key)),
    set: (key, value) =>
      change("set", key, () => data.set(key, value), () => data.set(key, value.slice(0, value.length / 2))),
    remove: (key) => change("remove", key, () => data.delete(key), () => {}),
    clear: Effect.sync(() => data.clear()),
    clearPrefix: (prefix) => {
      const clear = (keys: ReadonlyArray<string>) => () => {
        for (const key of keys) if (key.startsWith(prefix)) data.delete(key)
      }
      const keys = () => [...data.keys()]
      return change("clear", prefix, () => clear(keys())(), () => clear(keys().slice(0, data.size / 2))())
    },
    size: Effect.sync(() => data.size),
    keys: Effect.sync(() => [...data.keys()])
  })
  return { counted, layer: Layer.succeed(KeyValueStore.KeyValueStore, store), isDead: () => isDead }
}

/** A store in files, as a program may have one; a file is written over where it stands. */
export const inFiles = (folder: string): Layer.Layer<KeyValueStore.KeyValueStore> => {
  const failing = (method: string) => (cause: unknown) =>
    new KeyValueStore.KeyValueStoreError({ method, message: String(cause), cause })
  const fileOf = (key: string) => join(folder, encodeURIComponent(key))
  const does = <A>(method: string, act: () => Promise<A>) => Effect.tryPromise({ try: act, catch: failing(method) })
  return Layer.succeed(
    KeyValueStore.KeyValueStore,
    KeyValueStore.makeStringOnly({
      get: (key) =>
        does("get", () =>
          readFile(fileOf(key), "utf8").catch((cause: NodeJS.ErrnoException) => {
            if (cause.code === "ENOENT") return undefined
            throw cause
          })),
      set: (key, value) => does("set", () => writeFile(fileOf(key), value)),
      remove: (key) => does("remove", () => rm(fileOf(key), { force: true })),
      clear: does("clear", () => rm(folder, { recursive: true })),
      size: does("size", async () => (await readdir(folder)).length),
      keys: does("keys", async () => (await readdir(folder)).map(decodeURIComponent))
    })
  )
}

export const freshFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "tenon-kvs-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)
