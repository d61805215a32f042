/**
 * What effect/cli needs of a platform, by Node's own modules: the size of the terminal, and what is written to it. It
 * neither reads files nor asks anything here. Layer 6, edge `cli`.
 */
import { Effect, FileSystem, Layer, Path, Sink, Stdio, Stream, Terminal } from "effect"
import { CliConfig, GlobalFlag } from "effect/cli"
import { ChildProcessSpawner } from "effect/process"

/** The width of the terminal; unlimited where there is none, unless the environment says so. */
const columns = (): number => {
  const given = Number(process.env["COLUMNS"])
  return process.stdout.columns ?? (given > 0 ? given : Number.POSITIVE_INFINITY)
}

const unused = Effect.die(new Error("this command asks nothing"))

const terminal = Terminal.make({
  columns: Effect.sync(columns),
  rows: Effect.sync(() => process.stdout.rows ?? 24),
  size: unused,
  readInput: unused,
  readLine: unused,
  display: (text) => Effect.sync(() => void process.stdout.write(text))
})

const stdio = Stdio.make({
  args: Effect.sync(() => process.argv.slice(2)),
  stdin: Stream.empty,
  stdinIsTerminal: Effect.sync(() => process.stdin.isTTY),
  stdoutIsTerminal: Effect.sync(() => process.stdout.isTTY),
  stderrIsTerminal: Effect.sync(() => process.stderr.isTTY),
  stdout: () => Sink.forEach((chunk) => Effect.sync(() => void process.stdout.write(chunk))),
  stderr: () => Sink.forEach((chunk) => Effect.sync(() => void process.stderr.write(chunk)))
})

export const platform = Layer.mergeAll(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  FileSystem.layerNoop({}),
  Path.layer,
  Layer.succeed(Terminal.Terminal, terminal),
  Layer.succeed(Stdio.Stdio, stdio),
  Layer.succeed(ChildProcessSpawner.ChildProcessSpawner, ChildProcessSpawner.make(() => unused))
)
