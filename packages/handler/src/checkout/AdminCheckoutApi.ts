/** Checkouts for admin keys. */
import { completionErrors } from "@effect-commerce/core/checkout/CheckoutErrors"
import { CompletionInput } from "@effect-commerce/core/checkout/CheckoutInput"
import { Completed } from "@effect-commerce/core/completion/Completed"
import { string } from "@effect-commerce/core/kernel/Fields"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { checkoutFails as fails } from "./checkoutFails.ts"
import { QuotesGroup } from "./QuoteApi.ts"
import { CheckoutGroup, completionWords } from "./CheckoutApi.ts"

export class AdminCheckoutGroup extends apiGroup("adminCheckout", {
  part: "Admin",
  title: "Checkouts",
  description: "Completes a checkout from a server."
}).add(
  HttpApiEndpoint.post("complete", "/v1/checkout/:checkoutId/complete", {
    params: { checkoutId: string("Id of the checkout.") },
    payload: CompletionInput,
    success: Completed,
    error: fails(...completionErrors)
  }).pipe(
    adminRoute({
      summary: "Complete a checkout",
      description: completionWords,
      idempotency: "required",
      optionalBody: true,
      version: useCase
    })
  )
) {}

export const checkoutGroups = [CheckoutGroup, AdminCheckoutGroup, QuotesGroup] as const
