import { ShippingQuotes } from "@effect-commerce/core/quotation/ShippingQuotes"
import { TaxQuotes } from "@effect-commerce/core/quotation/TaxQuotes"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { QuotesGroup } from "./QuoteApi.ts"

export const quoteEndpoints = endpointsOf(
  QuotesGroup,
  Effect.fnUntraced(function* (handlers) {
    const taxes = yield* TaxQuotes
    const shipping = yield* ShippingQuotes
    return handlers.handleAll({
      taxes: asAdmin(({ store }, { payload }) => taxes.quote(store, payload)),
      shipping: asAdmin(({ store }, { payload }) => shipping.quote(store, payload))
    })
  })
)
