/** Which payment of an order is captured or released, and what of it. Pure; minor units of the order's currency. */
import { Effect } from "effect"
import type { OrderPresentment } from "../../fx/OrderPresentment.ts"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import { formatMoney, greatest, least } from "../../kernel/Money.ts"
import { divideRounded } from "../../kernel/Rounding.ts"
import type { OrderPayment, OrderState } from "../../order/Order.ts"
import { CaptureExceedsReserved, ChargeAlreadyCaptured, NothingReserved } from "../ChargeChangeErrors.ts"

const chosen = (
  { payments }: OrderState,
  paymentId: string | undefined,
  isOfProvider: (payment: OrderPayment) => boolean
): Effect.Effect<OrderPayment, FieldRejected | NothingReserved> => {
  if (paymentId !== undefined) {
    const found = payments.find(({ id }) => id === paymentId)
    return found === undefined ? FieldRejected.at("paymentId", "is no payment of this order") : Effect.succeed(found)
  }
  const ofProviders = payments.filter((payment) => payment.reference !== null && isOfProvider(payment))
  const open = ofProviders.find(({ status }) => status === "authorized") ?? ofProviders[0]
  return open === undefined
    ? Effect.fail(new NothingReserved({ reason: "by_hand", paymentId: null }))
    : Effect.succeed(open)
}

/** Why nothing is reserved; undefined where something is. */
const missing = (payment: OrderPayment, isOfProvider: boolean, now: number): NothingReserved | undefined => {
  const { id: paymentId, status, expiresAt = null, failure } = payment
  const none = (reason: NothingReserved["reason"]) => new NothingReserved({ reason, paymentId })
  if (!isOfProvider || payment.reference === null) return none("by_hand")
  if (status === "voided") return none(failure === "expired" ? "expired" : "voided")
  if (status === "failed") return none("failed")
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return none("expired")
  // Some providers let the rest go with the first capture, and every one once it has lapsed.
  if (status === "captured" && expiresAt === null) return none("released")
  return status === "pending" ? none("pending") : undefined
}

export interface ReservedChoice {
  readonly paymentId: string | undefined
  readonly isOfProvider: (payment: OrderPayment) => boolean
  readonly now: number
}

/** The payment that has something to capture. */
export const capturable = Effect.fnUntraced(function* (order: OrderState, choice: ReservedChoice) {
  const payment = yield* chosen(order, choice.paymentId, choice.isOfProvider)
  if (payment.captured > 0n && payment.captured >= payment.amount)
    return yield* new ChargeAlreadyCaptured({ paymentId: payment.id, isUnderWay: false })
  const refusal = missing(payment, choice.isOfProvider(payment), choice.now)
  return refusal === undefined ? payment : yield* refusal
})

/** The payment that has a reservation of which nothing is captured. */
export const releasable = Effect.fnUntraced(function* (order: OrderState, choice: ReservedChoice) {
  const payment = yield* chosen(order, choice.paymentId, choice.isOfProvider)
  if (payment.captured > 0n) return yield* new ChargeAlreadyCaptured({ paymentId: payment.id, isUnderWay: false })
  const refusal = missing(payment, choice.isOfProvider(payment), choice.now)
  return refusal === undefined ? payment : yield* refusal
})

/** What is captured; all that is left by default. */
export const captureAmount = (
  { currency }: Pick<OrderState, "currency">,
  { amount, captured }: OrderPayment,
  asked: bigint | undefined
): Effect.Effect<bigint, CaptureExceedsReserved> => {
  const left = amount - captured
  if (asked === undefined || asked <= left) return Effect.succeed(asked ?? left)
  return Effect.fail(
    new CaptureExceedsReserved({ amount: formatMoney(asked, currency), reserved: formatMoney(left, currency) })
  )
}

/** What the provider is asked for, in its own currency: all that is left there with the last of it. */
export const presentedCapture = (
  presentment: OrderPresentment,
  { amount, captured }: OrderPayment,
  asked: bigint
): bigint => {
  const left = presentment.amount - presentment.captured
  if (asked >= amount - captured) return left
  const target = divideRounded((captured + asked) * presentment.amount, presentment.due, "half_up")
  return greatest(0n, least(target - presentment.captured, left - 1n))
}
