/** Internal events, which only mails are made from. Tokens and codes in them are sealed. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

const mail = {
  signupId: Schema.String,
  email: Schema.String,
  /** Null: the store's. */
  locale: Schema.NullOr(Schema.String),
  salesChannelId: Schema.NullOr(Schema.String)
}

/** `token` is sealed as the tokens of customers are (customer/CustomerEvents), for the sign-up's id. */
export const newsletterConfirmationAsked = defineEvent("internal.newsletter_confirmation", {
  description: "A mailbox is to confirm that it signed up for the newsletter.",
  data: Schema.Struct({ ...mail, token: Schema.String }),
  internal: true
})

/** `code` is sealed in the same way. */
export const newsletterWelcomed = defineEvent("internal.newsletter_welcome", {
  description: "A mailbox that has confirmed its sign-up gets its coupon.",
  data: Schema.Struct({ ...mail, code: Schema.String, expiresAt: Schema.NullOr(Schema.String) }),
  internal: true
})

export const newsletterEvents = [newsletterConfirmationAsked, newsletterWelcomed]
