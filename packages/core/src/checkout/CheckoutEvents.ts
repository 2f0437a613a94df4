/** The events of checkouts. `checkout.completed` is written with the order: order/OrderEvents. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

const checkoutAbandoned = defineEvent("checkout.abandoned", {
  description: "A checkout with an e-mail address was left and has not been completed.",
  data: Schema.Struct({
    checkoutId: Schema.String,
    checkout: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  }),
  status: "coming_soon"
})

export const checkoutEvents = [checkoutAbandoned]
