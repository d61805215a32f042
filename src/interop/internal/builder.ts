/**
 * Builds a log as a run would have left it: each call has one result in its step, each invocation an end. Layer 6, edge
 * `interop`.
 */
import type { Schema } from "effect"
import type { Prompt } from "effect/ai"
import * as Actions from "../../Actions.ts"
import type * as Event from "../../Event.ts"
import { deepFreeze } from "../../internal/freeze.ts"
import { namesOf } from "../../internal/session.ts"
import { stamp } from "../../internal/stamp.ts"
import type { Ref } from "../../SessionStore.ts"
import * as StateDelta from "../../StateDelta.ts"
import type { Place } from "./origins.ts"

/** A call that a model asked for there. */
export interface Wanted {
  readonly providerId: string
  readonly tool: string
  readonly parameters: unknown
  /** How many results it gets there, one after the other. */
  readonly results: number
  /** Where it stands there. */
  readonly path: ReadonlyArray<string>
}

/** A call in the log. */
export interface Tracked extends Wanted {
  readonly id: string
  /** Whose call it is, by name. */
  readonly agent: string
  /** How many results are still to come. */
  left: number
  /** A pending one has a result that another takes the place of. */
  state: "open" | "pending" | "over"
}

/** What was written with an event. */
export interface Written {
  readonly delta: StateDelta.StateDelta
  readonly shared?: Event.Shared
}

export const nothingWritten: Written = { delta: StateDelta.empty }

const pendingName = "imported"
const questionOf = (call: string): string => `${call}?pending`

interface Current {
  readonly id: string
  readonly began: number
  /** Did the agent say something that asks for nothing more? */
  isAnswered: boolean
  /** Did anything but messages happen? */
  hasActed: boolean
}

/** A call that never got a result, as the model reads it. */
const interrupted = ({ tool }: Tracked): Event.CallResult => ({
  isFailure: true,
  value: { _tag: "Interrupted", message: `the call of '${tool}' was interrupted: it has no result` }
})

export class Builder {
  readonly events: Array<Event.Event> = []
  /** The events that stand for nothing on the other side. */
  readonly added = new Set<number>()
  /** The calls that were closed without a result of theirs. */
  readonly closed: Array<Tracked> = []
  private readonly names = new Map<string, string>()
  private readonly steps = new Map<string, number>()
  private step: ReadonlyArray<Tracked> = []
  private current: Current | undefined
  private readonly ref: Ref
  private readonly root: string

  constructor(ref: Ref, root: string, time: number) {
    this.ref = ref
    this.root = root
    this.append(root, { kind: "created", ...namesOf(ref), fingerprint: "", sections: {} }, time)
  }

  private append(agent: string, body: Event.Body, time: number): number {
    const sequence = this.events.length
    const author = { id: this.root, path: Object.freeze([agent]) }
    const invocation = this.current?.id ?? "i1"
    this.events.push(deepFreeze(stamp(this.ref, author, invocation, body, sequence, time)))
    return sequence
  }

  /** The sections that the session begins with. */
  start(sections: Event.Created["sections"]): void {
    this.events[0] = deepFreeze({ ...this.events[0] as Event.Created, sections })
  }

  /** Goes on in an invocation that has a name there, after an end of the one before. */
  enter(name: string, time: number): void {
    const id = this.names.get(name) ?? `i${this.names.size + 1}`
    if (this.current?.id === id) return
    this.end(this.events.at(-1)?.time ?? time)
    this.names.set(name, id)
    this.current = { id, began: time, isAnswered: false, hasActed: false }
  }

  /** Begins a new invocation, unless messages are all that the current one has. */
  next(time: number): void {
    if (this.current === undefined || this.current.hasActed) this.enter(`#${this.names.size}`, time)
  }

  /** Goes on in the current invocation, or begins the first. */
  ensure(time: number): void {
    if (this.current === undefined) this.next(time)
  }

  /** Closes the calls of the last step that have no result. */
  private settle(time: number): void {
    for (const call of this.step) {
      if (call.state !== "open") continue
      if (call.left === 0) {
        this.closed.push(call)
        this.added.add(this.finish(call, interrupted(call), nothingWritten, Actions.none, time))
      } else {
        this.added.add(
          this.finish(call, { isFailure: false, value: "pending" }, nothingWritten, Actions.none, time)
        )
        this.leaveOpen(call, time)
      }
    }
    this.step = []
  }

  private finish(
    call: Tracked,
    result: Event.CallResult,
    written: Written,
    actions: Actions.Actions,
    time: number
  ): number {
    call.state = "over"
    return this.append(call.agent, { kind: "call", call: call.id, tool: call.tool, result, ...written, actions }, time)
  }

  /** Another result will take the place of the one that is there. */
  private leaveOpen(call: Tracked, time: number): void {
    call.state = "pending"
    this.append(call.agent, {
      kind: "asked",
      question: {
        id: questionOf(call.id),
        name: pendingName,
        question: null,
        call: call.id,
        tool: call.tool,
        mode: "pending",
        agentPath: [call.agent]
      }
    }, time)
  }

  /** A message for an agent. */
  input(agent: string, message: Prompt.UserMessage, written: Written, time: number): number {
    this.settle(time)
    if (this.current !== undefined) this.current.isAnswered = false
    return this.append(agent, { kind: "input", message, ...written }, time)
  }

  /** What a model said. */
  model(
    agent: string,
    said: Pick<Event.Model, "messages" | "usage" | "finish">,
    calls: ReadonlyArray<Wanted>,
    time: number
  ): ReadonlyArray<Tracked> {
    this.settle(time)
    const invocation = this.current?.id ?? "i1"
    const step = (this.steps.get(invocation) ?? 0) + 1
    this.steps.set(invocation, step)
    this.step = calls.map((wanted, index): Tracked => ({
      ...wanted,
      id: `${invocation}.${step}.${index + 1}`,
      agent,
      left: wanted.results,
      state: "open"
    }))
    if (this.current !== undefined) {
      this.current.hasActed = true
      this.current.isAnswered = this.step.length === 0
    }
    this.append(agent, {
      kind: "model",
      step,
      ...said,
      calls: this.step.map(({ id, parameters, providerId, tool }) => ({ id, providerId, tool, parameters }))
    }, time)
    return this.step
  }

  /** A result of a call: its first, or one that takes the place of that. */
  result(call: Tracked, result: Event.CallResult, written: Written, actions: Actions.Actions, time: number): number {
    call.left--
    if (call.state === "open") {
      const { end, escalate, skipSummarization } = actions
      if (this.current !== undefined && (end === true || escalate === true || skipSummarization === true)) {
        this.current.isAnswered = true
      }
      const sequence = this.finish(call, result, written, actions, time)
      if (call.left > 0) this.leaveOpen(call, time)
      return sequence
    }
    if (this.current !== undefined) this.current.hasActed = true
    const answered = this.append(call.agent, {
      kind: "answered",
      question: questionOf(call.id),
      answer: result.value as Schema.Json,
      ...(call.left > 0 && { progress: true })
    }, time)
    if (!StateDelta.isEmpty(written.delta) || written.shared !== undefined) this.note(call.agent, written, time)
    return answered
  }

  /** What happened beside messages and calls, or has no place among them. */
  note(agent: string, written: Written, time: number): number {
    return this.append(agent, { kind: "hook", middleware: "interop", hook: "import", ...written }, time)
  }

  /** A text in place of earlier messages. */
  compacted(agent: string, range: Pick<Event.Compacted, "from" | "to" | "messages">, time: number): number {
    return this.append(agent, { kind: "compacted", middleware: "interop", ...range }, time)
  }

  /** The events since a place, without those before them that end what was before: they stand for nothing. */
  since(before: number): Place {
    let first = before
    while (first < this.events.length && this.isBeside(first)) first++
    return { first, count: this.events.length - first }
  }

  private isBeside(sequence: number): boolean {
    const kind = this.events[sequence]?.kind
    return this.added.has(sequence) || kind === "asked" || kind === "ended"
  }

  /** Ends the current invocation. */
  end(time: number): void {
    if (this.current === undefined) return
    this.settle(time)
    const { began, isAnswered } = this.current
    this.append(this.root, {
      kind: "ended",
      status: isAnswered ? "completed" : "cancelled",
      elapsed: Math.max(0, time - began)
    }, time)
    this.current = undefined
  }
}
