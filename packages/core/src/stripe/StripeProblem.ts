/** What went wrong in a call of Stripe's API, and what that says about the money. */
import { Data, Predicate } from "effect"
import type { DeclineCode } from "../payment/DeclineCode.ts"
import { PaymentDeclined, PaymentFailed, PaymentUnanswered } from "../payment/PaymentErrors.ts"
import { InexactAmount } from "./StripeAmount.ts"
import { declineOf } from "./StripeDeclines.ts"

/**
 * - `declined`: the shopper's bank or Stripe did not allow it.
 * - `rejected`: Stripe could not accept the request, and did nothing.
 * - `missing`: there is no such object in this account.
 * - `conflict`: the idempotency key was used before with other parameters, so an earlier request may have done it.
 * - `denied`: the key of the account is not accepted; it says nothing about an earlier request.
 * - `unanswered`: anything else; it may have been done.
 */
export class StripeProblem extends Data.TaggedError("StripeProblem")<{
  readonly kind: "declined" | "rejected" | "missing" | "conflict" | "denied" | "unanswered"
  readonly reason: string
  readonly decline?: DeclineCode
}> {
  /** Nothing was done, and nothing of this request will be. */
  get isFinal(): boolean {
    return this.kind === "declined" || this.kind === "rejected" || this.kind === "missing"
  }
}

/** The fields of the SDK's errors that are read here. Headers and bodies are left alone: they end in no log. */
interface RawError {
  readonly type: string
  readonly message?: string
  readonly statusCode?: number
  readonly code?: string
  readonly decline_code?: string
}

const isStripeError = (error: unknown): error is RawError =>
  Predicate.hasProperty(error, "type") && typeof error.type === "string" && error.type.startsWith("Stripe")

export const problemOf = (error: unknown): StripeProblem => {
  if (error instanceof StripeProblem) return error
  if (error instanceof InexactAmount) return new StripeProblem({ kind: "rejected", reason: error.message })
  if (!isStripeError(error)) return new StripeProblem({ kind: "unanswered", reason: "the call of Stripe failed" })
  const reason = reasonOf(error)
  switch (error.type) {
    case "StripeCardError":
      return new StripeProblem({ kind: "declined", reason, decline: declineOf(error) ?? "card_declined" })
    case "StripeInvalidRequestError": {
      const decline = declineOf(error)
      if (decline !== undefined) return new StripeProblem({ kind: "declined", reason, decline })
      return new StripeProblem({ kind: error.statusCode === 404 ? "missing" : "rejected", reason })
    }
    case "StripeIdempotencyError":
      return new StripeProblem({ kind: "conflict", reason })
    case "StripeAuthenticationError":
    case "StripePermissionError":
      return new StripeProblem({ kind: "denied", reason: "Stripe does not accept the secret key for this request" })
    default:
      return new StripeProblem({ kind: "unanswered", reason })
  }
}

/** Stripe's text with its code. Messages about keys quote a part of them: those of a 401 or 403 are not passed on. */
const reasonOf = ({ message, code, decline_code }: RawError): string => {
  const word = decline_code ?? code
  return `${message ?? "Stripe reported an error"}${word ? ` (${word})` : ""}`
}

export const unanswered = ({ reason }: StripeProblem): PaymentUnanswered => new PaymentUnanswered({ reason })

/** For a capture, a void or a refund. */
export const changeFailure = (problem: StripeProblem): PaymentFailed | PaymentUnanswered =>
  problem.isFinal ? new PaymentFailed({ reason: problem.reason }) : unanswered(problem)

/** For a payment. */
export const paymentFailure = (problem: StripeProblem): PaymentDeclined | PaymentFailed | PaymentUnanswered =>
  problem.decline === undefined
    ? changeFailure(problem)
    : new PaymentDeclined({ code: problem.decline, reason: problem.reason })
