import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { calculate } from "../../examples/shop/calculator.ts"
import { float, round2 } from "../../examples/shop/python.ts"

/** What the tool `calculate` answers. */
const answer = (expression: string): string =>
  Result.match(calculate(expression), {
    onSuccess: (value) => float(round2(value)),
    onFailure: (problem) => `Error: ${problem}`
  })

/** What CPython 3.11 answers. */
const rows: Readonly<Record<string, ReadonlyArray<readonly [expression: string, result: string]>>> = {
  "the four operations": [
    ["1126.04", "1126.04"],
    ["  1 + 2*3  ", "7.0"],
    ["(1 + 2) * 3", "9.0"],
    ["10 - 4 - 3", "3.0"],
    ["16 / 4 / 2", "2.0"],
    ["5. + .5 + 1.50", "7.0"],
    ["2 + -3", "-1.0"],
    ["1 + + 2", "3.0"],
    ["--5", "5.0"],
    ["00 + 007.5", "7.5"]
  ],
  "power, from the right and tighter than a sign at its left": [
    ["2**3**2", "512.0"],
    ["-2**2", "-4.0"],
    ["2**-1", "0.5"],
    ["2**-3**2", "0.0"],
    ["2**-1*4", "2.0"],
    ["2**0.5", "1.41"],
    ["1.0**(10**308*10.)", "1.0"]
  ],
  "division rounded down, of the exact quotient": [
    ["7//2", "3.0"],
    ["-7//2", "-4.0"],
    ["-7.//2", "-4.0"],
    ["7.//-2", "-4.0"],
    ["1//0.1", "9.0"],
    ["1//-.1", "-10.0"],
    ["0.//-2", "-0.0"]
  ],
  "whole numbers of any size": [
    ["9007199254740993 - 9007199254740992", "1.0"],
    ["10**400/10**399", "10.0"],
    ["(10**40 + 1) // 10**39", "10.0"],
    ["1/10**400", "0.0"],
    ["-(3*10**30)/10**30", "-3.0"]
  ],
  "Python's way to write a double": [
    ["-0.0", "-0.0"],
    ["0*-1.", "-0.0"],
    ["10**15", "1000000000000000.0"],
    ["10**16", "1e+16"],
    ["123456789012345678", "1.2345678901234568e+17"],
    ["10**308*10.", "inf"],
    ["10**308*10. - 10**308*10.", "nan"]
  ],
  "what cannot be evaluated": [
    ["1/0", "Error: division by zero"],
    ["1/0.", "Error: float division by zero"],
    ["0.0/0", "Error: float division by zero"],
    ["1//0", "Error: integer division or modulo by zero"],
    ["1//0.0", "Error: float floor division by zero"],
    ["0**-1", "Error: 0.0 cannot be raised to a negative power"],
    ["(-8)**.5", "Error: float() argument must be a string or a real number, not 'complex'"],
    ["10**400", "Error: int too large to convert to float"],
    ["10**400/3", "Error: integer division result too large for a float"],
    ["10**400*1.5", "Error: int too large to convert to float"],
    ["10.0**400", "Error: (34, 'Numerical result out of range')"],
    ["2(3)", "Error: 'int' object is not callable"],
    ["2.5()", "Error: 'float' object is not callable"],
    ["2(1/0)", "Error: division by zero"]
  ],
  "what is no expression": [
    ["", "Error: invalid syntax (<string>, line 0)"],
    ["   ", "Error: invalid syntax (<string>, line 0)"],
    ["1 +", "Error: invalid syntax (<string>, line 1)"],
    ["1/(2-2) + *", "Error: invalid syntax (<string>, line 1)"],
    ["*1", "Error: invalid syntax (<string>, line 1)"],
    ["1 2", "Error: invalid syntax (<string>, line 1)"],
    ["1.2.3", "Error: invalid syntax (<string>, line 1)"],
    [".", "Error: invalid syntax (<string>, line 1)"],
    ["(1 2)", "Error: invalid syntax. Perhaps you forgot a comma? (<string>, line 1)"],
    ["(1 + 2", "Error: '(' was never closed (<string>, line 1)"],
    ["(1 2", "Error: '(' was never closed (<string>, line 1)"],
    ["1 + 2)", "Error: unmatched ')' (<string>, line 1)"],
    ["1 2)", "Error: unmatched ')' (<string>, line 1)"],
    [
      "012",
      "Error: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)"
    ]
  ],
  "other characters": [
    ["$5", "Error: invalid characters in expression"],
    ["1,000", "Error: invalid characters in expression"],
    ["1e5", "Error: invalid characters in expression"],
    ["50%", "Error: invalid characters in expression"],
    ["1\t+ 1", "Error: invalid characters in expression"],
    ["1\n", "Error: invalid characters in expression"]
  ]
}

describe("calculate", () => {
  for (const [what, table] of Object.entries(rows)) {
    it.each(table)(`${what}: %s`, (expression, result) => {
      assert.strictEqual(answer(expression), result)
    })
  }

  it("takes any depth", () => {
    const deep = 50_000
    assert.strictEqual(answer(`${"(".repeat(deep)}1${")".repeat(deep)}`), "1.0")
    assert.strictEqual(answer(`${"-".repeat(deep)}1`), "1.0")
  })

  it("gives up on a number that no memory holds", () => {
    assert.strictEqual(answer("9**9**9**9"), "Error: int too large to convert to float")
  })
})
