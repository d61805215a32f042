/** What a contract looks like as a document: each kind of part, field and schema, there and back. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import {
  Agent,
  Contract,
  Instructions,
  Interrupt,
  Middleware,
  Reducer,
  State,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit,
  Transfer
} from "tenon"

const Env = ToolContext.make({ tenant: Schema.String, db: ToolContext.value<object>() })
const Shop = State.make("shop", {
  note: State.optional(Schema.String),
  sold: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum, scope: "app" }),
  scratch: State.field(Schema.String, { initial: "", scope: "temp" }),
  carts: State.record(Schema.String.check(Schema.isMinLength(2)), Schema.Int, { scope: "user" })
}, { child: "fresh" })
const Old = State.make("old", { n: State.field(Schema.Int, { initial: 0 }) }, {
  history: State.history(1, Schema.Struct({ m: Schema.String })),
  up: ({ m }) => ({ n: m.length })
})
const Pay = Interrupt.make("pay", { question: Schema.String, answer: Schema.Boolean })
const Sure = Interrupt.make("sure", { question: Schema.Struct({ sum: Schema.Int }), answer: Schema.Boolean })

const text = { type: "string" }
const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number
const integer = { type: "integer", allOf: [{ minimum: least, maximum: most, expected: "an integer" }] }
const bool = { type: "boolean" }
const struct = (properties: Readonly<Record<string, unknown>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: true
})

const parts = {
  tool: Tool.make("buy", {
    parameters: Schema.Struct({ item: Schema.String }),
    success: Schema.Int,
    context: [Env.tenant, Env.db],
    combines: [Shop.sold],
    writes: [Shop.note],
    asks: [Pay],
    exclusive: "till",
    formerly: ["purchase", "order"]
  }),
  plain: AiTool.make("plain"),
  late: AiTool.dynamic("late", { description: "Late.", parameters: { type: "object", properties: { id: text } } })
}
const silent = () => Effect.succeed({ toolkit: Toolkit.make(), handlers: {} } as never)
const guard = Middleware.make("guard", { hooks: [Middleware.beforeTool({ reads: [Shop.carts] }, () => Effect.void)] })
const judge = Agent.make("judge", { instructions: "", output: Schema.Struct({ stars: Schema.Int }) })
const desk = Agent.make("desk", { instructions: "" })
const assistant = Agent.make("assistant", {
  instructions: Instructions.template`You work for ${Env.tenant}.`,
  toolkit: Toolkit.make(parts.tool, parts.plain, parts.late),
  dynamic: [Toolkit.dynamic(silent as never, { prefix: "x_" })],
  middleware: [guard],
  subAgents: [SubAgent.make(judge, { parameters: Schema.Struct({ topic: Schema.String }), task: () => "Judge." })],
  transfers: [Transfer.make(desk)]
}) as unknown as Contract.Declaration

const json = (declaration: Contract.Declaration) => JSON.parse(JSON.stringify(Contract.toJson(declaration)))
type Part = Contract.Snapshot["declaration"]
const none = { requires: [], reads: [], writes: [], combines: [], asks: [] }

/** A part, with those in it by kind and name. */
const lines = ({ kind, name, parts: inner = [] }: Part): ReadonlyArray<string> => [
  `${kind} ${name}`,
  ...inner.flatMap(lines).map((line) => `  ${line}`)
]

describe("internal/declared", () => {
  it("holds every kind of part, in one order", () => {
    assert.deepStrictEqual(lines(json(assistant).declaration), [
      "agent assistant",
      "  instructions instructions",
      "  middleware guard",
      "    hook beforeTool",
      "  sub-agent judge",
      "  tool buy",
      "  tool late",
      "  tool plain",
      "  toolkit x_*",
      "  transfer desk"
    ])
  })

  it.each<readonly [string, unknown]>([
    ["buy", {
      ...none,
      kind: "tool",
      name: "buy",
      requires: ["db", "tenant"],
      writes: ["shop.note"],
      combines: ["shop.sold"],
      asks: ["pay"],
      exclusive: "till",
      formerly: ["order", "purchase"],
      parameters: struct({ item: text }),
      success: integer
    }],
    ["late", {
      ...none,
      kind: "tool",
      name: "late",
      parameters: { type: "object", properties: { id: text } },
      success: { expected: "JSON value" }
    }],
    ["judge", {
      ...none,
      kind: "sub-agent",
      name: "judge",
      parameters: struct({ topic: text }),
      output: struct({ stars: integer })
    }],
    ["desk", { ...none, kind: "transfer", name: "desk" }],
    ["guard", {
      ...none,
      kind: "middleware",
      name: "guard",
      reads: ["shop.carts"],
      parts: [{ ...none, kind: "hook", name: "beforeTool", reads: ["shop.carts"] }]
    }]
  ])("says of a part what it is and what it touches, and no more: %s", (name, expected) => {
    const { parts: all } = json(assistant).declaration as Part
    assert.deepEqual(all?.find((part) => part.name === name), expected as Part)
  })

  it.each([[true, true], ["till", "till"], [false, undefined]] as const)(
    "says what excludes: %s",
    (exclusive, said) => {
      assert.strictEqual(json(Tool.make("t", { exclusive })).declaration.exclusive, said)
    }
  )

  it("describes sections: scopes, kinds, reducers, records with their keys, and earlier versions", () => {
    const all = Tool.make("t", { writes: [Shop.note, Shop.sold, Shop.scratch, Shop.carts, Old.n] })
    const shape = (schema: Schema.Constraint) => json(Tool.make("t", { success: schema as never })).declaration.success
    assert.deepStrictEqual(json(all).sections, {
      old: {
        version: 2,
        child: "inherit",
        fields: { n: { kind: "value", scope: "session", schema: integer } },
        history: [struct({ m: text })]
      },
      shop: {
        version: 1,
        child: "fresh",
        fields: {
          carts: {
            kind: "record",
            scope: "user",
            schema: shape(Schema.Record(Schema.String.check(Schema.isMinLength(2)), Schema.Int))
          },
          note: { kind: "optional", scope: "session", schema: text },
          scratch: { kind: "value", scope: "temp", schema: text },
          sold: { kind: "value", scope: "app", reducer: "sum", schema: integer }
        },
        history: []
      }
    })
  })

  it("describes what is asked, in any part", () => {
    const boss = Agent.make("boss", {
      instructions: "",
      toolkit: Toolkit.make(parts.tool),
      subAgents: [
        SubAgent.make(
          Agent.make("child", { instructions: "", toolkit: Toolkit.make(Tool.make("ask", { asks: [Sure] })) })
        )
      ]
    })
    assert.deepStrictEqual(json(boss as unknown as Contract.Declaration).interrupts, {
      pay: { question: text, answer: bool },
      sure: { question: struct({ sum: integer }), answer: bool }
    })
  })

  it("can be read back, with all that it holds", () => {
    for (const declaration of [assistant, Toolkit.make(parts.tool), guard]) {
      const read = Result.getOrThrow(Contract.decode(json(declaration)))
      assert.deepStrictEqual(JSON.parse(JSON.stringify(read)), json(declaration))
    }
  })

  it.each<readonly [string, (document: any) => void, string]>([
    ["a part that is none", ({ declaration: { parts: [one] } }) => {
      one.kind = "robot"
    }, "declaration.parts.0.kind"],
    ["a part in a part", ({ declaration: { parts: [, one] } }) => {
      one.parts[0].reads = 5
    }, "declaration.parts.1.parts.0.reads"],
    ["a question without its schema", ({ interrupts }) => {
      delete interrupts.pay.question
    }, "interrupts.pay.question"],
    ["a field of another kind", ({ sections }) => {
      sections.shop.fields.note.kind = "list"
    }, "sections.shop.fields.note.kind"],
    ["a child of another kind", ({ sections }) => {
      sections.shop.child = ""
    }, "sections.shop.child"]
  ])("names the place of what does not fit: %s", (_, bend, place) => {
    const bent = json(assistant)
    bend(bent)
    const decoded = Contract.decode(bent)
    assert.strictEqual(Result.isFailure(decoded) && decoded.failure.path.join("."), place)
  })
})
