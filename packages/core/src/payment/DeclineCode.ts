/**
 * Why a payment was not made, in words that are the same for every provider. Shoppers are shown these alone: a
 * provider's own text may say more than a stranger with somebody else's card should read.
 */
import { Schema } from "effect"

export const declineCodes = [
  "card_declined",
  "insufficient_funds",
  "expired_card",
  "incorrect_details",
  "authentication_failed",
  "limit_exceeded",
  "currency_not_supported",
  "suspected_fraud",
  "cancelled",
  "expired",
  "processing_error"
] as const
export const DeclineCode = Schema.Literals(declineCodes)
export type DeclineCode = typeof DeclineCode.Type
