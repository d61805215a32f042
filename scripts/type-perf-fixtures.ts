/**
 * Writes the fixtures that scripts/type-perf.ts measures: agents of many tools, each with 3 parameters, 2 of 10 context
 * keys, 2 reads and 1 write of 30 fields, and a handler that uses them all; and the same tools without contracts, in
 * plain effect/ai. `npm run fix` formats what comes out.
 */
import { writeFileSync } from "node:fs"

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const lines = (items: ReadonlyArray<number>, line: (item: number) => string) => items.map(line).join("\n")
const key = (index: number) => `Env.k${index % 10}`
const field = (index: number) => `S${Math.floor(index / 10) % 3}.f${index % 10}`

/** The same for every fixture, so that the baseline takes away the same for each. */
const imports = (languageModel: string) =>
  `import { Effect, type Layer, Schema } from "effect"
import { ${languageModel}, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Middleware, type SessionStore, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
`

const parameters = "Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean })"

const context = `
const Env = ToolContext.make({
${lines(range(0, 10), (k) => `k${k}: ${["Schema.String", "Schema.Int"][k % 2]}`).replaceAll("\n", ",\n")}
})
${
  lines(range(0, 3), (section) =>
    `const S${section} = State.make("s${section}", {
${lines(range(0, 10), (f) => `f${f}: State.field(Schema.String, { initial: "" })`).replaceAll("\n", ",\n")}
})`)
}
declare const Infra: Layer.Layer<LanguageModel.LanguageModel | SessionStore.SessionStore>
`

const tool = (t: number) =>
  `const T${t} = Tool.make("t${t}", {
  parameters: ${parameters},
  success: Schema.String,
  context: [${key(t)}, ${key(t + 3)}],
  reads: [${field(t)}, ${field(t + 11)}],
  writes: [${field(t + 7)}]
})`

const handler = (t: number) =>
  `t${t}: Effect.fnUntraced(function*({ a, b, c }) {
  const x = \`\${a}\${b}\${c}\${yield* ${key(t)}}\${yield* ${key(t + 3)}}\`
  yield* ${field(t + 7)}.set(x)
  return \`\${x}\${yield* ${field(t)}.get}\${yield* ${field(t + 11)}.get}\`
})`

const kit = (name: string, tools: ReadonlyArray<number>) =>
  `${lines(tools, tool)}
const ${name} = Toolkit.make(${tools.map((t) => `T${t}`).join(", ")})
const ${name}Live = Toolkit.layer(${name}, {
${tools.map(handler).join(",\n")}
})
`

const run = (agent: string, keys: ReadonlyArray<number>, layers: ReadonlyArray<string>) =>
  `export const result: Promise<AgentRunner.AgentResult> = Effect.runPromise(
  AgentRunner.run(${agent}, { session: "s", input: "" }).pipe(
    Effect.provide([
      ${[...layers, "Infra"].join(", ")},
      ToolContext.layer(${agent}, { ${keys.map((k) => `k${k}: ${["\"\"", "0"][k % 2]}`).join(", ")} })
    ])
  )
)
`

/** The context keys that the first `count` tools use. */
const used = (count: number) =>
  range(0, 10).filter((k) => range(0, count).some((t) => t % 10 === k || (t + 3) % 10 === k))

const agent = (count: number) =>
  `${kit("Kit", range(0, count))}const A = Agent.make("a", { instructions: "", toolkit: Kit })\n`

const plain = (count: number) =>
  `${
    lines(range(0, count), (t) =>
      `const T${t} = AiTool.make("t${t}", { parameters: ${parameters}, success: Schema.String })`)
  }
const Kit = AiToolkit.make(${range(0, count).map((t) => `T${t}`).join(", ")})
const KitLive = Kit.toLayer({
${
    range(0, count).map((t) =>
      `t${t}: Effect.fnUntraced(function*({ a, b, c }) {\n  return yield* Effect.succeed(\`\${a}\${b}\${c}\`)\n})`
    ).join(",\n")
  }
})
declare const Infra: Layer.Layer<LanguageModel.LanguageModel>
export const result = Effect.runPromise(
  LanguageModel.generateText({ prompt: "", toolkit: Kit }).pipe(Effect.provide([KitLive, Infra]))
)
`

const subAgents = (levels: number, tools: number) =>
  range(0, levels).map((level) =>
    `${kit(`Kit${level}`, range(level * tools, (level + 1) * tools))}const A${level} = Agent.make("a${level}", {
  instructions: "",
  toolkit: Kit${level}${
      level === 0
        ? ""
        : `,\n  subAgents: [SubAgent.make(A${level - 1}, { returns: [${field((level - 1) * tools + 7)}] })]`
    }
})
`
  ).join("")

const middleware = (count: number) =>
  `${
    lines(range(0, count), (m) =>
      `const M${m} = Middleware.make("m${m}", {
  hooks: [
    Middleware.beforeModel({ context: [${key(m)}], reads: [${field(m)}], writes: [${field(m + 7)}] }, () =>
      Effect.flatMap(${key(m)}, (k) => ${field(m + 7)}.set(${m % 2 === 0 ? "k" : "String(k)"})))
  ]${
        m % 10 === 9
          ? `,\n  provides: [Middleware.provide(${key(m)}, { context: [${key(m + 1)}] }, Effect.as(${key(m + 1)}, 0))]`
          : ""
      }
})`)
  }
${kit("Kit", range(0, 10))}const A = Agent.make("a", {
  instructions: "",
  toolkit: Kit,
  middleware: [${range(0, count).map((m) => `M${m}`).join(", ")}]
})
`

const write = (name: string, text: string) => writeFileSync(`type-tests/perf/${name}.ts`, text)

write(
  "baseline",
  `${
    imports("LanguageModel")
  }\nvoid [Effect, Schema, LanguageModel, AiTool, AiToolkit, Agent, AgentRunner, Middleware, State, SubAgent, Tool, ToolContext, Toolkit]\n`
)
for (const count of [1, 10, 50, 100, 200]) {
  write(
    `agent-${count}`,
    `${imports("type LanguageModel")}${context}${agent(count)}${run("A", used(count), ["KitLive"])}`
  )
}
for (const count of [10, 50, 100, 200]) write(`plain-${count}`, `${imports("LanguageModel")}${plain(count)}`)
write(
  "sub-agents-5x10",
  `${imports("type LanguageModel")}${context}${subAgents(5, 10)}${
    run("A4", used(50), range(0, 5).map((level) => `Kit${level}Live`))
  }`
)
write("middleware-30", `${imports("type LanguageModel")}${context}${middleware(30)}${run("A", used(10), ["KitLive"])}`)
write(
  "test-agent-50",
  `import { TestAgent } from "tenon/testing"
${imports("type LanguageModel")}${context}${agent(50)}${run("A", used(50), ["KitLive"])}
export const tested = Effect.gen(function*() {
  const test = yield* TestAgent.make(A, {
    context: { ${used(50).map((k) => `k${k}: ${["\"\"", "0"][k % 2]}`).join(", ")} },
    layer: KitLive,
    mocks: { t0: ({ a }) => Effect.succeed(a) }
  })
  const run = yield* test.run("")
  return [run.text, (yield* test.call(T1, { a: "", b: 0, c: true })).value]
})
`
)
write(
  "wrong-50",
  `${imports("type LanguageModel")}${context}${agent(50)}
const program = AgentRunner.run(A, { session: "s", input: "" }).pipe(Effect.provide([KitLive, Infra]))
// @ts-expect-error the context is missing
Effect.runPromise(program)
// @ts-expect-error a key is missing
ToolContext.layer(A, { ${used(50).slice(1).map((k) => `k${k}: ${["\"\"", "0"][k % 2]}`).join(", ")} })
`
)
