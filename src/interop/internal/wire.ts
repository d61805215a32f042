/** The shapes of ADK's JSON in its normal form, as far as they mean something here. Layer 6, edge `interop`. */
import { Schema } from "effect"

const { optionalKey, String: Text } = Schema
const name = optionalKey(Text)

export const Part = Schema.Struct({
  text: optionalKey(Text),
  thought: optionalKey(Schema.Boolean),
  inline_data: optionalKey(Schema.Struct({ mime_type: name, data: Text, display_name: name })),
  file_data: optionalKey(Schema.Struct({ mime_type: name, file_uri: Text })),
  function_call: optionalKey(Schema.Struct({ id: name, name: Text, args: optionalKey(Schema.Json) })),
  function_response: optionalKey(Schema.Struct({ id: name, name: Text, response: optionalKey(Schema.Json) }))
})
export interface Part extends Schema.Schema.Type<typeof Part> {}

export const Content = Schema.Struct({ role: name, parts: optionalKey(Schema.Array(Part)) })

export const State = Schema.Record(Text, Schema.Json)

const Actions = Schema.Struct({
  skip_summarization: optionalKey(Schema.Boolean),
  state_delta: optionalKey(State),
  artifact_delta: optionalKey(State),
  transfer_to_agent: name,
  escalate: optionalKey(Schema.Boolean),
  requested_auth_configs: optionalKey(State),
  requested_tool_confirmations: optionalKey(State),
  compaction: optionalKey(Schema.Struct({
    start_timestamp: Schema.Finite,
    end_timestamp: Schema.Finite,
    compacted_content: Content
  })),
  rewind_before_invocation_id: name
})

export const Event = Schema.Struct({
  invocation_id: name,
  author: Text,
  timestamp: optionalKey(Schema.Finite),
  branch: name,
  partial: optionalKey(Schema.Boolean),
  content: optionalKey(Content),
  error_code: name,
  finish_reason: name,
  usage_metadata: optionalKey(Schema.Struct({
    prompt_token_count: optionalKey(Schema.Int),
    candidates_token_count: optionalKey(Schema.Int)
  })),
  actions: optionalKey(Actions)
})
export interface Event extends Schema.Schema.Type<typeof Event> {}

export const Session = Schema.Struct({
  id: Text,
  app_name: Text,
  user_id: Text,
  state: optionalKey(State),
  events: optionalKey(Schema.Array(Schema.Json)),
  last_update_time: optionalKey(Schema.Finite)
})
export interface Session extends Schema.Schema.Type<typeof Session> {}
