/** A provider over an emulated Stripe, as the tests of this room use it. */
import { Effect, Redacted, Result } from "effect"
import type {
  Charge,
  ChargeChange,
  ChargeRequest,
  PaymentProvider,
  ProviderAccount
} from "../../src/payment/PaymentProvider.ts"
import type { StripeOptions } from "../../src/stripe/StripeOptions.ts"
import { stripeProvider } from "../../src/stripe/StripeProvider.ts"
import {
  emulatedAccount,
  startStripeEmulation,
  type StripeEmulationOptions
} from "../../src/emulation/StripeEmulation.ts"

export const returnUrl = "https://shop.example/return"

export const account: ProviderAccount = {
  storeId: "store_1",
  providerId: "stripe",
  account: emulatedAccount.account,
  mode: "test",
  credentials: []
}

let next = 0
export const requestOf = (reference: string | null, more: Partial<ChargeRequest> = {}): ChargeRequest => {
  next += 1
  return {
    account,
    checkoutId: `chk_${next}`,
    key: `store_1/complete:chk_${next}:1`,
    amount: 12_345n,
    currency: "USD",
    reference,
    email: "ada@example.com",
    returnUrl,
    noticeUrl: null,
    ...more
  }
}

export const changeOf = (
  charge: Charge,
  key: string,
  amount: bigint,
  more: Partial<ChargeChange> = {}
): ChargeChange => ({
  account,
  chargeKey: charge.key ?? "",
  externalId: charge.externalId,
  key: `${key}:${charge.key}`,
  amount,
  ...more
})

/** The value, or the error with its tag. */
export const outcome = <A, E>(effect: Effect.Effect<A, E>): Promise<A | E> =>
  Effect.runPromise(Effect.map(Effect.result(effect), (r) => (Result.isSuccess(r) ? r.success : r.failure)))

export const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

export const openShop = async (options: StripeOptions = {}, emulated: StripeEmulationOptions = {}) => {
  const stripe = await startStripeEmulation(emulated)
  const provider: PaymentProvider = stripeProvider({
    secretKey: Redacted.make(emulatedAccount.secretKey),
    webhookSecret: Redacted.make(emulatedAccount.webhookSecret),
    apiBase: stripe.apiBase,
    timeout: 2_000,
    ...options
  })
  const found = async (charge: Charge): Promise<Charge> => {
    const answer = await run(provider.lookup(account, { key: null, externalId: charge.externalId }))
    if (answer._tag !== "Found") throw new Error(`the charge is ${answer._tag}`)
    return answer.charge
  }
  return { stripe, provider, found }
}
