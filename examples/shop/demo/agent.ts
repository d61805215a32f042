/**
 * A shop's support agent. It looks things up and changes orders with the tools of the shop, asks the customer before it
 * changes anything, and sends a sub-agent to the catalogue.
 */
import { Effect, Layer, Schema } from "effect"
import { Agent, Interrupt, Middleware, Reducer, State, SubAgent, Tool, ToolCall, ToolContext, Toolkit } from "tenon"
import { dumps } from "../python.ts"
import { Shop } from "../shop.ts"
import { FindingLive, GetProductDetails } from "../tools/finding.ts"
import { ModifyPendingOrderItems, PendingLive } from "../tools/pending.ts"

// ===== what the caller supplies, and what the conversation keeps ==============

/** Who is asking, and how the shop writes amounts of money: a function, so it never leaves the process. */
export const Desk = ToolContext.make({
  customer: Schema.String,
  money: ToolContext.value<(amount: number) => string>()
})

const Finding = Schema.Struct({ item_id: Schema.String, note: Schema.String, by: Schema.String })

export const Case = State.make("case", {
  findings: State.field(Schema.Array(Finding), { initial: [], reducer: Reducer.append<typeof Finding.Type>() })
})

export const Search = State.make("search", { last: State.optional(Schema.String) })

// ===== the sub-agent =========================================================

const NoteFinding = Tool.make("note_finding", {
  description: "Note an item that fits what is looked for.",
  parameters: Schema.Struct({ item_id: Schema.String, price: Schema.Finite, why: Schema.String }),
  success: Schema.String,
  context: [Desk.money],
  writes: [Search.last],
  combines: [Case.findings]
})

const CatalogueTools = Toolkit.make(NoteFinding, GetProductDetails)

const Catalogue = Agent.make("catalogue", {
  description: "Finds products in the catalogue.",
  instructions: "Find an available item that fits the task, and note it.",
  toolkit: CatalogueTools
})

// ===== the agent =============================================================

const MyOrders = Tool.make("my_orders", {
  description: "Get the orders of the customer who is asking.",
  success: Schema.String,
  context: [Desk.customer],
  reads: [Shop.orders]
})

/** A question to the customer, before anything is changed. */
export const Confirm = Interrupt.make("confirm", { question: Schema.String, answer: Schema.Boolean })

const isExchange = Schema.is(ModifyPendingOrderItems.parametersSchema)

const ConfirmChanges = Middleware.make("confirm_changes", {
  hooks: [
    Middleware.beforeTool({ asks: [Confirm] }, ({ tool, parameters }) =>
      Effect.gen(function*() {
        if (tool !== ModifyPendingOrderItems.name || !isExchange(parameters)) return undefined
        const { order_id, item_ids, new_item_ids, payment_method_id } = parameters
        const agreed = yield* Confirm.ask(
          `Exchange ${item_ids.join(", ")} of ${order_id} for ${new_item_ids.join(", ")}, by ${payment_method_id}?`
        )
        return agreed ? undefined : Middleware.refuse("the customer does not want it")
      }))
  ]
})

export const Support = Agent.make("support", {
  instructions: "You help the customers of a shop for hand tools with their orders.",
  toolkit: Toolkit.make(MyOrders, ModifyPendingOrderItems),
  middleware: [ConfirmChanges],
  subAgents: [SubAgent.make(Catalogue, { narrow: [Desk.money], returns: [Case.findings] })]
})

// ===== handlers ==============================================================

const OwnLive = Toolkit.layer(Toolkit.make(MyOrders, NoteFinding), {
  my_orders: Effect.fnUntraced(function*() {
    const [customer, orders] = [yield* Desk.customer, yield* Shop.orders.get]
    return dumps(Object.values(orders).filter(({ user_id }) => user_id === customer))
  }),

  note_finding: Effect.fnUntraced(function*({ item_id, price, why }) {
    const [money, { agent }] = [yield* Desk.money, yield* ToolCall.ToolCall]
    yield* Search.last.set(item_id)
    yield* Case.findings.combine({ item_id, note: `${why}, ${money(price)}`, by: agent })
    return `noted: ${item_id} at ${money(price)}`
  })
})

export const SupportLive = Layer.mergeAll(OwnLive, FindingLive, PendingLive)
