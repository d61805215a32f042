/**
 * What an error of the AI SDK tells, whatever made it: an HTTP status, an error event of a stream, a network. The SDK
 * marks its errors with symbols, so that they are known across its versions without an import. Layer 6, edge `ai-sdk`.
 */
import { isRecord } from "./json.ts"

/** The facts of an error. */
export interface Told {
  readonly name: string
  readonly message: string
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly url?: string
  /** The provider's own words for the kind of error, in small letters. */
  readonly kinds: ReadonlyArray<string>
  readonly retryable?: boolean
  readonly body?: string
  readonly cause?: Told
}

const isMarked = (error: object, marker: string): boolean =>
  (error as Readonly<Record<symbol, unknown>>)[Symbol.for(marker)] === true

/** An answer of the API that is no answer of a model. */
export const isApiCall = ({ name }: Told): boolean => name === "AI_APICallError"

const string = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** The provider's own object: bare, under `error`, or under `response.error`. */
const innermost = (value: unknown, depth = 0): Readonly<Record<string, unknown>> | undefined => {
  if (!isRecord(value) || depth > 3) return undefined
  const { error, response } = value
  return innermost(error, depth + 1) ?? (isRecord(response) ? innermost(response.error, depth + 1) : undefined) ?? value
}

const kindsIn = (...values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.map((value) => innermost(value)).flatMap((value) =>
    value === undefined ? [] : [value.type, value.code, value.status]
  )
    .flatMap((kind) => typeof kind === "string" ? [kind.toLowerCase()] : [])

const headersOf = (value: unknown): Readonly<Record<string, string>> =>
  isRecord(value)
    ? Object.fromEntries(
      Object.entries(value).flatMap(([name, header]) =>
        typeof header === "string" ? [[name.toLowerCase(), header]] : []
      )
    )
    : {}

/** A status, also where a provider writes it as the code of its error. */
const statusIn = (error: Readonly<Record<string, unknown>>): number | undefined =>
  [error.statusCode, innermost(error)?.code].find((value): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 100 && value < 600
  )

/** Reads an error, and what caused it. */
export const told = (error: unknown, depth = 0): Told => {
  if (typeof error !== "object" || error === null) return { name: "", message: String(error), headers: {}, kinds: [] }
  const fields = error as Readonly<Record<string, unknown>>
  const name = isMarked(error, "vercel.ai.error.AI_APICallError") ? "AI_APICallError" : string(fields.name) ?? ""
  const status = statusIn(fields)
  const [url, body] = [string(fields.url), string(fields.responseBody)]
  return {
    name,
    message: string(fields.message) ?? string(innermost(error)?.message) ?? "",
    headers: headersOf(fields.responseHeaders),
    kinds: kindsIn(error, fields.data),
    ...(status !== undefined && { status }),
    ...(url !== undefined && { url }),
    ...(body !== undefined && { body }),
    ...(typeof fields.isRetryable === "boolean" && { retryable: fields.isRetryable }),
    ...(depth < 5 && isRecord(fields.cause) && { cause: told(fields.cause, depth + 1) })
  }
}
