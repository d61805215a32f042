/** Errors of the AI SDK as effect/ai's reasons. Layer 6, edge `ai-sdk`. */
import { Clock, Duration, Effect } from "effect"
import { AiError } from "effect/ai"
import { redact, withoutSecrets } from "./redact.ts"
import { isApiCall, type Told, told } from "./told.ts"

/** Who failed, and what must not be repeated. */
export interface Failing {
  readonly method: string
  readonly provider: string
  readonly secrets: ReadonlyArray<string>
}

/** What is known of a failure beside the error. */
interface Known extends Failing {
  readonly now: number
}

const some = ({ kinds }: Told, pattern: RegExp): boolean => kinds.some((kind) => pattern.test(kind))

// ===== what goes along =======================================================

/** Headers that help with the provider's support, and hold nothing else. */
const shown = ["request-id", "x-request-id", "retry-after", "retry-after-ms"]

const httpOf = ({ status, headers }: Told): { readonly http?: typeof AiError.HttpContext.Type } => {
  if (status === undefined) return {}
  const kept = shown.flatMap((name) => headers[name] === undefined ? [] : [[name, headers[name]] as const])
  return { http: { response: { status, headers: Object.fromEntries(kept) } } }
}

/** How long the provider asks to wait. */
const waitOf = ({ headers, body = "" }: Told, now: number): { readonly retryAfter?: Duration.Duration } => {
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "")
  if (milliseconds >= 0) return { retryAfter: Duration.millis(milliseconds) }
  const after = headers["retry-after"] ?? ""
  if (/^\d+(\.\d+)?$/.test(after)) return { retryAfter: Duration.seconds(Number(after)) }
  const date = Date.parse(after)
  if (!Number.isNaN(date)) return { retryAfter: Duration.millis(Math.max(0, date - now)) }
  // Google's RetryInfo
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return delay === undefined ? {} : { retryAfter: Duration.seconds(Number(delay)) }
}

// ===== reasons ===============================================================

const networkCode =
  /^(econn\w+|e(net|host)unreach|enotfound|eai_again|epipe|etimedout|und_err_\w+|connection\w+|failedtoopensocket)$/
const networkWords = /terminated|fetch failed|socket|network|cannot connect|connection|premature close|timed? ?out/i

const isNetwork = (error: Told): boolean =>
  error.kinds.some((kind) => networkCode.test(kind)) ||
  ((error.name === "TypeError" || error.name === "AbortError" || error.name === "TimeoutError") &&
    (error.name !== "TypeError" || networkWords.test(error.message))) ||
  (error.cause !== undefined && isNetwork(error.cause))

const unfinished = "the stream ended before the model's answer did"

const network = (error: Told, description: string, { provider }: Known): AiError.AiErrorReason =>
  new AiError.NetworkError({
    reason: "TransportError",
    method: "POST",
    url: error.url === undefined ? provider : withoutSecrets(error.url),
    description
  })

/** A refusal by what the provider calls it, whatever its status. */
const byKind = (error: Told, description: string, { now }: Known): AiError.AiErrorReason | undefined => {
  const { status } = error
  const common = { ...httpOf(error) }
  if (
    status === 402 || some(error, /insufficient_quota|billing|credit|quota_exceeded|payment/) ||
    (status === 400 && /credit balance/i.test(description))
  ) return new AiError.QuotaExhaustedError(common)
  if (some(error, /content_(filter|policy)|moderation|policy_violation|responsible_?ai|safety/)) {
    return new AiError.ContentPolicyError({ description, ...common })
  }
  if (status === 429 || some(error, /rate_limit|too_many_requests|resource_exhausted/)) {
    return new AiError.RateLimitError({ ...waitOf(error, now), ...common })
  }
  if (
    status === 401 || some(error, /authentication|invalid_api_key|unauth/) ||
    (status === 400 && /api key (not valid|expired|invalid)/i.test(description))
  ) return new AiError.AuthenticationError({ kind: "InvalidKey", ...common })
  if (status === 403 || some(error, /permission/)) {
    return new AiError.AuthenticationError({ kind: "InsufficientPermissions", ...common })
  }
  return undefined
}

/** A refusal by its status, or by what the provider calls it where there is none. */
const byStatus = (error: Told, description: string): AiError.AiErrorReason | undefined => {
  const { status } = error
  const common = { description, ...httpOf(error) }
  const isTransient = status === 408 || status === 409 || status === 425 || status === 499 ||
    (status !== undefined && status >= 500)
  if (isTransient || some(error, /overloaded|server_error|internal|unavailable|deadline|timeout|^api_error$/)) {
    return new AiError.InternalProviderError(common)
  }
  if ((status !== undefined && status >= 400) || some(error, /invalid|not_found|context_length|unsupported/)) {
    return new AiError.InvalidRequestError(common)
  }
  return undefined
}

/** What the SDK itself found wrong, by the name of its error. */
const byName = ({ name }: Told, description: string): AiError.AiErrorReason | undefined => {
  switch (name) {
    case "AI_LoadAPIKeyError":
      return new AiError.AuthenticationError({ kind: "MissingKey", description })
    case "AI_LoadSettingError":
    case "AI_InvalidArgumentError":
    case "AI_InvalidPromptError":
    case "AI_NoSuchModelError":
    case "AI_NoSuchProviderReferenceError":
    case "AI_UnsupportedFunctionalityError":
      return new AiError.InvalidRequestError({ description })
    case "AI_JSONParseError":
      return new AiError.InvalidOutputError({ description: "the answer is no JSON" })
    case "AI_NoContentGeneratedError":
    case "AI_EmptyResponseBodyError":
      return new AiError.InvalidOutputError({ description })
    case "AI_TypeValidationError":
      return new AiError.InvalidResponseError({ description: "the answer has no form that the provider package knows" })
    case "AI_InvalidResponseDataError":
      return new AiError.InvalidResponseError({ description })
    default:
      return undefined
  }
}

const reasonOf = (error: Told, known: Known): AiError.AiErrorReason => {
  const description = redact(error.message, known.secrets) || "the provider gave no message"
  const isAnswer = error.status !== undefined && error.status < 400
  if (isApiCall(error) && (isAnswer || error.status === undefined)) {
    // the API was not reached, or its answer could not be read
    const cause = error.cause === undefined ? undefined : byName(error.cause, description)
    return cause ?? (error.retryable === true || !isAnswer || isNetwork(error)
      ? network(error, description, known)
      : new AiError.InvalidResponseError({ description, ...httpOf(error) }))
  }
  if (/ended without a finish reason/.test(description)) return network(error, unfinished, known)
  const named = byName(error, description) ?? byKind(error, description, known) ?? byStatus(error, description)
  if (named !== undefined) return named
  if (isNetwork(error)) return network(error, description, known)
  return error.retryable === true
    ? new AiError.InternalProviderError({ description })
    : new AiError.UnknownError({ description })
}

// ===== failures ==============================================================

/** What was thrown, read. */
export type Caught = AiError.AiError | Told

export const caught = (error: unknown): Caught => AiError.isAiError(error) ? error : told(error)

/** The failure that an error is. */
export const failureOf = (error: Caught, failing: Failing): Effect.Effect<never, AiError.AiError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.fail(
      AiError.isAiError(error)
        ? error
        : AiError.make({ module: "AiSdk", method: failing.method, reason: reasonOf(error, { ...failing, now }) })
    ))

/** Reads what a provider gave. Where that is not what its types say, the answer is invalid; nothing of it is repeated. */
export const readAnswer = <A>({ method }: Failing, read: () => Effect.Effect<A, AiError.AiError>) =>
  Effect.catchDefect(Effect.suspend(read), () => {
    const description = "the answer has no form that the AI SDK's interface knows"
    return Effect.fail(
      AiError.make({ module: "AiSdk", method, reason: new AiError.InvalidResponseError({ description }) })
    )
  })

/** The failure of an answer that stopped before its end. */
export const cut = ({ method, provider }: Failing): AiError.AiError =>
  AiError.make({
    module: "AiSdk",
    method,
    reason: new AiError.NetworkError({
      reason: "TransportError",
      method: "POST",
      url: provider,
      description: unfinished
    })
  })
