/**
 * Texts as bytes. Every platform has both, and no library that this package compiles with has their types. Layer 1.
 */
interface Utf8 {
  readonly TextEncoder: new() => { readonly encode: (text: string) => Uint8Array }
  readonly TextDecoder: new() => { readonly decode: (bytes: Uint8Array) => string }
}

const { TextDecoder, TextEncoder } = globalThis as unknown as Utf8
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A text as UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** UTF-8 as a text; what is none becomes a replacement character. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)
