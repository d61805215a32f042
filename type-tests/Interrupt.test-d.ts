import type { Effect, Schema } from "effect"
import type { Interrupt } from "tenon"
import type { Approve } from "./fixture.ts"
import { same } from "./same.ts"

same<typeof Approve, Interrupt.Interrupt<"approve", typeof Schema.String, typeof Schema.Boolean>>(true)
same<ReturnType<typeof Approve.ask>, Effect.Effect<boolean, never, Interrupt.Asks<"approve", boolean>>>(true)
same<Parameters<typeof Approve.answer>, [id: string, value: boolean]>(true)
same<ReturnType<typeof Approve.answer>, Interrupt.Answer<"approve", boolean>>(true)
same<ReturnType<typeof Interrupt.reject>, Interrupt.Answer<"approval", Interrupt.Decision>>(true)

// one question has one type of answer
declare const asks: Interrupt.Asks<"approve", boolean>
// @ts-expect-error
export const asMore: Interrupt.Asks<"approve", boolean | string> = asks
// @ts-expect-error
export const asLess: Interrupt.Asks<"approve", true> = asks
