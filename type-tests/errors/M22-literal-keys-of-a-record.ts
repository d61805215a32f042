// literal keys are a struct, use State.field
// cure: Use `State.field` with a struct: its keys are known.
import { Schema } from "effect"
import { State } from "tenon"

// error: literal keys are a struct, use State.field
State.make("s", { byDay: State.record(Schema.Literals(["sat", "sun"]), Schema.Int) })

State.make("s", { byName: State.record(Schema.TemplateLiteral(["user-", Schema.String]), Schema.Int) })
