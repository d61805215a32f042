/**
 * What the calls of a step have asked so far, and what was answered. Layer 5.
 */
import type * as Event from "../Event.ts"
import type * as Interrupt from "../Interrupt.ts"
import type { Recorded } from "./asking.ts"

export interface Questions {
  readonly open: ReadonlyArray<Interrupt.Open>
  readonly answers: ReadonlyMap<number, Recorded>
}

export const noQuestions: Questions = { open: [], answers: new Map() }

export const questionId = (call: string, number: number): string => `${call}?${number}`
const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf("?") + 1))

/** Was an approval asked for, and not given yet? */
export const awaitsApproval = ({ open }: Questions): boolean => open.some(({ id }) => numberIn(id) === 0)

/** Was an approval ever asked for? */
export const wasGuarded = (questions: Questions): boolean => questions.answers.has(0) || awaitsApproval(questions)

/** What was asked by each of these calls, and what was answered. A hook's questions go by the name of its place. */
export const questionsOf = (
  log: ReadonlyArray<Event.Event>,
  calls: ReadonlySet<string>
): ReadonlyMap<string, Questions> => {
  const out = new Map<string, { open: Map<string, Interrupt.Open>; answers: Map<number, Recorded> }>()
  const asked = new Map<string, Interrupt.Open>()
  for (const event of log) {
    if (event.kind === "asked" && calls.has(event.question.call)) {
      const { question } = event
      const own = out.get(question.call) ?? { open: new Map(), answers: new Map() }
      asked.set(question.id, question)
      own.open.set(question.id, question)
      own.answers.delete(numberIn(question.id))
      out.set(question.call, own)
    }
    // a hook's question has no call: the end of its run closes it
    if (event.kind === "ended" && event.status !== "paused") {
      for (const { open } of out.values()) {
        for (const [id, { hook }] of open) if (hook !== undefined) open.delete(id)
      }
    }
    if (event.kind !== "answered") continue
    const question = asked.get(event.question)
    const own = question && out.get(question.call)
    if (question === undefined || own === undefined) continue
    own.open.delete(question.id)
    own.answers.set(numberIn(question.id), { name: question.name, question: question.question, answer: event.answer })
  }
  return new Map([...out].map(([call, { open, answers }]) => [call, { open: [...open.values()], answers }]))
}
