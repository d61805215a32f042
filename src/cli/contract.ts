/**
 * `tenon contract show` and `tenon contract check`. Layer 6, edge `cli`.
 */
import { Console, Effect, Option, Result, Schema, Terminal } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as Contract from "../Contract.ts"
import { load, misuse, wordsOf } from "./declarations.ts"

/** A contract breaks what stands on the one that is kept. */
class ContractBroken extends Schema.TaggedError<ContractBroken>()("ContractBroken", {}) {}

const module = Argument.String("module").pipe(
  Argument.withDescription(
    "a file that exports an agent, a tool, a toolkit or middleware; JavaScript, or TypeScript as far as Node takes it"
  )
)

const exported = Flag.String("export").pipe(
  Flag.optional,
  Flag.withDescription("the name of the export; otherwise the default one, or the only agent, or the only declaration")
)

const textOf = (snapshot: Contract.Snapshot): string => `${JSON.stringify(snapshot, undefined, 2)}\n`

// ----- show --------------------------------------------------------------------------

const show = Command.make(
  "show",
  {
    module,
    export: exported,
    json: Flag.Boolean("json").pipe(
      Flag.withDefault(false),
      Flag.withDescription("the whole contract as JSON, as 'check' keeps it")
    )
  },
  Effect.fnUntraced(function*({ export: name, json, module: path }) {
    const declaration = yield* load(path, Option.getOrUndefined(name))
    if (json) return yield* Console.log(textOf(Contract.toJson(declaration)).trimEnd())
    const { columns } = yield* Terminal.Terminal
    yield* Console.log(Contract.table(declaration, { width: yield* columns }))
  })
).pipe(
  Command.withDescription("Shows what a declaration requires, reads, writes, combines and asks."),
  Command.withExamples([
    { command: "tenon contract show src/assistant.ts", description: "As a table" },
    { command: "tenon contract show src/tools.ts --export SearchDocs --json", description: "One tool, as JSON" }
  ])
)

// ----- check -------------------------------------------------------------------------

const readSnapshot = Effect.fnUntraced(function*(file: string) {
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(readFileSync(file, "utf8")),
    catch: (error) => misuse(`'${file}' cannot be read: ${wordsOf(error)}`)
  })
  return yield* Effect.fromResult(
    Result.mapError(Contract.decode(json), ({ message }) => misuse(`'${file}': ${message}`))
  )
})

const writeSnapshot = (file: string, snapshot: Contract.Snapshot) =>
  Effect.try({
    try: () => writeFileSync(file, textOf(snapshot)),
    catch: (error) => misuse(`'${file}' cannot be written: ${wordsOf(error)}`)
  })

const check = Command.make(
  "check",
  {
    module,
    export: exported,
    snapshot: Flag.String("snapshot").pipe(
      Flag.withDescription("the file that holds the contract as it was; keep it with the program")
    ),
    update: Flag.Boolean("update").pipe(
      Flag.withDefault(false),
      Flag.withDescription("write the contract as it is now into the file, whatever breaks")
    )
  },
  Effect.fnUntraced(function*({ export: name, module: path, snapshot: file, update }) {
    const after = Contract.toJson(yield* load(path, Option.getOrUndefined(name)))
    if (!existsSync(file)) {
      if (!update) return yield* misuse(`there is no file '${file}': make it with --update`)
      yield* writeSnapshot(file, after)
      return yield* Console.log(`'${file}' is written.`)
    }
    const before = yield* readSnapshot(file)
    const changes = Contract.diff(before, after)
    yield* Console.log(Contract.report(changes))
    if (update) {
      yield* writeSnapshot(file, after)
      return yield* Console.log(`'${file}' is written anew.`)
    }
    if (changes.some(({ breaks }) => breaks)) {
      yield* Console.log(`Where that is meant, write '${file}' anew with --update.`)
      return yield* new ContractBroken()
    }
    if (before.fingerprint !== after.fingerprint) {
      yield* Console.log(`'${file}' tells of an earlier contract: write it anew with --update.`)
    }
  })
).pipe(
  Command.withDescription(
    "Compares a declaration with the contract that is kept in a file. Exits with 0 where nothing breaks, with 1 where something does, and with 2 where it cannot tell, since a file or a declaration is not there."
  ),
  Command.withShortDescription("Says what a change breaks."),
  Command.withExamples([
    {
      command: "tenon contract check src/assistant.ts --snapshot contract.json --update",
      description: "Keep the contract"
    },
    { command: "tenon contract check src/assistant.ts --snapshot contract.json", description: "In CI" }
  ])
)

export const contract = Command.make("contract").pipe(
  Command.withDescription("Shows contracts, and says what a change to one breaks."),
  Command.withSubcommands([show, check])
)
