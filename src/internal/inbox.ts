/**
 * What becomes of what waits in a session's inbox: pure decisions, which a run puts into its log. Layer 5.
 */
import type * as Event from "../Event.ts"
import type * as Interrupt from "../Interrupt.ts"
import type { Waiting } from "../SessionStore.ts"
import * as StateDelta from "../StateDelta.ts"
import type { AskDefinition } from "./contract.ts"
import { foldQuestions } from "./fold.ts"
import type { Author, Entry } from "./stamp.ts"
import { type Accepted, encodeAnswer, unfinishedCalls } from "./start.ts"

type PostedAnswer = Extract<Waiting, { readonly kind: "answer" }>
type PostedMessage = Extract<Waiting, { readonly kind: "message" }>

/** An answer that fits its question, and its key where it came through the inbox. */
export interface Taken extends Accepted {
  readonly key?: string
}

/** Answers that fit, each to a question of its own, and why the others do not. */
export interface Sorted {
  readonly fitting: ReadonlyArray<Taken>
  readonly refused: ReadonlyArray<{ readonly key: string; readonly question: string; readonly problem: string }>
}

/** Looks at the answers that wait, in their order: a second one to a question finds it closed. */
export const sortAnswers = (
  waiting: ReadonlyArray<Waiting>,
  questions: ReadonlyArray<Interrupt.Open>,
  asks: ReadonlyMap<string, AskDefinition>
): Sorted => {
  const open = new Map(questions.map((question) => [question.id, question]))
  const fitting: Array<Taken> = []
  const refused: Array<Sorted["refused"][number]> = []
  for (const { json, key, progress = false, question } of waiting.filter(isAnswer)) {
    const encoded = encodeAnswer({ id: question, json, progress }, open, asks)
    if (encoded._tag === "Failure") {
      refused.push({ key, question, problem: encoded.failure.problem })
      continue
    }
    fitting.push({ ...encoded.success, key })
    if (!progress) open.delete(question)
  }
  return { fitting, refused }
}

const isAnswer = (each: Waiting): each is PostedAnswer => each.kind === "answer"
export const isMessage = (each: Waiting): each is PostedMessage => each.kind === "message"

/** Is a question one that its call has left open when it ended? */
export const isPending = ({ mode }: Interrupt.Open): boolean => mode === "pending"

/** An answer in the log, where its question was asked. */
export const answeredBy = (
  log: ReadonlyArray<Event.Event>,
  { json, key, progress, question: { id } }: Taken,
  sections?: Readonly<Record<string, Event.Section>>
): Entry => {
  const asking = log.findLast((event) => event.kind === "asked" && event.question.id === id) as Event.Event
  return {
    author: { id: asking.agent, path: asking.path },
    body: {
      kind: "answered",
      question: id,
      answer: json,
      ...(progress && { progress }),
      ...(key !== undefined && { key }),
      ...(sections !== undefined && { sections })
    }
  }
}

/** A message for the root agent, in the log. */
export const inputOf = (author: Author, { key, message }: PostedMessage): Entry => ({
  author,
  body: { kind: "input", message, key, delta: StateDelta.empty }
})

/** What changed nothing, in the log. */
export const refusal = (author: Author, of: Pick<Event.Refused, "key" | "question" | "problem">): Entry => ({
  author,
  body: { kind: "refused", ...of }
})

const runEvents: ReadonlySet<string> = new Set(["input", "model", "asked", "answered"])

/** Does a log break off within a run? What is done to a session at rest is no run. */
export const isCutOff = (log: ReadonlyArray<Event.Event>): boolean =>
  log.findLastIndex(({ kind }) => runEvents.has(kind)) > log.findLastIndex(({ kind }) => kind === "ended")

/** Does nothing in a log wait for a run to go on with it? What calls left pending waits for nobody. */
export const isAtRest = (log: ReadonlyArray<Event.Event>): boolean =>
  foldQuestions(log).every(isPending) && unfinishedCalls(log).length === 0

/**
 * The cancellations that came too late for any run: nothing was under way, and nothing that waits came before them. A run
 * that begins now is none of their business.
 */
export const lateCancellations = (waiting: ReadonlyArray<Waiting>, cutOff: boolean): ReadonlySet<string> => {
  if (cutOff) return new Set()
  const first = waiting.findIndex(({ kind }) => kind !== "cancellation")
  return new Set((first === -1 ? waiting : waiting.slice(0, first)).map(({ key }) => key))
}
