/**
 * Compactions of random ranges in random conversations: what a model is asked is what the log says, nothing that is open
 * is lost, and everything can still be read.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import type { Prompt } from "effect/ai"
import { Agent, type Event, Interrupt, Middleware, Session, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"
import { line } from "../message.ts"
import { conversation, restarted } from "../runner/fixtures.ts"
import * as Random from "./random.ts"

const Job = Interrupt.make("job", { question: Schema.Struct({}), answer: Schema.Int })
const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })
const Note = Tool.make("note", { success: Schema.String })
const Start = Tool.make("start", { success: Schema.String, asks: [Job] })
const Wonder = Tool.make("wonder", { success: Schema.Boolean, asks: [Confirm] })
const kit = Toolkit.make(Note, Start, Wonder)
const live = Toolkit.layer(kit, {
  note: () => Effect.succeed("noted"),
  start: () => Effect.as(Job.pending({}), "started"),
  wonder: () => Confirm.ask("Sure?")
})

/** Some part of what was said, in one compaction of three steps. */
const sometimes = (random: Random.Random) =>
  Middleware.make("sometimes", {
    hooks: [
      Middleware.beforeStep({}, ({ entries, within }) =>
        Effect.sync(() => {
          const [a, b] = [random.pick(entries).sequence, random.pick(entries).sequence]
          const range = { from: Math.min(a, b), to: Math.max(a, b) }
          return random.once(3) ? Middleware.compact(range, `${within(range).length} messages`) : undefined
        }))
    ]
  })

/** A conversation of some messages, over pauses, late answers and restarts; what the model was asked, and the log. */
const played = (random: Random.Random) =>
  Effect.gen(function*() {
    const agent = Agent.make("agent", { instructions: "", toolkit: kit, middleware: [sometimes(random)] })
    const script = Array.from({ length: 99 }, (): ScriptedModel.Step => () =>
      random.once(2)
        ? ScriptedModel.text("Well.")
        : ScriptedModel.calls(...random.some(["note", "start", "wonder"], 1 + random.int(2)).map((tool) => ({ tool }))))
    let here = yield* conversation(agent, script)
    const requests = [here.requests]
    let number = 0
    for (let message = 0; message < 5; message++) {
      let { session } = yield* here.run(`Message ${message}.`)
      while (session.open.some(({ mode }) => mode !== "pending") || (session.open.length > 0 && random.once(2))) {
        if (random.once(3)) {
          here = yield* restarted(agent, session, script)
          requests.push(here.requests)
        }
        const { id, mode } = random.pick(session.open)
        const built = Job.answer(id, ++number)
        const answer = mode !== "pending"
          ? Confirm.answer(id, true)
          : random.once(2)
          ? built
          : Interrupt.progress(built)
        session = (yield* here.resume([answer])).session
      }
    }
    return { asked: requests.flat().map(({ prompt }) => prompt.content), session: yield* here.session() }
  }).pipe(Effect.provide(live))

const folded = (events: ReadonlyArray<Event.Event>) => Result.getOrThrow(Session.fold(events))
const spoken = (messages: ReadonlyArray<Prompt.Message>) => messages.filter(({ role }) => role !== "system").map(line)

/** The ids of a message's calls, or of its results. */
const idsIn = ({ content }: Prompt.Message, type: "tool-call" | "tool-result") =>
  typeof content === "string" ? [] : content.flatMap((part) => part.type === type ? [part.id] : [])

const callIds = (messages: ReadonlyArray<Prompt.Message>) => messages.flatMap((each) => idsIn(each, "tool-call"))

describe(`compactions at random, with seed ${Random.seed}`, () => {
  const cases = Random.onlyCase === undefined ? Array.from({ length: 60 }, (_, index) => index) : [Random.onlyCase]
  it.effect.each(cases)("case %i", (number) =>
    Effect.gen(function*() {
      const { asked, session } = yield* played(Random.make(Random.mix(Random.seed, `${number}`)))
      const models = session.events.filter((event) => event.kind === "model")
      assert.strictEqual(asked.length, models.length)
      for (const [index, { invocation, sequence }] of models.entries()) {
        const before = session.events.slice(0, sequence)
        const { history, open } = folded(before)
        const prompt = asked[index] ?? []
        // the loop and the log agree
        assert.deepStrictEqual(spoken(prompt), spoken(history))
        // each call has its result right after it
        for (const [place, message] of prompt.entries()) {
          const next = prompt[place + 1]
          if (message.role !== "assistant" || idsIn(message, "tool-call").length === 0) continue
          assert.deepStrictEqual(next && idsIn(next, "tool-result"), idsIn(message, "tool-call"))
        }
        // what is open is there: the messages of the invocation, and calls without a final answer
        for (const event of before) {
          if (event.kind === "input" && event.invocation === invocation) {
            assert.include(spoken(prompt), line(event.message))
          }
        }
        const waiting = new Set(open.map(({ call }) => call))
        const providerIds = models.flatMap(({ calls }) => calls.filter(({ id }) => waiting.has(id)))
        assert.includeMembers(callIds(prompt), providerIds.map(({ providerId }) => providerId))
      }
      // without the compactions the same log shows everything
      const { history } = folded(session.events.filter(({ kind }) => kind !== "compacted"))
      assert.deepStrictEqual(spoken(session.transcript), spoken(history))
    }))
})
