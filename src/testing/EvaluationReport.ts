/**
 * What came out of an evaluation: as a value and as JSON, as a table for people, as JUnit XML for a CI, and as a verdict.
 *
 * It has nothing of the ToolContext, and is the same for the same runs: times come from the `Clock`.
 *
 * Layer 6, edge `testing`.
 *
 * @since 0.1.0
 */
import { Effect, Schema } from "effect"

// ===== models ================================================================

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** What one scorer gave. @category models @since 0.1.0 */
export const Score = Schema.Struct({
  scorer: Schema.String,
  value: Share,
  threshold: Schema.Finite,
  /** Why, for people. */
  detail: Schema.optionalKey(Schema.String)
})

/** @since 0.1.0 */
export interface Score extends Schema.Schema.Type<typeof Score> {}

/**
 * One run of a case.
 *
 * @category models
 * @since 0.1.0
 */
export const Run = Schema.Struct({
  case: Schema.String,
  /** From 1: a case may run several times. */
  run: Schema.Int,
  /** `failed`: a score is below its threshold. `error`: it did not come to its end, or a scorer did not. */
  status: Schema.Literals(["passed", "failed", "error"]),
  scores: Schema.Array(Score),
  error: Schema.optionalKey(Schema.Struct({
    /** `AgentError/LimitReached`, `TimedOut`, `Unanswered`, `NoTurns`, `ScorerFailed`, `Cancelled`, `Defect`, or another error's tag. */
    tag: Schema.String,
    message: Schema.String
  })),
  milliseconds: Schema.Finite,
  usage: Schema.Struct({
    steps: Schema.Int,
    toolCalls: Schema.Int,
    inputTokens: Schema.Finite,
    outputTokens: Schema.Finite
  })
})

/** @since 0.1.0 */
export interface Run extends Schema.Schema.Type<typeof Run> {
  readonly scores: ReadonlyArray<Score>
}

/**
 * All runs of an evaluation, case by case.
 *
 * @category models
 * @since 0.1.0
 */
export const Report = Schema.Struct({
  format: Schema.Literal("tenon/evaluation"),
  version: Schema.Literal(1),
  name: Schema.String,
  runs: Schema.Array(Run)
})

/** @since 0.1.0 */
export interface Report extends Schema.Schema.Type<typeof Report> {
  readonly runs: ReadonlyArray<Run>
}

/** A report of these runs. @category constructors @since 0.1.0 */
export const make = (name: string, runs: ReadonlyArray<Run>): Report => ({
  format: "tenon/evaluation",
  version: 1,
  name,
  runs
})

const codec = Schema.fromJsonString(Report)

/** A report as JSON. @category encoding @since 0.1.0 */
export const toJson = (report: Report): string => JSON.stringify(Schema.encodeSync(Report)(report), undefined, 2)

/** Reads a report back. @category encoding @since 0.1.0 */
export const fromJson: (text: string) => Effect.Effect<Report, Schema.SchemaError> = Schema.decodeUnknownEffect(codec)

// ===== numbers ===============================================================

/** The runs of one case, and how many passed. @category models @since 0.1.0 */
export interface CaseRuns {
  readonly case: string
  readonly runs: ReadonlyArray<Run>
  readonly passed: number
}

/** The runs case by case, in their order. @category getters @since 0.1.0 */
export const cases = ({ runs }: Report): ReadonlyArray<CaseRuns> => {
  const byCase = new Map<string, Array<Run>>()
  for (const run of runs) byCase.set(run.case, [...byCase.get(run.case) ?? [], run])
  return [...byCase].map(([name, all]) => ({
    case: name,
    runs: all,
    passed: all.filter(({ status }) => status === "passed").length
  }))
}

const mean = (values: ReadonlyArray<number>): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

/** The share of the ways to draw `k` out of `n` that draw only from `some` of them. */
const drawn = (n: number, some: number, k: number): number => {
  let share = 1
  for (let index = 0; index < k; index++) share *= Math.max(0, some - index) / (n - index)
  return share
}

const overCases = (report: Report, k: number, of: (each: CaseRuns) => number): number => {
  const all = cases(report)
  if (k < 1 || all.some(({ runs }) => runs.length < k)) {
    throw new RangeError(`${k} runs of a case are asked for, and not every case has them`)
  }
  return mean(all.map(of)) ?? 1
}

/**
 * pass@k: how likely one of `k` runs of a case passes at least, as the mean of the cases.
 *
 * @category getters
 * @since 0.1.0
 */
export const passAny = (report: Report, k = 1): number =>
  overCases(report, k, ({ passed, runs: { length } }) => 1 - drawn(length, length - passed, k))

/**
 * pass^k: how likely all of `k` runs of a case pass, as the mean of the cases: τ-bench's measure of how reliable an agent is.
 *
 * **Example** (Two of three runs passed)
 *
 * ```ts
 * import { EvaluationReport } from "tenon/testing"
 *
 * const usage = { steps: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1 }
 * const report = EvaluationReport.make("support", (["passed", "failed", "passed"] as const).map((status, index) => (
 *   { case: "greets", run: index + 1, status, scores: [], milliseconds: 0, usage }
 * )))
 *
 * EvaluationReport.passAny(report, 2) // => 1
 * EvaluationReport.passAll(report, 3) // => 0
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const passAll = (report: Report, k = 1): number =>
  overCases(report, k, ({ passed, runs: { length } }) => drawn(length, passed, k))

const scorersIn = (runs: ReadonlyArray<Run>): ReadonlyArray<string> => [
  ...new Set(runs.flatMap(({ scores }) => scores.map(({ scorer }) => scorer)))
]

const meanOf = (runs: ReadonlyArray<Run>, scorer: string): number | undefined =>
  mean(runs.flatMap(({ scores }) => scores.filter((score) => score.scorer === scorer).map(({ value }) => value)))

/** What kept a run from being measured must not raise the mean. */
const meanWithErrors = (runs: ReadonlyArray<Run>, scorer: string): number | undefined => {
  const measured = runs.filter(({ scores }) => scores.some((score) => score.scorer === scorer))
  const unmeasured = runs.filter((run) => run.status === "error" && !measured.includes(run))
  const own = meanOf(measured, scorer)
  return own === undefined ? undefined : own * measured.length / (measured.length + unmeasured.length)
}

// ===== verdict ===============================================================

/** What an evaluation must reach. @category models @since 0.1.0 */
export interface Thresholds {
  /** The share of runs that must pass; 1 unless another threshold is given. */
  readonly passRate?: number
  /** The least mean, by scorer, of the runs that it measured; one that ended in an error counts as 0. */
  readonly scores?: Readonly<Record<string, number>>
}

/** An evaluation has not reached its thresholds. @category errors @since 0.1.0 */
export class ThresholdsMissed extends Schema.TaggedError<ThresholdsMissed>()("ThresholdsMissed", {
  name: Schema.String,
  missed: Schema.NonEmptyArray(Schema.Struct({
    what: Schema.String,
    /** NaN is never reached. */
    least: Schema.Number,
    /** Absent where no run has such a score. */
    actual: Schema.optionalKey(Schema.Finite)
  }))
}) {
  override get message(): string {
    const each = this.missed.map(({ actual, least, what }) => `${what} is ${actual ?? "nowhere"}, at least ${least}`)
    return `the evaluation '${this.name}' misses its thresholds: ${each.join("; ")}`
  }
}

/**
 * Fails where a report misses its thresholds: so a test fails, and a program ends with another code than 0.
 *
 * @category verdict
 * @since 0.1.0
 */
export const check = (report: Report, thresholds: Thresholds = {}): Effect.Effect<void, ThresholdsMissed> => {
  const { runs } = report
  const { scores = {}, passRate = Object.keys(scores).length === 0 ? 1 : undefined } = thresholds
  const wanted: ReadonlyArray<readonly [string, number | undefined, number | undefined]> = [
    ["pass rate", passRate, mean(runs.map(({ status }) => Number(status === "passed")))],
    ...Object.entries(scores).map(([scorer, least]) => [scorer, least, meanWithErrors(runs, scorer)] as const)
  ]
  const [first, ...others] = wanted.flatMap(([what, least, actual]) =>
    least === undefined || (actual !== undefined && actual >= least)
      ? []
      : [{ what, least, ...(actual !== undefined && { actual }) }]
  )
  return first === undefined
    ? Effect.void
    : Effect.fail(new ThresholdsMissed({ name: report.name, missed: [first, ...others] }))
}

// ===== as a table ============================================================

/** A text in one line. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

const numbered = (value: number | undefined): string => value === undefined ? "–" : value.toFixed(2)

const complaintsOf = ({ error, scores }: Run): ReadonlyArray<string> => [
  ...(error === undefined ? [] : [`${error.tag}: ${error.message}`]),
  ...scores.filter(({ threshold, value }) => value < threshold).map(({ detail, scorer, threshold, value }) =>
    `${scorer} is ${numbered(value)}, at least ${numbered(threshold)}${detail === undefined ? "" : ` (${detail})`}`
  )
]

/**
 * A report as an aligned table of plain text: a row a case with the mean of each score, then what went wrong, run by run.
 *
 * @category encoding
 * @since 0.1.0
 */
export const table = (report: Report): string => {
  const all = cases(report)
  const scorers = scorersIn(report.runs)
  const cells = (label: string, passed: string, runs: ReadonlyArray<Run>): ReadonlyArray<string> => [
    label,
    passed,
    ...scorers.map((scorer) => numbered(meanOf(runs, scorer))),
    (mean(runs.map(({ milliseconds }) => milliseconds)) ?? 0).toFixed(0)
  ]
  const passed = report.runs.filter(({ status }) => status === "passed").length
  const rows = [
    [oneLine(report.name), "passed", ...scorers.map(oneLine), "ms"],
    ...all.map((each) => cells(oneLine(each.case), `${each.passed}/${each.runs.length}`, each.runs)),
    cells("all", `${passed}/${report.runs.length}`, report.runs)
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)).join(
      "  "
    )
  )
  const problems = report.runs.flatMap((run) =>
    complaintsOf(run).map((complaint) => `✗ ${oneLine(run.case)}, run ${run.run}: ${oneLine(complaint)}`)
  )
  return [...lines, ...(problems.length > 0 ? ["", ...problems] : [])].join("\n")
}

// ===== as JUnit XML ==========================================================

/** What XML 1.0 cannot say, not even as a reference: control characters, halves of pairs, two that are no characters. */
// oxlint-disable-next-line no-control-regex -- it is what is looked for
const unspeakable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu
const visible = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }
const escaped = (text: string): string =>
  text
    .replaceAll(unspeakable, visible)
    // line ends and tabs as references: a reader makes spaces of them in an attribute
    .replaceAll(/[&<>"\t\n\r]/g, (character) => entities[character] ?? `&#${character.charCodeAt(0)};`)

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values).map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join("")

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

const testCase = (suite: string, run: Run, repeated: boolean): ReadonlyArray<string> => {
  const { case: name, error, milliseconds, scores, status } = run
  const complaints = complaintsOf(run)
  const problem = status === "passed" ? [] : [
    `      <${status === "error" ? "error" : "failure"}${
      attributes({ message: complaints[0] ?? status, type: error?.tag ?? "BelowThreshold" })
    }>${escaped(complaints.join("\n"))}</${status === "error" ? "error" : "failure"}>`
  ]
  const out = scores.map(({ scorer, value }) => `${scorer}: ${value}`).join("\n")
  return [
    `    <testcase${
      attributes({ name: repeated ? `${name} (run ${run.run})` : name, classname: suite, time: seconds(milliseconds) })
    }>`,
    ...problem,
    ...(out === "" ? [] : [`      <system-out>${escaped(out)}</system-out>`]),
    "    </testcase>"
  ]
}

/**
 * A report as JUnit XML: a test case for each run, with its scores as what it printed. It is valid by the schema that
 * Jenkins publishes, which other CI servers read too.
 *
 * **Details**
 *
 * Characters that XML cannot hold are written as `\u0000`.
 *
 * @category encoding
 * @since 0.1.0
 */
export const toJUnit = (report: Report): string => {
  const { name, runs } = report
  const count = (status: Run["status"]) => runs.filter((run) => run.status === status).length
  const counts = {
    name,
    tests: runs.length,
    failures: count("failed"),
    errors: count("error"),
    time: seconds(runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0))
  }
  return [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    `<testsuites${attributes(counts)}>`,
    `  <testsuite${attributes(counts)}>`,
    ...cases(report).flatMap((each) => each.runs.flatMap((run) => testCase(name, run, each.runs.length > 1))),
    "  </testsuite>",
    "</testsuites>",
    ""
  ].join("\n")
}
