/**
 * What the tests see as `@effect/vitest` while their mutants are tried: as much of it as the tests of the kernel use.
 * A suite is collected when its file is imported; `collected` hands it over.
 */
import { Arbitrary, Effect, Layer, type Schema, type Scope } from "effect"
import { TestClock, TestConsole } from "effect/testing"

export { assert } from "vitest"

export interface Test {
  readonly name: string
  readonly run: () => unknown
}

type Body<A extends ReadonlyArray<unknown>> = (...args: A) => unknown
type EffectBody = () => Effect.Effect<unknown, unknown, Scope.Scope | TestClock.TestClock | TestConsole.TestConsole>

const tests: Array<Test> = []
const path: Array<string> = []

/** The tests that were declared since the last call. */
export const collected = (): ReadonlyArray<Test> => tests.splice(0)

export const describe = (name: string, body: () => void): void => {
  path.push(name)
  body()
  path.pop()
}

const add = (name: string, run: () => unknown): void => {
  // rows of a table may share a name
  const whole = `${[...path, name].join(" > ")} #${tests.length + 1}`
  tests.push({ name: whole, run })
}

const environment = Layer.mergeAll(TestConsole.layer, TestClock.layer())

const inTest = <A>(effect: Effect.Effect<A, unknown, Scope.Scope | TestClock.TestClock | TestConsole.TestConsole>) =>
  Effect.runPromise(effect.pipe(Effect.scoped, Effect.provide(environment)))

const rowsOf = (row: unknown): ReadonlyArray<unknown> => Array.isArray(row) ? row as ReadonlyArray<unknown> : [row]

type Input = Schema.Schema<unknown> | Arbitrary.Arbitrary<unknown>

const arbitraryOf = (input: Input) => Arbitrary.isArbitrary(input) ? input : Arbitrary.schema(input)

const property = (
  name: string,
  inputs: Readonly<Record<string, Input>>,
  body: (values: unknown) => ReturnType<EffectBody>,
  options?: { readonly arbitrary?: Arbitrary.CheckOptions }
) =>
  add(name, () => {
    const values: Arbitrary.Arbitrary<unknown> = Array.isArray(inputs)
      ? Arbitrary.all((inputs as ReadonlyArray<Input>).map(arbitraryOf))
      : Arbitrary.all(Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, arbitraryOf(input)])))
    const holds = (each: unknown) => Effect.promise(() => inTest(Effect.map(body(each), (held) => held !== false)))
    return inTest(Effect.flatMap(Arbitrary.checkEffect(values, holds, options?.arbitrary), (result) => {
      const failure = Arbitrary.formatCheckFailure(result)
      return failure === undefined ? Effect.void : Effect.die(new Error(failure))
    }))
  })

export const it = Object.assign((name: string, body: Body<[]>) => add(name, body), {
  each: (rows: ReadonlyArray<unknown>) => (name: string, body: Body<ReadonlyArray<unknown>>) => {
    for (const row of rows) add(name, () => body(...rowsOf(row)))
  },
  effect: Object.assign((name: string, body: EffectBody) => add(name, () => inTest(Effect.suspend(body))), {
    each: (rows: ReadonlyArray<unknown>) => (name: string, body: (row: unknown) => ReturnType<EffectBody>) => {
      for (const row of rows) add(name, () => inTest(Effect.suspend(() => body(row))))
    },
    prop: property
  }),
  live: (name: string, body: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
    add(name, () => Effect.runPromise(Effect.scoped(Effect.suspend(body))))
})
