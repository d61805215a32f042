/**
 * `npm start`: a shop's support agent, shown as it runs, with a script or with a provider's model.
 * `npm start -- tau FOLDER`: replays the tasks of τ-bench's retail domain.
 */
import { Effect } from "effect"
import { parseArgs } from "node:util"
import { line, problem } from "./shop/print.ts"

const help = `Usage:
  npm start                     a shop's support agent, shown as it runs
  npm start -- tau FOLDER       replays the tasks of τ-bench's retail domain
  npm start -- --help           shows this

FOLDER holds four files. orders.json, users.json and products.json are as published in
sierra-research/tau-bench on GitHub (tau_bench/envs/retail/data). tasks.json is made of
its tasks_test.py, by running each task's calls with its own tools on fresh data:
  [{ "id": 0, "userId": "…",
     "actions": [{ "name": "…", "args": {…} }],        the calls of the reference solution
     "results": ["…"],                                 the text that each of them returned
     "expected": { "orders": {…}, "users": {…} } }]    the entries that differ at the end

Both run offline. The agent's model says what a script says, unless the environment has
  TENON_BASE_URL and TENON_MODEL   a server that speaks as OpenAI's does, such as Ollama
                                   (TENON_API_KEY where it wants one)
  OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY
                                   that provider's model; TENON_MODEL may name another`

/** How the program ends: 1 where something does not reproduce, 2 where it was called or fed wrongly. */
type ExitCode = 0 | 1 | 2

const wrong = (sentence: string): Effect.Effect<ExitCode> =>
  Effect.as(problem(`${sentence}\nnpm start -- --help explains the two uses.`), 2)

// loaded when they are asked for, so that help comes at once
const demo = Effect.flatMap(Effect.promise(() => import("./shop/demo/demo.ts")), ({ demo }) => demo)

const tau = Effect.fnUntraced(function*(folder: string) {
  const [{ load }, { report }] = yield* Effect.promise(() =>
    Promise.all([import("./shop/tau/folder.ts"), import("./shop/tau/report.ts")])
  )
  return yield* load(folder).pipe(
    Effect.flatMap(report),
    Effect.map((all): ExitCode => all ? 0 : 1),
    Effect.catchTag("FolderError", ({ message }) => Effect.as(problem(message), 2 as const))
  )
})

const main = (args: ReadonlyArray<string>): Effect.Effect<ExitCode> =>
  Effect.gen(function*() {
    const { values, positionals } = yield* Effect.try({
      try: () =>
        parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } }, allowPositionals: true }),
      // the first sentence: the rest is about positional arguments that begin with a dash
      catch: (error) => `${(error instanceof Error ? error.message : String(error)).split(". ")[0]}.`
    })
    if (values.help === true) return yield* Effect.as(line(help), 0 as const)
    const [use, folder, ...more] = positionals
    if (use === undefined) return yield* Effect.as(demo, 0 as const)
    if (use !== "tau") return yield* wrong(`There is no '${use}' to start.`)
    if (folder === undefined) return yield* wrong("'tau' needs a folder.")
    if (more.length > 0) return yield* wrong(`'tau' takes one folder, not also '${more.join(" ")}'.`)
    return yield* tau(folder)
  }).pipe(
    Effect.catch((error) => typeof error === "string" ? wrong(error) : Effect.as(problem(error.message), 1 as const))
  )

process.exitCode = await Effect.runPromise(main(process.argv.slice(2)))
