import { Context, Effect, type Layer, Option, Schema } from "effect"
import type { Tool as AiTool } from "effect/ai"
import { Interrupt, Reconcile, State, Tool, ToolCall, Toolkit } from "tenon"
import { same } from "./same.ts"

class Bank extends Context.Service<Bank, {
  readonly pay: (amount: number, key: string) => Effect.Effect<{ readonly status: "paid" }, Declined>
  readonly find: (key: string) => Effect.Effect<Option.Option<{ readonly status: "paid" }>>
}>()("Bank") {}
class Declined extends Schema.TaggedError<Declined>()("Declined", {}) {}
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Orders = State.make("orders", {
  paid: State.field(Schema.Int, { initial: 0 }),
  open: State.field(Schema.Int, { initial: 0 })
})
const Pay = Tool.make("pay", {
  parameters: Schema.Struct({ amount: Schema.Int }),
  success: Schema.Struct({ status: Schema.Literals(["paid", "pending"]) }),
  failure: Declined,
  writes: [Orders.paid],
  asks: [Confirm]
})
const kit = Toolkit.make(Pay)

// ----- beside its handler, with the tool's parameters and results ------------------

const live = Toolkit.layer(kit, {
  pay: Reconcile.on(
    ({ amount }, context) => {
      same<typeof amount, number>(true)
      same<typeof context.toolCallId, string | undefined>(true)
      return Effect.succeed({ status: "paid" })
    },
    ({ amount }, callId) => {
      same<typeof amount, number>(true)
      same<typeof callId, string>(true)
      return Effect.succeed(amount > 1 ? Reconcile.succeeded({ status: "paid" }) : Reconcile.notRun)
    }
  )
})
same<typeof live, Layer.Layer<AiTool.Handler<"pay">>>(true)

const built = kit.toLayer(Effect.gen(function*() {
  const bank = yield* Bank
  return kit.of({
    pay: Reconcile.on(
      Effect.fnUntraced(function*({ amount }) {
        if (!(yield* Confirm.ask("Sure?"))) return yield* new Declined()
        const { id } = yield* ToolCall.ToolCall
        yield* Orders.paid.set(amount)
        return yield* bank.pay(amount, id)
      }),
      Effect.fnUntraced(function*({ amount }, callId) {
        const found = yield* bank.find(callId)
        if (Option.isNone(found)) return Reconcile.notRun
        yield* Orders.paid.set(amount)
        return Reconcile.succeeded(found.value)
      })
    )
  })
}))
same<typeof built, Layer.Layer<AiTool.Handler<"pay">, never, Bank>>(true)

Toolkit.layer(kit, {
  pay: Reconcile.on(
    () => Effect.succeed({ status: "paid" }),
    () => Effect.succeed(Reconcile.failed(new Declined()))
  )
})

// ----- it may do no more than its tool, and cannot ask -----------------------------

Toolkit.layer(kit, {
  // @ts-expect-error another result than the tool's
  pay: Reconcile.on(() => Effect.succeed({ status: "paid" }), () => Effect.succeed(Reconcile.succeeded("paid")))
})
Toolkit.layer(kit, {
  // @ts-expect-error another error than the tool's
  pay: Reconcile.on(() => Effect.succeed({ status: "paid" }), () => Effect.succeed(Reconcile.failed("no")))
})
Toolkit.layer(kit, {
  // @ts-expect-error a field that the tool does not declare
  pay: Reconcile.on(() => Effect.succeed({ status: "paid" }), () => Effect.as(Orders.open.set(1), Reconcile.notRun))
})
Toolkit.layer(kit, {
  // @ts-expect-error a question
  pay: Reconcile.on(() => Effect.succeed({ status: "paid" }), () => Effect.as(Confirm.ask("?"), Reconcile.notRun))
})
