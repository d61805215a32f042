/** What a change of a contract breaks: a row for each kind of change. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
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

type Tree = { readonly next: ReadonlyArray<Tree> }
const Tree = Schema.Struct({ next: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)) })
const deskWith = (...tools: ReadonlyArray<string>) =>
  Agent.make("desk", {
    instructions: "",
    toolkit: Toolkit.make(...tools.map((tool) => Tool.make(tool as never, {})) as never) as never
  })
const quiet = (name: string) => Middleware.make(name as never, { hooks: [] })
const doc = State.make("doc", {
  size: State.field(Int, { initial: 0, reducer: Reducer.sum }),
  name: State.field(Text, { initial: "" })
})
const writable = [doc.name]
const combinable = [doc.size]
const both = Agent.make("assistant", {
  instructions: "",
  toolkit: Toolkit.make(Tool.make("a", { parameters: Schema.Struct({ url: Text }) }), Tool.make("b", {}))
})

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
  ["a key that is local no more", key(undefined), key(Text), ["! keys.tenant changed"]],
  ["a key that stays local", key(undefined), key(undefined), []],
  [
    "a section of nothing that is stored, and gone",
    section(value(Text, { initial: "", scope: "temp" })),
    agentWith({}),
    ["sections.doc removed", "assistant/find.reads touches"]
  ],
  [
    "a section of which a part is stored, and gone",
    section({ ...words, size: State.optional(Int, { scope: "temp" }) }),
    agentWith({}),
    ["! sections.doc removed", "assistant/find.reads touches"]
  ],
  ["a field that may be left out", section(words), section({ title: State.optional(Text) }), []],
  ["a field that may be left out no more", section({ title: State.optional(Text) }), section(words), []],
  [
    "a field that is combined no more",
    section(value(Int, { initial: 0, reducer: Reducer.sum })),
    section(other),
    ["! sections.doc.title reducer"]
  ],
  [
    "a field that is combined from now on",
    section(other),
    section(value(Int, { initial: 0, reducer: Reducer.sum })),
    ["! sections.doc.title reducer"]
  ],
  [
    "a version that is raised over what is no longer stored, and a field that goes and one that comes with it",
    section({ ...words, size: State.optional(Int, { scope: "temp" }), gone: State.optional(Int) }),
    section({ ...other, came: State.optional(Int) }, {
      history: State.history(1, Schema.Struct({ title: Text, gone: Schema.optionalKey(Int) })),
      up: () => ({ title: 0 })
    }),
    ["sections.doc version", "assistant/find.reads touches"]
  ],
  [
    "two fields with definitions of one name",
    section({ a: State.field(Tree, { initial: { next: [] } }), b: State.field(Tree, { initial: { next: [] } }) }),
    section({ a: State.field(Tree, { initial: { next: [] } }), b: State.field(Int, { initial: 0 }) }, {
      history: State.history(1, Schema.Struct({ a: Tree, b: Tree })),
      up: ({ a }: { readonly a: Tree }) => ({ a, b: 0 })
    }),
    ["sections.doc version"]
  ],
  [
    "an agent to transfer to that is new",
    agentWith({}),
    agentWith({}, { transfers: [Transfer.make(Agent.make("desk", { instructions: "" }))] }),
    ["assistant/desk added"]
  ],
  [
    "of two agents to transfer to one that is gone, and another that is new",
    agentWith({}, { transfers: ["desk", "shop"].map((name) => Transfer.make(Agent.make(name, { instructions: "" }))) }),
    agentWith({}, { transfers: ["desk", "bank"].map((name) => Transfer.make(Agent.make(name, { instructions: "" }))) }),
    ["! assistant/shop removed", "assistant/bank added"]
  ],
  [
    "a tool of an agent to transfer to that is gone",
    agentWith({}, { transfers: [Transfer.make(deskWith("look"))] }),
    agentWith({}, { transfers: [Transfer.make(deskWith())] }),
    ["! assistant/desk/look removed"]
  ],
  ["middleware that is new", agentWith({}), agentWith({}, { middleware: [quiet("watch")] }), ["assistant/watch added"]],
  ["middleware that asks nothing, and is gone", agentWith({}, { middleware: [quiet("watch")] }), agentWith({}), [
    "assistant/watch removed"
  ]],
  [
    "of two middleware one that is gone, and another that is new",
    agentWith({}, { middleware: [quiet("one"), quiet("two")] }),
    agentWith({}, { middleware: [quiet("one"), quiet("three")] }),
    ["assistant/two removed", "assistant/three added"]
  ],
  ["what a tool may write", agentWith({}), agentWith({ writes: writable, combines: combinable }), [
    "sections.doc added",
    "assistant/find.writes touches",
    "assistant/find.combines touches"
  ]],
  ["a tool alone that is another one", Tool.make("a", {}), Tool.make("b", {}), ["! a removed"]],
  ["a tool alone that had another name", Tool.make("a", {}), Tool.make("b", { formerly: ["a"] }), ["a renamed"]],
  [
    "a tool that needs an argument now, beside one that is new",
    agentWith({}, {}, "a"),
    both,
    [
      "assistant/a.parameters.url narrowed"
    ].map((line) => `! ${line}`).concat("assistant/b added")
  ],
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

/** What is said of each row, as `TENON_WRITE=1 npx vitest run test/internal/changes` writes it. */
const said = new URL("fixtures/changes.txt", import.meta.url)

describe("Contract.report", () => {
  it("says of each change where, what and what to do: test/internal/fixtures/changes.txt", () => {
    const text = rows.map(([name, before, after]) => `${name}\n${Contract.report(diff(before, after))}\n`).join("\n")
    if (process.env["TENON_WRITE"] !== undefined) writeFileSync(said, text)
    assert.strictEqual(text, readFileSync(said, "utf8"))
  })

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
