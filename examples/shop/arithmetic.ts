/**
 * The arithmetic of Python: a `bigint` is a whole number, exact at any size; a `number` is a double. Where Python raises
 * an exception, the failure is its text.
 */
import { Result } from "effect"

/** A whole number, or a double. */
export type Value = bigint | number

/** What stands between two values. */
export type Operator = "+" | "-" | "*" | "/" | "//" | "**"

type Outcome<A> = Result.Result<A, string>

/** What grows beyond this is answered as too large; Python would go on as long as its memory does. */
const largestBits = 1_000_000

const bitsOf = (whole: bigint): number => whole.toString(16).length * 4

/** The nearest double. */
export const toDouble = (value: Value): Outcome<number> => {
  if (typeof value === "number") return Result.succeed(value)
  const double = Number(value)
  return Number.isFinite(double) ? Result.succeed(double) : Result.fail("int too large to convert to float")
}

export const negate = (value: Value): Value => -value

const abs = (whole: bigint): bigint => whole < 0n ? -whole : whole

/** The double nearest to the exact quotient of two whole numbers. */
const quotient = (a: bigint, b: bigint): Outcome<number> => {
  if (b === 0n) return Result.fail("division by zero")
  const [dividend, divisor] = [abs(a), abs(b)]
  const sign = a < 0n === b < 0n ? 1 : -1
  // 66 or more digits of the quotient, and one that says whether anything is left: more than a double can tell apart
  const shift = Math.max(0, 70 + bitsOf(divisor) - bitsOf(dividend))
  const scaled = dividend << BigInt(shift)
  const digits = scaled / divisor << 1n | (scaled % divisor === 0n ? 0n : 1n)
  // in two factors: one alone could be smaller than any double
  const half = Math.floor((shift + 1) / 2)
  const double = Number(digits) * 2 ** -half * 2 ** -(shift + 1 - half)
  return Number.isFinite(double)
    ? Result.succeed(sign * double)
    : Result.fail("integer division result too large for a float")
}

/** The exact quotient of two whole numbers, rounded down. */
const floored = (a: bigint, b: bigint): Outcome<bigint> => {
  if (b === 0n) return Result.fail("integer division or modulo by zero")
  const cut = a / b
  return Result.succeed(a % b !== 0n && a < 0n !== b < 0n ? cut - 1n : cut)
}

/** As CPython does it: it is the exact quotient that is rounded down, not the double nearest to it. */
const flooredDoubles = (a: number, b: number): Outcome<number> => {
  if (b === 0) return Result.fail("float floor division by zero")
  const rest = a % b
  const whole = (a - rest) / b - (rest !== 0 && b < 0 !== rest < 0 ? 1 : 0)
  if (whole === 0) return Result.succeed(a / b < 0 || Object.is(a / b, -0) ? -0 : 0)
  const down = Math.floor(whole)
  return Result.succeed(whole - down > 0.5 ? down + 1 : down)
}

const powerOfDoubles = (a: number, b: number): Outcome<number> => {
  if (a === 0 && b < 0) return Result.fail("0.0 cannot be raised to a negative power")
  if (a === 1) return Result.succeed(1)
  if (Number.isFinite(a) && Number.isFinite(b)) {
    if (a < 0 && !Number.isInteger(b)) {
      return Result.fail("float() argument must be a string or a real number, not 'complex'")
    }
    return Number.isFinite(a ** b) ? Result.succeed(a ** b) : Result.fail("(34, 'Numerical result out of range')")
  }
  return Result.succeed(a === -1 && !Number.isNaN(b) ? 1 : a ** b)
}

const powerOfWholes = (a: bigint, b: bigint): Outcome<bigint> =>
  abs(a) > 1n && b * BigInt(bitsOf(a)) > largestBits
    ? Result.fail("int too large to convert to float")
    : Result.succeed(a ** b)

const wholes = (operator: Operator, a: bigint, b: bigint): Outcome<Value> => {
  switch (operator) {
    case "+":
      return Result.succeed(a + b)
    case "-":
      return Result.succeed(a - b)
    case "*":
      return Result.succeed(a * b)
    case "/":
      return quotient(a, b)
    case "//":
      return floored(a, b)
    case "**":
      return b < 0n ? doubled(operator, a, b) : powerOfWholes(a, b)
  }
}

const doubles = (operator: Operator, a: number, b: number): Outcome<number> => {
  switch (operator) {
    case "+":
      return Result.succeed(a + b)
    case "-":
      return Result.succeed(a - b)
    case "*":
      return Result.succeed(a * b)
    case "/":
      return b === 0 ? Result.fail("float division by zero") : Result.succeed(a / b)
    case "//":
      return flooredDoubles(a, b)
    case "**":
      return powerOfDoubles(a, b)
  }
}

const doubled = (operator: Operator, a: Value, b: Value): Outcome<number> =>
  Result.flatMap(toDouble(a), (left) => Result.flatMap(toDouble(b), (right) => doubles(operator, left, right)))

/** Two whole numbers make a whole one where they can; a double makes everything a double. */
export const operate = (operator: Operator, a: Value, b: Value): Outcome<Value> =>
  typeof a === "bigint" && typeof b === "bigint" ? wholes(operator, a, b) : doubled(operator, a, b)
