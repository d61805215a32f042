/**
 * Messages of providers and of the network, without what nobody else may read: some repeat the key that they refuse.
 * Layer 6, edge `ai-sdk`.
 */

const hidden = "[redacted]"
const longest = 500

/** What a key looks like, and where one stands. */
const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(bearer\s+)[\w.~+/=*-]+/gi, `$1${hidden}`],
  [/\b(basic\s+)[\w+/=]{12,}/gi, `$1${hidden}`],
  [
    /((?:api[-_ ]?key|authorization|access[-_ ]?token|secret)[^:=\n]{0,20}[:=](?!\/\/)["'\s]*)[^\s"',;)}\]]+/gi,
    `$1${hidden}`
  ],
  [/([?&](?:key|api[-_]?key|token|access_token)=)[^&\s"']+/gi, `$1${hidden}`],
  [/\b(?:sk|pk|rk|gsk|xai|nvapi|hf|pplx|tgp|csk|fw)[-_][\w*.-]{6,}/g, hidden],
  [/\beyJ[\w-]{5,}(?:\.[\w-]+)*/g, hidden],
  [/\bAIza[\w-]{10,}/g, hidden],
  // anything long that mixes letters and digits
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}/gi, hidden]
]

/** A message to show, without these secrets and without what looks like one. */
export const redact = (text: string, secrets: ReadonlyArray<string>): string => {
  // the patterns need not go through what is not shown anyway
  const told = secrets.reduce((told, secret) => told.replaceAll(secret, hidden), text).slice(0, 10 * longest)
  const clean = patterns.reduce((told, [pattern, instead]) => told.replace(pattern, instead), told)
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean
}

/** An address without its query, fragment and user. */
export const withoutSecrets = (url: string): string => url.replace(/[?#].*$/s, "").replace(/\/\/[^/@]*@/, "//")

/** What headers hold that tells who calls. */
export const secretsIn = (headers: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && value.length >= 4 && /auth|key|token|secret|cookie/i.test(name)
      ? [value, value.replace(/^\S+\s+/, "")]
      : []
  )
