// Did you mean 'tenant'?
// cure: Take the name that the compiler suggests.
import { Instructions } from "tenon"
import { Conversation, Env } from "../fixture.ts"

// error: Property 'tennant' does not exist
// error: Did you mean 'tenant'?
Instructions.template`You work for ${Env.tennant}.`

// error: Property 'titel' does not exist
// error: Did you mean 'title'?
Instructions.template`We speak of ${Conversation.titel}.`
