/**
 * Begins a payment and goes on with one. The PaymentIntent is made unconfirmed under our key, which moves no money and
 * may be repeated, and is confirmed by its id, which succeeds once whatever becomes of idempotency keys.
 */
import { Effect } from "effect"
import type { Stripe } from "stripe"
import { sha256Hex } from "../crypto/Hashing.ts"
import type { Charge, ChargeRequest } from "../payment/PaymentProvider.ts"
import { toStripeAmount } from "./StripeAmount.ts"
import { keyOf, metadataOf, textOfFailure } from "./StripeCharge.ts"
import { isReplayed, type StripeApi } from "./StripeClient.ts"
import { expand, findByKey, freshCharge, retrieve, wholeCharge } from "./StripeLookup.ts"
import { problemOf, StripeProblem } from "./StripeProblem.ts"

export const pay = Effect.fnUntraced(function* (api: StripeApi, request: ChargeRequest) {
  const { reference } = request
  const intent = yield* reference?.startsWith("pi_") ? named(api, request, reference) : made(api, request)
  const isIntent = reference === null || reference.startsWith("pi_")
  if (!isIntent && awaitsPayment(intent)) return yield* confirmed(api, intent, request, methodOf(reference))
  if (isIntent && intent.status === "requires_confirmation") return yield* confirmed(api, intent, request, {})
  return yield* standing(yield* wholeCharge(api, intent), intent)
})

const awaitsPayment = ({ status }: Stripe.PaymentIntent): boolean =>
  status === "requires_payment_method" || status === "requires_confirmation" || status === "requires_action"

/** A payment method, or a confirmation token of Stripe's form. */
const methodOf = (reference: string) =>
  reference.startsWith("ctoken_") ? { confirmation_token: reference } : { payment_method: reference }

/** The PaymentIntent that the storefront has confirmed in Stripe's form. */
const named = (api: StripeApi, { key }: ChargeRequest, id: string) =>
  Effect.filterOrFail(
    retrieve(api, id),
    ({ metadata }) => keyOf(metadata) === key,
    () => new StripeProblem({ kind: "rejected", reason: `${id} is not the payment of this checkout` })
  )

/**
 * The PaymentIntent of the key: made now or earlier. Where an earlier request had other details, such as no address to
 * come back to, Stripe names none, and it is looked for.
 */
const made = Effect.fnUntraced(function* (api: StripeApi, request: ChargeRequest) {
  const { amount, currency } = yield* amountOf(request)
  const details: Stripe.PaymentIntentCreateParams = {
    amount,
    currency,
    capture_method: api.isManual ? "manual" : "automatic",
    automatic_payment_methods: { enabled: true, allow_redirects: request.returnUrl === null ? "never" : "always" },
    metadata: metadataOf(request),
    expand
  }
  const created = yield* api
    .ask((stripe) => stripe.paymentIntents.create(details, { idempotencyKey: request.key }))
    .pipe(
      Effect.flatMap((answer) => (isReplayed(answer) ? retrieve(api, answer.id) : Effect.succeed(answer))),
      Effect.catchIf(
        ({ kind }) => kind === "conflict",
        (conflict) =>
          Effect.flatMap(findByKey(api, request.key), (found) =>
            found === undefined ? Effect.fail(conflict) : Effect.succeed(found)
          )
      )
    )
  return created.amount === amount && created.currency === currency
    ? created
    : yield* new StripeProblem({ kind: "conflict", reason: "Stripe has another amount under this key" })
})

const amountOf = ({ amount, currency }: ChargeRequest) =>
  Effect.try({
    try: () => ({ amount: toStripeAmount(amount, currency), currency: currency.toLowerCase() }),
    catch: problemOf
  })

const confirmed = Effect.fnUntraced(function* (
  api: StripeApi,
  { id }: Stripe.PaymentIntent,
  { key, returnUrl, reference }: ChargeRequest,
  method: Stripe.PaymentIntentConfirmParams
) {
  const details = { ...method, ...(returnUrl === null ? {} : { return_url: returnUrl }), expand }
  // A storefront may try one method after another for the same payment, and each is a request of its own.
  const idempotencyKey = sha256Hex(`confirm|${key}|${reference ?? ""}`)
  return yield* api
    .ask((stripe) => stripe.paymentIntents.confirm(id, details, { idempotencyKey }))
    .pipe(
      Effect.flatMap((answer) =>
        isReplayed(answer)
          ? Effect.flatMap(retrieve(api, id), (intent) => wholeCharge(api, intent))
          : freshCharge(answer)
      ),
      Effect.catchIf(
        (problem) => problem.isFinal,
        (problem) => givenUp(api, id, problem)
      )
    )
})

/**
 * A payment that was declined is over: it is cancelled, so that no browser that still has its client secret can pay it
 * later. If it was paid meanwhile, it is not declined.
 */
const givenUp = Effect.fnUntraced(function* (api: StripeApi, id: string, declined: StripeProblem) {
  const intent = yield* cancelled(api, id)
  return intent.status === "canceled" ? yield* declined : yield* wholeCharge(api, intent)
})

/**
 * The PaymentIntent after it was cancelled, or as it is where it cannot be. The request has no key of ours: to cancel
 * twice is the same as once, while under a key Stripe would repeat for a day that it was too early to cancel.
 */
export const cancelled = (api: StripeApi, id: string) =>
  api
    .ask((stripe) => stripe.paymentIntents.cancel(id, { expand }))
    .pipe(
      Effect.catchIf(
        ({ isFinal }) => isFinal,
        () => retrieve(api, id)
      )
    )

/** A payment that has ended before is an error of the request that comes after. */
const standing = (charge: Charge, intent: Stripe.PaymentIntent): Effect.Effect<Charge, StripeProblem> => {
  if (charge.reason === null) return Effect.succeed(charge)
  const reason = textOfFailure(intent)
  // Cancelled without an attempt to pay: nobody has declined it.
  const wasCancelled = charge.reason === "cancelled" && intent.last_payment_error === null
  return Effect.fail(
    wasCancelled
      ? new StripeProblem({ kind: "rejected", reason })
      : new StripeProblem({ kind: "declined", decline: charge.reason, reason })
  )
}
