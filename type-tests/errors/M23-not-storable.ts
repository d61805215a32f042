// give this schema a codec to JSON: State is stored
import { Context, Effect, Schema, SchemaGetter } from "effect"
import { State } from "tenon"

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
