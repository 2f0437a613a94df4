/** The parameter `locale` of requests that create something with a language. */
import { optional } from "@effect-commerce/core/kernel/Fields"
import { Schema } from "effect"

/** For requests that create a cart, or an order without one. */
export const keptLanguage = {
  locale: optional(
    Schema.String,
    "Language of the cart, its orders and the mails about them. Without it Accept-Language decides, then the store's " +
      "own language.",
    "de"
  )
}
