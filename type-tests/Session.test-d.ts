import type { Effect, Option } from "effect"
import { type AgentError, Session, type SessionStore } from "tenon"
import { Assistant, Conversation, Search } from "./fixture.ts"
import { same } from "./same.ts"

declare const session: Session.Session

// a field tells the type of its value
const title = session.state.get(Conversation.title)
same<typeof title, string>(true)
const count = session.state.get(Search.count)
same<typeof count, number>(true)
const last = session.state.get(Search.lastQuery)
same<typeof last, Option.Option<string>>(true)
const byId = session.state.get(Search.byId)
same<typeof byId, { readonly [x: string]: { readonly tags: ReadonlyArray<string> } }>(true)
// @ts-expect-error not a field
session.state.get(Search)

// a session is read by its sections, or by an agent
type Loaded = Effect.Effect<
  Session.Session,
  AgentError.SessionMissing | AgentError.StateError | AgentError.EventUnreadable | AgentError.StoreFailed,
  SessionStore.SessionStore
>
const ref: SessionStore.Ref = { app: "assistant", session: "s-1" }
const bySections = Session.load(ref, [Search, Conversation])
same<typeof bySections, Loaded>(true)
const byAgent = Session.load(ref, Assistant)
same<typeof byAgent, Loaded>(true)

// a write from outside has the field's type
Session.write(ref, [Search.count.to(1), Search.lastQuery.to("x"), Search.byId.to({ a: { tags: [] } })])
// @ts-expect-error a text is no count
Session.write(ref, [Search.count.to("1")])
// @ts-expect-error an optional field is set by its value
Session.write(ref, [Search.lastQuery.to(null)])
