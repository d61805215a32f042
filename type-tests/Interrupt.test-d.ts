import { type Effect, Schema } from "effect"
import { Interrupt, type State } from "tenon"
import type { Approve } from "./fixture.ts"
import { same } from "./same.ts"

same<typeof Approve, Interrupt.Interrupt<"approve", typeof Schema.String, typeof Schema.Boolean>>(true)
same<ReturnType<typeof Approve.ask>, Effect.Effect<boolean, never, Interrupt.Asks<"approve", string, boolean>>>(true)
same<Parameters<typeof Approve.answer>, [id: string, value: boolean]>(true)
same<ReturnType<typeof Approve.answer>, Interrupt.Answer<"approve", boolean>>(true)
same<ReturnType<typeof Interrupt.reject>, Interrupt.Answer<"approval", Interrupt.Decision>>(true)

// one interrupt has one type of question and one of answer
declare const asks: Interrupt.Asks<"approve", string, boolean>
// @ts-expect-error
export const asMore: Interrupt.Asks<"approve", string, boolean | string> = asks
// @ts-expect-error
export const asLess: Interrupt.Asks<"approve", string, true> = asks
// @ts-expect-error
export const askMore: Interrupt.Asks<"approve", string | number, boolean> = asks
// @ts-expect-error
export const askLess: Interrupt.Asks<"approve", "?", boolean> = asks

// a helper that takes a name keeps it
const confirm = <const Name extends string>(name: State.OneName<Name>) =>
  Interrupt.make(name, { question: Schema.String, answer: Schema.Boolean })
const Confirm = confirm("confirm")
same<typeof Confirm, Interrupt.Interrupt<"confirm", typeof Schema.String, typeof Schema.Boolean>>(true)
