/** Counts what held and what did not, as `run-steps.ts` reads it: one line each, and `N passed, N failed` at the end. */

export interface Report {
  readonly check: (ok: boolean, what: string, output?: string) => void
  /** Says what could not be tried here. On CI nothing may be left out. */
  readonly skip: (what: string) => void
}

const onCi = process.env["CI"] === "true"

/** Runs the checks, and ends the process. What throws is a check that failed. */
export const reporting = async (checks: (report: Report) => Promise<void>): Promise<never> => {
  const counts = { passed: 0, failed: 0 }
  const check: Report["check"] = (ok, what, output = "") => {
    counts[ok ? "passed" : "failed"]++
    console.log(`${ok ? "ok  " : "FAIL"} ${what}${ok || output === "" ? "" : `\n${output.trim()}`}`)
  }
  const skip: Report["skip"] = (what) => onCi ? check(false, what) : console.log(`skip ${what}`)
  try {
    await checks({ check, skip })
  } catch (error) {
    check(false, error instanceof Error ? error.message : String(error))
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  process.exit(counts.failed === 0 ? 0 : 1)
}
