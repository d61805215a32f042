// Entry<"search.byId", "ide"
// cure: Name a parameter of the tool that holds a text.
import { Schema } from "effect"
import { Tool as AiTool } from "effect/ai"
import { Contract, Tool } from "tenon"
import { Search } from "../fixture.ts"

const parameters = Schema.Struct({ id: Schema.String, count: Schema.Int })

// error: Entry<"search.byId", "ide"
// error: '(_: { readonly ide: string; }) => void' is not assignable to type '(_: { readonly id: string; readonly count: number; })
Tool.make("t", { parameters, writes: [Search.byId.at("ide")] })

// error: Entry<"search.byId", "count"
// error: '(_: { readonly count: string; }) => void' is not assignable to type '(_: { readonly id: string; readonly count: number; })
Tool.make("t", { parameters, reads: [Search.byId.at("count")] })

// error: Entry<"search.byId", "id"
Tool.make("t", { writes: [Search.byId.at("id")] })

// error: Entry<"search.byId", "ide"
Contract.on(AiTool.make("t", { parameters }), { writes: [Search.byId.at("ide")] })
