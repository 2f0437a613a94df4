/**
 * A shopper asks to be notified when something can be bought again. It is no consent to anything else, and the response
 * reveals nothing that the store has or knows.
 */
import { Schema } from "effect"
import { Email } from "../kernel/Address.ts"
import { clearable, described, Reference, text } from "../kernel/Fields.ts"

/** Milliseconds that an item must have stayed available before mails are sent. */
export const stayedMillis = 300_000
/** Alerts older than this are deleted. */
export const keptMillis = 90 * 86_400_000
/**
 * The most waiting alerts of one address in a store, and of a store. More are not stored, and the response is the same.
 */
export const maxAlertsOfAddress = 20
export const maxAlertsOfStore = 50_000

export const StockAlertInput = Schema.Struct({
  email: described(Email, "Where to write, at most 254 characters. It is trimmed and compared without case."),
  productId: described(Reference, "The product that is awaited.", "prod_01m80xf4kfwqepj0qfgc4xj8ge"),
  variantId: clearable(text(200), "The variant; without one, any variant of a product that is sold by its variants."),
  locale: clearable(text(10), "Language of the mail. The store's by default.", "de"),
  honeypot: clearable(text(500), "Leave it empty and hide it from people: robots fill it in and get a 400.")
}).annotate({ identifier: "AskStockAlert", description: "Where to send a mail when a product can be bought again." })
export type StockAlertInput = typeof StockAlertInput.Type
