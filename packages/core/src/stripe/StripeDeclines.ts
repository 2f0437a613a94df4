/**
 * Why Stripe declined, in the words of the port. Where Stripe asks not to tell the person at the till that a card was
 * reported as lost, stolen or fraudulent, it is `card_declined` like any other: the merchant reads Stripe's own text.
 * Sources: https://docs.stripe.com/declines/codes and https://docs.stripe.com/error-codes
 */
import type { DeclineCode } from "../payment/DeclineCode.ts"

const words = (text: string, code: DeclineCode): ReadonlyArray<readonly [string, DeclineCode]> =>
  text.split(" ").map((word) => [word, code] as const)

/** By `decline_code` of a card error. */
const byDeclineCode: ReadonlyMap<string, DeclineCode> = new Map([
  ...words(
    "authentication_required authentication_not_handled approve_with_id mobile_device_authentication_required " +
      "offline_pin_required online_or_offline_pin_required pin_try_exceeded",
    "authentication_failed"
  ),
  ...words("insufficient_funds", "insufficient_funds"),
  ...words("expired_card", "expired_card"),
  ...words(
    "incorrect_address incorrect_cvc incorrect_number incorrect_pin incorrect_zip invalid_account invalid_cvc " +
      "invalid_expiry_month invalid_expiry_year invalid_number invalid_pin new_account_information_available",
    "incorrect_details"
  ),
  ...words("card_velocity_exceeded invalid_amount withdrawal_count_limit_exceeded", "limit_exceeded"),
  ...words("currency_not_supported", "currency_not_supported"),
  ...words("issuer_not_available processing_error reenter_transaction try_again_later", "processing_error")
])

/** By `code` of an error, where no `decline_code` says more. */
const byErrorCode: ReadonlyMap<string, DeclineCode> = new Map([
  ...words("card_declined payment_method_provider_decline payment_intent_payment_attempt_failed", "card_declined"),
  ...words("card_decline_rate_limit_exceeded", "limit_exceeded"),
  ...words("expired_card", "expired_card"),
  ...words(
    "incorrect_address incorrect_cvc incorrect_number incorrect_zip invalid_cvc invalid_expiry_month " +
      "invalid_expiry_year invalid_number bank_account_unusable bank_account_unverified",
    "incorrect_details"
  ),
  ...words("insufficient_funds", "insufficient_funds"),
  ...words("authentication_required payment_intent_authentication_failure", "authentication_failed"),
  ...words("payment_method_currency_mismatch payment_method_invalid_currency", "currency_not_supported"),
  ...words("payment_method_customer_decline", "cancelled"),
  ...words(
    "payment_method_provider_timeout payment_intent_payment_attempt_expired charge_expired_for_capture",
    "expired"
  ),
  ...words("processing_error payment_method_not_available", "processing_error")
])

/** By `cancellation_reason` of a PaymentIntent; those that the merchant or we give are `cancelled`. */
const byCancellation: ReadonlyMap<string, DeclineCode> = new Map([
  ...words("automatic expired", "expired"),
  ...words("fraudulent", "suspected_fraud")
])

interface Declined {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
}

/** Undefined where the error is no decline, such as a parameter that is missing. */
export const declineOf = ({ code, decline_code }: Declined): DeclineCode | undefined => {
  const known = byDeclineCode.get(decline_code ?? "") ?? byErrorCode.get(code ?? "")
  return known ?? (decline_code ? "card_declined" : undefined)
}

export const cancellationOf = (reason: string | null): DeclineCode => byCancellation.get(reason ?? "") ?? "cancelled"
