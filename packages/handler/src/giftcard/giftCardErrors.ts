import type {
  GiftCardBalanceTooLow,
  GiftCardCodeTaken,
  GiftCardNotFound
} from "@effect-commerce/core/giftcard/GiftCardErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const giftCardErrors: ErrorRows<GiftCardNotFound | GiftCardBalanceTooLow | GiftCardCodeTaken> = {
  GiftCardNotFound: missing("gift card"),
  GiftCardBalanceTooLow: {
    code: "CONFLICT",
    message: (e) => `The gift card has ${e.balance}: ${e.delta} would make it less than nothing`,
    details: (e) => ({ balance: e.balance, delta: e.delta })
  },
  GiftCardCodeTaken: { code: "CONFLICT", message: () => "Another gift card has this code" }
}
