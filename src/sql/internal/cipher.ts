/**
 * What credentials are encrypted with: AES-256-GCM, under keys with ids. Layer 6, edge `sql`.
 */
import { Redacted, Result } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { Key } from "../SqlCredentials.ts"

export interface Sealed {
  readonly key_id: string
  readonly data: string
}

/** What stands about a text outside of it. One that was sealed about something else cannot be opened. */
type About = ReadonlyArray<string>

export interface Cipher {
  readonly seal: (about: About, text: string) => Sealed
  readonly open: (about: About, sealed: Sealed) => Result.Result<string, string>
}

const algorithm = "aes-256-gcm"
const ivLength = 12
const authTagLength = 16

const aadOf = (about: About, id: string) => Buffer.from(JSON.stringify([algorithm, id, ...about]))

/** The first key seals, all of them open. Fails with the problem in words, which hold no secret. */
export const make = (keys: ReadonlyArray<Key>): Result.Result<Cipher, string> => {
  const byId = new Map<string, Uint8Array>()
  for (const { id, secret } of keys) {
    const bytes = Buffer.from(Redacted.value(secret), "base64")
    if (bytes.length !== 32) return Result.fail(`the key '${id}' is not one of 32 bytes in base64`)
    if (byId.has(id)) return Result.fail(`two keys have the id '${id}'`)
    byId.set(id, bytes)
  }
  const [current] = byId
  if (current === undefined) return Result.fail("it has no key")
  const [currentId, currentKey] = current
  return Result.succeed({
    seal: (about, text) => {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv(algorithm, currentKey, iv, { authTagLength }).setAAD(aadOf(about, currentId))
      const sealed = [cipher.update(text, "utf8"), cipher.final()]
      return { key_id: currentId, data: Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url") }
    },
    open: (about, { data, key_id }) => {
      const key = byId.get(key_id)
      if (key === undefined) return Result.fail(`its key '${key_id}' is none of those that this program has`)
      return Result.try({
        try: () => {
          const bytes = Buffer.from(data, "base64url")
          const tag = bytes.subarray(ivLength, ivLength + authTagLength)
          const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), { authTagLength })
            .setAAD(aadOf(about, key_id))
            .setAuthTag(tag)
          return decipher.update(bytes.subarray(ivLength + authTagLength), undefined, "utf8") + decipher.final("utf8")
        },
        catch: () => `it was changed or moved, or '${key_id}' is another key now`
      })
    }
  })
}
