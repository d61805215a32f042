import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Instructions, ToolContext } from "tenon"

const Env = ToolContext.make({
  tenant: Schema.String,
  account: Schema.Struct({ token: Schema.RedactedFromValue(Schema.String) })
})

describe("Instructions", () => {
  it("refuses a redacted value at any depth, at construction", () => {
    assert.throws(
      () => Instructions.template`For ${Env.account}.`,
      "a redacted value must not reach the model: 'account' holds one"
    )
  })

  it("takes plain texts and numbers as they are", () => {
    const instructions = Instructions.template`Answer ${Env.tenant} in ${"German"}, in ${3} sentences.`
    assert.deepStrictEqual(instructions.contract.requires.map(({ name }) => name), ["tenant"])
    const text = instructions["~render"]({ key: ({ name }) => `the ${name}`, field: () => undefined })
    assert.strictEqual(text, "Answer the tenant in German, in 3 sentences.")
  })
})
