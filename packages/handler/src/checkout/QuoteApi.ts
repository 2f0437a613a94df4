/** Quotes for a merchant's server: taxes and shipping by the calculators of checkouts, without a checkout. */
import {
  ShippingQuoteInput,
  ShippingQuoteView,
  TaxQuoteInput,
  TaxQuoteView
} from "@effect-commerce/core/quotation/QuoteInput"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { taxErrors } from "../tax/taxErrors.ts"

const fails = failsBy(taxErrors)

export class QuotesGroup extends apiGroup("quotes", {
  part: "Admin",
  title: "Quotes",
  description: "What taxes and shipping would come to, without a checkout."
}).add(
  HttpApiEndpoint.post("taxes", "/v1/tax/quote", {
    payload: TaxQuoteInput,
    success: TaxQuoteView,
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      readsOnly: true,
      summary: "Quote taxes",
      description:
        "Works out the taxes of amounts at an address, as a checkout does: the same rates, classes, exemptions and " +
        "rounding. Nothing is stored, and the scope is `tax:read`. A line names a product or a tax class; without " +
        "either it is taxed as the Standard class.",
      exampleRequest: {
        address: { country: "US", region: "NY", postalCode: "10001" },
        lines: [{ id: "lamp", amount: "39.98", quantity: 2 }],
        shippingAmount: "5.00"
      }
    })
  ),
  HttpApiEndpoint.post("shipping", "/v1/shipping/quote", {
    payload: ShippingQuoteInput,
    success: ShippingQuoteView,
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      readsOnly: true,
      summary: "Quote shipping",
      description:
        "Returns the shipping methods for products at an address, as a checkout would offer them: the cheapest " +
        "first, of equal prices the fastest. Kits weigh what their parts weigh, unless they have their own weight. " +
        "The region is that of the address's country, else the store's default; shipping zones of particular sales " +
        "channels are not asked. Nothing is stored, and the scope is `shipping:read`."
    })
  )
) {}
