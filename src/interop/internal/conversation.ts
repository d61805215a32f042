/** A log out of effect/ai's messages. Layer 6, edge `interop`. */
import { Prompt } from "effect/ai"
import type * as Event from "../../Event.ts"
import { type Builder, nothingWritten, type Tracked, type Wanted } from "./builder.ts"
import type { Report } from "./json.ts"

/** A call, and how many results come for it. */
interface Known {
  results: number
  tracked?: Tracked
}

const lost = {
  system: "instructions belong to the agent, and are in no history",
  approval: "approvals are asked by the agent that goes on: they are in no history",
  orphan: "it answers no call that is known",
  options: "what a provider adds to a result has no place"
}

/** Finds the call of each result: ids come again. */
const callsIn = (messages: ReadonlyArray<Prompt.Message>): ReadonlyMap<Prompt.Part, Known> => {
  const parts = new Map<Prompt.Part, Known>()
  const byId = new Map<string, Known>()
  for (const { content, role } of messages) {
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "tool-call" && !part.providerExecuted) {
        const call = { results: 0 }
        byId.set(part.id, call)
        parts.set(part, call)
      }
      const answered = role === "tool" && part.type === "tool-result" ? byId.get(part.id) : undefined
      if (answered !== undefined) {
        answered.results++
        parts.set(part, answered)
      }
    }
  }
  return parts
}

/** What a model's message says besides: how it ended, and at what time it was said. */
export interface Told {
  readonly time: number
  readonly path: ReadonlyArray<string>
  readonly finish?: string | undefined
}

/** Puts messages into a log, one after the other. */
export class Conversation {
  private readonly calls: ReadonlyMap<Prompt.Part, Known>
  private readonly builder: Builder
  private readonly agent: string
  private readonly report: Report

  constructor(messages: ReadonlyArray<Prompt.Message>, builder: Builder, agent: string, report: Report) {
    this.calls = callsIn(messages)
    this.builder = builder
    this.agent = agent
    this.report = report
  }

  add(message: Prompt.Message, told: Told): void {
    switch (message.role) {
      case "system":
        this.report.add(told.path, lost.system)
        break
      case "user":
        this.builder.next(told.time)
        this.builder.input(this.agent, message, nothingWritten, told.time)
        break
      case "assistant":
        this.builder.ensure(told.time)
        this.said(message, told)
        break
      case "tool":
        this.builder.ensure(told.time)
        for (const [index, part] of message.content.entries()) {
          this.result(part, told.time, [...told.path, String(index)])
        }
        break
    }
  }

  private said(message: Prompt.AssistantMessage, { finish, path, time }: Told): void {
    const content = message.content.filter(({ type }) => type !== "tool-approval-request")
    if (content.length < message.content.length) this.report.add(path, lost.approval)
    const wanted = content.flatMap((part, index): ReadonlyArray<Wanted & { readonly known: Known }> => {
      const known = this.calls.get(part)
      return part.type !== "tool-call" || known === undefined ? [] : [{
        providerId: part.id,
        tool: part.name,
        parameters: part.params,
        results: known.results,
        path: [...path, String(index)],
        known
      }]
    })
    const tracked = this.builder.model(
      this.agent,
      {
        messages: [
          content.length < message.content.length ? Prompt.assistantMessage({ ...message, content }) : message
        ],
        usage: { inputTokens: 0, outputTokens: 0 },
        finish: finish ?? (wanted.length > 0 ? "tool-calls" : "stop")
      },
      wanted,
      time
    )
    for (const [index, { known }] of wanted.entries()) known.tracked = tracked[index] as Tracked
  }

  private result(part: Prompt.ToolMessagePart, time: number, path: ReadonlyArray<string>): void {
    if (part.type === "tool-approval-response") return this.report.add(path, lost.approval)
    const call = this.calls.get(part)?.tracked
    if (call === undefined) return this.report.add(path, lost.orphan)
    if (Object.keys(part.options).length > 0) this.report.add(path, lost.options)
    const { isFailure, modelOutput, result: value } = part
    const result: Event.CallResult = { isFailure, value, ...(modelOutput !== undefined && { modelOutput }) }
    this.builder.result(call, result, nothingWritten, {}, time)
  }
}

/** Reports the calls that were closed without a result. */
export const reportClosed = (builder: Builder, report: Report): void => {
  for (const { path, tool } of builder.closed) {
    report.add(path, `the call of '${tool}' has no result: it is closed as interrupted`)
  }
}
