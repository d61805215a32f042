// Type 'Answer<"colour", string>' is not assignable to type
// cure: Build the answer with the interrupt that asked.
import { Schema } from "effect"
import { AgentRunner, Interrupt } from "tenon"
import { Approve, Assistant } from "../fixture.ts"

// error: Argument of type 'string' is not assignable to parameter of type 'boolean'
AgentRunner.resume(Assistant, { session: "s-1", answers: [Approve.answer("call-1/1", "yes")] })

const Colour = Interrupt.make("colour", { question: Schema.String, answer: Schema.String })

// error: Type 'Answer<"colour", string>' is not assignable to type
AgentRunner.resume(Assistant, { session: "s-1", answers: [Colour.answer("call-1/1", "red")] })

// error: Type 'Answer<"colour", string>' is not assignable to type
AgentRunner.stream(Assistant, { session: "s-1", answers: [Colour.answer("call-1/1", "red")] })

// error: Argument of type 'number' is not assignable to parameter of type 'string'
Approve.ask(1)
