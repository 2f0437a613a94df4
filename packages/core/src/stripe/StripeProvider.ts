/**
 * The payment provider `stripe`: Payment Intents by Stripe's own SDK. A charge of ours is a PaymentIntent that has our
 * key in its metadata. It serves the installation's own account, the accounts that stores bring, or both.
 */
import { Effect, Redacted } from "effect"
import { CredentialsRejected, PaymentUnanswered } from "../payment/PaymentErrors.ts"
import type { CheckedAccount, Credentials, PaymentProvider, ProviderAccount } from "../payment/PaymentProvider.ts"
import { capture, refund, release } from "./StripeChanges.ts"
import { keysOf, makeStripeClients, modeOfKey, type StripeApi } from "./StripeClient.ts"
import { lookUp, lookUpChange } from "./StripeLookup.ts"
import { readNotice, verifyNotice } from "./StripeNotices.ts"
import type { StripeOptions } from "./StripeOptions.ts"
import { pay } from "./StripePayment.ts"
import { changeFailure, paymentFailure, type StripeProblem, unanswered } from "./StripeProblem.ts"

const hour = 3_600_000

export const stripeProvider = (options: StripeOptions = {}): PaymentProvider => {
  const clients = makeStripeClients(options)
  const withApi =
    <E>(account: ProviderAccount, failure: (problem: StripeProblem) => E) =>
    <A>(work: (api: StripeApi) => Effect.Effect<A, StripeProblem>): Effect.Effect<A, E> =>
      clients.forAccount(account).pipe(Effect.flatMap(work), Effect.mapError(failure))

  return {
    code: "stripe",
    name: "Card",
    kind: "card",
    modes: ["test", "live"],
    credentialFields: {
      secretKey: "The secret key of the Stripe account, sk_… or rk_…",
      webhookSecret: "The signing secret whsec_… of the webhook endpoint at Stripe, once it is registered there",
      captureMethod: "manual reserves the money until it is captured; automatic, the default, takes it at once"
    },
    optionalCredentials: ["webhookSecret", "captureMethod"],
    // Stripe keeps idempotency keys for at least 24 hours.
    keyLifetime: 23 * hour,
    // Lists show a PaymentIntent as soon as it exists. What takes time is a request that Stripe still works on.
    settling: 120_000,
    notices: "signed",
    check: (credentials) => check(options, clients.withKeys, credentials),
    authorize: (request) => withApi(request.account, paymentFailure)((api) => pay(api, request)),
    capture: (change) => withApi(change.account, changeFailure)((api) => capture(api, change)),
    void: (change) => withApi(change.account, changeFailure)((api) => release(api, change)),
    refund: (change) => withApi(change.account, changeFailure)((api) => refund(api, change)),
    lookup: (account, name) => withApi(account, unanswered)((api) => lookUp(api, name)),
    lookupChange: (change, kind) => withApi(change.account, unanswered)((api) => lookUpChange(api, change, kind)),
    verifyNotice: verifyNotice(options),
    readNotice
  }
}

const check = Effect.fnUntraced(function* (
  options: StripeOptions,
  withKeys: (keys: { readonly secretKey: string; readonly isManual: boolean }) => StripeApi,
  credentials: Redacted.Redacted<Credentials> | null
) {
  const rejected = (field: string | null, reason: string) => new CredentialsRejected({ field, reason })
  const keys = keysOf(options, credentials)
  if (keys === null) return yield* rejected(null, "Stripe is not configured for the whole installation")
  const mode = modeOfKey(keys.secretKey)
  if (mode === null) return yield* rejected("secretKey", "must begin with sk_test_, sk_live_, rk_test_ or rk_live_")
  if (credentials !== null) {
    const { webhookSecret = "", captureMethod = "" } = Redacted.value(credentials)
    if (webhookSecret !== "" && !webhookSecret.startsWith("whsec_"))
      return yield* rejected("webhookSecret", "must begin with whsec_")
    if (!["", "automatic", "manual"].includes(captureMethod))
      return yield* rejected("captureMethod", "must be automatic or manual")
  }
  const { id } = yield* withKeys(keys)
    .ask((stripe) => stripe.accounts.retrieveCurrent())
    .pipe(
      Effect.mapError((problem) =>
        problem.kind === "unanswered"
          ? new PaymentUnanswered({ reason: problem.reason })
          : rejected("secretKey", "Stripe does not accept the key, or it may not read its account")
      )
    )
  const checked: CheckedAccount = { account: id, mode }
  return checked
})
