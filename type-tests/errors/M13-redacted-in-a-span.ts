// a redacted value must not be in a span
// cure: Leave the key out: a span leaves the process.
import { SpanAttributes } from "tenon/middleware"
import { Env } from "../fixture.ts"

// error: "a redacted value must not be in a span"
SpanAttributes.make({ context: [Env.tenant, Env.token] })
