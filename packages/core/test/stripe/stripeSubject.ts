/** The `stripe` provider over an emulated Stripe, as a subject of the conformance checks. */
import { Clock, Effect, Redacted } from "effect"
import type {
  ChargeChange,
  ChargeRequest,
  PaymentProvider,
  ProviderAccount,
  RawNotice
} from "../../src/payment/PaymentProvider.ts"
import { stripeProvider } from "../../src/stripe/StripeProvider.ts"
import type { ConformanceSubject, During, Happening } from "../../src/testing/PaymentProviderBench.ts"
import {
  type EmulatedAccount,
  signedNotice,
  type StripeEmulation,
  type StripeFault
} from "../../src/emulation/StripeEmulation.ts"

const own: EmulatedAccount = { secretKey: "sk_test_of_store", webhookSecret: "whsec_of_store", account: "acct_store" }
const renewed: EmulatedAccount = { ...own, secretKey: "rk_test_renewed", webhookSecret: "whsec_renewed" }
const another: EmulatedAccount = {
  secretKey: "sk_test_of_other",
  webhookSecret: "whsec_of_other",
  account: "acct_else"
}
export const emulatedAccounts = [own, renewed, another]

const accountOf = (storeId: string, ...keys: ReadonlyArray<EmulatedAccount>): ProviderAccount => ({
  storeId,
  providerId: `ppr_${storeId}`,
  account: keys[0]?.account ?? "",
  mode: "test",
  credentials: keys.map(({ secretKey, webhookSecret }) => Redacted.make({ secretKey, webhookSecret }))
})

let checkouts = 0

/** References that mean a payment by card whose answer, or whose change's answer, is lost. */
const losing: Readonly<Record<string, RegExp>> = {
  lost: /POST .*\/confirm$/,
  captureLost: /POST .*\/capture$/,
  voidLost: /POST .*\/cancel$/,
  refundLost: /POST \/v1\/refunds$/
}

/** The provider, with a wire that breaks once, and accounts that capture by hand where the reference says so. */
const onAWire = (stripe: StripeEmulation, provider: PaymentProvider): PaymentProvider => {
  const references = new Map<string, string>()
  const lost = new Set<string>()
  const during =
    (fault: StripeFault, on: RegExp): During =>
    (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => stripe.misbehave(on, fault)),
        () => effect,
        () => Effect.sync(() => stripe.behave())
      )
  /** Loses the answer of the first request under a key. */
  const losingOnce =
    (reference: string, key: string): During =>
    (effect) =>
      Effect.suspend(() => {
        const on = losing[reference]
        if (on === undefined || lost.has(key)) return effect
        lost.add(key)
        return during("lost", on)(effect)
      })
  const pending = (isPending: boolean) =>
    Effect.sync(() => {
      const { books } = stripe
      books.switches.refundsArePending = isPending
    })
  const changing =
    (call: (change: ChargeChange) => ReturnType<PaymentProvider["refund"]>, what: string) => (change: ChargeChange) => {
      const reference = references.get(change.chargeKey) ?? ""
      if (reference === "refundPends")
        return Effect.acquireUseRelease(
          pending(true),
          () => call(change),
          () => pending(false)
        )
      return reference === what ? losingOnce(reference, change.key)(call(change)) : call(change)
    }
  const failing = (change: ChargeChange) =>
    Effect.tap(changing(provider.refund, "refundLost")(change), ({ externalId }) =>
      Effect.sync(() => {
        const [newest] = stripe.books.refundsOf(externalId)
        if (references.get(change.chargeKey) === "refundFails" && newest !== undefined)
          stripe.books.settleRefund(newest.id, "failed")
      })
    )
  return {
    ...provider,
    authorize: (request) => {
      const reference = request.reference ?? ""
      references.set(request.key, reference)
      const isManual = ["authorized", "captureLost", "voidLost"].includes(reference)
      const isOurs = isManual || reference in losing || reference.startsWith("refund")
      const sent: ChargeRequest = {
        ...request,
        reference: isOurs ? "pm_card_visa" : request.reference,
        account: isManual ? manualOf(request.account) : request.account
      }
      return reference === "lost"
        ? losingOnce(reference, request.key)(provider.authorize(sent))
        : provider.authorize(sent)
    },
    capture: changing(provider.capture, "captureLost"),
    void: changing(provider.void, "voidLost"),
    refund: failing
  }
}

const manualOf = (account: ProviderAccount): ProviderAccount => ({
  ...account,
  credentials: account.credentials.map((one) => Redacted.make({ ...Redacted.value(one), captureMethod: "manual" }))
})

const returnUrl = "https://shop.example/return"

export const stripeSubject = (
  stripe: StripeEmulation,
  change: (provider: PaymentProvider) => Partial<PaymentProvider> = () => ({})
): ConformanceSubject => {
  const { books } = stripe
  const bare = stripeProvider({ apiBase: stripe.apiBase, timeout: 5_000 })
  const provider = onAWire(stripe, { ...bare, ...change(bare) })
  const [account, otherAccount] = [accountOf("store_paid", own), accountOf("store_else", another)]
  const intentOf = ({ key }: ChargeRequest) => {
    const found = books.all().find(({ metadata }) => metadata["commerce_key"] === key)
    if (found === undefined) throw new Error(`there is no payment of ${key}`)
    return found
  }
  const newest = (): RawNotice | null => stripe.notices.at(-1) ?? null
  const event =
    (act: (intent: ReturnType<typeof intentOf>, amount: number | undefined) => unknown): Happening =>
    (request, amount) =>
      Effect.sync(() => {
        act(intentOf(request), amount === undefined ? undefined : Number(amount))
        return newest()
      })
  const newestDispute = (id: string) => books.disputesOf(id)[0]?.id ?? ""
  const newestRefund = (id: string) => books.refundsOf(id)[0]?.id ?? ""
  const refunded = event(({ id }, amount) => books.refund(id, amount))
  const signedBy = (secret: string, notice: RawNotice): RawNotice =>
    signedNotice(secret, JSON.parse(Buffer.from(notice.body).toString("utf8")), Date.now())
  return {
    provider,
    account,
    otherAccount,
    newCheckout: Effect.sync(() => `chk_${checkouts++}`),
    references: {
      captured: "pm_card_visa",
      authorized: "authorized",
      pending: "pm_usBankAccount",
      awaiting: null,
      declined: {
        card_declined: "pm_card_visa_chargeDeclined",
        insufficient_funds: "pm_card_visa_chargeDeclinedInsufficientFunds",
        expired_card: "pm_card_chargeDeclinedExpiredCard",
        incorrect_details: "pm_card_chargeDeclinedIncorrectCvc",
        processing_error: "pm_card_chargeDeclinedProcessingError"
      },
      failed: "pm_unknown",
      lost: "lost",
      captureLost: "captureLost",
      voidLost: "voidLost",
      refundLost: "refundLost",
      refundPends: "refundPends",
      refundFails: "refundFails"
    },
    happen: {
      captured: event(({ id, status }) =>
        status === "processing" ? books.settle(id, true) : books.confirm(id, "pm_card_visa", returnUrl)
      ),
      failed: event(({ id }) => books.settle(id, false)),
      expired: event(({ id, status }) => books.cancel(id, status === "requires_capture" ? "automatic" : "expired")),
      refunded,
      refundSucceeded: event(({ id }) => books.settleRefund(newestRefund(id), "succeeded")),
      refundFailed: event(({ id }) => books.settleRefund(newestRefund(id), "failed")),
      disputed: event(({ id }) => books.dispute(id)),
      disputeWon: event(({ id }) => books.closeDispute(newestDispute(id), "won")),
      disputeLost: event(({ id }) => books.closeDispute(newestDispute(id), "lost"))
    },
    smallest: 50n,
    largest: 999_999n,
    currencies: ["USD", "JPY", "ISK", "UGX"],
    capturesOnce: true,
    forget: () => Effect.sync(() => stripe.forgetKeys()),
    later: (milliseconds) => (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => stripe.advance(milliseconds)),
        () =>
          Effect.flatMap(Clock.Clock, (clock) =>
            Effect.provideService(effect, Clock.Clock, ahead(clock, milliseconds))
          ),
        () => Effect.sync(() => stripe.advance(-milliseconds))
      ),
    silent: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => stripe.misbehave(/./, "dropped")),
        () => effect,
        () => Effect.sync(() => stripe.behave())
      ),
    foreign: Effect.sync(() => {
      const { id: externalId } = books.open({
        amount: 500,
        currency: "usd",
        capture_method: "automatic",
        metadata: {},
        isRedirecting: false
      })
      books.confirm(externalId, "pm_card_visa")
      return { externalId, notice: newest() }
    }),
    forged: (notice) => signedBy("whsec_of_somebody", notice),
    rotated: {
      both: accountOf("store_paid", renewed, own),
      afterwards: accountOf("store_paid", renewed),
      happen: (request, amount) =>
        Effect.map(refunded(request, amount), (notice) =>
          notice === null ? null : signedBy(renewed.webhookSecret, notice)
        )
    },
    rejected: accountOf("store_paid", { ...own, secretKey: "sk_test_revoked" })
  }
}

const ahead = (clock: Clock.Clock, milliseconds: number): Clock.Clock =>
  Object.create(clock, {
    currentTimeMillisUnsafe: { value: () => clock.currentTimeMillisUnsafe() + milliseconds },
    currentTimeMillis: { value: Effect.map(clock.currentTimeMillis, (now) => now + milliseconds) }
  })
