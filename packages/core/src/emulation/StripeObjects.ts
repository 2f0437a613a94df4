/** What the emulated Stripe keeps, and its test payment methods. */

export interface EmulatedRefund {
  readonly id: string
  readonly object: "refund"
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  readonly balance_transaction: string | null
  readonly created: number
  status: "pending" | "succeeded" | "failed"
}

export interface EmulatedDispute {
  readonly id: string
  readonly object: "dispute"
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly reason: string
  readonly evidence_details: { readonly due_by: number }
  readonly created: number
  status: string
}

export interface EmulatedCharge {
  readonly id: string
  readonly object: "charge"
  readonly payment_intent: string
  readonly amount: number
  readonly metadata: Readonly<Record<string, string>>
  readonly payment_method_details: { readonly type: string; readonly card?: { readonly capture_before?: number } }
  readonly created: number
  status: "succeeded" | "pending" | "failed"
}

export interface EmulatedIntent {
  readonly id: string
  readonly object: "payment_intent"
  readonly amount: number
  readonly currency: string
  readonly capture_method: string
  readonly client_secret: string
  readonly created: number
  readonly livemode: boolean
  readonly isRedirecting: boolean
  amount_received: number
  amount_capturable: number
  status: string
  metadata: Readonly<Record<string, string>>
  latest_charge: EmulatedCharge | null
  last_payment_error: EmulatedError | null
  next_action: unknown
  cancellation_reason: string | null
}

export interface EmulatedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
}

/** An answer that is an error. */
export class EmulatedFailure extends Error {
  readonly status: number
  readonly error: EmulatedError
  constructor(status: number, error: EmulatedError) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalid = (message: string, more: Partial<EmulatedError> = {}, status = 400): EmulatedFailure =>
  new EmulatedFailure(status, { type: "invalid_request_error", message, ...more })

const declined = (decline_code: string, code = "card_declined"): EmulatedError => ({
  type: "card_error",
  code,
  decline_code,
  message: "Your card was declined."
})

/** Test payment methods by Stripe's own names: those declined, in need of the shopper's bank, slow, and paid. */
export const declines: Readonly<Record<string, EmulatedError>> = {
  pm_card_visa_chargeDeclined: declined("generic_decline"),
  pm_card_visa_chargeDeclinedInsufficientFunds: declined("insufficient_funds"),
  pm_card_visa_chargeDeclinedLostCard: declined("lost_card"),
  pm_card_chargeDeclinedExpiredCard: declined("expired_card", "expired_card"),
  pm_card_chargeDeclinedIncorrectCvc: declined("incorrect_cvc", "incorrect_cvc"),
  pm_card_chargeDeclinedProcessingError: declined("processing_error", "processing_error")
}
export const actions: ReadonlySet<string> = new Set(["pm_card_threeDSecure2Required", "pm_card_authenticationRequired"])
export const bankDebits: ReadonlySet<string> = new Set(["pm_usBankAccount"])
export const paid = /^(pm_card_(visa|mastercard|amex)|ctoken_\w+)$/

/** As the API shows it: the charge is an id where it was not asked for. */
export const shownIntent = ({ isRedirecting: _, ...intent }: EmulatedIntent, isExpanded: boolean): object => ({
  ...intent,
  latest_charge: isExpanded ? intent.latest_charge : (intent.latest_charge?.id ?? null)
})
