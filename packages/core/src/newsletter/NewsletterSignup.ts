/** A shopper signs up for the newsletter, and confirms it by the token that is mailed to the mailbox. */
import { Schema } from "effect"
import { Email } from "../kernel/Address.ts"
import {
  boolean,
  clearable,
  described,
  nullable,
  nullableTimestamp,
  Reference,
  string,
  text
} from "../kernel/Fields.ts"

/** How long a mailed token is valid, in milliseconds. What is not confirmed by then is deleted. */
export const signupTokenLifetime = 7 * 86_400_000
/** The most mails to one mailbox in a day. */
export const maxMailsADay = 5
/** The most sign-ups of a store that wait for their confirmation. More are not stored, and the response is the same. */
export const maxPendingSignups = 50_000

export const NewsletterSignupInput = Schema.Struct({
  email: described(Email, "The mailbox, at most 254 characters. It is trimmed and compared without case."),
  locale: clearable(text(10), "Language of the mails. The store's by default.", "de"),
  honeypot: clearable(text(500), "Leave it empty and hide it from people: what robots fill in is not signed up.")
}).annotate({ identifier: "SubscribeNewsletter", description: "A sign-up for the newsletter." })
export type NewsletterSignupInput = typeof NewsletterSignupInput.Type

export const NewsletterConfirmation = Schema.Struct({
  token: described(Reference, "The token of the mail.")
}).annotate({ identifier: "ConfirmNewsletter", description: "The confirmation of a sign-up." })

const WelcomeCoupon = Schema.Struct({
  code: string("The code to enter.", "NEWS7KQ2M4XDPA"),
  expiresAt: nullableTimestamp("Until when it can be used; null is without end.")
}).annotate({ identifier: "WelcomeCoupon", description: "The coupon for a confirmed sign-up." })

export const ConfirmedSignup = Schema.Struct({
  ok: boolean("Always true.", true),
  coupon: nullable(WelcomeCoupon, "The coupon of this mailbox; null where the store gives none.")
}).annotate({ identifier: "ConfirmedNewsletter", description: "A confirmed sign-up." })
export type ConfirmedSignup = typeof ConfirmedSignup.Type
