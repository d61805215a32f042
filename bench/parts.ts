/**
 * What the parts of a run take, each alone: `npm run bench:parts`.
 *
 * One process for each part and round, interleaved. Where something of Effect's own does the nearest thing, it is measured
 * beside it.
 */
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { writeJson } from "./harness/report.ts"
import { rounds } from "./harness/rounds.ts"
import { spread } from "./harness/spread.ts"
import { digits, table } from "./harness/table.ts"

const help = `npm run bench:parts -- [options]

  --only TEXT    the parts whose names hold this text; may be repeated
  --rounds N     how often each is measured, in a process of its own (3)
  --json FILE    writes what was measured
  --list         names the parts, and measures none
  --help
`

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    rounds: { type: "string", default: "3" },
    json: { type: "string" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

/** By module; a part may name the one that it is compared with. */
const modules: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  calls: {
    "tool, handler between decoding and encoding": undefined,
    "tool, by the toolkit of effect/ai": "tool, handler between decoding and encoding",
    "tool, by ToolTest": "tool, handler between decoding and encoding",
    "context, a service of Effect": undefined,
    "context, a key": "context, a service of Effect",
    "state, get of a Ref": undefined,
    "state, get": "state, get of a Ref",
    "state, set of a Ref": undefined,
    "state, set": "state, set of a Ref",
    "state, combine": "state, set of a Ref",
    "schedule, 100 calls apart": undefined,
    "schedule, 100 calls in conflict": "schedule, 100 calls apart"
  },
  logs: {
    "commit, three writes of a call": undefined,
    "commit, and their delta": "commit, three writes of a call",
    "delta, JSON": undefined,
    "delta, encoded": "delta, JSON",
    "delta, decoded": "delta, JSON",
    "serializer, serialize": undefined,
    "serializer, deserialize": "serializer, serialize",
    "load, 10 steps": undefined,
    "load, 100 steps": "load, 10 steps",
    "load, 1000 steps": "load, 10 steps",
    "newest, 10 steps": undefined,
    "newest, 100 steps": "newest, 10 steps",
    "newest, 1000 steps": "newest, 10 steps",
    "document, 10 steps, decoded": undefined,
    "document, 100 steps, decoded": "document, 10 steps, decoded",
    "document, 1000 steps, decoded": "document, 10 steps, decoded"
  },
  runs: {
    "step, with a call": undefined,
    "step, with a call, as a stream": "step, with a call",
    "call, of a hundred in one step": "step, with a call",
    "sub-agent, from its start to its answer": "step, with a call"
  }
}

const measure = fileURLToPath(new URL("harness/part.ts", import.meta.url))
const trials = Object.entries(modules).flatMap(([module, parts]) =>
  Object.entries(parts)
    .filter(([name]) => values.only.length === 0 || values.only.some((text) => name.includes(text)))
    .map(([name, beside]) => ({
      name,
      beside,
      args: [measure, fileURLToPath(new URL(`parts/${module}.ts`, import.meta.url)), name]
    }))
)
if (trials.length === 0) {
  console.error(`no part's name holds ${values.only.map((text) => `'${text}'`).join(" or ")}: --list names them`)
  process.exit(2)
}
if (values.list) {
  console.log(trials.map(({ name }) => name).join("\n"))
  process.exit(0)
}

const measured = await rounds(trials, { times: Number(values.rounds), flags: ["--conditions=tenon-source"] })
const rows = trials.map(({ beside, name }, index) => ({ name, beside, cpu: spread(measured[index] ?? []) }))
writeJson(values.json, { rows })
const medianOf = (name: string | undefined) => rows.find((row) => row.name === name)?.cpu.median
console.log(table(
  ["CPU µs", "median", "least", "most", "ratio", "beside"],
  rows.map(({ beside, cpu: { max, median, min }, name }) => {
    const other = medianOf(beside)
    return [
      name,
      digits(median),
      digits(min),
      digits(max),
      other === undefined ? "" : digits(median / other),
      other === undefined ? "" : beside ?? ""
    ]
  })
))
