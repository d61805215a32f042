// a redacted value must not reach the model
// cure: Leave the place out, and give the secret to the tool that needs it.
import { Instructions } from "tenon"
import { Env } from "../fixture.ts"

// error: a redacted value must not reach the model
// error: "token"
Instructions.template`The token is ${Env.token}.`
