/**
 * Evaluates arithmetic expressions as Python does, error texts included; without `eval`, and without recursion, so that
 * no expression is too deep. Only what is no arithmetic at all, as `()` or `...`, is a syntax error here and something
 * else there.
 */
import { Result } from "effect"
import { negate, operate, type Operator, toDouble, type Value } from "./arithmetic.ts"

type Token =
  | { readonly _tag: "Number"; readonly value: Value }
  | { readonly _tag: "Operator"; readonly operator: Operator }
  | { readonly _tag: "Open" | "Close" | "Dot" | "End" }

/** The expression in the order in which it is evaluated: operands first. A call is what Python sees in `2(3)`. */
type Step =
  | { readonly _tag: "Value"; readonly value: Value }
  | { readonly _tag: "Binary"; readonly operator: Operator }
  | { readonly _tag: "Negative" | "Positive" }
  | { readonly _tag: "Call"; readonly hasArgument: boolean }

const syntaxError = (problem: string, line = 1): Result.Result<never, string> =>
  Result.fail(`${problem} (<string>, line ${line})`)

// ===== tokens ================================================================

const tokenPattern = / *(?:(\d+\.\d*|\.\d+)|(\d+)|(\*\*|\/\/|[-+*/])|([().]))/gy

const tagOf = { "(": "Open", ")": "Close", ".": "Dot" } as const

/** The tokens; parentheses that close nothing and leading zeros are found here, before any other mistake. */
const tokensOf = (expression: string): Result.Result<ReadonlyArray<Token>, string> => {
  const tokens: Array<Token> = []
  let depth = 0
  for (const [, double, whole, operator, other] of expression.matchAll(tokenPattern)) {
    if (double !== undefined) tokens.push({ _tag: "Number", value: Number(double) })
    else if (whole !== undefined) {
      if (/^0+[1-9]/.test(whole)) {
        return syntaxError(
          "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"
        )
      }
      tokens.push({ _tag: "Number", value: BigInt(whole) })
    } else if (operator !== undefined) tokens.push({ _tag: "Operator", operator: operator as Operator })
    else {
      const tag = tagOf[other as keyof typeof tagOf]
      depth += tag === "Open" ? 1 : tag === "Close" ? -1 : 0
      if (depth < 0) return syntaxError("unmatched ')'")
      tokens.push({ _tag: tag })
    }
  }
  return tokens.length === 0 ? syntaxError("invalid syntax", 0) : Result.succeed([...tokens, { _tag: "End" }])
}

// ===== order of evaluation ===================================================

type Waiting = "(" | "call" | "negative" | "positive" | Operator

/** How tightly an operator binds; what is opened waits for its end. */
const bindingOf: Readonly<Record<Waiting, number>> = {
  "(": 0,
  "call": 0,
  "+": 1,
  "-": 1,
  "*": 2,
  "/": 2,
  "//": 2,
  "negative": 3,
  "positive": 3,
  "**": 4
}

const stepOf = (waiting: Exclude<Waiting, "(" | "call">): Step =>
  waiting === "negative"
    ? { _tag: "Negative" }
    : waiting === "positive"
    ? { _tag: "Positive" }
    : { _tag: "Binary", operator: waiting }

/** Dijkstra's shunting yard. */
class Yard {
  readonly steps: Array<Step> = []
  readonly waiting: Array<Waiting> = []
  /** Must a value come next? */
  wantsValue = true

  /** Puts out what waits and binds at least as tightly. */
  private release(binding: number): void {
    for (let top = this.waiting.at(-1); top !== undefined && bindingOf[top] >= binding; top = this.waiting.at(-1)) {
      this.steps.push(stepOf(this.waiting.pop() as Exclude<Waiting, "(" | "call">))
    }
  }

  /** Takes a token; tells whether it may stand there. */
  take(token: Token, previous: Token | undefined): boolean {
    switch (token._tag) {
      case "Number":
        if (!this.wantsValue) return false
        this.steps.push({ _tag: "Value", value: token.value })
        this.wantsValue = false
        return true
      case "Operator":
        return this.wantsValue ? this.sign(token.operator) : this.binary(token.operator)
      case "Open":
        this.waiting.push(this.wantsValue ? "(" : "call")
        this.wantsValue = true
        return true
      case "Close":
        return this.close(previous)
      case "End":
        if (this.wantsValue) return false
        this.release(1)
        return this.waiting.length === 0
      case "Dot":
        return false
    }
  }

  private sign(operator: Operator): boolean {
    if (operator !== "+" && operator !== "-") return false
    this.waiting.push(operator === "-" ? "negative" : "positive")
    return true
  }

  private binary(operator: Operator): boolean {
    // a power is the one operator that is read from the right
    this.release(operator === "**" ? bindingOf[operator] + 1 : bindingOf[operator])
    this.waiting.push(operator)
    this.wantsValue = true
    return true
  }

  private close(previous: Token | undefined): boolean {
    const isEmpty = previous?._tag === "Open"
    if (this.wantsValue && !(isEmpty && this.waiting.at(-1) === "call")) return false
    this.release(1)
    if (this.waiting.pop() === "call") this.steps.push({ _tag: "Call", hasArgument: !isEmpty })
    this.wantsValue = false
    return true
  }
}

/** Is the parenthesis around this place closed further on? */
const isClosedAfter = (tokens: ReadonlyArray<Token>, index: number): boolean => {
  let depth = 1
  for (const { _tag } of tokens.slice(index)) {
    depth += _tag === "Open" ? 1 : _tag === "Close" ? -1 : 0
    if (depth === 0) return true
  }
  return false
}

const stepsOf = (tokens: ReadonlyArray<Token>): Result.Result<ReadonlyArray<Step>, string> => {
  const yard = new Yard()
  for (const [index, token] of tokens.entries()) {
    if (yard.take(token, tokens[index - 1])) continue
    const isWithin = yard.waiting.some((waiting) => bindingOf[waiting] === 0)
    const isExtra = token._tag === "Number" && isWithin
    if (isExtra && isClosedAfter(tokens, index)) return syntaxError("invalid syntax. Perhaps you forgot a comma?")
    return syntaxError(isWithin && (isExtra || token._tag === "End") ? "'(' was never closed" : "invalid syntax")
  }
  return Result.succeed(yard.steps)
}

// ===== evaluation ============================================================

const evaluate = (steps: ReadonlyArray<Step>): Result.Result<Value, string> => {
  const stack: Array<Value> = []
  const pop = (): Value => stack.pop() as Value
  for (const step of steps) {
    switch (step._tag) {
      case "Value":
        stack.push(step.value)
        break
      case "Negative":
        stack.push(negate(pop()))
        break
      case "Positive":
        break
      case "Call": {
        if (step.hasArgument) pop()
        return Result.fail(`'${typeof pop() === "bigint" ? "int" : "float"}' object is not callable`)
      }
      case "Binary": {
        const right = pop()
        const outcome = operate(step.operator, pop(), right)
        if (Result.isFailure(outcome)) return outcome
        stack.push(outcome.success)
      }
    }
  }
  return Result.succeed(pop())
}

/** The value of an expression, or Python's words for what is wrong with it. */
export const calculate = (expression: string): Result.Result<number, string> =>
  /[^-0-9+*/(). ]/.test(expression)
    ? Result.fail("invalid characters in expression")
    : Result.flatMap(Result.flatMap(Result.flatMap(tokensOf(expression), stepsOf), evaluate), toDouble)
