/** What follows from a charge as its provider has it. Amounts in minor units. Pure. */
import type { Charge, ChargeRefund } from "./PaymentProvider.ts"

const sumOf = (refunds: ReadonlyArray<ChargeRefund>): bigint => refunds.reduce((sum, { amount }) => sum + amount, 0n)

/** What has been refunded for good. */
export const refundedOf = ({ refunds }: Charge): bigint => sumOf(refunds.filter(({ status }) => status === "succeeded"))

/** What is on its way back. */
export const refundingOf = ({ refunds }: Charge): bigint => sumOf(refunds.filter(({ status }) => status === "pending"))

/** Whether no money was moved and none will be. */
export const isOver = ({ state }: Charge): boolean => state === "failed" || state === "voided"

/** Whether no refund of it is on its way and no dispute is open. */
export const isQuiet = (charge: Charge): boolean =>
  refundingOf(charge) === 0n && charge.disputes.every(({ status }) => status !== "open")

/** Whether the charge will stay as it is unless somebody changes it at the provider. */
export const isFinal = (charge: Charge): boolean =>
  isQuiet(charge) && (isOver(charge) || (charge.state === "captured" && charge.captured >= charge.amount))

/** Whether the provider speaks of another amount or currency than was asked for. Then nothing of it is booked. */
export const isOtherThan = ({ amount, currency }: Pick<Charge, "amount" | "currency">, charge: Charge): boolean =>
  charge.currency !== currency || charge.amount !== amount

/** The most refunds, and the most disputes, of a charge that are stored and followed. */
const mostListed = 1_000

/** Whether a person has to look at the charge: no shop refunds one so often. Nothing of it is booked. */
export const isTooLong = ({ refunds, disputes }: Charge): boolean =>
  refunds.length > mostListed || disputes.length > mostListed
