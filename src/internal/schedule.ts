/**
 * Which calls of a step must wait for which. Pure. Layer 5.
 *
 * A call waits for the earlier calls of its step that conflict with it, so that however they overlap the outcome is as
 * if they had run one by one in the order in which the model asked.
 */
import type { ContractValue } from "./contract.ts"
import { accessOf } from "./contract.ts"
import { isShared, type Mode } from "./fork.ts"

/** One thing that a call touches: a field, an entry of one, or something outside of State. */
export interface Claim {
  readonly resource: string
  readonly entry: string | undefined
  readonly mode: Mode
  /** Do two combines of it give equal results in any order? */
  readonly commutative: boolean
}

/** Everything: a call that is exclusive claims it, all others share it. */
const everything = "*"

/** What a call with these arguments touches. */
export const claimsOf = (contract: ContractValue, parameters: unknown): ReadonlyArray<Claim> => {
  const claims: Array<Claim> = [
    { resource: everything, entry: undefined, mode: contract.exclusive === true ? "write" : "read", commutative: false }
  ]
  if (typeof contract.exclusive === "string") {
    claims.push({ resource: `exclusive ${contract.exclusive}`, entry: undefined, mode: "write", commutative: false })
  }
  const access = [...accessOf(contract, parameters).values()]
  // a plain write of a shared field commits only if all shared rows are as the call saw them, so it owns them whole
  const guarded = access.some(({ field, mode, entry }) => isShared(field) && mode === "write" && entry === undefined)
  for (const { field, mode, entry } of access) {
    const whole = guarded && isShared(field)
    claims.push({
      resource: field.name,
      entry: whole ? undefined : entry,
      mode,
      commutative: field.commutative && !(whole && field.storesOutcome)
    })
  }
  return claims
}

/** Must the later of two calls wait for the earlier one, when they touch these? */
export const conflict = (a: Claim, b: Claim): boolean => {
  if (a.mode === "read" && b.mode === "read") return false
  if (a.entry !== undefined && b.entry !== undefined && a.entry !== b.entry) return false
  return !(a.mode === "combine" && b.mode === "combine" && a.commutative && b.commutative)
}

/** For each call, the earlier ones that it waits for. */
export const dependencies = (calls: ReadonlyArray<ReadonlyArray<Claim>>): ReadonlyArray<ReadonlyArray<number>> => {
  const claimed = new Map<string, Array<{ readonly call: number; readonly claim: Claim }>>()
  return calls.map((claims, call) => {
    const waits = new Set<number>()
    for (const claim of claims) {
      const earlier = claimed.get(claim.resource)
      if (earlier === undefined) {
        claimed.set(claim.resource, [{ call, claim }])
        continue
      }
      for (const other of earlier) if (other.call !== call && conflict(other.claim, claim)) waits.add(other.call)
      earlier.push({ call, claim })
    }
    return [...waits].sort((a, b) => a - b)
  })
}
