/** A case of ADK's as one that `Evaluation` runs. Layer 6, edge `interop`. */
import { Result } from "effect"
import type { Prompt } from "effect/ai"
import type { Assignment } from "../../State.ts"
import type { InteropError } from "../Imported.ts"
import { saidIn } from "./adk-parts.ts"
import type { EvalCase } from "./evals.ts"
import { type Json, reader, type Report } from "./json.ts"
import type { KeyMap } from "./keys.ts"
import { normalised } from "./spelling.ts"
import * as Wire from "./wire.ts"

/**
 * A case, as `Evaluation.run` of `tenon/testing` takes it.
 *
 * @category models
 * @since 0.1.0
 */
export interface EvaluationCase {
  readonly name: string
  readonly user?: string
  readonly turns: ReadonlyArray<{
    readonly input: string | ReadonlyArray<Prompt.UserMessagePart>
    readonly calls?: ReadonlyArray<{ readonly tool: string; readonly parameters: unknown }>
    readonly answer?: string
  }>
  readonly state: ReadonlyArray<Assignment>
}

const readContent = reader("adk", Wire.Content)

const isTold = (part: Prompt.Part): part is Prompt.UserMessagePart => part.type === "text" || part.type === "file"

/** What a content tells: thoughts, calls and results are no message. */
const toldIn = (
  content: Json,
  report: Report,
  path: ReadonlyArray<string>
): Result.Result<ReadonlyArray<Prompt.UserMessagePart>, InteropError> =>
  Result.map(
    readContent(normalised(content, report, path), path),
    ({ parts = [] }) =>
      parts.flatMap((part, index) => saidIn(part, report, [...path, "parts", String(index)]) ?? []).filter(isTold)
  )

const textOf = (parts: ReadonlyArray<Prompt.UserMessagePart>): string =>
  parts.map((part) => part.type === "text" ? part.text : "").join("")

const turnOf = (
  { finalResponse, intermediateData, userContent }: EvalCase["conversation"][number],
  report: Report,
  path: ReadonlyArray<string>
): Result.Result<EvaluationCase["turns"][number], InteropError> =>
  Result.gen(function*() {
    const input = yield* toldIn(userContent, report, [...path, "userContent"])
    const answer = finalResponse && textOf(yield* toldIn(finalResponse, report, [...path, "finalResponse"]))
    const calls = intermediateData?.toolUses?.map(({ args = {}, name }) => ({ tool: name, parameters: args }))
    return {
      input: input.every((part) => part.type === "text") ? textOf(input) : input,
      ...(calls !== undefined && { calls }),
      ...(answer !== undefined && answer !== "" && { answer })
    }
  })

/** A case with what its keys are here; a key that is mapped to no field is told. */
export const evaluationOf = (
  { conversation, evalId, sessionInput }: EvalCase,
  keys: KeyMap,
  report: Report
): Result.Result<EvaluationCase, InteropError> =>
  Result.gen(function*() {
    const turns = yield* Result.all(
      conversation.map((each, index) => turnOf(each, report, ["conversation", String(index)]))
    )
    const state: Array<Assignment> = []
    for (const [key, value] of Object.entries(sessionInput?.state ?? {})) {
      if (value === null) continue
      const path = ["sessionInput", "state", key]
      const field = keys.fields.get(key)
      if (field === undefined) report.add(path, "no field is mapped to it: the case begins without it")
      else {
        const operation = { op: "set", field: field.name, value: yield* keys.read(field, value, path) } as const
        state.push({ "~tenon/Assignment": field, operation })
      }
    }
    const user = sessionInput?.userId
    return { name: evalId, turns, state, ...(user !== undefined && user !== "" && { user }) }
  })
