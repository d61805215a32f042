import { Context, Effect, Option, Schema } from "effect"
import {
  Agent,
  type AgentRunner,
  Credentials,
  type CredentialStore,
  type Interrupt,
  Tool,
  type ToolCall,
  Toolkit
} from "tenon"
import { same } from "./same.ts"

class OAuth extends Context.Service<OAuth, { readonly url: string }>()("OAuth") {}
class Down extends Schema.TaggedError<Down>()("Down", {}) {}

const GitHub = Credentials.make("github", {
  scheme: "oauth2",
  authorize: "https://github.com/login/oauth/authorize",
  refresh: () => Effect.flatMap(OAuth, ({ url }) => url === "" ? new Down() : Effect.succeedNone)
})

// what a refresh needs and may fail with is the handler's
same<Effect.Error<typeof GitHub.get>, Credentials.Failure | Down>(true)
const Issues = Tool.make("issues", { asks: [GitHub], failure: Schema.Union([Credentials.Failure, Down]) })
same<
  Tool.Requirements<typeof Issues>,
  | Interrupt.Asks<"credential", Credentials.Need, Credentials.Decision>
  | CredentialStore.CredentialStore
  | OAuth
  | ToolCall.ToolCall
>(true)

// a handler whose tool does not say so cannot have it
const Silent = Tool.make("silent", { failure: Credentials.Failure })
Toolkit.layer(Toolkit.make(Silent), {
  // @ts-expect-error
  silent: () => Effect.asVoid(GitHub.get)
})

// a run needs the store; its answers say no more than that something was granted
const agent = Agent.make("agent", { instructions: "Help.", toolkit: Toolkit.make(Issues) })
same<Extract<AgentRunner.Requires<typeof agent>, CredentialStore.CredentialStore>, CredentialStore.CredentialStore>(
  true
)
same<
  AgentRunner.Answers<typeof agent>,
  | Interrupt.Answer<"credential", { readonly granted: boolean }>
  | Interrupt.Answer<"approval", Interrupt.Decision>
  | Interrupt.EncodedAnswer
>(true)

// an OAuth credential says where the user gives it
// @ts-expect-error
Credentials.make("github", { scheme: "oauth2" })

// what it refreshes is an option: with none, the user is asked
Credentials.make("key", { scheme: "api_key", refresh: () => Effect.succeed(Option.none()) })
// @ts-expect-error
Credentials.make("key", { scheme: "api_key", refresh: () => Effect.succeed("a new key") })
