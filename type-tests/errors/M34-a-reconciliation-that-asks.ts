// a reconciliation cannot ask, its handler can
// cure: Answer `Reconcile.unknown`, or ask in the handler.
import { Effect, Schema } from "effect"
import { Interrupt, Reconcile, Tool, Toolkit } from "tenon"

const Sure = Interrupt.make("sure", { question: Schema.String, answer: Schema.Boolean })
const Pay = Tool.make("pay", { success: Schema.String, asks: [Sure] })

Toolkit.layer(Toolkit.make(Pay), {
  // error: a reconciliation cannot ask, its handler can: 'sure'
  pay: Reconcile.on(() => Effect.succeed("paid"), () => Effect.as(Sure.ask("?"), Reconcile.notRun))
})
