#!/usr/bin/env node
/**
 * The command `tenon`. It exits with 0 where all is well, 1 where a contract breaks, and 2 where it was used wrongly.
 * Layer 6, edge `cli`.
 */
import { Cause, Effect } from "effect"
import { Command } from "effect/cli"
import { readFileSync } from "node:fs"
import { contract } from "./contract.ts"
import { platform } from "./platform.ts"

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

const tenon = Command.make("tenon").pipe(
  Command.withDescription("Looks at what agents and tools require, store and ask."),
  Command.withSubcommands([contract])
)

/** Help that was asked for is no failure; whatever else the command line caused is a wrong use. */
const exitCodeOf = (cause: Cause.Cause<unknown>): number => {
  const error = Cause.squash(cause) as { readonly _tag?: string; readonly errors?: ReadonlyArray<unknown> }
  if (error._tag === "ContractBroken") return 1
  return error._tag === "ShowHelp" && error.errors?.length === 0 ? 0 : 2
}

const isReported = (cause: Cause.Cause<unknown>): boolean => !Cause.hasDies(cause)

process.exitCode = await Command.runWith(tenon, { version })(process.argv.slice(2)).pipe(
  Effect.as(0),
  Effect.catchCause((cause) => Effect.as(isReported(cause) ? Effect.void : Effect.logError(cause), exitCodeOf(cause))),
  Effect.provide(platform),
  Effect.runPromise
)
