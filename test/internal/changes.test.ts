/** What a change of a contract breaks: a row for each kind of change. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  Agent,
  Contract,
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

/** An agent with one tool, which is made of these options. */
const agentWith = (options: object, agent: object = {}, tool = "find") =>
  Agent.make("assistant", {
    instructions: "",
    toolkit: Toolkit.make(Tool.make(tool, options as never) as never),
    ...agent
  }) as unknown as Contract.Declaration

const diff = (before: Contract.Declaration, after: Contract.Declaration) =>
  Contract.diff(Contract.toJson(before), after)

/** What differs, a change a line; what breaks is marked. */
const linesOf = (changes: ReadonlyArray<Contract.Change>): ReadonlyArray<string> =>
  changes.map(({ breaks, kind, path }) => `${breaks ? "! " : ""}${path} ${kind}`)

const key = (schema: Schema.Constraint | undefined) =>
  agentWith({
    context: [
      (ToolContext.make({ tenant: schema ?? ToolContext.value<object>() } as never) as unknown as Record<
        string,
        unknown
      >)["tenant"]
    ]
  })

const param = (schema: Schema.Constraint) => agentWith({ parameters: schema })

/** A section that a tool reads. */
const section = (fields: object, options?: object) => {
  const Section = State.make("doc", fields as never, options) as object
  return agentWith({ reads: Object.values(Section) })
}
const value = (schema: Schema.Constraint, options: object) => ({
  title: State.field(schema as never, options as never)
})
const title = (schema: Schema.Constraint, initial: unknown) => section(value(schema, { initial }))
const words = value(Schema.String, { initial: "" })
const other = value(Schema.Int, { initial: 0 })

const ask = (question: Schema.Constraint, answer: Schema.Constraint, name = "confirm") =>
  agentWith({ asks: [Interrupt.make(name as never, { question, answer } as never)] })

const child = (name: string, options: object = {}) =>
  SubAgent.make(Agent.make(name, { instructions: "" }), options) as never
const guard = Middleware.make("guard", {
  hooks: [
    Middleware.beforeModel(
      { asks: [Interrupt.make("may", { question: Schema.String, answer: Schema.Boolean })] } as never,
      (() => undefined) as never
    )
  ]
})
const { Int, String: Text } = Schema
const Url = Schema.Struct({ url: Text, page: Schema.optionalKey(Int) })

const rows: ReadonlyArray<readonly [string, Contract.Declaration, Contract.Declaration, ReadonlyArray<string>]> = [
  ["nothing", key(Text), key(Text), []],
  ["a description", param(Text), param(Text.annotate({ description: "what to look for" })), []],

  // context keys
  ["a key that is newly required", agentWith({}), key(Text), ["! keys.tenant required"]],
  ["a key that is gone", key(Text), agentWith({}), ["! keys.tenant removed"]],
  ["a key that takes more", key(Int), key(Schema.Finite), ["keys.tenant widened"]],
  ["a key that takes less", key(Text), key(Schema.Literals(["a"])), ["! keys.tenant narrowed"]],
  ["a key that becomes local", key(Text), key(undefined), ["! keys.tenant changed"]],

  // sections
  ["a section that is new", agentWith({}), section(words), ["sections.doc added", "assistant/find.reads touches"]],
  ["a section that is gone", section(words), agentWith({}), ["! sections.doc removed", "assistant/find.reads touches"]],
  [
    "a field that is new",
    section(words),
    section({ ...words, size: State.optional(Int) }),
    ["sections.doc.size added", "assistant/find.reads touches"]
  ],
  [
    "a field that is gone",
    section({ ...words, size: State.optional(Int) }),
    section(words),
    ["! sections.doc.size removed", "assistant/find.reads touches"]
  ],
  [
    "a temp field that is gone",
    section({ ...words, size: State.optional(Int, { scope: "temp" }) }),
    section(words),
    ["sections.doc.size removed", "assistant/find.reads touches"]
  ],
  ["a field that takes more", title(Text, ""), title(Schema.NullOr(Text), ""), ["sections.doc.title widened"]],
  ["a field that takes less", title(Schema.NullOr(Text), ""), title(Text, ""), ["! sections.doc.title narrowed"]],
  [
    "a part of a field that is gone",
    title(Url, { url: "" }),
    title(Schema.Struct({ url: Text }), { url: "" }),
    ["! sections.doc.title.page narrowed"]
  ],
  [
    "a field with a check that nobody can compare",
    title(Text, "aa"),
    title(Text.check(Schema.makeFilter(() => true)), "aa"),
    [
      "! sections.doc.title changed"
    ]
  ],
  ["a field that is converted", title(Text, ""), title(Schema.DateFromString, new Date(0)), [
    "! sections.doc.title changed"
  ]],
  [
    "a user's field that takes less",
    section(value(Text, { initial: "a", scope: "user" })),
    section(value(Schema.Literals(["a"]), { initial: "a", scope: "user" })),
    ["! sections.doc.title narrowed"]
  ],
  [
    "a temp field that takes less",
    section(value(Text, { initial: "a", scope: "temp" })),
    section(value(Int, { initial: 1, scope: "temp" })),
    []
  ],
  [
    "a record that becomes a value",
    section({ title: State.record(Text, Int) }),
    section(value(Schema.Record(Text, Int), { initial: {} })),
    ["! sections.doc.title changed"]
  ],
  ["a field in another scope", section(words), section(value(Text, { initial: "", scope: "user" })), [
    "! sections.doc.title scope"
  ]],
  [
    "a temp field that is kept",
    section(value(Text, { initial: "", scope: "temp" })),
    section(words),
    ["sections.doc.title scope"]
  ],
  [
    "another reducer",
    section(value(Int, { initial: 0, reducer: Reducer.sum })),
    section(value(Int, { initial: 0, reducer: Reducer.max })),
    ["! sections.doc.title reducer"]
  ],
  ["how a sub-agent starts it", section(words), section(words, { child: "fresh" }), ["! sections.doc changed"]],
  [
    "a version that is raised, with a migration",
    section(words),
    section(other, { history: State.history(1, Schema.Struct({ title: Text })), up: () => ({ title: 0 }) }),
    ["sections.doc version"]
  ],
  [
    "a version that is raised, with a migration from something else",
    section(words),
    section(other, { history: State.history(1, Schema.Struct({ title: Int })), up: () => ({ title: 0 }) }),
    ["! sections.doc.title migration"]
  ],
  [
    "a version that is raised twice",
    section(words),
    section(other, {
      history: State.history(1, Schema.Struct({ title: Text })).to(
        2,
        Schema.Struct({ title: Schema.Boolean }),
        () => ({ title: true })
      ),
      up: () => ({ title: 0 })
    }),
    ["sections.doc version"]
  ],
  [
    "an earlier version that is told otherwise",
    section(other, { history: State.history(1, Schema.Struct({ title: Text })), up: () => ({ title: 0 }) }),
    section(other, { history: State.history(1, Schema.Struct({ title: Schema.Boolean })), up: () => ({ title: 0 }) }),
    ["! sections.doc.title migration"]
  ],
  [
    "a version that is lowered",
    section(other, { history: State.history(1, Schema.Struct({ title: Text })), up: () => ({ title: 0 }) }),
    section(other),
    ["! sections.doc version"]
  ],

  // interrupts
  ["an interrupt that is new", agentWith({}), ask(Text, Int), [
    "interrupts.confirm added",
    "assistant/find.asks touches"
  ]],
  ["an interrupt that is gone", ask(Text, Int), agentWith({}), [
    "! interrupts.confirm removed",
    "assistant/find.asks touches"
  ]],
  ["a question that takes less", ask(Schema.NullOr(Text), Int), ask(Text, Int), [
    "! interrupts.confirm.question narrowed"
  ]],
  ["a question that says more", ask(Text, Int), ask(Schema.NullOr(Text), Int), [
    "! interrupts.confirm.question widened"
  ]],
  [
    "a question with a part more, which nobody must know",
    ask(Schema.Struct({ url: Text }), Int),
    ask(Url, Int),
    ["interrupts.confirm.question.page widened"]
  ],
  ["an answer that takes more", ask(Text, Int), ask(Text, Schema.Finite), ["interrupts.confirm.answer widened"]],
  ["an answer that takes less", ask(Text, Schema.Finite), ask(Text, Int), ["! interrupts.confirm.answer narrowed"]],

  // tools and agents
  ["a tool that is renamed", agentWith({}), agentWith({}, {}, "look"), [
    "! assistant/find removed",
    "assistant/look added"
  ]],
  ["a tool that is renamed, and says so", agentWith({}), agentWith({ formerly: ["find"] }, {}, "look"), [
    "assistant/find renamed"
  ]],
  ["a parameter more that may be left out", param(Schema.Struct({ url: Text })), param(Url), [
    "assistant/find.parameters.page widened"
  ]],
  [
    "a parameter more that may not",
    param(Schema.Struct({})),
    param(Schema.Struct({ url: Text })),
    ["! assistant/find.parameters.url narrowed"]
  ],
  ["another result", agentWith({ success: Text }), agentWith({ success: Int }), ["assistant/find.success changed"]],
  ["a sub-agent that is new", agentWith({}), agentWith({}, { subAgents: [child("helper")] }), [
    "assistant/helper added"
  ]],
  ["a sub-agent that is gone", agentWith({}, { subAgents: [child("helper")] }), agentWith({}), [
    "! assistant/helper removed"
  ]],
  [
    "a sub-agent that is called otherwise",
    agentWith({}, { subAgents: [child("helper")] }),
    agentWith({}, { subAgents: [child("helper", { parameters: Schema.Struct({ url: Text }) })] }),
    ["! assistant/helper.parameters.url narrowed"]
  ],
  [
    "a tool that becomes a sub-agent",
    agentWith({}, {}, "helper"),
    agentWith({}, { subAgents: [child("helper")], toolkit: Toolkit.make() }),
    ["! assistant/helper changed"]
  ],
  [
    "an agent to transfer to that is gone",
    agentWith({}, { transfers: [Transfer.make(Agent.make("desk", { instructions: "" }))] }),
    agentWith({}),
    ["! assistant/desk removed"]
  ],
  ["middleware that asks, and is gone", agentWith({}, { middleware: [guard] }), agentWith({}), [
    "! interrupts.may removed",
    "! assistant/guard removed"
  ]],
  ["an output that says something else", agentWith({}), agentWith({}, { output: Int }), [
    "! assistant.output narrowed"
  ]],
  ["an output that may be more", agentWith({}, { output: Int }), agentWith({}, { output: Schema.NullOr(Int) }), [
    "! assistant.output widened"
  ]],
  ["another name", Agent.make("a", { instructions: "" }), Agent.make("b", { instructions: "" }), ["! a renamed"]],
  ["another kind of thing", Tool.make("a", {}), Toolkit.make(Tool.make("a", {})), ["! a changed"]]
]

describe("Contract.diff", () => {
  it.each(rows)("%s", (_, before, after, expected) => {
    const changes = diff(before, after)
    assert.deepStrictEqual(linesOf(changes), expected)
    for (const { breaks, cure } of changes) assert.strictEqual(cure !== undefined, breaks)
  })

  it.each(rows)("says nothing of a contract and itself: %s", (_, before, after) => {
    assert.deepStrictEqual([...diff(before, before), ...diff(after, after)], [])
  })

  it("tells of two schemas of one key", () => {
    const { tenant } = ToolContext.make({ tenant: Text })
    const strict = ToolContext.make({ tenant: Schema.Literals(["acme"]) })
    const one = Toolkit.make(Tool.make("a", { context: [tenant] }))
    const two = Toolkit.make(Tool.make("a", { context: [tenant] }), Tool.make("b", { context: [strict.tenant] }))
    assert.deepStrictEqual(linesOf(diff(one, two)), ["! keys.tenant narrowed", "toolkit/b added"])
    assert.deepStrictEqual(linesOf(diff(two, one)), ["! toolkit/b removed"])
  })

  it("is the same from a document that was read back", () => {
    const [, before, after] = rows[3] as (typeof rows)[number]
    const read = JSON.parse(JSON.stringify(Contract.toJson(before))) as Contract.Snapshot
    assert.deepStrictEqual(Contract.diff(read, Contract.toJson(after)), diff(before, after))
  })
})

describe("Contract.report", () => {
  it("names what breaks first, each with where and what to do", () => {
    const before = section(words)
    const after = section({ ...other, size: State.optional(Int) })
    assert.deepStrictEqual(Contract.report(diff(before, after)).split("\n"), [
      "This breaks:",
      "  sections.doc.title: string does not fit integer",
      "    cure: raise the section's version, and give it a migration (State.history, up)",
      "This does not:",
      "  sections.doc.size: it is new: sessions that lack it get its initial value",
      "  assistant/find.reads: doc.size, doc.title; it was doc.title"
    ])
  })

  it("says so where nothing has changed", () => {
    assert.strictEqual(Contract.report([]), "Nothing has changed.")
  })
})
