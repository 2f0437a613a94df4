/** The example's provider over an emulated Florin, as a subject of the conformance checks. */
import type {
  ChargeChange,
  ChargeRequest,
  PaymentProvider,
  ProviderAccount,
  RawNotice
} from "@effect-commerce/core/payment/PaymentProvider"
import type { ConformanceSubject, During, Happening } from "@effect-commerce/core/testing/PaymentProviderBench"
import { Clock, Effect, Redacted } from "effect"
import type { Florin, FlorinFault } from "../../../../examples/redirect-payments/emulation.ts"
import { florin } from "../../../../examples/redirect-payments/provider.ts"

const accountOf = (storeId: string, account: string, ...keys: ReadonlyArray<string>): ProviderAccount => ({
  storeId,
  providerId: `ppr_${storeId}`,
  account,
  mode: "test",
  credentials: keys.map((apiKey) => Redacted.make({ apiKey }))
})

const noticeOf = (body: string): RawNotice => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new TextEncoder().encode(body)
})

/** References that mean a payment whose answer, or whose change's answer, is lost. */
const losing: Readonly<Record<string, { readonly method: string; readonly on: RegExp }>> = {
  lost: { method: "card", on: /POST \/v2\/payments$/ },
  captureLost: { method: "paylater", on: /captures$/ },
  voidLost: { method: "paylater", on: /DELETE/ },
  refundLost: { method: "card", on: /refunds$/ }
}

/** The provider, with a wire that breaks once where the reference says so. */
const onAWire = (company: Florin, provider: PaymentProvider): PaymentProvider => {
  const references = new Map<string, string | null>()
  const lost = new Set<string>()
  const losingOnce =
    (what: string, key: string): During =>
    (effect) =>
      Effect.suspend(() => {
        const on = losing[what]?.on
        if (on === undefined || lost.has(key)) return effect
        lost.add(key)
        return during(company, "lost", on)(effect)
      })
  const changing =
    (call: PaymentProvider["refund"], what: string): PaymentProvider["refund"] =>
    (change: ChargeChange) =>
      references.get(change.chargeKey) === what ? losingOnce(what, change.key)(call(change)) : call(change)
  return {
    ...provider,
    authorize: (request) => {
      const { reference, key } = request
      references.set(key, reference)
      const method = losing[reference ?? ""]?.method ?? (reference === "refundFails" ? "card" : reference)
      const paying = provider.authorize({ ...request, reference: method })
      return reference === "lost" ? losingOnce(reference, key)(paying) : paying
    },
    capture: changing(provider.capture, "captureLost"),
    void: changing(provider.void, "voidLost"),
    refund: (change) =>
      Effect.tap(changing(provider.refund, "refundLost")(change), () =>
        Effect.sync(() => {
          if (references.get(change.chargeKey) === "refundFails") company.settleRefund(change.chargeKey, "failed")
        })
      )
  }
}

const during =
  (company: Florin, fault: FlorinFault, on = /./): During =>
  (effect) =>
    Effect.acquireUseRelease(
      Effect.sync(() => company.misbehave(on, fault)),
      () => effect,
      () => Effect.sync(() => company.behave())
    )

let checkouts = 0

export const florinSubject = (company: Florin, changed: Partial<PaymentProvider> = {}): ConformanceSubject => {
  const event =
    (act: (key: string, amount?: bigint) => string): Happening =>
    ({ key }: ChargeRequest, amount) =>
      Effect.sync(() => noticeOf(act(key, amount)))
  return {
    provider: onAWire(company, { ...florin({ apiBase: company.apiBase }), ...changed }),
    account: accountOf("store_paid", "org_own", "test_own"),
    otherAccount: accountOf("store_else", "org_else", "test_else"),
    newCheckout: Effect.sync(() => `chk_${checkouts++}`),
    references: {
      captured: "card",
      authorized: "paylater",
      pending: "banktransfer",
      awaiting: null,
      failed: "unknown",
      lost: "lost",
      unseen: "lost",
      captureLost: "captureLost",
      voidLost: "voidLost",
      refundLost: "refundLost",
      refundPends: "ideal",
      refundFails: "refundFails"
    },
    happen: {
      captured: event((key) => company.become(key, "paid")),
      authorized: event((key) => company.become(key, "authorized")),
      failed: event((key) => company.become(key, "failed", "insufficient_funds")),
      expired: event((key) => company.become(key, "expired")),
      refunded: event(company.refund),
      refundSucceeded: event((key) => company.settleRefund(key, "refunded")),
      refundFailed: event((key) => company.settleRefund(key, "failed")),
      disputed: event(company.chargeBack),
      disputeWon: event(company.reverse)
    },
    capturesOnce: true,
    forget: () => Effect.sync(() => company.forgetKeys()),
    later: (milliseconds) => (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => company.advance(milliseconds)),
        () =>
          Effect.flatMap(Clock.Clock, (clock) =>
            Effect.provideService(effect, Clock.Clock, ahead(clock, milliseconds))
          ),
        () => Effect.sync(() => company.advance(-milliseconds))
      ),
    silent: during(company, "dropped"),
    outages: {
      "too many requests": during(company, "busy"),
      "a server that fails": during(company, "broken"),
      "a page of something in between": during(company, "page"),
      "an answer that is cut off": during(company, "cut")
    },
    foreign: Effect.sync(() => {
      const externalId = company.payElsewhere()
      return { externalId, notice: noticeOf(`id=${externalId}`) }
    }),
    rotated: {
      both: accountOf("store_paid", "org_own", "test_own_renewed", "test_own"),
      afterwards: accountOf("store_paid", "org_own", "test_own_renewed")
    },
    rejected: accountOf("store_paid", "org_own", "test_revoked")
  }
}

const ahead = (clock: Clock.Clock, milliseconds: number): Clock.Clock =>
  Object.create(clock, {
    currentTimeMillisUnsafe: { value: () => clock.currentTimeMillisUnsafe() + milliseconds },
    currentTimeMillis: { value: Effect.map(clock.currentTimeMillis, (now) => now + milliseconds) }
  })
