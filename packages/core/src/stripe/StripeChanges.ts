/**
 * Captures, voids and refunds. The PaymentIntent is read first: its currency says what an amount is in Stripe's units,
 * and its metadata that it is the charge that is meant. The key of a capture or a refund is Stripe's idempotency key,
 * and stays with it as metadata.
 */
import { Effect } from "effect"
import type { Stripe } from "stripe"
import type { ChargeChange } from "../payment/PaymentProvider.ts"
import { toStripeAmount } from "./StripeAmount.ts"
import { captureField, keyField, keyOf } from "./StripeCharge.ts"
import { isReplayed, type StripeApi } from "./StripeClient.ts"
import { expand, retrieve, wholeCharge } from "./StripeLookup.ts"
import { cancelled } from "./StripePayment.ts"
import { problemOf, StripeProblem } from "./StripeProblem.ts"

const meant = (api: StripeApi, { externalId, chargeKey }: ChargeChange) =>
  Effect.filterOrFail(
    retrieve(api, externalId),
    ({ metadata }) => keyOf(metadata) === chargeKey,
    () => new StripeProblem({ kind: "rejected", reason: `${externalId} is not the charge ${chargeKey}` })
  )

const amountIn = ({ currency }: Stripe.PaymentIntent, { amount }: ChargeChange) =>
  amount > 0n
    ? Effect.try({ try: () => toStripeAmount(amount, currency.toUpperCase()), catch: problemOf })
    : Effect.fail(new StripeProblem({ kind: "rejected", reason: "The amount must be more than zero" }))

/** A part is captured once: Stripe releases the rest with it. */
export const capture = Effect.fnUntraced(function* (api: StripeApi, change: ChargeChange) {
  const intent = yield* meant(api, change)
  const amount_to_capture = yield* amountIn(intent, change)
  const metadata = { [captureField(change.key)]: String(amount_to_capture) }
  const answer = yield* api.ask((stripe) =>
    stripe.paymentIntents.capture(intent.id, { amount_to_capture, metadata, expand }, { idempotencyKey: change.key })
  )
  return yield* wholeCharge(api, isReplayed(answer) ? yield* retrieve(api, intent.id) : answer)
})

export const refund = Effect.fnUntraced(function* (api: StripeApi, change: ChargeChange) {
  const intent = yield* meant(api, change)
  const amount = yield* amountIn(intent, change)
  const metadata = { [keyField]: change.key }
  yield* api.ask((stripe) =>
    stripe.refunds.create({ payment_intent: intent.id, amount, metadata }, { idempotencyKey: change.key })
  )
  return yield* wholeCharge(api, yield* retrieve(api, intent.id))
})

export const release = Effect.fnUntraced(function* (api: StripeApi, change: ChargeChange) {
  const intent = yield* meant(api, change)
  if (intent.status === "canceled" || intent.status === "succeeded") return yield* wholeCharge(api, intent)
  const after = yield* cancelled(api, intent.id)
  return after.status === "canceled" || after.status === "succeeded"
    ? yield* wholeCharge(api, after)
    : yield* new StripeProblem({ kind: "rejected", reason: `Stripe cannot cancel the payment: it is ${after.status}` })
})
