/**
 * What a `paymentReference` makes the `test` provider do.
 *
 * - `approve` captures · `decline` declines · `error` fails, nothing is charged · `timeout` does not answer the caller,
 *   and does not say what became of it before an event · `pending` leaves the money open until an event or a capture.
 * - Every decline code (`insufficient_funds`, `expired_card` …) declines with that code.
 * - `authorize` reserves for seven days. `redirect` sends the shopper to a page: the charge waits until an event, or
 *   until it is requested again with another reference. No reference at all waits as well, for one hour.
 * - `lost`, `authorize_lost`: captures or reserves, and the answer is lost. `unseen`: the same as `lost`, and lookups
 *   find nothing for five seconds. `unreachable`: the request never arrives.
 * - `capture_lost`, `void_lost`: reserves, and later the answer of that change is lost, after it was done.
 * - `refund_pends`, `refund_fails`, `refund_refused`, `refund_lost`: captures; later a refund stays pending until an
 *   event, fails after it was accepted, is refused, or is made with its answer lost.
 * - `wrong_amount`, `wrong_currency`: captures one minor unit more than was requested, or another currency.
 *
 * A lost answer is lost once: the same request again is answered.
 */
import type { DeclineCode } from "../payment/DeclineCode.ts"
import { declineCodes } from "../payment/DeclineCode.ts"
import type { ChangeKind } from "../payment/PaymentProvider.ts"
import { reservedFor, type TestCharge, type TestChargeStatus } from "./TestCharge.ts"

const statuses = {
  approve: "captured",
  decline: "declined",
  error: "failed",
  timeout: "processing",
  pending: "pending",
  authorize: "authorized",
  redirect: "awaiting_shopper",
  lost: "captured",
  authorize_lost: "authorized",
  unseen: "captured",
  unreachable: "failed",
  capture_lost: "authorized",
  void_lost: "authorized",
  refund_pends: "captured",
  refund_fails: "captured",
  refund_refused: "captured",
  refund_lost: "captured",
  wrong_amount: "captured",
  wrong_currency: "captured"
} as const satisfies Record<string, TestChargeStatus>
type StatusReference = keyof typeof statuses
export type TestReference = StatusReference | DeclineCode

export const testReferences = [...(Object.keys(statuses) as ReadonlyArray<StatusReference>), ...declineCodes]

export const testReferenceOf = (text: string): TestReference | undefined =>
  testReferences.find((known) => known === text)

const isDeclineCode = (reference: TestReference): reference is DeclineCode =>
  declineCodes.some((code) => code === reference)

/** What is reserved now, with its time limit. */
export const reserved = (charge: TestCharge, now: number): TestCharge => ({
  ...charge,
  status: "authorized",
  authorized: charge.amount,
  expiresAt: new Date(now + reservedFor),
  reason: null
})

/** A charge that the shopper pays by this reference. */
export const paidBy = (charge: TestCharge, reference: TestReference, now: number): TestCharge => {
  const paying = { ...charge, reference, expiresAt: null }
  if (isDeclineCode(reference)) return { ...paying, status: "declined", reason: reference }
  const status = statuses[reference]
  switch (status) {
    case "captured": {
      const amount = reference === "wrong_amount" ? charge.amount + 1n : charge.amount
      const currency = reference === "wrong_currency" ? otherCurrency(charge.currency) : charge.currency
      return { ...paying, status, amount, currency, authorized: amount, captured: amount }
    }
    case "authorized":
      return reserved(paying, now)
    case "awaiting_shopper":
      return { ...charge, reference, actionUrl: charge.actionUrl ?? actionUrlOf(charge.id, null) }
    case "declined":
      return { ...paying, status, reason: "card_declined" }
    case "failed":
      return { ...paying, status, reason: "processing_error" }
    default:
      return { ...paying, status }
  }
}

const otherCurrency = (currency: string): string => (currency === "EUR" ? "USD" : "EUR")

/** A page that nobody serves: the domain `.invalid` never resolves. */
export const actionUrlOf = (id: string, returnUrl: string | null): string =>
  `https://test-payments.invalid/pay/${id}${returnUrl === null ? "" : `?return=${encodeURIComponent(returnUrl)}`}`

/** Whether nobody hears what became of a payment, or of a change of it, when it is first requested. */
export const isLost = ({ reference }: TestCharge, act: "authorize" | ChangeKind): boolean =>
  act === "authorize"
    ? reference === "lost" || reference === "authorize_lost" || reference === "unseen"
    : reference === `${act}_lost`
