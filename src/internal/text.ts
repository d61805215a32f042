/**
 * Texts as bytes. Every platform has both, and no library that this package compiles with has their types. Layer 1.
 */
interface Utf8 {
  readonly TextEncoder: new() => { readonly encode: (text: string) => Uint8Array }
  readonly TextDecoder: new(
    label: "utf-8",
    options: { readonly ignoreBOM: boolean }
  ) => { readonly decode: (bytes: Uint8Array) => string }
}

const { TextDecoder, TextEncoder } = globalThis as unknown as Utf8
const encoder = new TextEncoder()
// a mark of the byte order is a character of the text, which would not come back as it was saved without it
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** A text as UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** UTF-8 as a text; what is none becomes a replacement character. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

/** UTF-8 as a text; `undefined` where it is none. */
export const textIn = (bytes: Uint8Array): string | undefined => {
  const text = textOf(bytes)
  const again = bytesOf(text)
  return again.length === bytes.length && again.every((byte, index) => byte === bytes[index]) ? text : undefined
}
