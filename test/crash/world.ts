/** What is around the store in the crash tests: the world outside, contents and credentials, each a file. */
import { Effect, Layer, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ArtifactStore, CredentialStore } from "tenon"

/** A whole file or none: a process may end while it writes. */
const writeWhole = (file: string, content: string | Uint8Array): void => {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, file)
}

/** What one session did outside of its store, as a test looks at it. */
export interface Outside {
  /** An effect each: the tool, and the call's id. */
  readonly effects: () => ReadonlyArray<string>
  readonly effect: (tool: string, call: string) => void
  readonly hasContent: (hash: string) => boolean
  readonly hasCredential: () => boolean
}

/** The world outside of processes. */
export const outsideOf = (folder: string, session: string) => {
  const own = join(folder, session)
  const contents = join(own, "contents")
  mkdirSync(contents, { recursive: true })
  const effects = join(own, "effects")
  const credential = join(own, "credential")
  return {
    contents,
    credential,
    effects: () => existsSync(effects) ? readFileSync(effects, "utf8").split("\n").filter((line) => line !== "") : [],
    effect: (tool, call) => appendFileSync(effects, `${tool} ${call}\n`),
    hasContent: (hash) => existsSync(join(contents, hash)),
    hasCredential: () => existsSync(credential)
  } satisfies Outside & { readonly contents: string; readonly credential: string }
}

type Files = ReturnType<typeof outsideOf>

/** Around what keeps something: with what was kept. */
type Around = (kept: string) => <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

export const artifacts = ({ contents }: Files, around: Around) =>
  Layer.effect(
    ArtifactStore.ArtifactStore,
    ArtifactStore.make({
      set: (hash, bytes) => around(hash)(Effect.sync(() => writeWhole(join(contents, hash), bytes))),
      get: (hash) =>
        Effect.sync(() => {
          const file = join(contents, hash)
          return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined
        }),
      remove: () => Effect.void
    })
  ).pipe(Layer.provide(Digest.layerWebCrypto))

export const credentials = ({ credential: file }: Files, around: Around) =>
  Layer.effect(
    CredentialStore.CredentialStore,
    CredentialStore.make({
      get: () =>
        Effect.sync(() =>
          existsSync(file) ? Option.some({ secret: Redacted.make(readFileSync(file, "utf8")) }) : Option.none()
        ),
      put: (_owner, name, { secret }) => around(name)(Effect.sync(() => writeWhole(file, Redacted.value(secret)))),
      remove: () => Effect.void
    })
  )
