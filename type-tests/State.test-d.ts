import { type Effect, type HashMap, type Layer, Option, Schema } from "effect"
import { Reducer, State, Tool } from "tenon"
import { Assistant, Conversation, Search } from "./fixture.ts"
import { same } from "./same.ts"

type Count = "search.count"
type Tags = { readonly tags: ReadonlyArray<string> }
type ById = { readonly [x: string]: Tags }
type Shape = {
  readonly lastQuery: Option.Option<string>
  readonly count: number
  readonly hits: ReadonlyArray<string>
  readonly byId: ById
}
type Section = State.Owner<"search", Shape>

// ----- fields -------------------------------------------------------------------

same<
  typeof Conversation.title,
  State.Field<"conversation.title", string, State.Owner<"conversation", { readonly title: string }>>
>(true)
same<typeof Search.count, State.Reduced<Count, number, number, Section>>(true)
same<typeof Search.hits, State.Field<"search.hits", ReadonlyArray<string>, Section>>(true)
same<typeof Search.lastQuery, State.Optional<"search.lastQuery", string, Section>>(true)
same<typeof Search.byId, State.Entries<"search.byId", string, Tags, Section>>(true)
same<(typeof Search)["~section"], "search">(true)
same<typeof Conversation, State.Section<"conversation", { readonly title: State.Spec<string> }>>(true)

// a helper that takes a name keeps it
const counter = <const Name extends string>(name: State.OneName<Name>) =>
  State.make(name, { n: State.field(Schema.Int, { initial: 0 }) })
const Counter = counter("counter")
same<typeof Counter, State.Section<"counter", { readonly n: State.Spec<number> }>>(true)

// what each operation requires
same<typeof Search.count.get, Effect.Effect<number, never, State.Read<Count, number>>>(true)
same<ReturnType<typeof Search.count.set>, Effect.Effect<void, never, State.Write<Count, number>>>(true)
same<ReturnType<typeof Search.count.combine>, Effect.Effect<void, never, State.Combine<Count, number>>>(true)
same<typeof Search.count.unset, Effect.Effect<void, never, State.Write<Count, number>>>(true)
same<
  ReturnType<typeof Search.count.update>,
  Effect.Effect<void, never, State.Read<Count, number> | State.Write<Count, number>>
>(true)

// an optional field is read as an Option, and set by the value itself
same<Effect.Success<typeof Search.lastQuery.get>, Option.Option<string>>(true)
same<Parameters<typeof Search.lastQuery.set>, [value: string]>(true)
same<Parameters<typeof Search.lastQuery.update>, [f: (value: Option.Option<string>) => string]>(true)

// entries
same<Effect.Success<ReturnType<typeof Search.byId.entry>>, Option.Option<Tags>>(true)
same<Parameters<typeof Search.byId.put>, [key: string, value: Tags]>(true)
const Id = Schema.String.pipe(Schema.brand("Id"))
const Branded = State.make("branded", { byId: State.record(Id, Schema.Int) })
same<Parameters<typeof Branded.byId.remove>, [key: typeof Id.Type]>(true)
// @ts-expect-error a plain text is no id
Branded.byId.remove("x")

// reducers
const Lists = State.make("lists", {
  notes: State.field(Schema.Array(Schema.Struct({ text: Schema.String })), { initial: [], reducer: Reducer.append() }),
  tags: State.field(Schema.Array(Schema.String), { initial: [], reducer: Reducer.union() }),
  longest: State.field(Schema.String, {
    initial: "",
    reducer: Reducer.make((current, next: number) => current.padEnd(next))
  }),
  // it takes every value of the field, and may give back fewer
  first: State.field(Schema.NullOr(Schema.String), {
    initial: null,
    reducer: Reducer.make((known: string | null, next: string) => known ?? next)
  })
})
same<Parameters<typeof Lists.notes.combine>, [operand: { readonly text: string }]>(true)
same<Parameters<typeof Lists.tags.combine>, [operand: string]>(true)
same<Parameters<typeof Lists.longest.combine>, [operand: number]>(true)

// ----- rights -------------------------------------------------------------------

// a field is stored by one schema, so nobody may see it as more or as less
declare const read: { readonly literal: State.Read<"f", "a">; readonly text: State.Read<"f", string> }
// @ts-expect-error
export const readAsMore: State.Read<"f", string> = read.literal
// @ts-expect-error
export const readAsLess: State.Read<"f", "a"> = read.text
declare const write: { readonly literal: State.Write<"f", "a">; readonly text: State.Write<"f", string> }
// @ts-expect-error
export const writeAsMore: State.Write<"f", string> = write.literal
// @ts-expect-error
export const writeAsLess: State.Write<"f", "a"> = write.text
declare const combine: { readonly literal: State.Combine<"f", "a">; readonly text: State.Combine<"f", string> }
// @ts-expect-error
export const combineAsMore: State.Combine<"f", string> = combine.literal
// @ts-expect-error
export const combineAsLess: State.Combine<"f", "a"> = combine.text
declare const owner: {
  readonly literal: State.Owner<"s", { readonly f: "a" }>
  readonly text: State.Owner<"s", { readonly f: string }>
}
// @ts-expect-error
export const ownAsMore: State.Owner<"s", { readonly f: string }> = owner.literal
// @ts-expect-error
export const ownAsLess: State.Owner<"s", { readonly f: "a" }> = owner.text
// one right is not another
// @ts-expect-error
export const readIsNoWrite: State.Write<"f", string> = read.text
// @ts-expect-error
export const combineIsNoWrite: State.Write<"f", string> = combine.text
// @ts-expect-error
export const writeIsNoRead: State.Read<"f", string> = write.text

// ----- what can be stored ---------------------------------------------------------

type Tree = { readonly name: string; readonly children: ReadonlyArray<Tree> }
const Tree: Schema.Codec<Tree> = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
})
class Person extends Schema.Class<Person>("Person")({ name: Schema.String, born: Schema.Date }) {}
const Kept = State.make("kept", {
  tree: State.optional(Tree),
  json: State.optional(Schema.Json),
  date: State.optional(Schema.Date),
  url: State.optional(Schema.URL),
  bigint: State.optional(Schema.BigInt),
  bytes: State.optional(Schema.Uint8Array),
  duration: State.optional(Schema.Duration),
  choice: State.optional(Schema.Option(Schema.String)),
  nullable: State.field(Schema.NullOr(Schema.String), { initial: null }),
  union: State.field(Schema.Literals(["a", "b"]), { initial: "a" }),
  map: State.optional(Schema.ReadonlyMap(Schema.String, Schema.Int)),
  person: State.optional(Person),
  partial: State.optional(Schema.Struct({ a: Schema.optionalKey(Schema.String), b: Schema.optional(Schema.Int) }))
})
same<Effect.Success<typeof Kept.tree.get>, Option.Option<Tree>>(true)
same<Effect.Success<typeof Kept.date.get>, Option.Option<Date>>(true)
same<Effect.Success<typeof Kept.nullable.get>, string | null>(true)
same<Effect.Success<typeof Kept.union.get>, "a" | "b">(true)
same<Effect.Success<typeof Kept.choice.get>, Option.Option<Option.Option<string>>>(true)

// ----- frozen -----------------------------------------------------------------------

// a type in which nothing can be changed keeps its name, a class among them what is private
class Account extends Schema.Class<Account>("Account")({ name: Schema.String }) {
  private readonly secret = 1
  reveal() {
    return this.secret
  }
}
same<State.Frozen<Schema.Json>, Schema.Json>(true)
same<State.Frozen<Tree>, Tree>(true)
same<State.Frozen<Account>, Account>(true)
same<State.Frozen<ReadonlyMap<string, Tree>>, ReadonlyMap<string, Tree>>(true)
same<State.Frozen<unknown>, unknown>(true)
same<
  State.Frozen<{ a: Array<{ b: Map<string, Set<number>> }> }>,
  { readonly a: ReadonlyArray<{ readonly b: ReadonlyMap<string, ReadonlySet<number>> }> }
>(true)
same<State.Frozen<Option.Option<Array<string>>>, Option.Option<ReadonlyArray<string>>>(true)
same<
  State.Frozen<{ a: HashMap.HashMap<string, Array<number>> }>,
  { readonly a: HashMap.HashMap<string, ReadonlyArray<number>> }
>(true)
same<State.Frozen<Option.Option<Tree>>, Option.Option<Tree>>(true)
same<State.Frozen<RegExp>, RegExp>(true)
same<State.Frozen<ReadonlySet<{ a: number }>>, ReadonlySet<{ readonly a: number }>>(true)
same<
  State.Frozen<readonly [a: number, ...rest: Array<[string]>]>,
  readonly [a: number, ...rest: Array<readonly [string]>]
>(true)

// ----- histories --------------------------------------------------------------------

const V1 = Schema.Struct({ a: Schema.String })
const V2 = Schema.Struct({ a: Schema.Int })
const history = State.history(1, V1).to(2, V2, ({ a }) => ({ a: a.length }))
same<typeof history, State.History<{ readonly a: number }, [unknown, unknown, unknown]>>(true)
State.make("s", { a: State.optional(Schema.Int) }, { history, up: ({ a }) => ({ a: Option.some(a) }) })

// ----- outside of a run ---------------------------------------------------------------

const T = Tool.make("t", { reads: [Conversation.title], writes: [Search.lastQuery], combines: [Search.count] })
same<
  Parameters<typeof State.layer<typeof T>>[1],
  {
    readonly "conversation.title": string
    readonly "search.lastQuery": Option.Option<string>
    readonly "search.count": number
  }
>(true)
same<
  ReturnType<typeof State.layer<typeof T>>,
  Layer.Layer<
    | State.Read<"conversation.title", string>
    | State.Owner<"conversation", { readonly title: string }>
    | State.Read<"search.lastQuery", Option.Option<string>>
    | State.Write<"search.lastQuery", Option.Option<string>>
    | State.Combine<"search.lastQuery", Option.Option<string>>
    | State.Combine<Count, number>
    | Section
  >
>(true)
State.layer(Assistant, { "conversation.title": "t", "search.count": 0 })
