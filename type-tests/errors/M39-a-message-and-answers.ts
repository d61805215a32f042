// Types of property 'answers' are incompatible
// cure: Give `input` to begin, or `answers` to go on.
import { AgentRunner } from "tenon"
import { Approve, Assistant } from "../fixture.ts"

// error: Types of property 'answers' are incompatible
AgentRunner.stream(Assistant, { session: "s", input: "", answers: [Approve.answer("call-1/1", true)] })

AgentRunner.stream(Assistant, { session: "s", answers: [Approve.answer("call-1/1", true)] })
