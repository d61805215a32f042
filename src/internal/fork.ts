/**
 * The fork of State that one attempt works on: what was committed before it started, under its own writes. Layer 1.
 *
 * A fork knows what its owner may touch; anything else, and anything after its end, dies loudly. It keeps operations
 * in order. A combine by a reducer of one's own is kept as its operand until the commit, which runs it on the value
 * that is there then.
 */
import { Context, Option, Result, type Schema } from "effect"
import * as StateDelta from "../StateDelta.ts"
import type { FieldDefinition, SectionProblem } from "./field.ts"

/** What a contract allows on one field. */
export type Mode = "read" | "write" | "combine"

export interface Access {
  readonly field: FieldDefinition
  readonly mode: Mode
  /** The only entry that may be touched; every entry when absent. */
  readonly entry: string | undefined
}

/** What an owner may touch, by the field's full name. */
export type AccessMap = ReadonlyMap<string, Access>

/** Operations as they wait for their commit. */
export type Pending =
  | {
    readonly _tag: "Operation"
    readonly field: FieldDefinition
    readonly operation: StateDelta.Operation
    /** The value that the operation must meet, where it was made of one. */
    readonly meets?: { readonly value: Schema.Json | undefined }
  }
  | { readonly _tag: "Combine"; readonly field: FieldDefinition; readonly operand: unknown }

/** A value that does not fit its field was written: the call fails with this reason, and commits nothing. */
export class StateWriteError extends Error {
  readonly _tag = "StateWriteError"
  override readonly name = "StateWriteError"
  readonly field: string
  readonly path: ReadonlyArray<string>
  constructor(field: string, problem: SectionProblem) {
    super(`the value written to '${[field, ...problem.path].join(".")}' does not fit: ${problem.problem}`)
    this.field = field
    this.path = problem.path
  }
}

/** Something was done that a contract does not allow. Its message holds names only, so it may be logged. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation"
}

/** What an owner asks that does not declare it. */
export const undeclaredAsk = (owner: string, name: string): ContractViolation =>
  new ContractViolation(`${owner} does not declare '${name}' under asks`)

const die = (owner: string, sentence: string): never => {
  throw new ContractViolation(`${owner} ${sentence}`)
}

export class Fork {
  readonly owner: string
  private readonly access: AccessMap
  /** What was there before. */
  readonly base: (name: string) => Schema.Json | undefined
  private own: Map<string, Schema.Json | undefined> | undefined
  private operations: Array<Pending> | undefined
  private readShared: Map<string, FieldDefinition> | undefined
  private closed = false
  /** The fork that this one is over; it ends with it. */
  private outer: Fork | undefined

  constructor(owner: string, access: AccessMap, base: (name: string) => Schema.Json | undefined) {
    this.owner = owner
    this.access = access
    this.base = base
  }

  // ----- access ---------------------------------------------------------------

  private allowed(field: FieldDefinition, wanted: Mode, entry?: string): void {
    if (this.isClosed) die(this.owner, `has ended: '${field.name}' can no longer be touched`)
    const access = this.access.get(field.name)
    const fits = access !== undefined && access.field === field && (
      wanted === "write"
        ? access.mode === "write"
        : wanted === "read"
        ? access.mode !== "combine"
        : access.mode !== "read"
    )
    if (!fits) {
      const list = wanted === "read" ? "reads" : wanted === "write" ? "writes" : "combines"
      die(this.owner, `does not declare '${field.name}' under ${list}`)
    }
    if (access?.entry !== undefined && access.entry !== entry) {
      die(this.owner, `may touch only the entry of '${field.name}' that its parameter names`)
    }
  }

  private current(field: FieldDefinition): Schema.Json | undefined {
    const value = this.own?.has(field.name) === true ? this.own.get(field.name) : this.base(field.name)
    return value === undefined ? field.initial : value
  }

  // ----- reading --------------------------------------------------------------

  get(field: FieldDefinition): unknown {
    this.allowed(field, "read")
    this.remember(field)
    return decodeField(field, this.current(field))
  }

  getEntry(field: FieldDefinition, key: string): Option.Option<unknown> {
    this.allowed(field, "read", key)
    this.remember(field)
    const record = this.current(field)
    if (typeof record !== "object" || record === null || !Object.hasOwn(record, key)) return Option.none()
    return Option.some(orDie(field, field.decodeEntry((record as Schema.JsonObject)[key] as Schema.Json), [key]))
  }

  /** A read of a field that others share decides whether the attempt may still commit. */
  private remember(field: FieldDefinition): void {
    if (isShared(field)) (this.readShared ??= new Map()).set(field.name, field)
  }

  /** The shared fields that were read. */
  get sharedReads(): ReadonlyMap<string, FieldDefinition> {
    return this.readShared ?? new Map()
  }

  /** What a view of the declared reads shows of a field: its value, or the one entry that may be touched. */
  view(field: FieldDefinition): Option.Option<unknown> {
    const access = this.access.get(field.name)
    if (access === undefined || access.mode === "combine") return Option.none()
    if (access.entry === undefined) return Option.some(this.get(field))
    const { entry } = access
    return Option.some(Option.match(this.getEntry(field, entry), {
      onNone: () => ({}),
      onSome: (value) => ({ [entry]: value })
    }))
  }

  // ----- writing --------------------------------------------------------------

  private push(pending: Pending, value: Schema.Json | undefined): void {
    ;(this.operations ??= []).push(pending)
    ;(this.own ??= new Map()).set(pending.field.name, value)
  }

  private apply(field: FieldDefinition, operation: StateDelta.Operation): Schema.Json | undefined {
    return Result.getOrThrow(StateDelta.applyOperation(this.current(field), operation))
  }

  set(field: FieldDefinition, value: unknown): void {
    this.allowed(field, "write")
    const encoded = writable(field, field.encode(value))
    this.push({ _tag: "Operation", field, operation: { op: "set", field: field.name, value: encoded } }, encoded)
  }

  unset(field: FieldDefinition): void {
    this.allowed(field, "write")
    const operation: StateDelta.Operation = field.initial === undefined
      ? { op: "unset", field: field.name }
      : { op: "set", field: field.name, value: field.initial }
    this.push({ _tag: "Operation", field, operation }, field.initial)
  }

  put(field: FieldDefinition, key: string, value: unknown): void {
    this.allowed(field, "write", key)
    const encoded = writable(field, field.encodeEntry(key, value))
    const operation: StateDelta.Operation = { op: "put", field: field.name, key, value: encoded }
    this.push({ _tag: "Operation", field, operation }, this.apply(field, operation))
  }

  remove(field: FieldDefinition, key: string): void {
    this.allowed(field, "write", key)
    const operation: StateDelta.Operation = { op: "remove", field: field.name, key }
    const value = this.apply(field, operation)
    // a record of certain keys may need them all
    if (field.closed && value !== undefined) writable(field, field.decode(value))
    this.push({ _tag: "Operation", field, operation }, value)
  }

  combine(field: FieldDefinition, operand: unknown): void {
    this.allowed(field, "combine")
    const operation = writable(field, field.combine(this.current(field), operand))
    const value = this.apply(field, operation)
    if (value !== undefined) writable(field, field.decode(value))
    this.push(
      field.reducer?.operation === "own" || operation.op === "set"
        ? { _tag: "Combine", field, operand }
        : { _tag: "Operation", field, operation },
      value
    )
  }

  /** Takes over operations that were made elsewhere: by a nested fork, or by a sub-agent. */
  adopt(operations: Iterable<Pending>): void {
    for (const pending of operations) {
      const { field } = pending
      const operation = pending._tag === "Operation"
        ? pending.operation
        : writable(field, field.combine(this.current(field), pending.operand))
      this.push(pending, this.apply(field, operation))
    }
  }

  /** Takes back operations that were taken over; what was done since is done again without them. */
  retract(operations: ReadonlyArray<Pending>): void {
    if (operations.length === 0) return
    const gone = new Set(operations)
    const rest = this.pending.filter((pending) => !gone.has(pending))
    this.discard()
    this.adopt(rest)
  }

  // ----- life -----------------------------------------------------------------

  /** What the attempt did, in order. */
  get pending(): ReadonlyArray<Pending> {
    return this.operations ?? []
  }

  /** Begins anew, once what was done so far is committed. */
  restart(): void {
    this.discard()
    this.readShared?.clear()
  }

  /** Forgets what the attempt did. */
  discard(): void {
    this.operations = undefined
    this.own = undefined
  }

  /** A fork over this one, with the same rights; what it read, this one has read. */
  nested(): Fork {
    const inner = new Fork(
      this.owner,
      this.access,
      (name) => this.own?.has(name) === true ? this.own.get(name) : this.base(name)
    )
    inner.readShared = this.readShared ??= new Map()
    inner.outer = this
    return inner
  }

  get isClosed(): boolean {
    return this.closed || this.outer?.isClosed === true
  }

  /** From here on every touch dies: a leaked fiber cannot write into a call that has ended. */
  close(): void {
    this.closed = true
  }
}

/** Is a field shared by sessions? */
export const isShared = (field: FieldDefinition): boolean => field.scope === "user" || field.scope === "app"

/** The value that a handler sees for an encoded one. */
export const decodeField = (field: FieldDefinition, encoded: Schema.Json | undefined): unknown => {
  const value = encoded === undefined ? field.initial : encoded
  if (field.kind === "optional") {
    return value === undefined ? Option.none() : Option.some(orDie(field, field.decode(value)))
  }
  return orDie(field, field.decode(value as Schema.Json))
}

const orDie = (
  field: FieldDefinition,
  result: Result.Result<unknown, SectionProblem>,
  at: ReadonlyArray<string> = []
): unknown =>
  Result.getOrThrowWith(
    result,
    ({ path, problem }) =>
      new Error(`the stored value of '${[field.name, ...at, ...path].join(".")}' does not fit: ${problem}`)
  )

/** The value that fits, or a `StateWriteError` that the call fails with. */
export const writable = <A>(field: FieldDefinition, result: Result.Result<A, SectionProblem>): A =>
  Result.getOrThrowWith(result, (problem) => new StateWriteError(field.name, problem))

/** The fork of the attempt that runs. One slot, whatever the fields: the types tell them apart, a lookup need not. */
export class CurrentFork extends Context.Service<CurrentFork, Fork>()("tenon/State/CurrentFork") {}
