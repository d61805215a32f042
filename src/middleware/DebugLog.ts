/**
 * What runs, model calls and tool calls do, in Effect's log.
 *
 * Sizes and durations, and names; never a value of the ToolContext. What is said, asked for and given back is logged
 * where that is asked for.
 *
 * Layer 6, edge `middleware`.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Exit, LogLevel } from "effect"
import { textOfParts } from "../internal/parts.ts"
import * as Middleware from "../Middleware.ts"
import * as ToolCall from "../ToolCall.ts"

// ===== models ================================================================

/** What is logged, and where. @category models @since 0.1.0 */
export interface Options {
  /** `"Debug"` unless said otherwise. */
  readonly level?: LogLevel.Severity
  /** Logs also what the model says, the arguments of calls, and their results. */
  readonly values?: boolean
}

// ===== sizes and times =======================================================

/** The characters that a value takes as JSON; what is none has no size. */
const sizeOf = (value: unknown): number | undefined => {
  try {
    return JSON.stringify(value)?.length
  } catch {
    return undefined
  }
}

/** When something began, by the object that stands for it: what never ends is forgotten with that. */
const stopwatch = () => {
  const begun = new WeakMap<object, Map<string, number>>()
  return {
    start: (of: object, what: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const own = begun.get(of) ?? new Map<string, number>()
        begun.set(of, own.set(what, now))
      }),
    /** The milliseconds since; nothing where it began in another process. */
    stop: (of: object, what: string) =>
      Effect.map(Clock.currentTimeMillis, (now): { readonly ms?: number } => {
        const start = begun.get(of)?.get(what)
        begun.get(of)?.delete(what)
        return start === undefined ? {} : { ms: now - start }
      })
  }
}

/** The hooks before and after a run or a model call run in one fiber. */
const fiber = Effect.withFiber((current) => Effect.succeed<object>(current))

// ===== middleware ============================================================

/**
 * Logs an agent's runs, model calls and tool calls.
 *
 * **Details**
 *
 * Each entry is annotated: an agent, a session or a tool by name, `ms`, `characters` (of the JSON of what a model or a
 * tool is given and gives), tokens, and how it ended. Put it first to log what the other middleware makes of a call, and
 * last to log what reaches the model or the tool.
 *
 * **Gotchas**
 *
 * With `values` a log holds what users and models say. A tool that gives back a supplied value gives it to that log too.
 *
 * **Example** (What a run did)
 *
 * ```ts
 * import { Effect, Logger, References } from "effect"
 * import { Agent, AgentRunner, SessionStore } from "tenon"
 * import { DebugLog } from "tenon/middleware"
 * import { ScriptedModel } from "tenon/testing"
 *
 * const Assistant = Agent.make("assistant", { instructions: "Help.", middleware: [DebugLog.make()] })
 * const lines: Array<unknown> = []
 *
 * await Effect.runPromise(
 *   AgentRunner.run(Assistant, { session: "s-1", input: "Hello." }).pipe(
 *     Effect.provide([
 *       ScriptedModel.layer([ScriptedModel.text("Hello.")]),
 *       SessionStore.layerMemory,
 *       Logger.layer([Logger.make(({ message }) => void lines.push(message))])
 *     ]),
 *     Effect.provideService(References.MinimumLogLevel, "Debug")
 *   )
 * )
 * lines.flat() // => ["run begins", "model call begins", "model call ended", "run ended"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: Options = {}): Middleware.Middleware<"debug_log", never, never, never> => {
  const { level = "Debug", values = false } = options
  const watch = stopwatch()
  /** What it takes to find the details out is spared where nobody would see them. */
  const log = (message: string, details: () => Record<string, unknown>) =>
    Effect.flatMap(LogLevel.isEnabled(level), (enabled) =>
      enabled
        ? Effect.annotateLogs(
          Effect.logWithLevel(level)(message),
          Object.fromEntries(Object.entries(details()).filter(([, value]) => value !== undefined))
        )
        : Effect.void)
  const runKey = ({ agent, invocation }: Middleware.RunStart) => `run ${agent} ${invocation}`
  const modelKey = ({ agent, step }: Middleware.ModelRequest) => `model ${agent} ${step}`

  return Middleware.make("debug_log", {
    hooks: [
      Middleware.beforeRun({}, (run) =>
        Effect.gen(function*() {
          yield* watch.start(yield* fiber, runKey(run))
          yield* log("run begins", () => ({ ...run }))
        })),
      Middleware.afterRun({}, (run) =>
        Effect.gen(function*() {
          const time = yield* watch.stop(yield* fiber, runKey(run))
          yield* log("run ended", () => ({ ...run, ...time }))
        })),
      Middleware.beforeModel({}, (request) =>
        Effect.gen(function*() {
          const { agent, messages, step, tools } = request
          yield* watch.start(yield* fiber, modelKey(request))
          yield* log("model call begins", () => ({
            agent,
            step,
            messages: messages.length,
            characters: sizeOf(messages),
            tools: tools.length
          }))
        })),
      Middleware.afterModel({}, (outcome) =>
        Effect.gen(function*() {
          const { agent, exit, step } = outcome
          const time = yield* watch.stop(yield* fiber, modelKey(outcome))
          yield* log("model call ended", () => ({ agent, step, ...time, ...said(exit, values) }))
        })),
      Middleware.beforeTool({}, ({ parameters, tool }) =>
        Effect.gen(function*() {
          const call = yield* ToolCall.ToolCall
          yield* watch.start(call, "call")
          yield* log("tool call begins", () => ({
            agent: call.agent,
            call: call.id,
            tool,
            characters: sizeOf(parameters),
            ...(values && { arguments: parameters })
          }))
        })),
      Middleware.afterTool({}, ({ result, tool }) =>
        Effect.gen(function*() {
          const call = yield* ToolCall.ToolCall
          const time = yield* watch.stop(call, "call")
          yield* log("tool call ended", () => ({
            agent: call.agent,
            call: call.id,
            tool,
            ...time,
            failed: result.isFailure,
            characters: sizeOf(result.value),
            ...(values && { result: result.value })
          }))
        }))
    ]
  })
}

/** What came of a model call. */
const said = (exit: Middleware.ModelOutcome["exit"], values: boolean): Record<string, unknown> => {
  if (Exit.isFailure(exit)) {
    const error = Exit.findErrorOption(exit)
    return { failed: true, error: error._tag === "Some" ? error.value.reason._tag : "defect" }
  }
  const text = textOfParts(exit.value)
  const usage = exit.value.find((part) => part.type === "finish")?.usage
  return {
    failed: false,
    characters: text.length,
    calls: exit.value.filter(({ type }) => type === "tool-call").length,
    inputTokens: usage?.inputTokens.total,
    outputTokens: usage?.outputTokens.total,
    ...(values && { text })
  }
}
