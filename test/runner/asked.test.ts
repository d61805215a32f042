/** What a model service was asked with, once the call is over. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { LanguageModel, Prompt } from "effect/ai"
import { Agent, AgentRunner, Middleware, SessionStore, Tool, Toolkit } from "tenon"
import { ScriptedModel } from "tenon/testing"

const { call, text } = ScriptedModel

const Look = Tool.make("look", { success: Schema.String })
const kit = Toolkit.make(Look)
const Live = Toolkit.layer(kit, { look: () => Effect.succeed("seen") })

type Options = { readonly prompt: Prompt.Prompt }

/** A service around another one, which keeps the options of each call, and what was in them at the time. */
const keeping = (kept: Array<Options>, then: Array<Prompt.Prompt>) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.map(LanguageModel.LanguageModel, (model) => ({
      ...model,
      generateText: ((options: Options) => {
        kept.push(options)
        then.push(options.prompt)
        return model.generateText(options as never)
      }) as never
    }))
  )

const hooks = [Middleware.beforeModel({}, () => Effect.void)]
const summary = Prompt.userMessage({ content: [Prompt.textPart({ text: "Before." })] })
const Shortened = Middleware.make("shortened", {
  hooks: [
    Middleware.beforeStep({}, ({ entries, step }) =>
      Effect.succeed(
        step === 3 ? Middleware.compact({ from: 0, to: entries[1]?.sequence ?? 0 }, [summary]) : undefined
      ))
  ]
})

const agents = {
  "without hooks": Agent.make("agent", { instructions: "Look.", toolkit: kit }),
  "with hooks": Agent.make("agent", {
    instructions: "Look.",
    toolkit: kit,
    middleware: [Middleware.make("hooks", { hooks })]
  }),
  "of a history that is compacted": Agent.make("agent", {
    instructions: "Look.",
    toolkit: kit,
    middleware: [Shortened]
  })
}

describe("the options of a model call", () => {
  for (const [name, agent] of Object.entries(agents)) {
    it.effect(`show what was asked, also when the run has gone on, ${name}`, () =>
      Effect.gen(function*() {
        const [kept, then]: [Array<Options>, Array<Prompt.Prompt>] = [[], []]
        const script = [call("look"), call("look"), call("look"), text("Done.")]
        yield* AgentRunner.run(agent, { session: "s", input: "Go." }).pipe(
          Effect.provide([
            Live,
            SessionStore.layerMemory,
            Layer.provide(keeping(kept, then), ScriptedModel.layer(script))
          ])
        )
        const lengths = then.map(({ content }) => content.length)
        assert.deepStrictEqual(lengths, name.endsWith("compacted") ? [2, 4, 5, 7] : [2, 4, 6, 8])
        const encode = Schema.encodeSync(Prompt.Prompt)
        for (const [index, { prompt }] of kept.entries()) {
          const asked = then[index] as Prompt.Prompt
          assert.isTrue(Prompt.isPrompt(prompt))
          assert.deepStrictEqual(prompt.content, asked.content)
          assert.strictEqual(JSON.stringify(prompt), JSON.stringify(asked))
          assert.deepStrictEqual({ ...prompt }, { ...asked })
          assert.deepStrictEqual(encode(prompt), encode(asked))
          assert.deepStrictEqual(Prompt.concat(prompt, "More.").content.length, asked.content.length + 1)
        }
      }))
  }
})
