/** The service of the gift card room. What pays for orders is in the lists of CommerceCore (GiftCardPayments). */
import type { Room } from "../database/Room.ts"
import { giftCardLaws } from "./giftCardLaws.ts"
import { GiftCards } from "./GiftCards.ts"

export const giftCardRoom = {
  layer: GiftCards.layer,
  rows: { giftCard: { table: "gift_card" } },
  laws: giftCardLaws
} as const satisfies Room
