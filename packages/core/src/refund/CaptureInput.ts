/** What captures and voids are asked with. */
import { Schema } from "effect"
import { Amount } from "../kernel/Amount.ts"
import { described, optional, text } from "../kernel/Fields.ts"

const paymentId = optional(
  text(200),
  "Id of the payment, where the order has several that are reserved. By default the first of them."
)

export const CaptureInput = Schema.Struct({
  amount: Schema.optionalKey(
    described(Amount, "What is captured: a number or a decimal string. By default all that is reserved.", "48.53")
  ),
  paymentId
}).annotate({ identifier: "CapturePayment", description: "Money to capture that a provider has reserved." })
export type CaptureInput = typeof CaptureInput.Type

export const VoidInput = Schema.Struct({ paymentId }).annotate({
  identifier: "VoidPayment",
  description: "A reservation to release."
})
export type VoidInput = typeof VoidInput.Type
