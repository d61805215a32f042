/**
 * What an agent and its middleware tell the model at a call. Layer 5.
 */
import { Context, Effect } from "effect"
import { Prompt } from "effect/ai"
import { HookFailed } from "../AgentError.ts"
import type * as Instructions from "../Instructions.ts"
import { runIn } from "./context.ts"
import { accessOf, type ContractValue, type Lookup } from "./contract.ts"
import { CurrentFork, decodeField, Fork, isShared } from "./fork.ts"
import type { Failure, Frame } from "./frame.ts"
import { causeOf, unlessCancelled } from "./results.ts"
import { lookup } from "./supply.ts"

interface Told {
  /** The agent, or the middleware. */
  readonly by: string
  readonly text: string | Instructions.Instructions<any>
}

/** Fills the places of a template. */
const filled = (
  frame: Frame,
  { touches }: ContractValue,
  render: (lookup: Lookup, texts: ReadonlyArray<string>) => string,
  texts: ReadonlyArray<string>
) =>
  Effect.map(frame.run.rowsOf(touches.map(({ field }) => field)), (rows) =>
    render({
      key: ({ name }) => lookup(frame.plan.context, name),
      field: (field) => decodeField(field, isShared(field) ? rows.get(field.name)?.value : frame.values.get(field.name))
    }, texts))

/** Runs instructions that are an Effect, on a fork that only reads. */
const made = (frame: Frame, by: string, contract: ContractValue, effect: Effect.Effect<string, unknown, any>) =>
  Effect.flatMap(frame.run.rowsOf(contract.touches.map(({ field }) => field)), (rows) => {
    const fork = new Fork(`the instructions of '${by}'`, accessOf(contract), frame.base(rows))
    return runIn(effect, Context.add(frame.plan.context, CurrentFork, fork)).pipe(
      Effect.catchCause((cause) =>
        unlessCancelled(
          cause,
          Effect.fail(new HookFailed({ middleware: by, hook: "instructions", problem: causeOf(cause) }))
        )
      ),
      Effect.ensuring(Effect.sync(() => fork.close()))
    )
  })

const textOf = (frame: Frame, { by, text }: Told): Effect.Effect<string, Failure> => {
  if (typeof text === "string") return Effect.succeed(text)
  const { contract, "~text": how } = text
  return how._tag === "Effect"
    ? made(frame, by, contract, how.effect)
    : Effect.flatMap(
      Effect.forEach(how.nested, (each) => textOf(frame, { by, text: each })),
      (texts) => filled(frame, contract, how.render, texts)
    )
}

/** One system message, the agent's own text first. */
export const instructionsOf = (frame: Frame): Effect.Effect<Array<Prompt.Message>, Failure> => {
  const { instructions, middleware, name } = frame.plan.definition
  const message = (texts: ReadonlyArray<string>): Array<Prompt.Message> => {
    const said = [...texts, frame.output?.told ?? ""].filter((text) => text !== "")
    return said.length === 0 ? [] : [Prompt.systemMessage({ content: said.join("\n\n") })]
  }
  if (typeof instructions === "string" && middleware.length === 0) return Effect.succeed(message([instructions]))
  const told: ReadonlyArray<Told> = [
    { by: name, text: instructions },
    ...middleware.flatMap((each) => each.instructions === undefined ? [] : [{ by: each.name, text: each.instructions }])
  ]
  return Effect.map(Effect.forEach(told, (each) => textOf(frame, each)), message)
}
