/**
 * Files of SQLite that were damaged past it. What a store then says is right, or a typed error; it never dies, and
 * changes nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import { Prompt } from "effect/ai"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { Event, SessionStore } from "tenon"
import { SqlStore } from "tenon/sql"
import { freshFile } from "./file.ts"

const refs = ["s0", "s1", "s2"].map((session): SessionStore.Ref => ({ app: "app", user: "u", session }))
const fields = ["p.a", "p.b"].map((field) => ({ scope: "user", field }) as const)
const eventsOf = (session: string) =>
  Array.from({ length: 12 }, (_, sequence): Event.Event => ({
    kind: "input",
    id: `${session}/${sequence}`,
    sequence,
    invocation: "i1",
    agent: "a",
    path: ["a"],
    time: 1_000 + sequence,
    message: Prompt.userMessage({
      content: [Prompt.textPart({ text: `What ${session} said ${sequence}. `.repeat(20) })]
    }),
    delta: { versions: {}, operations: [] }
  }))

const { SessionStore: Store } = SessionStore

const filled = Effect.gen(function*() {
  const store = yield* Store
  for (const ref of refs) {
    const events = eventsOf(ref.session)
    yield* store.append(ref, {
      expected: 0,
      events: () => events,
      writes: fields.map(({ field, scope }) => ({
        scope,
        operation: { op: "set", field, value: `what is kept in ${field}` },
        initial: undefined,
        section: 1
      }))
    })
    yield* store.post(ref, {
      kind: "message",
      key: `k ${ref.session}`,
      message: Prompt.userMessage({ content: [Prompt.textPart({ text: `What waits for ${ref.session}.` })] })
    })
  }
})

/** One thing that is read, as JSON. */
type Read = (store: SessionStore.SessionStore["Service"]) => Effect.Effect<unknown, unknown>

const reads: ReadonlyArray<Read> = [
  ...refs.flatMap((ref): ReadonlyArray<Read> => [
    ({ load }) =>
      Effect.map(
        load(ref),
        (events) => Option.match(events, { onNone: () => "none", onSome: (all) => all.map(Event.encode) })
      ),
    ({ inbox }) => inbox(ref)
  ]),
  ({ shared }) => Effect.map(shared(refs[0] ?? { app: "", session: "" }, fields), (rows) => [...rows])
]

const errors = ["EventUnreadable", "StoreFailed"]

/** What each read gave, or the tag of its error; where the file cannot be opened, that of all. */
const readAll = (filename: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function*() {
    const store = yield* Store
    return yield* Effect.forEach(
      reads,
      (read) => Effect.exit(Effect.map(read(store), (value) => JSON.stringify(value)))
    )
  }).pipe(
    Effect.provide(SqlStore.layerSqlite({ filename })),
    Effect.exit,
    Effect.map((all): ReadonlyArray<Exit.Exit<string, unknown>> =>
      Exit.isSuccess(all) ? all.value : reads.map(() => Exit.failCause(all.cause))
    ),
    Effect.map((exits) =>
      exits.map((exit) => {
        if (Exit.isSuccess(exit)) return exit.value
        const error = Cause.findErrorOption(exit.cause)
        if (Option.isNone(error)) throw new Error(Cause.pretty(exit.cause))
        return (error.value as { readonly _tag: string })._tag
      })
    )
  )

/** The bytes of a whole file, and what it says. */
const made = Effect.gen(function*() {
  const filename = yield* freshFile
  yield* Effect.provide(filled, SqlStore.layerSqlite({ filename }))
  return { filename, bytes: readFileSync(filename), right: yield* readAll(filename) }
})

/** Numbers that are the same in each run. */
const numbersOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

const write = (filename: string, bytes: Uint8Array) => {
  for (const suffix of ["-wal", "-shm"]) rmSync(`${filename}${suffix}`, { force: true })
  writeFileSync(filename, bytes)
}

/** Reads a damaged file: gives how many reads told of it. All others gave what was stored. */
const told = Effect.fnUntraced(function*(
  { filename, right }: { readonly filename: string; readonly right: ReadonlyArray<string> },
  bytes: Uint8Array,
  what: string
) {
  write(filename, bytes)
  const found = yield* readAll(filename)
  // nothing was repaired by reading: it says the same again
  assert.deepStrictEqual(yield* readAll(filename), found, what)
  found.forEach((each, index) => {
    if (!errors.includes(each)) assert.strictEqual(each, right[index], what)
  })
  return found.filter((each) => errors.includes(each)).length
})

const placesOf = (bytes: Buffer, text: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) places.push(at)
  return places
}

const flipped = (bytes: Buffer, at: number, bit: number) => {
  const damaged = Buffer.from(bytes)
  damaged[at] = (damaged[at] ?? 0) ^ (1 << bit)
  return damaged
}

/** The stored texts as SQLite gives them. A file has copies too, which nothing reads any more. */
const textsIn = (filename: string): string => {
  const database = new DatabaseSync(filename)
  const texts = ["data FROM tenon_events", "value FROM tenon_shared", "content FROM tenon_inbox"]
    .flatMap((texts) => database.prepare(`SELECT CAST(${texts.replace(" ", " AS BLOB) AS text ")}`).all())
    .map(({ text }) => Buffer.from(text as Uint8Array).toString("hex"))
  database.close()
  return texts.join(" ")
}

const pageSize = 4_096

describe("a damaged file of SQLite", () => {
  it.effect("with a bit of a stored text that is another is an error where the text is read, wherever it is", () =>
    Effect.gen(function*() {
      const file = yield* made
      const next = numbersOf(7)
      const texts = ["What s0 said", "What s1 said", "what is kept in", "What waits for"].flatMap((text) =>
        placesOf(file.bytes, text).map((at) => [at, text.length] as const)
      )
      const whole = textsIn(file.filename)
      let changed = 0
      for (let round = 0; round < 300; round++) {
        const [from = 0, length = 1] = texts[next(texts.length)] ?? []
        const at = from + next(length)
        const count = yield* told(file, flipped(file.bytes, at, next(8)), `bit at ${at}`)
        if (textsIn(file.filename) === whole) continue
        assert.strictEqual(count, 1, `bit at ${at}`)
        changed++
      }
      assert.isAbove(changed, 100)
    }))

  it.effect("with a bit anywhere that is another gives what was stored, or an error", () =>
    Effect.gen(function*() {
      const file = yield* made
      const next = numbersOf(11)
      let all = 0
      for (let round = 0; round < 600; round++) {
        const at = next(file.bytes.length)
        all += yield* told(file, flipped(file.bytes, at, next(8)), `bit at ${at}`)
      }
      assert.isAbove(all, 0)
    }))

  it.effect("with half of a page zeroed gives what was stored, or an error", () =>
    Effect.gen(function*() {
      const file = yield* made
      for (let from = 0; from < file.bytes.length; from += pageSize / 2) {
        const damaged = Buffer.from(file.bytes).fill(0, from, from + pageSize / 2)
        yield* told(file, damaged, `zeroes from ${from}`)
      }
    }))

  it.effect("that was cut short gives what was stored, or an error", () =>
    Effect.gen(function*() {
      const file = yield* made
      const next = numbersOf(13)
      for (let page = 1; page < file.bytes.length / pageSize; page++) {
        for (const more of [0, next(pageSize)]) {
          yield* told(file, file.bytes.subarray(0, page * pageSize + more), `cut after ${page} pages and ${more}`)
        }
      }
    }))

  it.effect("with two pages that were swapped gives what was stored, or an error", () =>
    Effect.gen(function*() {
      const file = yield* made
      const pages = file.bytes.length / pageSize
      const next = numbersOf(17)
      for (let round = 0; round < 100; round++) {
        const [one, other] = [1 + next(pages - 1), 1 + next(pages - 1)].map((page) => page * pageSize) as [
          number,
          number
        ]
        const damaged = Buffer.from(file.bytes)
        file.bytes.copy(damaged, one, other, other + pageSize)
        file.bytes.copy(damaged, other, one, one + pageSize)
        yield* told(file, damaged, `pages at ${one} and ${other}`)
      }
    }))

  it.effect("whose log of writes was cut short is as it was after an earlier append, and whole", () =>
    Effect.gen(function*() {
      const filename = yield* freshFile
      const ref = { app: "app", user: "u", session: "s" }
      const [files, revisions] = yield* Effect.gen(function*() {
        const store = yield* Store
        for (const event of eventsOf("s")) {
          yield* store.append(ref, {
            expected: event.sequence,
            events: () => [event],
            writes: [{
              scope: "user",
              operation: { op: "sum", field: "p.a", value: 1 },
              initial: 0,
              section: 1
            }]
          })
        }
        // as a process that is killed leaves them
        return [[readFileSync(filename), readFileSync(`${filename}-wal`)], new Set<number>()] as const
      }).pipe(Effect.provide(SqlStore.layerSqlite({ filename })))
      const [database, log] = files
      const next = numbersOf(19)
      for (let round = 0; round < 60; round++) {
        write(filename, database)
        writeFileSync(`${filename}-wal`, log.subarray(0, round === 0 ? log.length : next(log.length)))
        yield* Effect.gen(function*() {
          const store = yield* Store
          const events = Option.getOrElse(yield* store.load(ref), () => [])
          const rows = yield* store.shared(ref, [{ scope: "user", field: "p.a" }])
          assert.strictEqual(rows.get("p.a")?.version, events.length)
          assert.deepStrictEqual(events.map(({ sequence }) => sequence), Array.from(events, (_, index) => index))
          yield* store.append(ref, { expected: events.length, events: () => [eventsOf("s")[0] as Event.Event] })
          revisions.add(events.length)
        }).pipe(Effect.provide(SqlStore.layerSqlite({ filename })))
      }
      assert.isAbove(revisions.size, 3)
      assert.isTrue(revisions.has(12))
    }))

  it.effect("with a row that was deleted, doubled, swapped or given to another is an error", () =>
    Effect.gen(function*() {
      const file = yield* made
      const idOf = (session: string) => `(SELECT id FROM tenon_sessions WHERE session = '${session}')`
      const damages: ReadonlyArray<readonly [string, errors: ReadonlyArray<number>, gone?: ReadonlyArray<number>]> = [
        [`DELETE FROM tenon_events WHERE session_id = ${idOf("s0")} AND sequence = 5`, [0]],
        [`DELETE FROM tenon_events WHERE session_id = ${idOf("s1")}`, [2]],
        [`UPDATE tenon_events SET sequence = 99 WHERE session_id = ${idOf("s0")} AND sequence = 11`, [0]],
        [
          `UPDATE tenon_events SET session_id = ${idOf("s1")}, sequence = 12 WHERE session_id = ${
            idOf("s0")
          } AND sequence = 11`,
          [0, 2]
        ],
        [
          `INSERT INTO tenon_events SELECT session_id, 12, data, checksum FROM tenon_events WHERE session_id = ${
            idOf("s0")
          } AND sequence = 11`,
          [0]
        ],
        ["UPDATE tenon_sessions SET revision = 11 WHERE session = 's0'", [0]],
        ["UPDATE tenon_sessions SET revision = 13 WHERE session = 's0'", [0]],
        ["UPDATE tenon_sessions SET revision = 0 WHERE session = 's0'", [0]],
        ["UPDATE tenon_sessions SET revision = 'x' WHERE session = 's0'", [0, 1]],
        [
          "UPDATE tenon_sessions SET session = CASE session WHEN 's0' THEN 'x' WHEN 's1' THEN 's0' ELSE session END",
          [0, 1],
          [2, 3]
        ],
        [`DELETE FROM tenon_inbox WHERE session_id = ${idOf("s0")}`, [1]],
        [`UPDATE tenon_inbox SET session_id = ${idOf("s1")} WHERE session_id = ${idOf("s0")}`, [1, 3]],
        [`UPDATE tenon_inbox SET content = NULL WHERE session_id = ${idOf("s2")}`, [5]],
        ["UPDATE tenon_shared SET field = CASE field WHEN 'p.a' THEN 'p.z' ELSE 'p.a' END", [6]],
        ["UPDATE tenon_shared SET version = 9 WHERE field = 'p.b'", [6]]
      ]
      for (const [damage, places, gone = []] of damages) {
        write(file.filename, file.bytes)
        const database = new DatabaseSync(file.filename)
        database.exec(damage)
        database.close()
        const found = yield* readAll(file.filename)
        for (const place of places) assert.include(errors, found[place] ?? "", damage)
        found.forEach((each, index) => {
          if (gone.includes(index)) assert.include(["\"none\"", "[]"], each)
          else if (!places.includes(index)) assert.strictEqual(each, file.right[index], damage)
        })
      }
    }))
})
