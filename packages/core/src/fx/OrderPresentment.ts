/**
 * The money of an order whose payment provider was asked in another currency. Books are kept in the order's currency:
 * all that the provider was asked for is exactly the amount that was due, a part is in proportion and less than the
 * whole. Pure; amounts are minor units.
 */
import { Schema } from "effect"
import { formatMoney, greatest, least } from "../kernel/Money.ts"
import { divideRounded } from "../kernel/Rounding.ts"
import type { Charge, ChargeRefund } from "../payment/PaymentProvider.ts"

export const OrderPresentment = Schema.Struct({
  /** The payment that the provider was asked for. */
  paymentId: Schema.String,
  currency: Schema.String,
  rate: Schema.String,
  bufferPercent: Schema.String,
  /** Converted amounts were rounded to a multiple of these minor units. */
  rounding: Schema.BigInt,
  /** What was due when the provider was asked, in the order's currency. */
  due: Schema.BigInt,
  /** The same as the provider was asked for it. */
  amount: Schema.BigInt,
  /** What the provider has captured, and what of it has been refunded. */
  captured: Schema.BigInt,
  refunded: Schema.BigInt
})
export type OrderPresentment = typeof OrderPresentment.Type

/** How a payment provider is asked for the amount that is due. */
export type AskedPresentment = Omit<OrderPresentment, "paymentId" | "due" | "captured" | "refunded">

/** Before the provider has taken anything. `payment`: the one for the amount that is due. */
export const begunPresentment = (
  asked: AskedPresentment | null | undefined,
  payment: { readonly id: string; readonly amount: bigint } | undefined
): OrderPresentment | null =>
  asked === null || asked === undefined || payment === undefined
    ? null
    : { ...asked, paymentId: payment.id, due: payment.amount, captured: 0n, refunded: 0n }

/** As it is read from JSON. */
export type StoredPresentment = {
  readonly [K in keyof OrderPresentment]: string
}

export const readPresentment = (stored: StoredPresentment): OrderPresentment => ({
  ...stored,
  rounding: BigInt(stored.rounding),
  due: BigInt(stored.due),
  amount: BigInt(stored.amount),
  captured: BigInt(stored.captured),
  refunded: BigInt(stored.refunded)
})

type Asked = Pick<OrderPresentment, "due" | "amount">

/** A part of a sum is never all of it. */
const partOf = (part: bigint, whole: bigint): bigint => least(part, greatest(0n, whole - 1n))

/** What the provider's money is in the order's currency. */
export const booked = ({ due, amount }: Asked, taken: bigint): bigint => {
  const share = divideRounded(taken * due, amount, "half_up")
  return taken >= amount ? greatest(due, share) : partOf(share, due)
}

/**
 * What refunds that come to `returned` are in the order's currency, of a charge that has `captured`: all that was
 * captured is returned by the last of them, whatever the others were rounded to.
 */
export const bookedReturn = (asked: Asked, captured: bigint, returned: bigint): bigint =>
  returned >= captured ? booked(asked, returned) : partOf(booked(asked, returned), booked(asked, captured))

const bookedRefunds = (
  asked: Asked,
  { captured, refunds }: Pick<Charge, "captured" | "refunds">
): ReadonlyArray<ChargeRefund> => {
  let returned = 0n
  return refunds.map((refund) => {
    const after = returned + greatest(0n, refund.amount)
    const amount = bookedReturn(asked, captured, after) - bookedReturn(asked, captured, returned)
    if (refund.status === "succeeded") returned = after
    return { ...refund, amount }
  })
}

/** The charge in the order's currency. A refund of less than half a minor unit is booked with a later one. */
export const bookedCharge = (asked: Asked, currency: string, charge: Charge): Charge => ({
  ...charge,
  currency,
  amount: booked(asked, charge.amount),
  captured: booked(asked, charge.captured),
  refunds: bookedRefunds(asked, charge),
  disputes: charge.disputes.map((dispute) => ({ ...dispute, amount: booked(asked, dispute.amount) }))
})

/** With what the provider says now. */
export const withCharge = <P extends OrderPresentment>(presentment: P, { captured, refunds }: Charge): P => ({
  ...presentment,
  captured,
  refunded: refunds.reduce((sum, { status, amount }) => (status === "succeeded" ? sum + amount : sum), 0n)
})

/** As an order shows it. What was captured above the amount that was asked for is returned first, and not shown. */
export const presentedAmounts = ({ currency, amount, captured, refunded }: OrderPresentment) => {
  const ours = least(captured, amount)
  const returned = least(greatest(0n, refunded - (captured - ours)), ours)
  return {
    paymentAmount: formatMoney(amount, currency),
    paymentCurrency: currency,
    paymentRefundedAmount: formatMoney(returned, currency)
  }
}
