/**
 * What was said in an agent's conversation, and what of it the model is shown. Layer 4.
 */
import type { Prompt } from "effect/ai"
import type * as Event from "../Event.ts"
import type * as Middleware from "../Middleware.ts"
import type { Step } from "./history.ts"

/** A message, or what the model said with the results of the calls that it asked for. */
export class Entry implements Middleware.Entry {
  private readonly event: Event.Input | Event.Model
  readonly step: Step | undefined
  /** The tool message of a step that is over. */
  results: Prompt.Message | undefined
  /** The invocation that began with it: with this message, or with an answer to a call that had ended pending. */
  began: string | undefined

  constructor(event: Event.Input | Event.Model, step?: Step) {
    this.event = event
    this.step = step
    this.began = event.kind === "input" ? event.invocation : undefined
  }

  get kind(): "input" | "model" {
    return this.event.kind
  }

  get sequence(): number {
    return this.event.sequence
  }

  get invocation(): string {
    return this.event.invocation
  }

  get usage(): Event.Usage | undefined {
    return this.event.kind === "model" ? this.event.usage : undefined
  }

  get messages(): ReadonlyArray<Prompt.Message> {
    const said = this.event.kind === "input" ? [this.event.message] : this.event.messages
    return this.results === undefined ? said : [...said, this.results]
  }
}

/** Messages in place of entries, which are in the order of the log. */
interface Compaction {
  readonly event: Event.Compacted
  readonly covers: ReadonlySet<Entry>
}

const isIn = ({ from, to }: Middleware.Range, { sequence }: Entry): boolean => sequence >= from && sequence <= to

const isWithin = (some: ReadonlySet<Entry>, others: ReadonlySet<Entry>): boolean =>
  some.size <= others.size && [...some].every((entry) => others.has(entry))

/** Entries as compactions tell them; each compaction stands where what it covers begins. */
const tell = (entries: ReadonlyArray<Entry>, compactions: ReadonlyArray<Compaction>): Array<Prompt.Message> => {
  const begins = new Map<Entry, Array<Prompt.Message>>()
  for (const { covers, event } of compactions) {
    const [first] = covers
    if (first !== undefined) begins.set(first, [...begins.get(first) ?? [], ...event.messages])
  }
  const covered = new Set(compactions.flatMap(({ covers }) => [...covers]))
  return entries.flatMap((entry) => [...begins.get(entry) ?? [], ...(covered.has(entry) ? [] : entry.messages)])
}

/** Has every call among these messages its result, and every result its call? */
export const isWhole = (messages: ReadonlyArray<Prompt.Message>): boolean => {
  const open = new Set<string>()
  for (const { content, role } of messages) {
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "tool-call" && !part.providerExecuted) open.add(part.id)
      if (role === "tool" && part.type === "tool-result" && !open.delete(part.id)) return false
    }
  }
  return open.size === 0
}

/** A message whose parts stand in an array of its own. */
const opened = <A extends Prompt.Message>(message: A): A =>
  typeof message.content === "string"
    ? message
    : Object.assign(Object.create(Object.getPrototypeOf(message) as object), message, { content: [...message.content] })

export class Transcript {
  /** All that was said, in the order of the log. */
  readonly entries: Array<Entry> = []
  /** The calls that ended pending, and have no final answer. */
  readonly waiting = new Set<string>()
  /** The user's message, or the task, that came last. */
  input: Prompt.UserMessage | undefined
  /** The compactions that hold: none of them is within another. */
  private compactions: ReadonlyArray<Compaction> = []
  private readonly covered = new Set<Entry>()
  private shown: Array<Prompt.Message> | undefined = []
  /** Copies of messages, and the array that they are of. */
  private copies: { readonly of: ReadonlyArray<Prompt.Message>; readonly messages: Array<Prompt.Message> } | undefined

  /** What the model is shown; made anew where something else than its end has changed. */
  get messages(): ReadonlyArray<Prompt.Message> {
    return this.shown ??= tell(this.entries, this.compactions)
  }

  /** The same for a model, whose client walks through all of it each time: that takes twice as long with frozen arrays. */
  get prompt(): ReadonlyArray<Prompt.Message> {
    const { messages: of } = this
    if (this.copies?.of !== of) this.copies = { of, messages: [] }
    const { messages } = this.copies
    for (let index = messages.length; index < of.length; index++) messages.push(opened(of[index] as Prompt.Message))
    return messages
  }

  get held(): ReadonlyArray<Event.Compacted> {
    return this.compactions.map(({ event }) => event)
  }

  add(event: Event.Input | Event.Model, step?: Step): void {
    const entry = new Entry(event, step)
    if (event.kind === "input") this.input = event.message
    this.entries.push(entry)
    this.shown?.push(...entry.messages)
  }

  /**
   * The results of a step's calls join what the model said, or take the place of those that were there: then an
   * invocation began with them.
   */
  answer(step: Step, results: Prompt.Message, began?: string): void {
    const entry = this.entries.findLast((each) => each.step === step)
    if (entry === undefined) return
    const isNext = entry === this.entries.at(-1) && entry.results === undefined
    entry.results = results
    entry.began = began
    if (this.covered.has(entry)) return
    if (isNext) this.shown?.push(results)
    else this.shown = undefined
  }

  /** What the model said last, without asking for a call, gives way. */
  takeBack(): void {
    while (true) {
      const last = this.entries.at(-1)
      if (last?.kind !== "model" || last.step !== undefined || this.covered.has(last)) return
      this.entries.pop()
      this.shown = undefined
    }
  }

  /** Is there still something to say about it in this invocation? */
  private isOpen({ began, step }: Entry, invocation: string): boolean {
    return began === invocation ||
      (step !== undefined && step.calls.some(({ id }) => !step.results.has(id) || this.waiting.has(id)))
  }

  /** What a compaction would cover that came now, in this invocation. */
  private coverage(range: Middleware.Range, invocation: string): ReadonlySet<Entry> {
    return new Set(this.entries.filter((entry) => isIn(range, entry) && !this.isOpen(entry, invocation)))
  }

  /** Is there nothing to cover, or a wider compaction that does? */
  private isVain(covers: ReadonlySet<Entry>): boolean {
    return covers.size === 0 ||
      this.compactions.some((other) => covers.size < other.covers.size && isWithin(covers, other.covers))
  }

  /** The range that a compaction would really cover, if it came now. */
  reach(range: Middleware.Range, invocation: string): Middleware.Range | undefined {
    const covers = this.coverage(range, invocation)
    if (this.isVain(covers)) return undefined
    const places = [...covers].map(({ sequence }) => sequence)
    return { from: places[0] as number, to: places.at(-1) as number }
  }

  compact(event: Event.Compacted): void {
    const covers = this.coverage(event, event.invocation)
    if (this.isVain(covers)) return
    this.compactions = [...this.compactions.filter((other) => !isWithin(other.covers, covers)), { event, covers }]
    for (const entry of covers) this.covered.add(entry)
    this.shown = undefined
  }

  /** What a compaction of this range is to tell: messages that stay too, so that the rest can be understood. */
  within(range: Middleware.Range, invocation: string): ReadonlyArray<Prompt.Message> {
    const covers = this.coverage(range, invocation)
    if ([...covers].every((entry) => this.covered.has(entry))) return []
    return tell(
      this.entries.filter((entry) => covers.has(entry) || (entry.kind === "input" && isIn(range, entry))),
      this.compactions.filter((other) => isWithin(other.covers, covers))
    )
  }
}
