// give this schema a codec to JSON: State is stored
// cure: Give a schema with a codec to JSON, or keep the value in the ToolContext with `ToolContext.value`.
import { Context, Effect, Schema, SchemaGetter } from "effect"
import { Interrupt, State, ToolContext } from "tenon"

class Socket {
  send() {}
}

// error: give this schema a codec to JSON: State is stored
State.make("s", { socket: State.optional(Schema.instanceOf(Socket)) })

// error: give this schema a codec to JSON: State is stored
State.make("s", { any: State.field(Schema.Unknown, { initial: 0 }) })

// error: give this schema a codec to JSON: State is stored
State.make("s", { sockets: State.record(Schema.String, Schema.instanceOf(Socket)) })

// error: give this schema a codec to JSON: State is stored
State.make("s", { f: State.optional(Schema.declare((value): value is () => void => typeof value === "function")) })

class Clock extends Context.Service<Clock, { readonly now: number }>()("Clock") {}
const Stamp = Schema.String.pipe(Schema.decodeTo(Schema.Number, {
  decode: SchemaGetter.transformEffect(() => Effect.map(Clock, ({ now }) => now)),
  encode: SchemaGetter.transform(String)
}))

// error: this schema needs services: State is read and written without any
State.make("s", { stamp: State.optional(Stamp) })

// error: this schema needs services: a ToolContext is checked without any
ToolContext.make({ tenant: Schema.String, stamp: Stamp })

// error: this schema needs services: a question is read and written without any
Interrupt.make("i", { question: Stamp, answer: Schema.String })

// error: this schema needs services: an answer is read and written without any
Interrupt.make("i", { question: Schema.String, answer: Schema.Struct({ stamp: Stamp }) })

// error: give this schema a codec to JSON: an answer is stored
Interrupt.make("i", { question: Schema.String, answer: Schema.instanceOf(Socket) })

// error: give this schema a codec to JSON: a question is stored
Interrupt.make("i", { question: Schema.Unknown, answer: Schema.String })
