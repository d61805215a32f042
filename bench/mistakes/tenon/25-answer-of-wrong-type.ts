// A tool asks a question that is answered by yes or no, as a boolean; it is answered by a number.
// Documented: compile.
import { Effect, Schema } from "effect"
import { Agent, AgentRunner, Interrupt, Tool, Toolkit } from "tenon"
import { model, reopened, results, scripted, verdict } from "./harness.ts"

const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Send = Tool.make("send", { success: Schema.String, asks: [Confirm] })
const Kit = Toolkit.make(Send)
const KitLive = Toolkit.layer(Kit, { send: () => Effect.map(Confirm.ask("Send?"), (yes) => yes ? "sent" : "kept") })
const Clerk = Agent.make("clerk", { instructions: "Answer.", toolkit: Kit })

const paused = await Effect.runPromise(
  AgentRunner.run(Clerk, { session: "s-1", input: "Send it." }).pipe(Effect.provide([KitLive, scripted("send")]))
)

// mistake: 42
const answers = paused.session.open.map(({ id }) => Confirm.answer(id, 42))

const program = AgentRunner.resume(Clerk, { session: "s-1", answers }).pipe(
  Effect.map(results),
  Effect.provide([KitLive, model(), reopened(paused)])
)

await verdict(() => Effect.runPromise(program))
