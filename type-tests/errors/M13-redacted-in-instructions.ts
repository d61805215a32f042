// a redacted value must not reach the model
import { Instructions } from "tenon"
import { Env } from "../fixture.ts"

// error: a redacted value must not reach the model
// error: "token"
Instructions.template`The token is ${Env.token}.`
