/** The errors of gift cards, with the facts that a caller needs. */
import { Schema } from "effect"

export class GiftCardNotFound extends Schema.TaggedError<GiftCardNotFound>()("GiftCardNotFound", {
  id: Schema.String
}) {}

/** An adjustment would take more than is left. Amounts as decimal strings. */
export class GiftCardBalanceTooLow extends Schema.TaggedError<GiftCardBalanceTooLow>()("GiftCardBalanceTooLow", {
  balance: Schema.String,
  delta: Schema.String
}) {}

/** Another gift card of the store has the code. */
export class GiftCardCodeTaken extends Schema.TaggedError<GiftCardCodeTaken>()("GiftCardCodeTaken", {}) {
  override get message() {
    return "code: another gift card of the store has it"
  }
}
