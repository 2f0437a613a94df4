/**
 * A shopper asks to hear when something can be bought again. It is no consent to anything else, and the answer says
 * nothing of what the store has or knows.
 */
import { Schema } from "effect"
import { Email } from "../kernel/Address.ts"
import { clearable, described, Reference, text } from "../kernel/Fields.ts"

/** Milliseconds that it must have stayed available before mails are sent. */
export const stayedMillis = 300_000
/** What waits longer is forgotten. */
export const keptMillis = 90 * 86_400_000
/** Alerts that wait: of one address in a store, and of a store. More are not kept, and the answer is the same. */
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
