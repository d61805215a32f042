/** What must hold of a session that somebody opens after a crash, and at its end. */
import { Effect, Option } from "effect"
import { createHash } from "node:crypto"
import { Artifacts, Event, Session, SessionStore } from "tenon"
import { answerTo, type Chapter, forkOf, Ledger, outcomeOf, type Owned, secret, Till, Wallet } from "./life.ts"
import type { Acknowledged, Problem } from "./protocol.ts"
import type { Outside } from "./world.ts"

export const digestOf = (event: Event.Event): string =>
  createHash("sha256").update(JSON.stringify(Event.encode(event))).digest("hex").slice(0, 16)

type Stored = ReadonlyArray<Event.Event>

/** The events that count, told anew. */
const livingOf = (stored: Stored): Stored => {
  let living: Array<Event.Event> = []
  for (const event of stored) {
    if (event.kind === "rewound") living = living.filter(({ sequence }) => sequence <= event.to)
    else living.push(event)
  }
  return living
}

/** What the calls that pay and went well paid, by their arguments. */
const paidIn = (stored: Stored, counts: (event: Event.CallEnded) => boolean): number => {
  const asked = new Map(
    stored.flatMap((event) =>
      event.kind === "model" ? event.calls.map(({ id, parameters }) => [id, parameters] as const) : []
    )
  )
  return stored.reduce(
    (sum, event) =>
      event.kind === "call" && (event.tool === "pay" || event.tool === "open") && !event.result.isFailure &&
        counts(event)
        ? sum + (asked.get(event.call) as { readonly amount: number }).amount
        : sum,
    0
  )
}

const repeated = (all: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(all.filter((each, index) => all.indexOf(each) !== index))
]

/** Looks at a session in its store, without what the test puts around that. */
export const check = Effect.fnUntraced(function*(
  ref: Owned,
  acknowledged: Acknowledged,
  outside: Outside,
  /** The life whose end this is. */
  chapter?: Chapter
) {
  const problems: Array<Problem> = []
  const wrong = (kind: Problem["kind"]) => (is: boolean, what: string) => is && problems.push({ kind, what })
  const lost = wrong("lost")
  const doubled = wrong("doubled")
  const broken = wrong("broken")
  const more = (is: number, should: number, what: string) => {
    doubled(is > should, `${what}: ${is} in place of ${should}`)
    lost(is < should, `${what}: ${is} in place of ${should}`)
  }

  const store = yield* SessionStore.SessionStore
  // its checksums are looked at here
  const stored = Option.getOrElse(yield* store.load(ref), (): Stored => [])
  const { sessions } = yield* store.list({ app: ref.app })
  const revision = sessions.find((each) => each.ref.session === ref.session)?.revision ?? 0
  broken(revision !== stored.length, `the revision is ${revision}, there are ${stored.length} events`)
  broken(stored.some(({ sequence }, index) => sequence !== index), "the sequences have a gap")
  for (const [sequence, digest] of Object.entries(acknowledged.events)) {
    const event = stored[Number(sequence)]
    lost(
      event === undefined || (event.redacted === undefined && digestOf(event) !== digest),
      `event ${sequence} was acknowledged`
    )
  }

  // keys, calls, questions and sub-agents: each once
  const waiting = yield* store.inbox(ref)
  const inLog = stored.flatMap((event) => "key" in event && event.key !== undefined ? [event.key] : [])
  const waits = waiting.map(({ key }) => key)
  for (const key of acknowledged.posts) lost(![...inLog, ...waits].includes(key), `'${key}' was posted`)
  for (const key of repeated([...inLog, ...waits])) doubled(true, `'${key}' is there twice`)
  const ended = stored.flatMap((event) => event.kind === "call" ? [event.call] : [])
  for (const id of repeated(ended)) doubled(true, `the call ${id} ended twice`)
  const asked = stored.flatMap((event) => event.kind === "model" ? event.calls.map(({ id }) => id) : [])
  for (const id of repeated(asked)) doubled(true, `the call ${id} was asked for twice`)
  const answered = stored.flatMap((event) => event.kind === "answered" ? [event.question] : [])
  for (const id of repeated(answered)) doubled(true, `the question ${id} was answered twice`)
  const spawned = stored.flatMap((event) =>
    event.kind === "input" && event.spawn !== undefined ? [event.spawn.call] : []
  )
  for (const id of repeated(spawned)) doubled(true, `the call ${id} started two sub-agents`)
  for (const [key, text] of Object.entries(acknowledged.answers)) {
    lost(answerTo(stored, key) !== text, `the answer to '${key}' was given`)
  }

  // outside: what has no mark, or is asked for, at most once; what is idempotent under ids that the log has
  const effects = outside.effects()
  for (const effect of repeated(effects)) doubled(!/^(open|pay) /.test(effect), `'${effect}' took effect twice`)
  for (const effect of effects) lost(!asked.includes(effect.split(" ")[1] as string), `nobody asked for '${effect}'`)
  for (const event of stored) {
    const isOutside = event.kind === "call" && !event.result.isFailure && /^(open|pay|send|order)$/.test(event.tool)
    lost(isOutside && !effects.includes(`${event.tool} ${event.call}`), "a call went well and had no effect")
  }

  // the state: the fold, the rows, and what the calls say
  if (stored.length > 0) {
    const living = livingOf(stored)
    const { state } = yield* Session.load(ref, [Ledger, Wallet, Till, Artifacts.Session.section])
    const isOwn = ({ path }: Event.Event) => path.length === 1
    const isReturned = ({ call }: Event.CallEnded) =>
      living.some((event) => event.kind === "call" && event.call === call.split("/")[0])
    more(state.get(Ledger.paid), paidIn(living, (event) => isOwn(event) || isReturned(event)), "the session's sum")
    const all = paidIn(stored, () => true)
    more(state.get(Wallet.total), all, "the user's sum")
    more(state.get(Till.sold), all, "the app's sum")
    const counted = living.flatMap((event) =>
      isOwn(event) && "delta" in event
        ? event.delta.operations.flatMap((each) =>
          each.op === "sum" && each.field === "ledger.answers" ? [each.value] : []
        )
        : []
    )
    more(state.get(Ledger.answers), counted.reduce((one, other) => one + other, 0), "what hooks counted")
    for (const { content } of state.get(Artifacts.Session)) {
      lost(content !== undefined && !outside.hasContent(content.hash), "a content that the log names")
    }
    const newest = yield* Session.newest(ref, [Ledger])
    broken(newest.revision !== stored.length, "the newest state is of another revision")
    broken(newest.state.get(Ledger.paid) !== state.get(Ledger.paid), "the snapshot tells another state")
    const told = stored.findLast((event) => "shared" in event && event.shared?.versions["till.sold"] !== undefined)
    const version = told !== undefined && "shared" in told ? told.shared?.versions["till.sold"] : 0
    const rows = yield* store.shared(ref, [{ scope: "app", field: "till.sold" }])
    more(rows.get("till.sold")?.version ?? 0, version ?? 0, "the version of the app's row")
  }
  for (const hash of acknowledged.contents) lost(!outside.hasContent(hash), "a content was kept")
  lost(acknowledged.credential && !outside.hasCredential(), "the credential was kept")

  if (chapter !== undefined) {
    const outcome = outcomeOf(chapter)
    for (const [key, text] of outcome.answers) lost(answerTo(stored, key) !== text, `no answer to '${key}'`)
    more(paidIn(stored, () => true), outcome.paid, "what was paid in all")
    broken(waiting.length > 0, "something waits still")
    broken(asked.toSorted().join() !== ended.toSorted().join(), "a call has no end")
    broken(JSON.stringify(stored).includes(secret), "the secret is there still")
    const copy = Option.getOrElse(yield* store.load(forkOf(ref)), (): Stored => [])
    broken(
      copy.map(({ kind }) => kind).join() !== stored.map(({ kind }) => kind).join(),
      "the copy is another one"
    )
  }
  return problems
})
