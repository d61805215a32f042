import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema, Tracer } from "effect"
import { Agent, Interrupt, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
import { SpanAttributes } from "tenon/middleware"
import { ScriptedModel } from "tenon/testing"
import { conversation, openOf } from "../runner/fixtures.ts"

const { call, text } = ScriptedModel

const canary = "canary-51c2"
const Env = ToolContext.make({
  tenant: Schema.String,
  seats: Schema.Int,
  since: Schema.Date,
  plan: Schema.Struct({ name: Schema.String }),
  email: Schema.String,
  password: Schema.Redacted(Schema.String),
  client: ToolContext.value<{ readonly token: string }>()
})
const keys = [Env.tenant, Env.seats, Env.since, Env.plan, Env.email, Env.password, Env.client] as const
const supplied = Env.layer({
  tenant: "acme",
  seats: 3,
  since: new Date(Date.UTC(2026, 0, 1)),
  plan: { name: "team" },
  email: canary,
  password: Redacted.make(canary),
  client: { token: canary }
})
const Look = Tool.make("look", { success: Schema.String, context: keys, approval: true })
const kit = Toolkit.make(Look)
const live = Toolkit.layer(kit, { look: () => Effect.succeed("seen") })

/** Every span with its attributes, and a tracer that collects them. */
const collecting = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const attributes = () => spans.map(({ attributes, name }) => ({ name, attributes: Object.fromEntries(attributes) }))
  return {
    tracer,
    all: attributes,
    named: (name: string) =>
      attributes().filter((span) => span.name === name).map((span) =>
        Object.fromEntries(Object.entries(span.attributes).filter(([key]) => key.startsWith("tenon.context.")))
      )
  }
}

describe("SpanAttributes", () => {
  it.effect("puts the named values on the agent's span in each of its runs, and no other value on any", () => {
    const child = Agent.make("child", {
      instructions: "Look.",
      middleware: [SpanAttributes.make({ context: [Env.plan] })]
    })
    const agent = Agent.make("agent", {
      instructions: "Look.",
      toolkit: kit,
      middleware: [SpanAttributes.make({ context: [Env.tenant, Env.seats, Env.since] })],
      subAgents: [SubAgent.make(child)]
    })
    const { all, named, tracer } = collecting()
    return Effect.gen(function*() {
      const { resume, run } = yield* conversation(agent, {
        agent: [call("look"), call("child", { task: "Look." }), text("Done.")],
        child: [text("Seen.")]
      })
      const paused = openOf(yield* run())
      yield* resume(paused.map(({ id }) => Interrupt.approve(id)))
      const whole = {
        "tenon.context.tenant": "acme",
        "tenon.context.seats": 3,
        "tenon.context.since": "2026-01-01T00:00:00.000Z"
      }
      assert.deepStrictEqual(named("invoke_agent agent"), [whole, whole])
      assert.deepStrictEqual(named("invoke_agent child"), [{ "tenon.context.plan": `{"name":"team"}` }])
      assert.notInclude(JSON.stringify(all()), canary)
      const others = all().filter(({ name }) => !name.startsWith("invoke_agent"))
      assert.isAbove(others.length, 0)
      assert.notInclude(JSON.stringify(others), "tenon.context")
    }).pipe(Effect.provide([live, supplied]), Effect.withTracer(tracer))
  })

  it("refuses what types did not: values that hold a redacted one, and keys without a schema", () => {
    const Deep = ToolContext.make({ account: Schema.Struct({ token: Schema.Redacted(Schema.String) }) })
    assert.throws(
      () => SpanAttributes.make({ context: [Deep.account] }),
      TypeError,
      "a redacted value must not be in a span: 'account' holds one"
    )
    assert.throws(
      () => SpanAttributes.make({ context: [Env.client as never] }),
      TypeError,
      "give 'client' a schema: it crosses a process boundary"
    )
  })
})
