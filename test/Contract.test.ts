import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Result, Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import {
  Agent,
  AgentRunner,
  Contract,
  Instructions,
  Interrupt,
  Middleware,
  Reducer,
  SessionStore,
  State,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit,
  Transfer
} from "tenon"
import { ScriptedModel } from "tenon/testing"

const Env = ToolContext.make({ tenant: Schema.String, db: ToolContext.value<object>() })
const Doc = State.make("doc", {
  title: State.field(Schema.String, { initial: "" }),
  words: State.field(Schema.Int, { initial: 0, reducer: Reducer.sum }),
  pages: State.record(Schema.String, Schema.Int, { scope: "user" })
})
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const Edit = Tool.make("edit", {
  parameters: Schema.Struct({ page: Schema.String }),
  context: [Env.tenant, Env.db],
  reads: [Doc.title],
  writes: [Doc.pages.at("page")],
  combines: [Doc.words],
  asks: [Confirm],
  exclusive: "files"
})

/** A contract as one text. */
const textOf = ({ requires, touches, asks, exclusive }: Contract.Contract): string =>
  [
    ...requires.map(({ name }) => name),
    ...touches.map(({ field, mode, parameter }) =>
      `${mode} ${field.name}${parameter === undefined ? "" : ` at ${parameter}`}`
    ),
    ...asks.map(({ name }) => `asks ${name}`),
    `exclusive ${exclusive}`
  ].join(", ")

const edits = "tenant, db, read doc.title, write doc.pages at page, combine doc.words, asks confirm, exclusive files"

describe("Contract", () => {
  describe("of", () => {
    it("is what a tool's options say", () => {
      assert.strictEqual(textOf(Contract.of(Edit)), edits)
    })

    it("is nothing for a tool of effect/ai", () => {
      assert.strictEqual(textOf(Contract.of(AiTool.make("plain"))), "exclusive false")
    })

    it("is for a toolkit what its tools need together, each thing once", () => {
      const Look = Tool.make("look", { context: [Env.tenant], writes: [Doc.title] })
      assert.strictEqual(
        textOf(Contract.of(Toolkit.make(Edit, Look))),
        edits.replace(", asks", ", write doc.title, asks")
      )
    })

    it("of two names of exclusion is exclusion of all", () => {
      const Other = Tool.make("other", { exclusive: "network" })
      assert.isTrue(Contract.of(Toolkit.make(Edit, Other)).exclusive)
    })

    it("refuses to combine a field without a reducer, also when it is forced", () => {
      assert.throws(
        () => Tool.make("bad", { combines: [Doc.title] as never }),
        "'doc.title' has no reducer: it can be written, not combined"
      )
    })
  })

  describe("on", () => {
    it("adds a contract to a tool of any kind, which stays what it is", () => {
      const plain = AiTool.make("plain", { description: "Plain.", parameters: Schema.Struct({ a: Schema.Int }) })
      const dynamic = AiTool.dynamic("run_time", { description: "Late.", parameters: { type: "object" } })
      for (const tool of [plain, dynamic] as ReadonlyArray<AiTool.Any>) {
        const more = Contract.on(tool, { context: [Env.tenant] })
        assert.strictEqual(textOf(Contract.of(more)), "tenant, exclusive false")
        assert.deepStrictEqual([more.name, more.description, more.parametersSchema], [
          tool.name,
          tool.description,
          tool.parametersSchema
        ])
        assert.strictEqual(textOf(Contract.of(tool)), "exclusive false")
      }
    })

    it("adds to what is there", () => {
      const more = Contract.on(Contract.on(AiTool.make("plain"), { context: [Env.tenant] }), {
        reads: [Doc.title],
        exclusive: true
      })
      assert.strictEqual(textOf(Contract.of(more)), "tenant, read doc.title, exclusive true")
    })

    it("survives what effect/ai does with a tool", () => {
      class Mark extends Context.Service<Mark, string>()("test/Mark") {}
      const annotated = Edit.annotate(AiTool.Idempotent, true).addDependency(Mark)
      assert.strictEqual(textOf(Contract.of(annotated)), edits)
    })

    it.effect("holds a key that effect/ai's addDependency adds, through its combinators", () =>
      Effect.gen(function*() {
        const Greet = Tool.make("greet", {}).addDependency(Env.tenant)
          .setSuccess(Schema.String)
          .annotate(AiTool.Readonly, true)
          .addDependency(Env.db)
        assert.strictEqual(textOf(Contract.of(Greet)), "tenant, db, exclusive false")
        const agent = Agent.make("a", { instructions: "", toolkit: Toolkit.make(Greet) })
        const { session } = yield* AgentRunner.run(agent, { session: "s", input: "Go." }).pipe(Effect.provide([
          Toolkit.layer(Toolkit.make(Greet), { greet: () => Env.tenant }),
          ToolContext.layer(agent, { tenant: "acme", db: {} }),
          ScriptedModel.layer([ScriptedModel.call("greet"), ScriptedModel.text("done")]),
          SessionStore.layerMemory
        ]))
        assert.deepStrictEqual(
          session.events.flatMap((event) => event.kind === "call" ? [event.result.value] : []),
          ["acme"]
        )
      }))
  })

  // ----- an agent ------------------------------------------------------------

  const Guard = Middleware.make("guard", {
    hooks: [Middleware.beforeTool({ reads: [Doc.words] }, () => Effect.void)]
  })
  const child = Agent.make("child", {
    instructions: "",
    toolkit: Toolkit.make(Tool.make("note", { writes: [Doc.title] }))
  })
  const agent = Agent.make("agent", {
    instructions: Instructions.template`You work for ${Env.tenant}.`,
    toolkit: Toolkit.make(Edit),
    middleware: [Guard],
    subAgents: [SubAgent.make(child)]
  })

  describe("tree", () => {
    it("holds the contracts that an agent's is made of", () => {
      const lines = (tree: Contract.Tree): ReadonlyArray<string> => [
        `${tree.kind} ${tree.name}`,
        ...tree.parts.flatMap(lines).map((line) => `  ${line}`)
      ]
      assert.deepStrictEqual(lines(Contract.tree(agent)), [
        "agent agent",
        "  instructions instructions",
        "  tool edit",
        "  middleware guard",
        "    hook beforeTool",
        "  sub-agent child",
        "    tool note"
      ])
    })
  })

  describe("toJson", () => {
    it("is JSON, with the schemas of keys, interrupts, fields and calls", () => {
      const json = Contract.toJson(Edit)
      assert.deepEqual(JSON.parse(JSON.stringify(json)), json)
      const { success: _, ...declaration } = json.declaration
      assert.deepEqual(declaration, {
        kind: "tool",
        name: "edit",
        requires: ["db", "tenant"],
        reads: ["doc.title"],
        writes: ["doc.pages.at(page)"],
        combines: ["doc.words"],
        asks: ["confirm"],
        exclusive: "files",
        parameters: {
          type: "object",
          properties: { page: { type: "string" } },
          required: ["page"],
          additionalProperties: true
        }
      })
      assert.deepEqual({ ...json.keys }, { db: [], tenant: [{ type: "string" }] })
      assert.deepEqual({ ...json.interrupts }, {
        confirm: { question: { type: "string" }, answer: { type: "boolean" } }
      })
      const { doc } = json.sections
      assert.deepStrictEqual([doc?.version, Object.keys(doc?.fields ?? {})], [1, ["pages", "title", "words"]])
      assert.include(doc?.fields["pages"], { kind: "record", scope: "user" })
      assert.include(doc?.fields["words"], { kind: "value", scope: "session", reducer: "sum" })
    })

    it("is the same in whatever order things are declared, in the order of its keys too", () => {
      const Look = Tool.make("look", { reads: [Doc.title], writes: [Doc.pages] })
      const text = (kit: Contract.Declaration) => JSON.stringify(Contract.toJson(kit))
      assert.strictEqual(text(Toolkit.make(Edit, Look)), text(Toolkit.make(Look, Edit)))
    })

    it("holds both schemas of a key that two declarations have", () => {
      const Strict = ToolContext.make({ tenant: Schema.Literal("acme") })
      const kit = Toolkit.make(
        Tool.make("a", { context: [Env.tenant] }),
        Tool.make("b", { context: [Strict.tenant] })
      )
      assert.deepStrictEqual(Contract.toJson(kit).keys["tenant"], [
        { enum: ["acme"], type: "string" },
        { type: "string" }
      ])
    })
  })

  describe("toJson of an agent", () => {
    const Own = State.make("own", {
      note: State.optional(Schema.String, { scope: "app" }),
      draft: State.field(Schema.String, { initial: "", scope: "temp" })
    }, { child: "fresh" })
    const Clerk = Agent.make("clerk", { instructions: "Help.", output: Schema.Struct({ stars: Schema.Int }) })
    const Boss = Agent.make("boss", {
      instructions: Instructions.template`${Env.tenant}`,
      toolkit: Toolkit.make(
        Tool.make("find", {
          formerly: ["search", "look"],
          success: Schema.String,
          exclusive: true,
          writes: [Own.note, Own.draft]
        }),
        AiTool.dynamic("raw", { parameters: { type: "object", properties: { q: { type: "string" } } } })
      ),
      middleware: [Middleware.make("watch", { hooks: [Middleware.afterTool({}, () => Effect.void)] })],
      subAgents: [SubAgent.make(Clerk)],
      transfers: [Transfer.make(Agent.make("desk", { instructions: "Go on." }))]
    })
    const json = Contract.toJson(Boss)
    type Part = typeof json.declaration
    const partsOf = (part: Part): ReadonlyArray<Part> => [part, ...(part.parts ?? []).flatMap(partsOf)]
    const all = partsOf(json.declaration)
    const named = (name: string) => all.find((part) => part.name === name)

    it("has a part of its own kind for each thing that is declared", () => {
      assert.deepStrictEqual(
        [...new Set(all.map(({ kind }) => kind))].sort(),
        ["agent", "hook", "instructions", "middleware", "sub-agent", "tool", "transfer"]
      )
      assert.deepEqual(Result.getOrThrow(Contract.decode(JSON.parse(JSON.stringify(json)))), json)
      assert.deepEqual(Contract.toJson(Toolkit.make(Edit)).declaration.kind, "toolkit")
    })

    it("holds what each is called with, what comes out, and the names that it had, where there are any", () => {
      assert.deepStrictEqual(named("find")?.formerly, ["look", "search"])
      assert.deepEqual(named("find")?.success, { type: "string" })
      assert.deepStrictEqual([named("find")?.exclusive, named("raw")?.exclusive], [true, undefined])
      assert.deepEqual(named("raw")?.parameters, { type: "object", properties: { q: { type: "string" } } })
      assert.isUndefined(named("raw")?.formerly)
      assert.isUndefined(named("find")?.parts)
      const clerk = all.find(({ kind, name }) => kind === "sub-agent" && name === "clerk")
      assert.isDefined(clerk?.parameters)
      assert.isUndefined(clerk?.success)
      const answer = all.find(({ output }) => output !== undefined)
      assert.deepStrictEqual(Object.keys(answer?.output?.["properties"] ?? {}), ["stars"])
    })

    it("holds the scopes and kinds of fields, and what a child starts with", () => {
      const { own } = json.sections
      assert.deepStrictEqual([own?.child, json.sections["own"]?.version], ["fresh", 1])
      assert.include(own?.fields["note"], { kind: "optional", scope: "app" })
      assert.include(own?.fields["draft"], { kind: "value", scope: "temp" })
    })
  })

  describe("diff", () => {
    it("takes a document and a declaration alike, and says what each difference is", () => {
      const before = Contract.toJson(Edit)
      const changes = Contract.diff(before, Tool.make("edit", {}))
      assert.deepStrictEqual(changes, Contract.diff(before, Contract.toJson(Tool.make("edit", {}))))
      assert.isNotEmpty(changes)
      for (const change of changes) assert.isTrue(Schema.is(Contract.Change)(change))
      assert.deepStrictEqual(Contract.diff(before, Edit), [])
      assert.isAbove(Contract.report(changes).length, Contract.report([]).length)
    })

    it.each(
      [
        "added",
        "removed",
        "renamed",
        "required",
        "widened",
        "narrowed",
        "changed",
        "scope",
        "reducer",
        "version",
        "migration",
        "touches"
      ]
    )("a change may be one that is '%s'", (kind) => {
      assert.isTrue(Schema.is(Contract.Change)({ path: "keys.a", kind, breaks: false, problem: "it is so" }))
      assert.isFalse(Schema.is(Contract.Change)({ path: "keys.a", kind: `${kind}!`, breaks: false, problem: "" }))
    })
  })

  describe("decode", () => {
    const json = () => JSON.parse(JSON.stringify(Contract.toJson(Edit)))
    const problem = (input: unknown) => {
      const decoded = Contract.decode(input)
      return Result.isSuccess(decoded) ? undefined : [decoded.failure.path.join("."), decoded.failure.message]
    }

    it("reads back what was written", () => {
      assert.deepEqual(Result.getOrThrow(Contract.decode(json())), Contract.toJson(Edit))
    })

    it("names the place of what does not fit", () => {
      assert.strictEqual(problem({ ...json(), version: 2 })?.[0], "version")
      const bent = json()
      bent.sections.doc.fields.words.scope = "planet"
      assert.strictEqual(problem(bent)?.[0], "sections.doc.fields.words.scope")
      assert.strictEqual(problem([])?.[0], "")
      assert.match(String(problem([])?.[1]), /^the contract does not fit: /)
    })

    it("refuses one that somebody edited", () => {
      const edited = json()
      edited.sections.doc.version = 2
      assert.deepStrictEqual(problem(edited), [
        "fingerprint",
        "the contract at 'fingerprint' does not fit: the document was edited: write it anew from the program"
      ])
    })
  })

  describe("fingerprint", () => {
    const of = (options: object) => Contract.fingerprint(Tool.make("t", options))

    it("is short, and the same for the same contract", () => {
      assert.match(of({ reads: [Doc.title] }), /^[0-9a-f]{8}$/)
      assert.strictEqual(of({ reads: [Doc.title] }), of({ reads: [Doc.title] }))
    })

    it("changes with what is required, touched, asked, excluded, and with a schema", () => {
      const Wider = State.make("doc", { title: State.field(Schema.NullOr(Schema.String), { initial: "" }) })
      const all = [
        {},
        { context: [Env.tenant] },
        { reads: [Doc.title] },
        { writes: [Doc.title] },
        { reads: [Wider.title] },
        { asks: [Confirm] },
        { exclusive: true },
        { exclusive: "files" }
      ].map(of)
      assert.strictEqual(new Set(all).size, all.length)
    })
  })

  describe("table", () => {
    it("shows a row for each declaration, and the columns that somebody fills", () => {
      assert.deepStrictEqual(
        Contract.table(Toolkit.make(Edit, Tool.make("idle", {}))).split("\n").map((line) => line.trimEnd()),
        [
          "                 requires    reads      writes              combines   asks",
          "toolkit toolkit  tenant, db  doc.title  doc.pages.at(page)  doc.words  confirm",
          "  tool edit      tenant, db  doc.title  doc.pages.at(page)  doc.words  confirm",
          "  tool idle      –           –          –                   –          –"
        ]
      )
    })

    it("is a list where it is wider than it may be, of what there is", () => {
      const kit = Toolkit.make(Edit, Tool.make("idle", {}))
      const width = Math.max(...Contract.table(kit).split("\n").map((line) => line.length))
      assert.strictEqual(Contract.table(kit, { width }), Contract.table(kit))
      assert.deepStrictEqual(Contract.table(kit, { width: width - 1 }).split("\n"), [
        "toolkit toolkit",
        "    requires  tenant, db",
        "    reads     doc.title",
        "    writes    doc.pages.at(page)",
        "    combines  doc.words",
        "    asks      confirm",
        "  tool edit",
        "      requires  tenant, db",
        "      reads     doc.title",
        "      writes    doc.pages.at(page)",
        "      combines  doc.words",
        "      asks      confirm",
        "  tool idle"
      ])
    })

    it("breaks the lines of the list between names", () => {
      const Look = Tool.make("look", { reads: [Doc.title, Doc.words, Doc.pages], context: [Env.tenant, Env.db] })
      assert.deepStrictEqual(Contract.table(Look, { width: 36 }).split("\n"), [
        "tool look",
        "    requires  tenant, db",
        "    reads     doc.title, doc.words",
        "              doc.pages"
      ])
    })
  })
})
