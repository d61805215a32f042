/**
 * What an invocation has used of its limits. Layer 5.
 *
 * Each agent has a meter of its own over its parent's: what a sub-agent uses counts at once in both.
 */
import { Duration } from "effect"
import type { Limits } from "../Agent.ts"
import { LimitReached } from "../AgentError.ts"

/** A limit was reached, and the agent whose limit it is. */
export interface Exceeded {
  readonly meter: Meter
  readonly error: LimitReached
}

/** What an agent and those below it have used. */
export interface Used {
  readonly steps: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export class Meter implements Used {
  private readonly agent: string
  private readonly limits: Limits
  private readonly parent: Meter | undefined
  private readonly started: number
  /** Milliseconds of earlier runs of the invocation. */
  private readonly before: number
  steps = 0
  toolCalls = 0
  inputTokens = 0
  outputTokens = 0

  constructor(agent: string, limits: Limits, parent: Meter | undefined, started: number, before: number) {
    this.agent = agent
    this.limits = limits
    this.parent = parent
    this.started = started
    this.before = before
  }

  private over(limit: LimitReached["limit"], max: number): Exceeded {
    return { meter: this, error: new LimitReached({ limit, max, agent: this.agent }) }
  }

  private exceeded(now: number, calls: number): Exceeded | undefined {
    const { steps, toolCalls, tokens, time } = this.limits
    if (calls === 0 && steps !== undefined && this.steps >= steps) return this.over("steps", steps)
    if (calls > 0 && toolCalls !== undefined && this.toolCalls + calls > toolCalls) {
      return this.over("toolCalls", toolCalls)
    }
    if (calls === 0 && tokens !== undefined && this.inputTokens + this.outputTokens >= tokens) {
      return this.over("tokens", tokens)
    }
    if (time !== undefined && now - this.started + this.before >= Duration.toMillis(time)) {
      return this.over("time", Duration.toMillis(time))
    }
    return this.parent?.exceeded(now, calls)
  }

  /** May the next model call be made? */
  beforeModel(now: number): Exceeded | undefined {
    return this.exceeded(now, 0)
  }

  /** May these calls start? */
  beforeCalls(now: number, calls: number): Exceeded | undefined {
    return this.exceeded(now, calls)
  }

  /** Were calls asked for that went over the limit? A crash may have come before their results. */
  overCalls(): Exceeded | undefined {
    const { toolCalls } = this.limits
    return toolCalls !== undefined && this.toolCalls > toolCalls
      ? this.over("toolCalls", toolCalls)
      : this.parent?.overCalls()
  }

  /** Is it this meter, or one below it? */
  isWithin(meter: Meter): boolean {
    return this === meter || this.parent?.isWithin(meter) === true
  }

  /** What was used so far, as it will stay. */
  get used(): Used {
    const { inputTokens, outputTokens, steps, toolCalls } = this
    return { steps, toolCalls, inputTokens, outputTokens }
  }

  /** Takes over what earlier runs of the invocation used. */
  resume(used: Used): void {
    this.steps = used.steps
    this.toolCalls = used.toolCalls
    this.inputTokens = used.inputTokens
    this.outputTokens = used.outputTokens
  }

  /** Counts a model call as soon as it starts: agents that ask at the same time must not go over together. */
  startModel(): void {
    this.steps += 1
    this.parent?.startModel()
  }

  /** Takes back a model call that gave no answer. */
  dropModel(): void {
    this.steps -= 1
    this.parent?.dropModel()
  }

  countModel(usage: { readonly inputTokens: number; readonly outputTokens: number }): void {
    this.inputTokens += usage.inputTokens
    this.outputTokens += usage.outputTokens
    this.parent?.countModel(usage)
  }

  countCalls(calls: number): void {
    this.toolCalls += calls
    this.parent?.countCalls(calls)
  }
}
