/**
 * What differs between two contracts as documents, and what of it breaks. Layer 1; its public face is `Contract`.
 */
import type { Change, Snapshot } from "../Contract.ts"
import type { Part } from "./declared.ts"
import { canonical } from "./json.ts"
import { differsUnseen, type Misfit, misfitOf, own, type Shape } from "./shape.ts"

type Section = Snapshot["sections"][string]
type Field = Section["fields"][string]

/** How values go over the line between the old program and the new one. */
type Use =
  /** The new program takes what was made for the old one. */
  | "taken"
  /** It also gives values to those who knew the old one. */
  | "both"

const breaking = (path: string, kind: Change["kind"], problem: string, cure: string): Change => ({
  path,
  kind,
  breaks: true,
  problem,
  cure
})

const harmless = (path: string, kind: Change["kind"], problem: string): Change => ({
  path,
  kind,
  breaks: false,
  problem
})

const joined = (path: string, { path: inner }: Pick<Misfit, "path">): string => [path, ...inner].join(".")

/** What became of a schema. */
const schemaChanges = (path: string, before: Shape, after: Shape, use: Use, cure: string): ReadonlyArray<Change> => {
  if (canonical(before) === canonical(after)) return []
  const refused = misfitOf(before, after)
  if (refused !== undefined) {
    const kind = refused.isCertain ? "narrowed" : "changed"
    return [breaking(joined(path, refused), kind, refused.problem, cure)]
  }
  const more = misfitOf(after, before)
  if (more === undefined) {
    return differsUnseen(before, after)
      ? [breaking(path, "changed", "its conversions or checks changed, which no JSON Schema shows", cure)]
      : []
  }
  const given = use === "both" ? misfitOf(after, before, false) : undefined
  if (given !== undefined) {
    const problem = `who knew the earlier one gets what does not fit it: ${given.problem}`
    return [breaking(joined(path, given), given.isCertain ? "widened" : "changed", problem, cure)]
  }
  return [harmless(joined(path, more), "widened", "it takes more than before")]
}

// ----- keys --------------------------------------------------------------------

const keyChanges = (name: string, before: ReadonlyArray<Shape>, after: ReadonlyArray<Shape>): ReadonlyArray<Change> => {
  const path = `keys.${name}`
  const cure = "take what was supplied before, or change whoever supplies it along with the program"
  if (before.length === 0 || after.length === 0) {
    return before.length === after.length ? [] : [
      breaking(
        path,
        "changed",
        after.length === 0 ? "it is local to the process now" : "it was local to the process, and has a schema now",
        cure
      )
    ]
  }
  const [one] = before
  const [other] = after
  if (before.length === 1 && after.length === 1) {
    return schemaChanges(path, one as Shape, other as Shape, "taken", cure)
  }
  // whatever it must fit now, what it had to fit before must see to
  const refused = after.flatMap((shape) => {
    const misfits = before.map((each) => misfitOf(each, shape))
    return misfits.includes(undefined) ? [] : misfits.slice(0, 1)
  })[0]
  return refused === undefined
    ? []
    : [breaking(joined(path, refused), refused.isCertain ? "narrowed" : "changed", refused.problem, cure)]
}

// ----- sections ------------------------------------------------------------------

const isStored = ({ scope }: Field): boolean => scope !== "temp"

/** The stored fields of a section as one shape: what a migration from it gets. */
const storedShape = ({ fields }: Section): Shape => {
  const stored = Object.entries(fields).filter(([, field]) => isStored(field))
  const definitions = stored.flatMap(([key, { schema }]) =>
    Object.entries((schema["$defs"] ?? {}) as Shape).map(([name, shape]) =>
      [`${key}/${name}`, within(key, shape)] as const
    )
  )
  return {
    type: "object",
    properties: Object.fromEntries(stored.map(([key, { schema }]) => [key, within(key, schema)])),
    required: stored.filter(([, { kind }]) => kind !== "optional").map(([key]) => key),
    additionalProperties: true,
    $defs: Object.fromEntries(definitions)
  } as Shape
}

/** A field's shape in its section's: two fields may each have a definition of one name. */
const within = (key: string, shape: unknown): unknown =>
  JSON.parse(
    JSON.stringify(shape),
    (name, value: unknown) =>
      name === "$ref" && typeof value === "string" ? value.replace("#/$defs/", `#/$defs/${key}/`) : value
  )

const raise = "raise the section's version, and give it a migration (State.history, up)"

const fieldChanges = (path: string, before: Field, after: Field, isRaised: boolean): ReadonlyArray<Change> => {
  if (before.scope !== after.scope) {
    const problem = `its scope is '${after.scope}', it was '${before.scope}'`
    return [
      isStored(before)
        ? breaking(path, "scope", problem, "give the field another name: what is stored stays in its scope")
        : harmless(path, "scope", problem)
    ]
  }
  if (!isStored(before) || isRaised) return []
  const reducer = before.reducer === after.reducer ? [] : [
    breaking(
      path,
      "reducer",
      `it is combined by '${after.reducer ?? "nothing"}', it was by '${before.reducer ?? "nothing"}'`,
      raise
    )
  ]
  const lost = before.kind === "optional" || before.kind === after.kind || after.kind === "optional"
    ? []
    : [breaking(path, "changed", `it is a ${after.kind}, it was a ${before.kind}`, raise)]
  return [...reducer, ...lost, ...schemaChanges(path, before.schema, after.schema, "taken", raise)]
}

/** Do the migrations of a section take what its earlier versions stored? */
const migrationChanges = (path: string, before: Section, after: Section): ReadonlyArray<Change> => {
  const stored = [...before.history, ...(after.version > before.version ? [storedShape(before)] : [])]
  return stored.flatMap((shape, index) => {
    const version = index + 1
    const taken = after.history[index]
    const cure = `let the history have version ${version} as it was stored`
    if (taken === undefined) return [breaking(path, "migration", `there is no way up from version ${version}`, cure)]
    const refused = misfitOf(shape, taken, false)
    return refused === undefined ? [] : [
      breaking(
        joined(path, refused),
        "migration",
        `the migration of version ${version} does not take what was stored: ${refused.problem}`,
        cure
      )
    ]
  })
}

const sectionChanges = (name: string, before: Section, after: Section | undefined): ReadonlyArray<Change> => {
  const path = `sections.${name}`
  if (after === undefined) {
    return [
      Object.values(before.fields).some(isStored)
        ? breaking(
          path,
          "removed",
          "it is gone: what is stored of it is carried along, and nobody reads it",
          "keep the section"
        )
        : harmless(path, "removed", "it is gone, and nothing of it was stored")
    ]
  }
  if (after.version < before.version) {
    return [
      breaking(
        path,
        "version",
        `it is of version ${after.version}, and ${before.version} is stored: no session of that can be loaded`,
        `go on from version ${before.version}`
      )
    ]
  }
  const isRaised = after.version > before.version
  const migrations = migrationChanges(path, before, after)
  const fields = Object.entries(before.fields).flatMap(([key, field]) => {
    const now = own(after.fields, key)
    const place = `${path}.${key}`
    if (now !== undefined) return fieldChanges(place, field, now, isRaised)
    if (isRaised) return []
    return isStored(field)
      ? [breaking(place, "removed", "it is gone, and what is stored of it is lost to the program", raise)]
      : [harmless(place, "removed", "it is gone, and was never stored")]
  })
  const added = Object.keys(after.fields).filter((key) => !isRaised && !Object.hasOwn(before.fields, key))
    .map((key) => harmless(`${path}.${key}`, "added", "it is new: sessions that lack it get its initial value"))
  const child = before.child === after.child ? [] : [
    breaking(
      path,
      "changed",
      `a sub-agent starts it '${after.child}', it was '${before.child}'`,
      "end the sub-agents that wait for answers with the earlier program"
    )
  ]
  const raised = !isRaised || migrations.length > 0 ? [] : [
    harmless(
      path,
      "version",
      `it is of version ${after.version}, and its migrations take what version ${before.version} stored`
    )
  ]
  return [...raised, ...migrations, ...fields, ...added, ...child]
}

// ----- parts ---------------------------------------------------------------------

const isCalled = ({ kind }: Part): boolean => kind === "tool" || kind === "sub-agent"

/** All that an agent's model may call, or all of another declaration's tools; they share one space of names. */
const calledIn = ({ parts = [] }: Part): ReadonlyArray<Part> =>
  parts.flatMap((part) => isCalled(part) ? [part] : part.kind === "transfer" ? [] : calledIn(part))

const othersIn = ({ parts = [] }: Part, kind: Part["kind"]): ReadonlyArray<Part> =>
  parts.filter((part) => part.kind === kind)

const openCalls = "stored sessions may have open calls of it"

const replaces = (part: Part, name: string): boolean => part.name === name || part.formerly?.includes(name) === true

const lists = ["reads", "writes", "combines", "asks"] as const

/** What a tool or a hook touches now. */
const touchChanges = (path: string, before: Part, after: Part): ReadonlyArray<Change> =>
  lists.flatMap((list) =>
    before[list].join() === after[list].join() ? [] : [
      harmless(
        `${path}.${list}`,
        "touches",
        `${after[list].join(", ") || "nothing"}; it was ${before[list].join(", ") || "nothing"}`
      )
    ]
  )

const cureOfCall = "take the arguments of before too, or answer and end open calls with the earlier program"

const calledChanges = (path: string, before: Part, after: Part): ReadonlyArray<Change> => {
  if (before.kind !== after.kind) {
    const problem = `it is a ${after.kind}, it was a ${before.kind}: ${openCalls}`
    return [breaking(path, "changed", problem, "give it another name, and keep the earlier one")]
  }
  const renamed = before.name === after.name
    ? []
    : [harmless(path, "renamed", `it is '${after.name}' now, and takes its calls`)]
  const parameters = schemaChanges(
    `${path}.parameters`,
    before.parameters ?? {},
    after.parameters ?? {},
    "taken",
    cureOfCall
  )
  // what came out of a call is read by a model alone
  const success = canonical(before.success ?? {}) === canonical(after.success ?? {})
    ? []
    : [harmless(`${path}.success`, "changed", "the model is shown other results")]
  return [
    ...renamed,
    ...parameters,
    ...success,
    ...(before.kind === "tool" ? touchChanges(path, before, after) : partChanges(path, before, after))
  ]
}

const removedCall = (path: string, { kind }: Part): Change =>
  breaking(
    path,
    "removed",
    `the ${kind} is gone: ${openCalls}`,
    kind === "tool"
      ? "name it under 'formerly' of the tool that takes its place, or keep it"
      : "keep it until no call of it is open"
  )

/** What became of an agent, or of another declaration with parts. */
const partChanges = (path: string, before: Part, after: Part): ReadonlyArray<Change> => {
  const was = calledIn(before)
  const is = calledIn(after)
  const calls = was.flatMap((call) => {
    const place = `${path}/${call.name}`
    const now = is.find(({ name }) => name === call.name) ?? is.find((each) => replaces(each, call.name))
    return now === undefined ? [removedCall(place, call)] : calledChanges(place, call, now)
  })
  const added = is.filter(({ name }) =>
    !was.some((call) => call.name === name || is.some((each) => each.name === name && replaces(each, call.name)))
  )
    .map(({ kind, name }) => harmless(`${path}/${name}`, "added", `the ${kind} is new`))
  const transfers = othersIn(before, "transfer").flatMap((target) => {
    const place = `${path}/${target.name}`
    const now = othersIn(after, "transfer").find(({ name }) => name === target.name)
    return now === undefined
      ? [
        breaking(
          place,
          "removed",
          "the agent is gone: it may hold conversations, and have open calls in them",
          "keep it until it holds none"
        )
      ]
      : partChanges(place, target, now)
  })
  const addedTransfers = othersIn(after, "transfer")
    .filter(({ name }) => !othersIn(before, "transfer").some((target) => target.name === name))
    .map(({ name }) => harmless(`${path}/${name}`, "added", "the agent is new"))
  const middleware = othersIn(before, "middleware").flatMap((each) =>
    othersIn(after, "middleware").some(({ name }) => name === each.name) ? [] : [
      each.asks.length > 0
        ? breaking(
          `${path}/${each.name}`,
          "removed",
          "the middleware is gone: it may have open questions",
          "answer them with the earlier program"
        )
        : harmless(`${path}/${each.name}`, "removed", "the middleware is gone")
    ]
  )
  const addedMiddleware = othersIn(after, "middleware")
    .filter(({ name }) => !othersIn(before, "middleware").some((each) => each.name === name))
    .map(({ name }) => harmless(`${path}/${name}`, "added", "the middleware is new"))
  return [
    ...outputChanges(path, before, after),
    ...calls,
    ...added,
    ...transfers,
    ...addedTransfers,
    ...middleware,
    ...addedMiddleware
  ]
}

const text: Shape = { type: "string" }

const outputChanges = (path: string, before: Part, after: Part): ReadonlyArray<Change> =>
  schemaChanges(
    `${path}.output`,
    before.output ?? text,
    after.output ?? text,
    "both",
    "change whoever takes the answer along with the program; answers are kept under the keys of their messages"
  )

// ----- all -------------------------------------------------------------------------

const cureOfQuestion = "ask under another name, and answer or abandon open questions with the earlier program"

const interruptChanges = (name: string, before: Snapshot, after: Snapshot): ReadonlyArray<Change> => {
  const path = `interrupts.${name}`
  const was = own(before.interrupts, name)
  const is = own(after.interrupts, name)
  if (was === undefined) return [harmless(path, "added", "it is new")]
  if (is === undefined) {
    const problem = "it is not asked any more: stored sessions may have open questions of it"
    return [breaking(path, "removed", problem, "answer or abandon them with the earlier program, or keep it")]
  }
  return [
    ...schemaChanges(`${path}.question`, was.question, is.question, "both", cureOfQuestion),
    ...schemaChanges(`${path}.answer`, was.answer, is.answer, "taken", cureOfQuestion)
  ]
}

const namesOf = (one: object, other: object): ReadonlyArray<string> =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()

const declarationChanges = (
  { declaration: before }: Snapshot,
  { declaration: after }: Snapshot
): ReadonlyArray<Change> => {
  const path = before.name
  if (before.kind !== after.kind) {
    return [
      breaking(
        path,
        "changed",
        `it is a ${after.kind}, it was a ${before.kind}`,
        "compare what is the same declaration"
      )
    ]
  }
  if (isCalled(before)) {
    return replaces(after, before.name) ? calledChanges(path, before, after) : [removedCall(path, before)]
  }
  const renamed = before.name === after.name ? [] : [
    breaking(
      path,
      "renamed",
      `its name is '${after.name}': sessions are looked for under the agent's name, unless a run names an app`,
      `keep the name, or run it with the app '${before.name}'`
    )
  ]
  return [...renamed, ...partChanges(path, before, after)]
}

/** What differs between two contracts. */
export const changesOf = (before: Snapshot, after: Snapshot): ReadonlyArray<Change> => [
  ...namesOf(before.keys, after.keys).flatMap((name): ReadonlyArray<Change> => {
    const was = own(before.keys, name)
    const is = own(after.keys, name)
    const path = `keys.${name}`
    if (was === undefined) {
      return [
        breaking(
          path,
          "required",
          "it is new, and whoever runs it must supply it",
          "provide it in middleware, or supply it everywhere first"
        )
      ]
    }
    if (is === undefined) {
      return [breaking(path, "removed", "it is not required any more", "stop supplying it where the program is run")]
    }
    return keyChanges(name, was, is)
  }),
  ...namesOf(before.interrupts, after.interrupts).flatMap((name) => interruptChanges(name, before, after)),
  ...namesOf(before.sections, after.sections).flatMap((name) => {
    const was = own(before.sections, name)
    return was === undefined
      ? [harmless(`sections.${name}`, "added", "it is new: sessions get it with its initial values")]
      : sectionChanges(name, was, own(after.sections, name))
  }),
  ...declarationChanges(before, after)
]

/** Changes as a text: those that break first, each with where, what and the cure. */
export const textOf = (changes: ReadonlyArray<Change>): string => {
  const lines = (breaks: boolean) =>
    changes.filter((change) => change.breaks === breaks).map(({ cure, path, problem }) =>
      [`  ${path}: ${problem}`, ...(cure === undefined ? [] : [`    cure: ${cure}`])].join("\n")
    )
  const broken = lines(true)
  const others = lines(false)
  return [
    ...(broken.length > 0 ? ["This breaks:", ...broken] : []),
    ...(others.length > 0 ? ["This does not:", ...others] : []),
    ...(changes.length === 0 ? ["Nothing has changed."] : [])
  ].join("\n")
}
