/** Where a process of the crash tests may be killed: before and after each thing that it does, by name. */

/** The statements of a store in a database, by what they do; the first that fits tells. */
const statements: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ["BEGIN", /^BEGIN/],
  ["COMMIT", /^COMMIT/],
  ["look for the tables", /^SELECT.*(to_regclass|information_schema|pg_catalog)/i],
  ["lock the migrations", /^LOCK TABLE/],
  ["make a table", /^(CREATE (TABLE|INDEX)|ALTER TABLE)/],
  ["record a migration", /^INSERT INTO "?tenon_migrations/],
  ["read the migrations", /^SELECT (migration_id|max\(migration_id\))/],
  ["look for damage", /^PRAGMA integrity_check/],
  ["take the lease", /^INSERT INTO tenon_sessions .* SET fence = /],
  ["renew the lease", /^UPDATE tenon_sessions SET leased_until = .* AND leased_until > 0/],
  ["release the lease", /^UPDATE tenon_sessions SET leased_until = 0/],
  ["lock the session", /^INSERT INTO tenon_sessions/],
  ["count what waits in all sessions", /^UPDATE tenon_sessions SET waiting = \(SELECT/],
  ["count what waits", /^UPDATE tenon_sessions SET waiting/],
  ["write the revision", /^UPDATE tenon_sessions SET revision/],
  ["lock the session to remove it", /^UPDATE tenon_sessions SET session = session/],
  ["remove the session", /^DELETE FROM tenon_sessions/],
  ["write rows", /^INSERT INTO tenon_shared .* SET value = /],
  ["lock rows", /^INSERT INTO tenon_shared/],
  ["read rows", /^SELECT owner, field, value/],
  ["write into the inbox", /^INSERT INTO tenon_inbox .* DO NOTHING/],
  ["take from the inbox", /^INSERT INTO tenon_inbox/],
  ["look into the inbox", /^SELECT id FROM tenon_inbox/],
  ["read the inbox", /^SELECT revision, waiting/],
  ["insert events", /^INSERT INTO tenon_events/],
  ["rewrite an event", /^UPDATE tenon_events/],
  ["read events", /^SELECT revision, sequence/],
  ["write the snapshot", /^INSERT INTO tenon_snapshots/],
  ["drop the snapshot", /^DELETE FROM tenon_snapshots/],
  ["read the snapshot", /^SELECT id, revision, taken/],
  ["read the events since", /^SELECT sequence, data/],
  ["list sessions", /^SELECT id, owner/]
]

/** What one database alone is told. */
const only: Readonly<Record<string, "sqlite" | "pg">> = {
  "look for the tables": "pg",
  "lock the migrations": "pg",
  "look for damage": "sqlite"
}

/** What a statement does; a failure of the rest undoes a transaction, and nothing more. */
export const statementOf = (sql: string): string | undefined => {
  if (sql.startsWith("ROLLBACK")) return undefined
  const found = statements.find(([, pattern]) => pattern.test(sql))
  if (found === undefined) throw new Error(`no failpoint stands for this statement: ${sql}`)
  return found[0]
}

/** What is appended, by what is in it. */
const appends = [
  "created",
  "input",
  "spawn",
  "model",
  "call",
  "call with rows",
  "hook",
  "write from outside",
  "output kept",
  "asked",
  "answered",
  "answered by post",
  "refused",
  "compacted",
  "rewound",
  "ended",
  "ended with an answer",
  "rows of an earlier version",
  "a fork"
] as const

export type AppendName = (typeof appends)[number]

/** The other things that a store does. */
const operations = ["lease", "release", "post", "saveSnapshot", "rewrite", "remove"] as const

export type OperationName = (typeof operations)[number]

/** What is done beside the store. */
const outside = [
  "model",
  "hook",
  "handler",
  "outside effect",
  "artifact content",
  "credential",
  "summary"
] as const

export type OutsideName = (typeof outside)[number]

const around = (group: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => [`${group}: ${name}, before`, `${group}: ${name}, after`])

/** All that a life without a crash comes by. */
export const failpointsOf = (database: "sqlite" | "pg"): ReadonlyArray<string> => [
  ...around("SQL", statements.map(([name]) => name).filter((name) => (only[name] ?? database) === database)),
  ...around("append", appends),
  ...around("store", operations),
  ...around("outside", outside)
]

/** What only a process comes by that goes on after a crash, and where the first kill must be. */
export const afterwards: ReadonlyArray<readonly [first: string, then: string]> = around("outside", ["reconciliation"])
  .map((then) => ["outside: order placed, after", then])

/** Needs a database without tables. */
export const needsEmpty = (point: string): boolean => /table|migration|in all sessions/.test(point)
