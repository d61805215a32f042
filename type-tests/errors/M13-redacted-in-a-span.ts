// a redacted value must not be in a span
import { SpanAttributes } from "tenon/middleware"
import { Env } from "../fixture.ts"

// error: "a redacted value must not be in a span"
SpanAttributes.make({ context: [Env.tenant, Env.token] })
