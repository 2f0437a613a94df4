/** The errors of checkout fields. */
import { Schema } from "effect"

export class CheckoutFieldNotFound extends Schema.TaggedError<CheckoutFieldNotFound>()("CheckoutFieldNotFound", {
  id: Schema.String
}) {}

/** Another checkout field of the store has the key. */
export class CheckoutFieldKeyTaken extends Schema.TaggedError<CheckoutFieldKeyTaken>()("CheckoutFieldKeyTaken", {
  key: Schema.String
}) {}
