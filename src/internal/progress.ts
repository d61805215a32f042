/**
 * A call while it runs: what its handler sees of it, and what it asked of the loop. Layer 5.
 */
import { Effect } from "effect"
import type { Prompt } from "effect/ai"
import * as Actions from "../Actions.ts"
import type * as Event from "../Event.ts"
import type { Counter, Left } from "./asking.ts"
import type { ActionRequests, Shape, Target } from "./call.ts"
import { textOf } from "./fold.ts"
import { ContractViolation, type Fork } from "./fork.ts"
import type { Transcript } from "./transcript.ts"

/** Where a call runs. */
type At = Pick<Shape, "agent" | "agentPath" | "app" | "user" | "session" | "invocation" | "step">

/** The call as its handler sees it. A class, since each getter of a literal would be a function of its own. */
class Seen implements Shape {
  readonly id: string
  readonly providerId: string
  readonly tool: string
  readonly agent: string
  readonly agentPath: ReadonlyArray<string>
  readonly app: string
  readonly user: string | undefined
  readonly session: string
  readonly invocation: string
  readonly step: number
  readonly #progress: CallInProgress

  constructor({ id, providerId, tool }: Event.Call, at: At, progress: CallInProgress) {
    this.id = id
    this.providerId = providerId
    this.tool = tool
    this.agent = at.agent
    this.agentPath = at.agentPath
    this.app = at.app
    this.user = at.user
    this.session = at.session
    this.invocation = at.invocation
    this.step = at.step
    this.#progress = progress
    Object.freeze(this)
  }

  // looked up when somebody asks

  get userInput(): string {
    return this.#progress.userInput
  }

  get history(): ReadonlyArray<Prompt.Message> {
    return this.#progress.history
  }

  get actions(): ActionRequests {
    return this.#progress.requests
  }
}

export class CallInProgress implements Counter {
  readonly shape: Shape
  asked = 0
  private readonly fork: Fork
  private readonly input: Transcript["input"]
  private readonly messages: Transcript["messages"]
  /** How many messages there were before the model asked for the call. */
  private readonly before: number
  private wanted: Actions.Actions
  private left: Left | undefined
  private asking: ActionRequests | undefined

  constructor(
    call: Event.Call,
    at: At,
    { input, messages }: Pick<Transcript, "input" | "messages">,
    fork: Fork,
    /** What was asked of the loop before, by hooks that do not run again. */
    wanted: Actions.Actions = Actions.none
  ) {
    this.fork = fork
    this.input = input
    this.messages = messages
    this.before = messages.findLastIndex(({ role }) => role === "assistant")
    this.wanted = wanted
    this.shape = new Seen(call, at, this)
  }

  get userInput(): string {
    return textOf(this.input)
  }

  get history(): ReadonlyArray<Prompt.Message> {
    return Object.freeze(this.messages.slice(0, this.before))
  }

  get requests(): ActionRequests {
    return this.asking ??= Object.freeze({
      skipSummarization: this.request({ skipSummarization: true }),
      end: this.request({ end: true }),
      escalate: this.request({ escalate: true }),
      transfer: <Name extends string>(target: Target<Name>) =>
        Effect.flatMap(target, ({ name }) => this.request({ transfer: name }))
    })
  }

  private request(action: Actions.Actions): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.fork.isClosed) {
        return Effect.die(new ContractViolation(`${this.fork.owner} has ended: it can ask for nothing any more`))
      }
      this.wanted = { ...this.wanted, ...action }
      return Effect.void
    })
  }

  /** What was asked of the loop so far. */
  get actions(): Actions.Actions {
    return this.wanted
  }

  /** The question that stays open when the call ends. */
  get pending(): Left | undefined {
    return this.left
  }

  leave(left: Left): void {
    if (this.shape.agentPath.length > 1) {
      throw new ContractViolation(`${this.fork.owner} cannot end pending: its agent ends before it`)
    }
    if (this.left !== undefined) throw new ContractViolation(`${this.fork.owner} can leave one question open`)
    this.left = left
  }

  /** Forgets what was asked of the loop since then, once. */
  mark(): () => void {
    let before: { readonly wanted: Actions.Actions; readonly left: Left | undefined } | undefined = {
      wanted: this.wanted,
      left: this.left
    }
    return () => {
      if (before !== undefined) ({ wanted: this.wanted, left: this.left } = before)
      before = undefined
    }
  }
}
