/**
 * Kills processes at every failpoint, and at random ones, and has others go on. A process goes on with the session that
 * the one before it left, looks at it before and after, and then begins the next one: so each is a start after a crash.
 */
import { Clock, Effect } from "effect"
import { build } from "esbuild"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as Random from "../properties/random.ts"
import { afterwards, failpointsOf, needsEmpty } from "./failpoints.ts"
import { type Chapter, chapterNames } from "./life.ts"
import { type Kill, type Line, nothing, type Task, withTold } from "./protocol.ts"

/** Where the sessions are. */
export interface Target {
  readonly dialect: "sqlite" | "pg"
  /** A database that is empty. */
  readonly empty: (folder: string) => Effect.Effect<string>
}

export interface Report {
  /** The failpoints where a process ended. */
  readonly fired: ReadonlySet<string>
  /** Those where none did. */
  readonly silent: ReadonlyArray<string>
  readonly kills: number
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
  /** What else is wrong. */
  readonly broken: ReadonlyArray<string>
}

/** A kill by the process itself, or from outside after so many milliseconds. */
type Blow = Kill | { readonly after: number }

/** A session, and where the processes that take it on end, one after the other. */
interface Plan {
  readonly chapter: Chapter
  readonly blows: ReadonlyArray<Blow>
  /** In a database of its own. */
  readonly alone?: boolean
}

interface Ended {
  readonly lines: ReadonlyArray<Line>
  readonly signal: NodeJS.Signals | null
  readonly code: number | null
  readonly complaint: string
}

/** Milliseconds. A dead process's session is busy for so long. */
const lease = 60

/** What a killed process has written is there without a disk, too. */
const memory = "/dev/shm"

/** For what hangs, in milliseconds. */
const timeLimit = 60_000

/** The program in one file: it starts three times as fast. */
const bundled = Effect.fnUntraced(function*(folder: string) {
  const outfile = join(folder, "child.mjs")
  yield* Effect.promise(() =>
    build({
      entryPoints: [fileURLToPath(new URL("fixtures/child.ts", import.meta.url))],
      bundle: true,
      conditions: ["tenon-source"],
      format: "esm",
      platform: "node",
      logLevel: "error",
      outfile
    })
  )
  return outfile
})

const run = (
  program: string,
  folder: string,
  file: string,
  after: number | undefined,
  last: string
): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, file], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "cache") }
    })
    const kill = () => child.kill("SIGKILL")
    const limit = setTimeout(kill, timeLimit)
    const lines: Array<Line> = []
    let complaint = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => complaint += text)
    createInterface(child.stdout).on("line", (text) => {
      const line = JSON.parse(text) as Line
      lines.push(line)
      if (after !== undefined && "begins" in line && line.session === last) setTimeout(kill, after)
    })
    child.on("close", (code, signal) => {
      clearTimeout(limit)
      resume(Effect.succeed({ lines, code, signal, complaint }))
    })
    return Effect.sync(() => void kill())
  })

const isOwn = (blow: Blow | undefined): blow is Kill => blow !== undefined && "time" in blow

/** Two processes at a time: they share databases, and wait for each other's locks. */
const lanes = 2

/** Kills at every failpoint of a database, and then at random ones until so many seconds are over. */
export const prove = Effect.fnUntraced(function*(target: Target, seconds: number, seed: number) {
  const started = yield* Clock.currentTimeMillis
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(existsSync(memory) ? memory : tmpdir(), "tenon-crash-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  )
  const program = yield* bundled(folder)
  const random = Random.make(Random.mix(seed, target.dialect))
  const shared = yield* target.empty(folder)

  const fired = new Set<string>()
  const found = { lost: new Set<string>(), doubled: new Set<string>(), broken: new Set<string>() }
  // each point once, and as fast as can be
  const isBrief = seconds === 0
  let kills = 0
  let number = 0

  const begin = Effect.fnUntraced(function*({ alone = false, chapter }: Plan) {
    const task: Task = {
      database: alone ? yield* target.empty(folder) : shared,
      folder,
      session: `${chapter} ${number++}`,
      chapter,
      acknowledged: nothing,
      lease
    }
    return task
  })

  /** Has a process take tasks on; gives what it said, and the last task as it left it, if it did not come to its end. */
  const process = Effect.fnUntraced(function*(tasks: ReadonlyArray<Task>, blow: Blow | undefined) {
    const file = join(folder, `tasks ${number++}.json`)
    const last = tasks.at(-1) as Task
    const all = [...tasks.slice(0, -1), isOwn(blow) ? { ...last, kill: blow } : last]
    yield* Effect.promise(() => writeFile(file, JSON.stringify(all)))
    const { code, complaint, lines, signal } = yield* run(
      program,
      folder,
      file,
      blow !== undefined && "after" in blow ? blow.after : undefined,
      last.session
    )
    const own = lines.filter(({ session }) => session === last.session)
    const acknowledged = own.reduce(
      (known, line) => "told" in line ? withTold(known, line.told) : known,
      last.acknowledged
    )
    const context = `(seed ${seed}, ${target.dialect}, '${last.session}', ${JSON.stringify(blow)})`
    for (const line of lines) {
      if ("problems" in line) {
        for (const { kind, what } of line.problems) {
          found[kind].add(`${line.session}: ${what}, at the ${line.at} ${context}`)
        }
      }
      if ("killed" in line) fired.add(line.killed)
    }
    const trace = own.flatMap((line) => "trace" in line ? [line.trace] : [])[0]
    const wasKilled = signal === "SIGKILL" && (blow !== undefined)
    if (wasKilled && trace === undefined) kills += 1
    if (!wasKilled && code !== 0) {
      found.broken.add(`a process failed ${context}: ${signal ?? ""} ${complaint.slice(0, 2_000)}`)
    }
    return { trace, open: wasKilled && trace === undefined ? { ...last, acknowledged } : undefined }
  })

  /** Takes on what is left of the session before, and then the next, up to the last of its blows. */
  const follow = Effect.fnUntraced(function*(before: Task | undefined, plan: Plan) {
    let open = before
    let next: Task | undefined = yield* begin(plan)
    for (const blow of plan.blows) {
      const tasks: ReadonlyArray<Task> = [...open === undefined ? [] : [open], ...next === undefined ? [] : [next]]
      if (tasks.length === 0) return undefined
      next = undefined
      ;({ open } = yield* process(tasks, blow))
    }
    return open
  })

  /** Follows plans one after the other, and has the last session come to its end. */
  const lane = Effect.fnUntraced(function*(plans: Iterable<Plan>) {
    let open: Task | undefined
    for (const plan of plans) open = yield* follow(open, plan)
    if (open !== undefined) yield* process([open], undefined)
  })
  const inLanes = (plansOf: (index: number) => Iterable<Plan>) =>
    Effect.forEach(Array.from({ length: lanes }, (_, index) => index), (index) => lane(plansOf(index)), {
      concurrency: lanes,
      discard: true
    })

  // what lives without a crash come by
  const traces = new Map<Chapter, Readonly<Record<string, number>>>()
  const short = chapterNames.filter((name) => name !== "whole")
  yield* Effect.forEach(short, (chapter) =>
    Effect.gen(function*() {
      const { trace = {} } = yield* process([yield* begin({ chapter, blows: [], alone: true })], undefined)
      traces.set(chapter, trace)
    }), { concurrency: lanes })
  const points = failpointsOf(target.dialect)
  const declared = new Set([...points, ...afterwards.map(([first]) => first)])
  for (const point of new Set([...traces.values()].flatMap((trace) => Object.keys(trace)))) {
    if (!declared.has(point)) found.broken.add(`'${point}' is no declared failpoint`)
  }

  /** A life that comes by a point, and one of the times that it does. */
  const planOf = (point: string, times?: 1): Plan => {
    const by = chapterNames.flatMap((name) => traces.get(name)?.[point] === undefined ? [] : [name])
    // the first is the shortest
    const chapter = (isBrief ? by[0] : by.length === 0 ? undefined : random.pick(by)) ?? "work"
    // how often something is looked for depends on the time
    const count = /renew|read|look/.test(point) ? 1 : traces.get(chapter)?.[point] ?? 1
    return { chapter, blows: [{ point, time: times ?? 1 + random.int(count) }], alone: needsEmpty(point) }
  }
  const all: ReadonlyArray<Plan> = [
    ...points.map((point) => planOf(point)),
    ...afterwards.map(([first, then]): Plan => ({
      chapter: "work",
      blows: [{ point: first, time: 1 }, { point: then, time: 1 }]
    }))
  ]
  yield* inLanes((index) => all.filter((_, place) => place % lanes === index))
  const named = [...points, ...afterwards.flat()]
  const missed = [...new Set(named)].filter((point) => !fired.has(point) && points.includes(point))
  yield* inLanes((index) => missed.filter((_, place) => place % lanes === index).map((point) => planOf(point, 1)))

  // at random: one to three processes for each session, ended by themselves or from outside
  const now = yield* Clock.currentTimeMillis
  // a quarter of the time at least, also on a busy machine
  const until = Math.max(started + seconds * 1_000, now + seconds * 250)
  const blow = (): Blow => random.once(2) ? { after: random.int(250) } : { time: 1 + random.int(700) }
  function* atRandom(): Iterable<Plan> {
    while (Date.now() < until) {
      yield {
        chapter: random.pick(chapterNames),
        blows: Array.from({ length: 1 + random.int(3) }, blow),
        alone: target.dialect === "sqlite" && random.once(8)
      }
    }
  }
  if (seconds > 0) yield* inLanes(atRandom)

  return {
    fired,
    silent: [...new Set(named)].filter((point) => !fired.has(point)),
    kills,
    lost: [...found.lost],
    doubled: [...found.doubled],
    broken: [...found.broken]
  } satisfies Report
}, Effect.scoped)
