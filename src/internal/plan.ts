/**
 * An agent compiled for one run: handlers taken, contexts merged, codecs at hand. Layer 5.
 */
import { Context, Duration, Effect, type Option, Schema, Stream } from "effect"
import { Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { memoize } from "effect/Function"
import type { AnySubAgent, Definition } from "../Agent.ts"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import { targetOf, ToolCall } from "./call.ts"
import {
  accessOf,
  type AnyApproval,
  ApprovalAnnotation,
  type ContractValue,
  emptyContract,
  formerNames,
  mergeContracts,
  TimeoutAnnotation,
  toolContract
} from "./contract.ts"
import type { FieldDefinition } from "./field.ts"
import { type AccessMap, ContractViolation, isShared } from "./fork.ts"
import { type AnyReconcile, isStranger, reconcileOf } from "./handlers.ts"
import { type Holder, transferTool } from "./holders.ts"
import { jsonCodec, shallow } from "./json.ts"
import { isContextKey } from "./supply.ts"

/** What a tool's schemas do; made once per tool. */
interface Codecs {
  readonly decode: (input: unknown) => Effect.Effect<unknown, Schema.SchemaError, any>
  /** Checks arguments that are decoded already. */
  readonly check: (parameters: unknown) => Effect.Effect<unknown, Schema.SchemaError>
  readonly encode: (value: unknown) => Effect.Effect<unknown, Schema.SchemaError, any>
  readonly encodeFailure: (error: unknown) => Effect.Effect<unknown, Schema.SchemaError, any>
}

const encoding = (schema: Schema.Constraint): Codecs["encode"] => {
  const encode = Schema.encodeUnknownEffect(jsonCodec(schema))
  return (value) => Effect.flatMap(encode(value), (json) => Effect.fromResult(shallow(json)))
}

const codecsOf = memoize((tool: AiTool.Any): Codecs => ({
  decode: Schema.isSchema(tool.parametersSchema)
    ? Schema.decodeUnknownEffect(jsonCodec(tool.parametersSchema), { errors: "all" })
    : Effect.succeed,
  check: Schema.isSchema(tool.parametersSchema)
    ? Schema.decodeUnknownEffect(Schema.toType(tool.parametersSchema))
    : Effect.succeed,
  encode: encoding(tool.successSchema),
  encodeFailure: encoding(tool.failureSchema)
}))

type Handler = (
  parameters: unknown,
  context: AiToolkit.HandlerContext<AiTool.Any>
) => Effect.Effect<unknown, unknown, any>

/** A call whose toolkit decodes the parameters itself. */
export type KitCall = (
  parameters: unknown,
  id: string,
  /** Takes the results that come before the last, where somebody looks at them. */
  show: ((result: unknown) => Effect.Effect<void>) | undefined
) => Effect.Effect<Option.Option<AiTool.HandlerResult<AiTool.Any>>, unknown, any>

export interface PlannedTool extends Codecs {
  readonly tool: AiTool.Any
  /** The tool's contract and its hooks' together. */
  readonly contract: ContractValue
  /** What a fork of a call allows; computed once unless a parameter names an entry. */
  readonly access: (parameters: unknown) => AccessMap
  /** The fields that a call shares with other sessions. */
  readonly shared: ReadonlyArray<FieldDefinition>
  /** May an attempt end from within, by a question or because a sub-agent pauses? */
  readonly mayStop: boolean
  readonly handler: Handler
  /** Finds out what became of a call that may have run. */
  readonly reconcile: AnyReconcile | undefined
  /** Of a tool that is known only at run time, in place of its handler. */
  readonly kitCall: KitCall | undefined
  /** The hooks around the handler; a sub-agent has none. */
  readonly around: ReadonlyArray<PlannedHook>
  /** What the handler runs in: what its layer captured, under the run's. */
  readonly context: Context.Context<never>
  readonly subAgent: AnySubAgent | undefined
  readonly approval: AnyApproval
  /** May a call run twice? */
  readonly repeatable: boolean
  readonly timeout: Duration.Duration | undefined
  /** The result of a call that does not run: only hooks after it do. */
  readonly refused: Event.CallResult | undefined
}

export interface PlannedHook extends Middleware.AnyHook {
  readonly middleware: string
  /** The middleware and the kind, as a question names who asks. */
  readonly place: string
  readonly access: AccessMap
  readonly shared: ReadonlyArray<FieldDefinition>
}

export interface Plan {
  readonly definition: Definition
  readonly context: Context.Context<never>
  /** By name, and by the names that they had. */
  readonly tools: ReadonlyMap<string, PlannedTool>
  /** What the model is shown. */
  readonly toolkit: AiToolkit.WithHandler<Record<string, AiTool.Any>>
  readonly hooks: Readonly<Record<Middleware.HookKind, ReadonlyArray<PlannedHook>>>
  readonly toolNames: ReadonlyArray<string>
  /** Writes the agent's answer into the field that keeps it. */
  readonly keep: PlannedHook | undefined
  /** A call that cannot run, as hooks after it see it. */
  readonly refused: (name: string, result: Event.CallResult) => PlannedTool
}

/** What a tool is planned from. */
interface Planning {
  /** The name that the model knows it by. */
  readonly name: string
  readonly tool: AiTool.Any
  readonly contract: ContractValue
  readonly handler: Handler
  /** What the handler's layer captured; absent where it runs in the run's context. */
  readonly captured?: Context.Context<never> | undefined
  readonly subAgent?: AnySubAgent | undefined
  readonly kitCall?: KitCall
}

/** A captured context without context keys: what the run supplies wins, and what it does not supply is not there. */
const withoutKeys = (context: Context.Context<never>): Context.Context<never> =>
  [...context.mapUnsafe.keys()].some(isContextKey)
    ? Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !isContextKey(key))))
    : context

const planHook = (hook: Middleware.AnyHook, middleware: string, index: number): PlannedHook => ({
  ...hook,
  middleware,
  place: index === 0 ? `${middleware}.${hook.kind}` : `${middleware}.${hook.kind}.${index + 1}`,
  access: accessOf(hook.contract),
  shared: sharedIn(hook.contract)
})

const hooksOf = (middleware: ReadonlyArray<Middleware.Any>): Plan["hooks"] => {
  const of = (kind: Middleware.HookKind): Array<PlannedHook> =>
    middleware.flatMap(({ name, hooks }) =>
      hooks.filter((hook) => hook.kind === kind).map((hook, index) => planHook(hook, name, index))
    )
  return {
    beforeRun: of("beforeRun"),
    beforeStep: of("beforeStep"),
    beforeModel: of("beforeModel"),
    beforeTool: of("beforeTool"),
    aroundTool: of("aroundTool"),
    // after-hooks run in reverse: the first middleware is the outermost
    afterRun: of("afterRun").reverse(),
    afterModel: of("afterModel").reverse(),
    afterTool: of("afterTool").reverse(),
    onEvent: of("onEvent")
  }
}

/** The fields of a contract that sessions share. */
export const sharedIn = (contract: ContractValue): ReadonlyArray<FieldDefinition> =>
  contract.touches.map(({ field }) => field).filter(isShared)

const accessBy = (contract: ContractValue): PlannedTool["access"] => {
  if (contract.touches.some(({ parameter }) => parameter !== undefined)) {
    return (parameters) => accessOf(contract, parameters)
  }
  const access = accessOf(contract)
  return () => access
}

/** A tool's approval: ours, or effect/ai's own, which would run past us. */
const approvalOf = (tool: AiTool.Any): AnyApproval => {
  const own = Context.get(tool.annotations, ApprovalAnnotation)
  const { needsApproval = false } = tool
  if (own !== false) return own
  if (typeof needsApproval === "boolean") return needsApproval
  return (parameters, call) => {
    const needed = needsApproval(parameters, call)
    return typeof needed === "boolean" ? Effect.succeed(needed) : needed
  }
}

/** Types rule out a tool without a handler; a delegate's is another frame, and a provider may run its tools itself. */
const handlerOf = (tool: AiTool.Any, found: AiTool.Handler<string> | undefined, isDelegate: boolean): Handler => {
  if (found !== undefined) return found.handler
  const name = tool.name as string
  if (isDelegate || (AiTool.isProviderDefined(tool) && !tool.requiresHandler)) {
    return () => Effect.die(new ContractViolation(`the tool '${name}' is not run by a handler`))
  }
  throw new ContractViolation(`the tool '${name}' has no handler: provide Toolkit.layer(toolkit, { ${name}: … })`)
}

/** One call through a toolkit that came with its handlers, as an MCP server's does; it decodes the parameters itself. */
const throughKit = (kit: AiToolkit.WithHandler<any>, name: string): KitCall => (parameters, id, show) => {
  const handled = kit.handle(name, parameters, id)
  if (show === undefined) return Effect.flatMap(handled, (results) => Stream.runLast(Stream.filter(results, isFinal)))
  const shown = Effect.flatMap(
    handled,
    (results) =>
      Stream.runLast(
        Stream.filterEffect(
          results,
          (each) => isFinal(each) ? Effect.succeed(true) : Effect.as(show(each.result), false)
        )
      )
  )
  // a handler waits for a slow reader, as one without a kit does
  return Effect.provideService(shown, AiToolkit.PreliminaryBuffer, 1)
}

const isFinal = ({ preliminary }: AiTool.HandlerResult<AiTool.Any>): boolean => !preliminary

const unplanned: Handler = () => Effect.die(new ContractViolation("a run-time toolkit runs its tools itself"))

/** The names that a run-time toolkit of the tree shares with another tool of its agent. */
export const clashesIn = ({ tools, dynamic, subAgents, transfers }: Definition): ReadonlyArray<string> => {
  const seen = new Set([...tools.keys(), transferTool])
  const names = dynamic.flatMap(({ prefix, kit }) => Object.keys(kit.tools as object).map((name) => prefix + name))
  const clashes = names.filter((name) => seen.size === seen.add(name).size)
  return [...clashes, ...[...subAgents, ...transfers].flatMap(({ agent }) => clashesIn(agent.definition))]
}

/** The tools of a tree whose handlers were given for other tools of the same names. */
export const strangersIn = ({ handled }: Definition, context: Context.Context<never>): ReadonlyArray<string> =>
  [...handled.values()]
    .filter((tool) => isStranger(tool, context.mapUnsafe.get(tool.id) as AiTool.Handler<string> | undefined))
    .map(({ name }) => name as string)

const transferred = ({ agent_name: name }: { readonly agent_name: string }) =>
  Effect.flatMap(ToolCall, ({ actions }) => Effect.as(actions.transfer(targetOf(name)), `transferred to ${name}`))

/** Of no run: effect/ai holds what a call was asked with until a full collection, and would hold the run by it. */
const handle: Plan["toolkit"]["handle"] = () => Effect.die(new Error("the loop runs the tools itself"))

/** Compiles an agent for a run whose context this is. */
export const makePlan = (
  { definition, tool: transfer }: Pick<Holder, "definition" | "tool">,
  context: Context.Context<never>
): Plan => {
  const hooks = hooksOf(definition.middleware)
  const contractsOf = (kinds: ReadonlyArray<PlannedHook>) => mergeContracts(kinds.map(({ contract }) => contract))
  const hookContract = contractsOf([...hooks.beforeTool, ...hooks.afterTool])
  const aroundContract = contractsOf([...hooks.beforeTool, ...hooks.aroundTool, ...hooks.afterTool])
  const tools = new Map<string, PlannedTool>()
  const shown: Record<string, AiTool.Any> = {}

  const plan = ({ captured = context, contract: own, handler, kitCall, name, subAgent, tool }: Planning): void => {
    const ofHooks = subAgent === undefined ? aroundContract : hookContract
    const contract = ofHooks.touches.length + ofHooks.requires.length + ofHooks.asks.length === 0
      ? own
      : mergeContracts([own, ofHooks])
    const timeout = Context.get(tool.annotations, TimeoutAnnotation)
    shown[name] = tool
    tools.set(name, {
      ...codecsOf(tool),
      ...(kitCall !== undefined && { decode: Effect.succeed }),
      kitCall,
      tool,
      contract,
      access: accessBy(contract),
      shared: sharedIn(contract),
      // a tool's own approval is asked before an attempt, a hook's within one
      mayStop: subAgent !== undefined || ofHooks.asks.length > 0 ||
        own.asks.some((ask) => ask.name !== "approval"),
      handler,
      reconcile: reconcileOf(handler),
      around: subAgent === undefined ? hooks.aroundTool : [],
      context: captured === context ? context : Context.merge(withoutKeys(captured), context),
      subAgent,
      approval: approvalOf(tool),
      repeatable: Context.get(tool.annotations, AiTool.Readonly) || Context.get(tool.annotations, AiTool.Idempotent),
      timeout: timeout === undefined ? undefined : Duration.fromInputUnsafe(timeout),
      refused: undefined
    })
  }

  const refused = (name: string, result: Event.CallResult): PlannedTool => {
    const tool = AiTool.make(name)
    return {
      ...codecsOf(tool),
      kitCall: undefined,
      tool,
      contract: hookContract,
      access: accessBy(hookContract),
      shared: sharedIn(hookContract),
      mayStop: hookContract.asks.length > 0,
      handler: unplanned,
      reconcile: undefined,
      around: [],
      context,
      subAgent: undefined,
      approval: false,
      repeatable: true,
      timeout: undefined,
      refused: result
    }
  }

  const delegates = new Map(definition.subAgents.map((subAgent) => [subAgent.tool, subAgent]))
  for (const [name, tool] of definition.tools) {
    const found = context.mapUnsafe.get(tool.id) as AiTool.Handler<string> | undefined
    plan({
      name,
      tool,
      contract: toolContract(tool),
      handler: handlerOf(tool, found, delegates.has(tool)),
      captured: found?.context,
      subAgent: delegates.get(tool)
    })
  }
  if (transfer !== undefined) {
    plan({ name: transferTool, tool: transfer, contract: emptyContract, handler: transferred as Handler })
  }
  for (const { prefix, kit, contract } of definition.dynamic) {
    for (const [name, tool] of Object.entries(kit.tools as Record<string, AiTool.Any>)) {
      const exclusive = !Context.get(tool.annotations, AiTool.Readonly)
      const named = Object.assign(Object.create(Object.getPrototypeOf(tool) as object), tool, {
        name: prefix + name
      }) as AiTool.Any
      plan({
        name: prefix + name,
        tool: named,
        contract: { ...contract, exclusive },
        handler: unplanned,
        kitCall: throughKit(kit, name)
      })
    }
  }

  const toolNames = Object.freeze([...tools.keys()])
  // the model is not shown them
  for (const planned of tools.values()) {
    for (const name of formerNames(planned.tool)) if (!tools.has(name)) tools.set(name, planned)
  }

  return {
    definition,
    context,
    tools,
    toolkit: { tools: shown, handle },
    hooks,
    toolNames,
    keep: definition.keep && planHook(definition.keep, "outputTo", 0),
    refused
  }
}
