import { Precedence } from "tenon"
import type { rows } from "../test/tables/precedence.ts"
import { type Same, same } from "./same.ts"

// the rows that test/Precedence.test.ts walks at run time: the names of those that come out differently as types
type Differs<Row> = Row extends
  { readonly name: infer Name; readonly under: infer Under; readonly over: infer Over; readonly result: infer Result }
  ? Same<Precedence.Override<Under, Over>, Result> extends true ? never : Name
  : never
same<Differs<(typeof rows)[number]>, never>(true)

// the value has the type that the rule gives
const view = Precedence.override({ state: "mine", tenant: "acme" }, { state: 1 })
same<typeof view, { readonly state: number; readonly tenant: string }>(true)

// where the agent may have no value, the supplied one may show
declare const perhaps: { readonly state?: number }
same<
  ReturnType<typeof Precedence.override<{ readonly state: string }, typeof perhaps>>,
  { readonly state: string | number | undefined }
>(true)

// the names
same<Precedence.InternalKey, "state" | "parentTools" | "parentMiddleware" | "toolContext" | "toolCall">(true)
same<Exclude<Precedence.Reserved, Precedence.InternalKey>, "layer" | "layerUnknown">(true)
declare const name: string
if (Precedence.isInternalKey(name)) same<typeof name, Precedence.InternalKey>(true)
if (Precedence.isReserved(name)) same<typeof name, Precedence.Reserved>(true)
