/** The points of a customer and the changes of them, on the wire; and what a merchant sends to change them. */
import { Schema } from "effect"
import { described, integer, nullableString, nullableTimestamp, oneOf, string, timestamp } from "../kernel/Fields.ts"
import { balanceOf, type EarningTier, type Standing, tierOf } from "./LoyaltyPoints.ts"
import { ShownProgram } from "./LoyaltyProgram.ts"

export const transactionTypes = ["EARN", "REDEEM", "ADJUST", "EXPIRE", "REVERSE"] as const
export type TransactionType = (typeof transactionTypes)[number]

/** Why points change, more closely than the type says. */
export type TransactionCause =
  | "order"
  | "referral"
  | "redemption"
  | "adjustment"
  | "expiry"
  | "refund"
  | "return"
  | "deletion"

export interface AccountState extends Standing {
  readonly customerId: string
  readonly referralCode: string
  readonly pending: bigint
}

export interface TransactionState {
  readonly id: string
  readonly type: TransactionType
  readonly points: bigint
  readonly orderId: string | null
  readonly reason: string | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

export const LoyaltyAccount = Schema.Struct({
  customerId: string("The customer.", "cust_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  balance: integer("Points that can be spent, those included that a checkout holds.", 420),
  pending: integer("Points that orders will earn that are not paid yet.", 60),
  lifetime: integer("All points earned, less those that refunds took back: what the tier goes by.", 1_240),
  tier: nullableString("Name of the tier; null below the first one.", "Gold"),
  referralCode: string("Code for the `referralCode` of other people's registration.", "REF-7Q2MX4KA")
}).annotate({ identifier: "LoyaltyAccount", description: "The loyalty points of a customer." })
export type LoyaltyAccount = typeof LoyaltyAccount.Type

export const MyLoyalty = Schema.Struct({ ...LoyaltyAccount.fields, program: ShownProgram }).annotate({
  identifier: "MyLoyalty",
  description: "The loyalty points of the customer who is signed in, and the programme they belong to."
})

export const LoyaltyTransaction = Schema.Struct({
  id: string("Id of the transaction.", "ltx_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  type: oneOf(
    transactionTypes,
    "EARN: by a paid order or a referral. REDEEM: paid for an order. ADJUST: changed by the merchant. EXPIRE: their " +
      "time has passed. REVERSE: a refund took back what was earned, or returned what was spent."
  ),
  points: integer("How the balance changed: negative where points were taken.", 60),
  orderId: nullableString("The order it belongs to; null without one.", "ord_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  reason: nullableString("The reason that was given; null without one.", "Goodwill"),
  expiresAt: nullableTimestamp("When added points expire that are not spent until then; null is never."),
  createdAt: timestamp("When it was made.")
}).annotate({ identifier: "LoyaltyTransaction", description: "One change of a customer's points." })

export const AdjustPoints = Schema.Struct({
  points: described(Schema.Finite, "Points to add, or to take where it is negative; not 0.", 100),
  reason: described(Schema.String, "The reason, for the list of transactions: at most 500 characters.", "Goodwill")
}).annotate({ identifier: "AdjustLoyaltyPoints", description: "Points to add to a customer, or to take." })
export type AdjustPoints = typeof AdjustPoints.Type

export const RedeemPoints = Schema.Struct({
  points: described(Schema.Finite, "How many points to pay with: a whole number.", 250)
}).annotate({ identifier: "RedeemLoyaltyPoints", description: "Points to pay a part of a checkout with." })

export const toAccountView = (account: AccountState, tiers: ReadonlyArray<EarningTier>): LoyaltyAccount => ({
  customerId: account.customerId,
  balance: Number(balanceOf(account)),
  pending: Number(account.pending),
  lifetime: Number(account.lifetime),
  tier: tierOf(tiers, account.lifetime)?.name ?? null,
  referralCode: account.referralCode
})

export const toTransactionView = (row: TransactionState): typeof LoyaltyTransaction.Type => ({
  id: row.id,
  type: row.type,
  points: Number(row.points),
  orderId: row.orderId,
  reason: row.reason,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString()
})
