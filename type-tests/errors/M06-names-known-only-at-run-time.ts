// list these one by one, a wider type loses their names
// cure: Write the names down in the declaration; a list that is built at run time has none that the compiler knows.
import { Schema } from "effect"
import { Interrupt, State, ToolContext } from "tenon"

declare const name: string
declare const keys: Record<string, Schema.String>
declare const fields: Record<string, State.Spec<string>>

// error: list these one by one, a wider type loses their names
ToolContext.make(keys)

// error: list these one by one, a wider type loses their names
ToolContext.make({ [name]: Schema.String })

// error: list these one by one, a wider type loses their names
State.make("s", fields)

// error: list these one by one, a wider type loses their names
State.make("s", { [name]: State.optional(Schema.String) })

declare const flag: boolean
const field = State.optional(Schema.String)
const schemas = { question: Schema.String, answer: Schema.Boolean }

// error: give this one literal name: rights go by it
State.make(name, { field })

// error: give this one literal name: rights go by it
State.make(`of_${name}`, { field })

// error: give this one literal name: rights go by it
State.make(flag ? "a" : "b", { field })

// error: give this one literal name: rights go by it
Interrupt.make(name, schemas)

// error: give this one literal name: rights go by it
Interrupt.make(flag ? "a" : "b", schemas)

const counter = <const Name extends string>(of: State.OneName<Name>) => State.make(of, { field })
counter("a").field.name

// error: give this one literal name: rights go by it
counter(name)
