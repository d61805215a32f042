/** What the customer says, and what the model says in the place of a real one. */
import { ScriptedModel } from "tenon/testing"

export const question = "Hello! Could I have the plane of my order for left-handers, and the mallet in oak?"

const turn = (turn: ScriptedModel.Turn, inputTokens: number, outputTokens: number): ScriptedModel.Turn => ({
  ...turn,
  inputTokens,
  outputTokens
})

const task = "Find a left-handed block plane (product 'plane') and an oak mallet (product 'mallet') that are available."

/** Up to the question to the customer. */
export const untilQuestion: ScriptedModel.Script = {
  support: [
    turn(ScriptedModel.call("my_orders"), 310, 12),
    turn(ScriptedModel.call("catalogue", { task }), 520, 38),
    turn(
      ScriptedModel.call("modify_pending_order_items", {
        order_id: "#W1000001",
        item_ids: ["4101", "5201"],
        new_item_ids: ["4103", "5202"],
        payment_method_id: "gift_card_71"
      }),
      590,
      41
    )
  ],
  catalogue: [
    turn(
      ScriptedModel.calls(
        { tool: "get_product_details", parameters: { product_id: "plane" } },
        { tool: "get_product_details", parameters: { product_id: "mallet" } }
      ),
      120,
      30
    ),
    turn(
      ScriptedModel.calls(
        { tool: "note_finding", parameters: { item_id: "4103", price: 96.5, why: "left-handed, 42 mm" } },
        { tool: "note_finding", parameters: { item_id: "5202", price: 27, why: "oak" } }
      ),
      410,
      52
    ),
    turn(ScriptedModel.text("4103 and 5202 fit, and both are available."), 480, 14)
  ]
}

/** After the answer. */
export const afterAnswer: ScriptedModel.Script = {
  support: [
    turn(
      ScriptedModel.text("Done: a left-handed plane and an oak mallet. Your gift card paid the difference."),
      760,
      22
    )
  ]
}
