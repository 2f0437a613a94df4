/**
 * Gift cards: a balance in one currency that pays for orders. Anybody who knows the code may spend it. Amounts inside
 * are minor units of the card's currency.
 */
import { Schema } from "effect"
import { Email } from "../kernel/Address.ts"
import {
  clearable,
  Decimal,
  described,
  filledText,
  money,
  nullableEmail,
  nullableString,
  nullableTimestamp,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"

export const giftCardStatuses = ["ACTIVE", "DISABLED", "EXPIRED", "REDEEMED"] as const
export type GiftCardStatus = (typeof giftCardStatuses)[number]

const expiresAt = clearable(
  text(100).annotate({ format: "date-time" }),
  "When it can no longer be used, ISO 8601. Never by default.",
  "2027-12-31T23:59:59.000Z"
)
const others = {
  expiresAt,
  customerId: clearable(text(200), "The customer it belongs to. Anybody who knows the code can use it all the same."),
  recipientEmail: clearable(Email, "Who it is for. No mail is sent.", "ada@example.com"),
  senderName: clearable(text(200), "Who gives it.", "Grace"),
  message: clearable(text(2_000), "What the giver writes.", "Happy birthday!"),
  note: clearable(text(2_000), "For the merchant alone.")
}

export const GiftCardInput = Schema.Struct({
  initialBalance: described(Decimal, "Its value, more than zero: a number or a decimal string.", "50.00"),
  currency: optional(text(3), "ISO 4217 currency. That of the store by default.", "USD"),
  ...others
}).annotate({ identifier: "CreateGiftCard", description: "A gift card to issue." })
export type GiftCardInput = typeof GiftCardInput.Type

export const GiftCardPatch = Schema.Struct(others).annotate({
  identifier: "UpdateGiftCard",
  description: "Changes of a gift card. What is left out stays as it is; null clears."
})
export type GiftCardPatch = typeof GiftCardPatch.Type

/** A code in a body, of shoppers. */
export const GiftCardCode = Schema.Struct({
  // Any text that is no code gets the same response as a code that nobody has. The body's size bounds it.
  code: described(
    Schema.String,
    "The code of the gift card as the shopper typed it: upper or lower case, with or without spaces and hyphens.",
    "7K2M-9QX4-B8N6-5D1E"
  )
}).annotate({ identifier: "GiftCardCode", description: "A gift card to pay with." })

export const GiftCardAdjustment = Schema.Struct({
  delta: described(
    Decimal,
    "What the balance changes by, not zero: a number or a decimal string, below zero to take off.",
    "-10.00"
  ),
  reason: described(filledText(500), "Why, for the list of transactions.", "Goodwill")
}).annotate({ identifier: "AdjustGiftCard", description: "A change of a gift card's balance." })
export type GiftCardAdjustment = typeof GiftCardAdjustment.Type

/** The fields that a merchant may change. */
export interface GiftCardFields {
  readonly expiresAt: Date | null
  readonly customerId: string | null
  readonly recipientEmail: string | null
  readonly senderName: string | null
  readonly message: string | null
  readonly note: string | null
}

export interface GiftCardState extends GiftCardFields {
  readonly id: string
  readonly codeLast4: string
  readonly initialBalance: bigint
  readonly balance: bigint
  readonly currency: string
  readonly disabledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The status follows from the card at the time of reading, in this order; `now` is in milliseconds. */
export const giftCardStatusAt = (
  { disabledAt, expiresAt, balance }: Pick<GiftCardState, "disabledAt" | "expiresAt" | "balance">,
  now: number
): GiftCardStatus => {
  if (disabledAt !== null) return "DISABLED"
  if (expiresAt !== null && expiresAt.getTime() <= now) return "EXPIRED"
  return balance === 0n ? "REDEEMED" : "ACTIVE"
}

export const GiftCardView = Schema.Struct({
  id: string("Id of the gift card."),
  codeLast4: string("The last four characters of its code.", "5D1E"),
  initialBalance: money("What it was issued with.", "50.00"),
  balance: money("What is left.", "37.50"),
  currency: string("ISO 4217 currency of its amounts.", "USD"),
  status: oneOf(
    giftCardStatuses,
    "DISABLED by the merchant; EXPIRED after `expiresAt`; REDEEMED where nothing is left; else ACTIVE."
  ),
  expiresAt: nullableTimestamp("When it can no longer be used; null is never."),
  customerId: nullableString("The customer it belongs to; null without one."),
  recipientEmail: nullableEmail("Who it is for."),
  senderName: nullableString("Who gives it.", "Grace"),
  message: nullableString("What the giver writes.", "Happy birthday!"),
  orderId: nullableString("The order that it was bought with; null for a card that the merchant has issued."),
  note: nullableString("For the merchant alone."),
  createdAt: timestamp("When it was issued."),
  updatedAt: timestamp("When it was last changed or spent: the version that If-Match compares.")
}).annotate({ identifier: "GiftCard", description: "A balance that pays for orders, by a code." })
export type GiftCardView = typeof GiftCardView.Type

export const IssuedGiftCard = Schema.Struct({
  ...GiftCardView.fields,
  code: string("The code to pay with. Only this response shows it.", "7K2M-9QX4-B8N6-5D1E")
}).annotate({ identifier: "IssuedGiftCard", description: "A new gift card, with its code." })
export type IssuedGiftCard = typeof IssuedGiftCard.Type

export const toGiftCardView = (
  { disabledAt, initialBalance, balance, expiresAt, createdAt, updatedAt, ...card }: GiftCardState,
  now: number
): GiftCardView => ({
  ...card,
  initialBalance: formatMoney(initialBalance, card.currency),
  balance: formatMoney(balance, card.currency),
  status: giftCardStatusAt({ disabledAt, expiresAt, balance }, now),
  expiresAt: expiresAt?.toISOString() ?? null,
  // Cards are issued by merchants alone.
  orderId: null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
