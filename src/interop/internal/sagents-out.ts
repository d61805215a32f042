/** Sagents' messages out of a log. Layer 6, edge `interop`. */
import type { Schema } from "effect"
import type * as Event from "../../Event.ts"
import { rootOf } from "../../internal/session.ts"
import type { Json, Report } from "./json.ts"
import { type Group, groupsOf, type Origins, patched } from "./origins.ts"
import { assistantOut, resultOut, toolOut, userOut } from "./sagents-wire.ts"

const lost = {
  subAgent: "what a sub-agent did stands in a state of its own there",
  compaction: "a summary has no place: what it stands for is there",
  question: "an open question has no form there: its call has no result yet"
}

/** The answers that took the place of pending results, by call; the last one holds. */
const answersIn = (events: ReadonlyArray<Event.Event>): ReadonlyMap<string, Json> => {
  const calls = new Map<string, string>()
  const answers = new Map<string, Json>()
  for (const event of events) {
    if (event.kind === "asked" && event.question.mode === "pending") calls.set(event.question.id, event.question.call)
    const call = event.kind === "answered" ? calls.get(event.question) : undefined
    if (event.kind === "answered" && call !== undefined) answers.set(call, event.answer)
  }
  return answers
}

/** All messages of the root agent; a session's own results of a step are one message. */
export const messagesOf = (
  all: ReadonlyArray<Event.Event>,
  origins: Origins,
  report: Report
): ReadonlyArray<Schema.JsonObject> => {
  const root = rootOf(all)
  const events = all.filter(({ agent }) => agent === root)
  for (const { agent, path } of all) if (agent !== root) report.add(["messages", ...path], lost.subAgent)
  const answers = answersIn(events)
  const calls = new Map<string, Event.Call>()
  const out: Array<Schema.JsonObject> = []
  let results: Array<Json> | undefined

  const resultIn = (event: Event.CallEnded): Json => {
    const call = calls.get(event.call) ?? { id: event.call, providerId: event.call, tool: event.tool, parameters: {} }
    const answer = answers.get(event.call)
    return resultOut(call, answer === undefined ? event.result : { isFailure: false, value: answer })
  }
  const messageIn = ({ events, isImported }: Group): Schema.JsonObject | undefined => {
    const [first] = events
    switch (first.kind) {
      case "input":
        return userOut(first.message)
      case "model":
        for (const call of first.calls) calls.set(call.id, call)
        return assistantOut(first, report)
      case "call":
        return toolOut(events.flatMap((event) => event.kind === "call" ? [resultIn(event)] : []))
      case "compacted":
        report.add(["messages", String(first.sequence)], lost.compaction)
        return undefined
      case "asked":
        if (first.question.mode !== "pending") report.add(["messages", String(first.sequence)], lost.question)
        return undefined
      default:
        return isImported ? {} : undefined
    }
  }

  for (const group of groupsOf(events, origins)) {
    const [first] = group.events
    if (!group.isImported && first.kind === "call" && results !== undefined) {
      results.push(resultIn(first))
      continue
    }
    const message = messageIn(group)
    if (message === undefined) continue
    const whole = patched(message, group, report)
    results = undefined
    if (!group.isImported && first.kind === "call") {
      results = [...whole["tool_results"] as ReadonlyArray<Json>]
      out.push({ ...whole, tool_results: results })
    } else out.push(whole)
  }
  return out
}
