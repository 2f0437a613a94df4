/** The transactions of gift cards, and the balance that shoppers ask for. */
import { Schema } from "effect"
import { boolean, money, nullableString, oneOf, string, timestamp } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { type GiftCardState, giftCardStatusAt } from "./GiftCard.ts"

export const giftCardTransactionTypes = ["ISSUE", "ADJUST", "REDEEM", "REFUND"] as const

/** One entry of a card's ledger. */
export interface GiftCardTransaction {
  readonly id: string
  readonly type: (typeof giftCardTransactionTypes)[number]
  /** Minor units; below zero where it was taken off. */
  readonly amount: bigint
  /** After it. */
  readonly balance: bigint
  readonly orderId: string | null
  readonly reason: string | null
  readonly createdAt: Date
}

export const GiftCardTransactionView = Schema.Struct({
  id: string("Id of the transaction."),
  type: oneOf(
    giftCardTransactionTypes,
    "ISSUE: the value it was issued with. ADJUST: a change by the merchant. REDEEM: it paid for an order. REFUND: a " +
      "refund of an order gave it back."
  ),
  amount: money("What the balance changed by; below zero where it was taken off.", "-12.50"),
  balance: money("The balance after it.", "37.50"),
  orderId: nullableString("The order that it paid for, or that was refunded; null for other transactions."),
  reason: nullableString("The reason of a change by the merchant, or of a refund.", "Goodwill"),
  createdAt: timestamp("When it was made.")
}).annotate({ identifier: "GiftCardTransaction", description: "A change of a gift card's balance." })
export type GiftCardTransactionView = typeof GiftCardTransactionView.Type

export const toTransactionView = (entry: GiftCardTransaction, currency: string): GiftCardTransactionView => ({
  ...entry,
  amount: formatMoney(entry.amount, currency),
  balance: formatMoney(entry.balance, currency),
  createdAt: entry.createdAt.toISOString()
})

export const GiftCardBalance = Schema.Struct({
  balance: money("What is left; 0.00 for a code that cannot be used.", "37.50"),
  usable: boolean("Whether it can pay for something in this store now.", true),
  currency: Schema.optionalKey(string("ISO 4217 currency of the balance; only where there is a balance.", "USD"))
}).annotate({ identifier: "GiftCardBalance", description: "What is left on a gift card." })
export type GiftCardBalance = typeof GiftCardBalance.Type

/** What a shopper reads of a code: unknown, disabled, expired and spent ones are not told apart. */
export const balanceAt = (card: GiftCardState | undefined, storeCurrency: string, now: number): GiftCardBalance => {
  if (card === undefined || giftCardStatusAt(card, now) !== "ACTIVE") return { balance: "0.00", usable: false }
  const { balance, currency } = card
  return { balance: formatMoney(balance, currency), usable: currency === storeCurrency, currency }
}
