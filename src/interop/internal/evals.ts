/** Eval sets of ADK. Layer 6, edge `interop`. */
import { Result, Schema } from "effect"
import type { Ref } from "../../SessionStore.ts"
import type { InteropError } from "../Imported.ts"
import { isRecord, type Json, reader, type Report, textIn } from "./json.ts"

const { optionalKey, String: Text } = Schema
const others = [Schema.Record(Text, Schema.Json)] as const

const Content = Schema.StructWithRest(
  Schema.Struct({ role: optionalKey(Text), parts: optionalKey(Schema.Array(Schema.Json)) }),
  others
)

const Invocation = Schema.StructWithRest(
  Schema.Struct({
    invocationId: optionalKey(Text),
    userContent: Content,
    finalResponse: optionalKey(Content),
    intermediateData: optionalKey(Schema.StructWithRest(
      Schema.Struct({
        toolUses: optionalKey(Schema.Array(Schema.StructWithRest(
          Schema.Struct({ name: Text, args: optionalKey(Schema.Json), id: optionalKey(Text) }),
          others
        ))),
        intermediateResponses: optionalKey(
          Schema.Array(Schema.Tuple([Text, Schema.Array(Schema.Json)]))
        )
      }),
      others
    ))
  }),
  others
)

/**
 * A conversation that an agent is measured by.
 *
 * @category models
 * @since 0.1.0
 */
export const EvalCase = Schema.StructWithRest(
  Schema.Struct({
    evalId: Text,
    conversation: Schema.Array(Invocation),
    /** What the session begins with. */
    sessionInput: optionalKey(Schema.StructWithRest(
      Schema.Struct({
        appName: Text,
        userId: Text,
        state: optionalKey(Schema.Record(Text, Schema.Json))
      }),
      others
    ))
  }),
  others
)

/** @since 0.1.0 */
export interface EvalCase extends Schema.Schema.Type<typeof EvalCase> {}

/**
 * Cases under one name, as ADK keeps them, in camel case.
 *
 * @category models
 * @since 0.1.0
 */
export const EvalSet = Schema.StructWithRest(
  Schema.Struct({
    evalSetId: Text,
    name: optionalKey(Text),
    description: optionalKey(Text),
    evalCases: Schema.Array(EvalCase)
  }),
  others
)

/** @since 0.1.0 */
export interface EvalSet extends Schema.Schema.Type<typeof EvalSet> {}

// ===== the old form ==========================================================

const Row = Schema.Struct({
  query: Text,
  reference: optionalKey(Text),
  expected_tool_use: optionalKey(Schema.Array(Schema.StructWithRest(
    Schema.Struct({ tool_name: Text, tool_input: optionalKey(Schema.Json) }),
    others
  ))),
  expected_intermediate_agent_responses: optionalKey(Schema.Array(Schema.Struct({ author: Text, text: Text })))
})

const Named = Schema.Struct({
  name: Text,
  data: Schema.Array(Row),
  initial_session: optionalKey(Schema.Record(Text, Schema.Json))
})

const readRow = reader("adk", Row)
const readNamed = reader("adk", Named)

const text = (value: string) => ({ parts: [{ text: value }] })

const turnOf = (row: typeof Row.Type, invocationId: string, report: Report, path: ReadonlyArray<string>): Json => ({
  invocationId,
  userContent: { role: "user", ...text(row.query) },
  ...(row.reference !== undefined && row.reference !== "" &&
    { finalResponse: { role: "model", ...text(row.reference) } }),
  intermediateData: {
    toolUses: (row.expected_tool_use ?? []).map(({ tool_input = {}, tool_name, ...rest }, index) => {
      for (const key of Object.keys(rest)) {
        report.add([...path, "expected_tool_use", String(index), key], "today's form has no place for it")
      }
      return { name: tool_name, args: tool_input }
    }),
    intermediateResponses: (row.expected_intermediate_agent_responses ?? []).map((each) => [
      each.author,
      [{ text: each.text }]
    ])
  }
})

const inputOf = (session: Schema.JsonObject | undefined): Json | undefined => {
  const { app_name, state, user_id } = session ?? {}
  return session === undefined || Object.keys(session).length === 0
    ? undefined
    : { appName: app_name ?? "", userId: user_id ?? "", state: isRecord(state) ? state : {} }
}

/** A set in the old form, as one of today. */
export const readOldSet = (
  list: ReadonlyArray<Json>,
  id: string,
  report: Report
): Result.Result<Json, InteropError> =>
  Result.gen(function*() {
    // rows alone are one case
    const isRows = list.every((each) => isRecord(each) && !Object.hasOwn(each, "data"))
    const given: ReadonlyArray<readonly [Json, ReadonlyArray<string>]> = isRows
      ? [[{ name: id, data: list }, []]]
      : list.map((each, index) => [each, [String(index)]])
    const evalCases: Array<Json> = []
    for (const [each, path] of list.length === 0 ? [] : given) {
      if (isRows) yield* Result.all(list.map((row, index) => readRow(row, [String(index)])))
      const { data, initial_session, name } = yield* readNamed(each, path)
      const conversation = data.map((row, index) =>
        turnOf(row, `${name}-${index + 1}`, report, isRows ? [String(index)] : [...path, "data", String(index)])
      )
      const sessionInput = inputOf(initial_session)
      evalCases.push({ evalId: name, conversation, ...(sessionInput !== undefined && { sessionInput }) })
    }
    return { evalSetId: id, evalCases }
  })

// ===== sessions ==============================================================

interface Turn {
  readonly invocationId: string
  readonly userContent: Json
  readonly toolUses: Array<Json>
  readonly texts: Array<readonly [author: string, text: string]>
}

const partsIn = (event: Schema.JsonObject): ReadonlyArray<Schema.JsonObject> => {
  const { content } = event
  const parts = isRecord(content) ? content["parts"] : undefined
  return Array.isArray(parts) ? parts.filter(isRecord) : []
}

/** A case out of the events of a session, in their normal form. */
export const caseOf = (
  id: string,
  ref: Ref,
  events: ReadonlyArray<Schema.JsonObject>,
  state: Schema.JsonObject
): EvalCase => {
  const turns: Array<Turn> = []
  for (const event of events) {
    const { content } = event
    const author = textIn(event, "author") ?? ""
    const parts = partsIn(event)
    if (author === "user" && parts.some((part) => part["function_response"] === undefined)) {
      turns.push({
        invocationId: textIn(event, "invocation_id") ?? "",
        userContent: content ?? {},
        toolUses: [],
        texts: []
      })
      continue
    }
    const turn = turns.at(-1)
    for (const { function_call: call, text, thought } of turn === undefined ? [] : parts) {
      if (isRecord(call)) turn?.toolUses.push(call)
      if (typeof text === "string" && thought !== true) turn?.texts.push([author, text])
    }
  }
  return {
    evalId: id,
    conversation: turns.map(({ invocationId, texts, toolUses, userContent }) => {
      const last = texts.at(-1)
      return {
        invocationId,
        userContent: userContent as typeof Content.Type,
        ...(last !== undefined && { finalResponse: { role: "model", ...text(last[1]) } }),
        intermediateData: {
          toolUses: toolUses as unknown as ReadonlyArray<{ readonly name: string }>,
          intermediateResponses: texts.slice(0, -1).map(([author, each]) => [author, [{ text: each }]] as const)
        }
      }
    }),
    sessionInput: { appName: ref.app, userId: ref.user ?? "", state }
  }
}
