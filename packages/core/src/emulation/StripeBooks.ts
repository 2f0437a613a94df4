/**
 * The books of an emulated Stripe account: PaymentIntents, their charges, refunds and disputes, and the events that
 * Stripe would send. `StripeCalls` is the API over them; the functions here are what shoppers, banks and the dashboard
 * do.
 */
import { randomBytes } from "node:crypto"

import {
  actions,
  bankDebits,
  declines,
  type EmulatedCharge,
  type EmulatedDispute,
  type EmulatedError,
  EmulatedFailure,
  type EmulatedIntent,
  type EmulatedRefund,
  invalid,
  paid,
  shownIntent
} from "./StripeObjects.ts"

export interface Emitted {
  readonly type: string
  readonly object: object
}

const payable: ReadonlyArray<string> = ["requires_payment_method", "requires_confirmation", "requires_action"]
const reservedDays = 7
const day = 86_400

interface BooksOptions {
  readonly livemode: boolean
  /** Unix seconds. */
  readonly now: () => number
  readonly emit: (event: Emitted) => void
}

export const makeStripeBooks = ({ livemode, now, emit }: BooksOptions) => {
  const intents = new Map<string, EmulatedIntent>()
  const refunds: Array<EmulatedRefund> = []
  const disputes: Array<EmulatedDispute> = []
  const switches = { refundsArePending: false }
  const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`

  const told = (intent: EmulatedIntent, type: string) => {
    emit({ type: `payment_intent.${type}`, object: shownIntent(intent, false) })
    return intent
  }
  const get = (id: string): EmulatedIntent => {
    const found = intents.get(id)
    if (found === undefined)
      throw invalid(`No such payment_intent: '${id}'`, { code: "resource_missing", param: "intent" }, 404)
    return found
  }
  const inState = (intent: EmulatedIntent, states: ReadonlyArray<string>, what: string) => {
    if (!states.includes(intent.status))
      throw invalid(`You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`, {
        code: "payment_intent_unexpected_state"
      })
    return intent
  }
  const charged = (intent: EmulatedIntent, status: EmulatedCharge["status"], type = "card") => {
    const isReserved = status === "succeeded" && intent.capture_method === "manual"
    intent.latest_charge = {
      id: newId("ch"),
      object: "charge",
      payment_intent: intent.id,
      amount: intent.amount,
      metadata: intent.metadata,
      created: now(),
      status,
      payment_method_details: {
        type,
        ...(type === "card" ? { card: isReserved ? { capture_before: now() + reservedDays * day } : {} } : {})
      }
    }
  }
  const succeed = (intent: EmulatedIntent, type?: string) => {
    charged(intent, "succeeded", type)
    intent.next_action = null
    intent.last_payment_error = null
    if (intent.capture_method === "manual") {
      intent.status = "requires_capture"
      intent.amount_capturable = intent.amount
      return told(intent, "amount_capturable_updated")
    }
    intent.status = "succeeded"
    intent.amount_received = intent.amount
    return told(intent, "succeeded")
  }
  const fail = (intent: EmulatedIntent, error: EmulatedError, type?: string) => {
    charged(intent, "failed", type)
    intent.status = "requires_payment_method"
    intent.next_action = null
    intent.last_payment_error = error
    return told(intent, "payment_failed")
  }
  const refundMade = (
    intent: EmulatedIntent,
    amount: number,
    metadata: EmulatedRefund["metadata"],
    isRelease = false
  ) => {
    const refund: EmulatedRefund = {
      id: newId("re"),
      object: "refund",
      payment_intent: intent.id,
      amount,
      currency: intent.currency,
      metadata,
      balance_transaction: isRelease || switches.refundsArePending ? null : newId("txn"),
      created: now(),
      status: switches.refundsArePending && !isRelease ? "pending" : "succeeded"
    }
    refunds.push(refund)
    emit({ type: "refund.created", object: refund })
    return refund
  }
  const refunded = (id: string) =>
    refunds.filter((r) => r.payment_intent === id && r.status !== "failed").reduce((sum, r) => sum + r.amount, 0)

  /** The shopper pays in Stripe's form, or the server confirms. Throws the decline. */
  const confirm = (id: string, method: string, returnUrl?: string) => {
    const intent = inState(get(id), payable, "confirm")
    if (intent.isRedirecting && returnUrl === undefined)
      throw invalid("You must provide a `return_url` when confirming this PaymentIntent.", { param: "return_url" })
    const refused = declines[method]
    if (refused !== undefined) {
      fail(intent, refused)
      throw new EmulatedFailure(402, refused)
    }
    if (actions.has(method)) {
      intent.status = "requires_action"
      intent.next_action =
        returnUrl === undefined
          ? { type: "use_stripe_sdk", use_stripe_sdk: {} }
          : {
              type: "redirect_to_url",
              redirect_to_url: { url: `https://hooks.stripe.com/3ds/${id}`, return_url: returnUrl }
            }
      return told(intent, "requires_action")
    }
    if (bankDebits.has(method)) {
      charged(intent, "pending", "us_bank_account")
      intent.status = "processing"
      return told(intent, "processing")
    }
    if (!paid.test(method))
      throw invalid(`No such PaymentMethod: '${method}'`, { code: "resource_missing", param: "payment_method" })
    return succeed(intent)
  }

  const cancel = (id: string, reason: string | null = null) => {
    const intent = inState(get(id), [...payable, "requires_capture"], "cancel")
    const held = intent.amount_capturable
    intent.status = "canceled"
    intent.cancellation_reason = reason
    intent.amount_capturable = 0
    intent.next_action = null
    if (held > 0) refundMade(intent, held, {}, true)
    return told(intent, "canceled")
  }

  return {
    switches,
    get,
    confirm,
    cancel,
    /** The newest first. */
    all: () => [...intents.values()].reverse(),
    refundsOf: (id: string) => refunds.filter((refund) => refund.payment_intent === id).reverse(),
    disputesOf: (id: string) => disputes.filter((dispute) => dispute.payment_intent === id).reverse(),
    open: (given: Pick<EmulatedIntent, "amount" | "currency" | "capture_method" | "metadata" | "isRedirecting">) => {
      const id = newId("pi")
      const intent: EmulatedIntent = {
        ...given,
        id,
        object: "payment_intent",
        client_secret: newId(`${id}_secret`),
        created: now(),
        livemode,
        amount_received: 0,
        amount_capturable: 0,
        status: "requires_payment_method",
        latest_charge: null,
        last_payment_error: null,
        next_action: null,
        cancellation_reason: null
      }
      intents.set(id, intent)
      return told(intent, "created")
    },
    capture: (id: string, amount?: number, metadata: EmulatedIntent["metadata"] = {}) => {
      const intent = inState(get(id), ["requires_capture"], "capture")
      const taken = amount ?? intent.amount_capturable
      if (taken > intent.amount_capturable)
        throw invalid("The amount to capture is greater than what can be captured.", { code: "amount_too_large" })
      const rest = intent.amount_capturable - taken
      intent.amount_received = taken
      intent.amount_capturable = 0
      intent.status = "succeeded"
      intent.metadata = { ...intent.metadata, ...metadata }
      if (rest > 0) refundMade(intent, rest, {}, true)
      return told(intent, "succeeded")
    },
    refund: (id: string, amount?: number, metadata: EmulatedRefund["metadata"] = {}) => {
      const intent = inState(get(id), ["succeeded"], "refund")
      const released = (intent.latest_charge?.amount ?? 0) - intent.amount_received
      const left = intent.amount_received + released - refunded(id)
      if ((amount ?? left) > left || left === 0)
        throw invalid("Refund amount is greater than unrefunded amount on charge.", { code: "charge_already_refunded" })
      return refundMade(intent, amount ?? left, metadata)
    },
    /** The bank of the shopper has answered: the shopper passed, or failed, the authentication. */
    authenticate: (id: string, passes: boolean) => {
      const intent = inState(get(id), ["requires_action"], "authenticate")
      return passes
        ? succeed(intent)
        : fail(intent, {
            type: "invalid_request_error",
            code: "payment_intent_authentication_failure",
            message: "The provided PaymentMethod has failed authentication."
          })
    },
    /** A bank debit ends, days after it began. */
    settle: (id: string, succeeds: boolean) => {
      const intent = inState(get(id), ["processing"], "settle")
      const error = { type: "card_error", code: "insufficient_funds", message: "The account has insufficient funds." }
      return succeeds ? succeed(intent, "us_bank_account") : fail(intent, error, "us_bank_account")
    },
    settleRefund: (refundId: string, status: "succeeded" | "failed") => {
      for (const refund of refunds.filter(({ id }) => id === refundId)) {
        refund.status = status
        emit({ type: status === "failed" ? "refund.failed" : "refund.updated", object: refund })
      }
    },
    dispute: (id: string, amount?: number) => {
      const intent = get(id)
      const dispute: EmulatedDispute = {
        id: newId("dp"),
        object: "dispute",
        payment_intent: id,
        amount: amount ?? intent.amount_received,
        currency: intent.currency,
        reason: "fraudulent",
        evidence_details: { due_by: now() + 10 * day },
        created: now(),
        status: "needs_response"
      }
      disputes.push(dispute)
      emit({ type: "charge.dispute.created", object: dispute })
      return dispute
    },
    closeDispute: (disputeId: string, status: "won" | "lost" | "warning_closed") => {
      for (const dispute of disputes.filter(({ id }) => id === disputeId)) {
        dispute.status = status
        emit({ type: "charge.dispute.closed", object: dispute })
      }
    }
  }
}
export type StripeBooks = ReturnType<typeof makeStripeBooks>
