/**
 * A PaymentIntent, its refunds and its disputes as a charge of the port. Our key of the charge is in the metadata of
 * the PaymentIntent; that of each refund and each capture in the metadata that is written in the same request.
 */
import type { Stripe } from "stripe"
import { sha256Hex } from "../crypto/Hashing.ts"
import type { DeclineCode } from "../payment/DeclineCode.ts"
import type {
  Charge,
  ChargeDispute,
  ChargeRefund,
  ChargeRequest,
  ChargeState,
  NextAction
} from "../payment/PaymentProvider.ts"
import { fromStripeAmount } from "./StripeAmount.ts"
import { cancellationOf, declineOf } from "./StripeDeclines.ts"

export const keyField = "commerce_key"

export const metadataOf = ({ key, account, checkoutId }: ChargeRequest): Readonly<Record<string, string>> => ({
  [keyField]: key,
  commerce_store_id: account.storeId ?? "",
  commerce_checkout_id: checkoutId
})

/** The field of a PaymentIntent's metadata that says that a capture of ours was done. At most 40 characters. */
export const captureField = (key: string): string => `commerce_capture_${sha256Hex(key).slice(0, 20)}`

export const keyOf = (metadata: Stripe.Metadata | null | undefined): string | null => metadata?.[keyField] ?? null

/** Bank debits, whose failure comes days later, when no shopper is there to try another way. */
const bankDebits: ReadonlySet<string> = new Set(
  "acss_debit au_becs_debit bacs_debit nz_bank_account sepa_debit us_bank_account".split(" ")
)

export interface ChargeParts {
  readonly intent: Stripe.PaymentIntent
  /** The newest first, as Stripe lists them. */
  readonly refunds: ReadonlyArray<Stripe.Refund>
  readonly disputes: ReadonlyArray<Stripe.Dispute>
}

/** Throws InexactAmount where an amount of Stripe's is no whole number of our minor units. */
export const chargeOf = ({ intent, refunds, disputes }: ChargeParts): Charge => {
  const attempt = attemptOf(intent)
  const state = stateOf(intent, attempt)
  const ours = (amount: number) => fromStripeAmount(amount, intent.currency)
  const authorized = isReserved(attempt) ? ours(attempt?.amount ?? 0) : 0n
  return {
    externalId: intent.id,
    key: keyOf(intent.metadata),
    state,
    amount: ours(intent.amount),
    currency: intent.currency.toUpperCase(),
    authorized,
    captured: ours(intent.amount_received),
    refunds: refunds
      .filter((refund) => !isRelease(refund, intent, attempt))
      .map((refund) => refundOf(refund, ours(refund.amount)))
      .reverse(),
    disputes: disputes.map((dispute) => disputeOf(dispute, ours(dispute.amount))).reverse(),
    expiresAt: state === "authorized" ? captureBefore(attempt) : null,
    nextAction: state === "awaiting_shopper" ? nextActionOf(intent) : null,
    reason: state === "failed" || state === "voided" ? reasonOf(intent) : null
  }
}

/** The latest attempt to pay. It is expanded in every request of ours. */
const attemptOf = ({ latest_charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof latest_charge === "string" ? null : latest_charge

const isReserved = (attempt: Stripe.Charge | null): boolean => attempt?.status === "succeeded"

const stateOf = (intent: Stripe.PaymentIntent, attempt: Stripe.Charge | null): ChargeState => {
  switch (intent.status) {
    case "requires_payment_method":
      return hasFailedLater(attempt) ? "failed" : "awaiting_shopper"
    case "requires_confirmation":
    case "requires_action":
      return "awaiting_shopper"
    case "requires_capture":
      return "authorized"
    case "succeeded":
      return "captured"
    case "canceled":
      return isReserved(attempt) ? "voided" : "failed"
    default:
      return "pending"
  }
}

const hasFailedLater = (attempt: Stripe.Charge | null): boolean =>
  attempt?.status === "failed" && bankDebits.has(attempt.payment_method_details?.type ?? "")

const reasonOf = (intent: Stripe.PaymentIntent): DeclineCode => {
  const declined = intent.last_payment_error === null ? undefined : declineOf(intent.last_payment_error)
  return declined ?? (intent.status === "canceled" ? cancellationOf(intent.cancellation_reason) : "card_declined")
}

/** Stripe's own text of why the last attempt failed, for the merchant. */
export const textOfFailure = ({ last_payment_error }: Stripe.PaymentIntent): string =>
  last_payment_error?.message ?? "the payment was cancelled"

const nextActionOf = ({ client_secret, next_action }: Stripe.PaymentIntent): NextAction => ({
  redirectUrl: next_action?.redirect_to_url?.url ?? null,
  clientSecret: client_secret
})

const captureBefore = (attempt: Stripe.Charge | null): Date | null => {
  const seconds = attempt?.payment_method_details?.card?.capture_before
  return seconds === undefined ? null : new Date(seconds * 1_000)
}

/**
 * What was reserved and not captured is released by a refund of Stripe's, which returns no money of ours: of a charge
 * without any captured money each is one, and of a part that was captured the one that is as large as the rest.
 */
const isRelease = (refund: Stripe.Refund, intent: Stripe.PaymentIntent, attempt: Stripe.Charge | null): boolean => {
  if (intent.amount_received === 0) return true
  if (keyOf(refund.metadata) !== null || refund.balance_transaction !== null) return false
  const rest = (attempt?.amount ?? 0) - intent.amount_received
  return rest > 0 && refund.amount === rest
}

const refundOf = (refund: Stripe.Refund, amount: bigint): ChargeRefund => ({
  id: refund.id,
  key: keyOf(refund.metadata),
  amount,
  status: statusOfRefund(refund)
})

const statusOfRefund = ({ status }: Stripe.Refund): ChargeRefund["status"] => {
  if (status === "succeeded") return "succeeded"
  return status === "failed" || status === "canceled" ? "failed" : "pending"
}

const disputeOf = (dispute: Stripe.Dispute, amount: bigint): ChargeDispute => {
  const due = dispute.evidence_details?.due_by ?? null
  return {
    id: dispute.id,
    amount,
    status: statusOfDispute(dispute.status),
    reason: dispute.reason,
    dueAt: due === null ? null : new Date(due * 1_000)
  }
}

/** An inquiry that was closed, and a dispute that was prevented, took nothing. */
const statusOfDispute = (status: string): ChargeDispute["status"] => {
  if (status === "lost") return "lost"
  return status === "won" || status === "warning_closed" || status === "prevented" ? "won" : "open"
}
