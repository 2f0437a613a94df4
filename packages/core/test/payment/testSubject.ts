/** The `test` provider as a subject of the conformance checks, as it is, with accounts of stores, and with unsigned notices. */
import { Clock, Effect, Redacted } from "effect"
import { hmacSha256Hex, sha256Hex } from "../../src/crypto/Hashing.ts"
import { makeId } from "../../src/kernel/Ids.ts"
import {
  CredentialsRejected,
  NoticeRejected,
  PaymentFailed,
  PaymentUnanswered
} from "../../src/payment/PaymentErrors.ts"
import type { ChargeRequest, PaymentProvider, ProviderAccount } from "../../src/payment/PaymentProvider.ts"
import type { TestEvent } from "../../src/testpayment/TestEvents.ts"
import type { TestProvider } from "../../src/testpayment/TestProvider.ts"
import type { ConformanceSubject, During, Happening } from "../../src/testing/PaymentProviderBench.ts"

export const [storeId, otherStoreId] = ["store_paid", "store_else"]

/** The test provider reads no credentials: these are there so that a check would see them in an answer. */
export const secretKey = "sk_test_of_the_store"
export const accountOf = (store: string): ProviderAccount => ({
  storeId: store,
  providerId: "test",
  account: "",
  mode: "test",
  credentials: [Redacted.make({ secretKey: store === storeId ? secretKey : "sk_test_of_another" })]
})

let checkouts = 0
export const newCheckout = Effect.sync(() => makeId("chk", 1_700_000_000_000 + checkouts++))

/** Runs an effect with a clock that is ahead. */
export const later =
  (milliseconds: number): During =>
  (effect) =>
    Effect.flatMap(Clock.Clock, (clock) => {
      const ahead: Clock.Clock = Object.create(clock, {
        currentTimeMillisUnsafe: { value: () => clock.currentTimeMillisUnsafe() + milliseconds },
        currentTimeMillis: { value: Effect.map(clock.currentTimeMillis, (now) => now + milliseconds) }
      })
      return Effect.provideService(effect, Clock.Clock, ahead)
    })

const day = 86_400_000

export const subjectOf = (test: TestProvider["Service"], provider: PaymentProvider): ConformanceSubject => {
  const event =
    (type: TestEvent): Happening =>
    ({ checkoutId }, amount) =>
      Effect.flatMap(test.move(storeId, { checkoutId, type, amount }), (raw) =>
        raw === undefined ? Effect.die("no charge") : Effect.succeed(raw)
      )
  const during: During = (effect) =>
    Effect.acquireUseRelease(
      test.silence(day),
      () => effect,
      () => test.silence(0)
    )
  return {
    provider,
    account: accountOf(storeId),
    otherAccount: accountOf(otherStoreId),
    newCheckout,
    references: {
      captured: "approve",
      authorized: "authorize",
      pending: "pending",
      awaiting: null,
      declined: {
        card_declined: "decline",
        insufficient_funds: "insufficient_funds",
        expired_card: "expired_card",
        suspected_fraud: "suspected_fraud"
      },
      failed: "error",
      unanswered: "timeout",
      lost: "lost",
      unseen: "unseen",
      captureLost: "capture_lost",
      voidLost: "void_lost",
      refundLost: "refund_lost",
      refundPends: "refund_pends",
      refundFails: "refund_fails"
    },
    happen: {
      captured: event("captured"),
      authorized: event("authorized"),
      failed: event("failed"),
      expired: event("expired"),
      refunded: event("refunded"),
      refundSucceeded: event("refund_succeeded"),
      refundFailed: event("refund_failed"),
      disputed: event("disputed"),
      disputeWon: event("dispute_won"),
      disputeLost: event("dispute_lost")
    },
    largest: 9_007_199_254_740_993n,
    forget: ({ key }) => test.forget(storeId, key),
    later,
    silent: during,
    outages: { "too many requests": during },
    foreign: Effect.map(test.chargeElsewhere(storeId, 500n, "USD"), (notice) => ({
      externalId: String(JSON.parse(Buffer.from(notice.body).toString("utf8")).charges[0].externalId),
      notice
    })),
    batch: (requests: ReadonlyArray<ChargeRequest>) =>
      test.notice(
        storeId,
        requests.map(({ checkoutId }) => checkoutId)
      ),
    forged: (notice) => ({ ...notice, headers: { ...notice.headers, "x-test-signature": "0".repeat(64) } })
  }
}

/** As `subjectOf`, with notices that are unsigned. */
export const unsignedSubject = (test: TestProvider["Service"]): ConformanceSubject => {
  const subject = subjectOf(test, { ...test, notices: "unsigned" })
  const sent =
    (event: Happening | undefined): Happening =>
    (request, amount) =>
      Effect.andThen(
        event === undefined ? Effect.void : event(request, amount),
        test.notice(storeId, [request.checkoutId], "unsigned")
      )
  return { ...subject, happen: { ...subject.happen, refunded: sent(subject.happen?.refunded) } }
}

const signature = "x-test-signature"
const [newKey, rejectedKey] = ["sk_test_of_the_store_2", "sk_test_that_was_revoked"]
const withKeys = (...keys: ReadonlyArray<string>): ProviderAccount => ({
  ...accountOf(storeId),
  credentials: keys.map((one) => Redacted.make({ secretKey: one }))
})
const keysOf = ({ credentials }: ProviderAccount): ReadonlyArray<string> =>
  credentials.map((one) => Redacted.value(one)["secretKey"] ?? "")

const isRevoked = (account: ProviderAccount): boolean => keysOf(account)[0] === rejectedKey
const revoked = Effect.fail(new PaymentUnanswered({ reason: "The key was revoked" }))

/** The test provider as one whose stores have accounts of their own: its notices are signed by their credentials. */
const credentialed = (test: TestProvider["Service"]): PaymentProvider => ({
  ...test,
  credentialFields: { secretKey: "The secret key of the account" },
  check: (credentials) =>
    credentials !== null && Redacted.value(credentials)["secretKey"] === rejectedKey
      ? Effect.fail(new CredentialsRejected({ field: "secretKey", reason: "The key was revoked" }))
      : test.check(),
  authorize: (request) =>
    isRevoked(request.account)
      ? Effect.fail(new PaymentFailed({ reason: "The key was revoked" }))
      : test.authorize(request),
  lookup: (account, name) => (isRevoked(account) ? revoked : test.lookup(account, name)),
  lookupChange: (change, kind) => (isRevoked(change.account) ? revoked : test.lookupChange(change, kind)),
  verifyNotice: (account, raw) =>
    keysOf(account).some((key) => raw.headers[signature] === hmacSha256Hex(key, raw.body))
      ? Effect.succeed({ eventId: sha256Hex(raw.body) })
      : Effect.fail(new NoticeRejected({ reason: "The signature does not hold" }))
})

export const credentialedSubject = (test: TestProvider["Service"]): ConformanceSubject => {
  const subject = subjectOf(test, credentialed(test))
  const signedBy =
    (key: string): Happening =>
    (request, amount) =>
      Effect.map(subject.happen?.refunded?.(request, amount) ?? Effect.succeed(null), (raw) =>
        raw === null ? null : { ...raw, headers: { [signature]: hmacSha256Hex(key, raw.body) } }
      )
  const { foreign: _foreign, batch: _batch, ...rest } = subject
  return {
    ...rest,
    happen: { refunded: signedBy(secretKey) },
    rotated: { both: withKeys(newKey, secretKey), afterwards: withKeys(newKey), happen: signedBy(newKey) },
    rejected: withKeys(rejectedKey)
  }
}
