/** Where providers send their notices: the installation's public address, if it has one. */
import { Context } from "effect"

/** The URL for the notices of a payment provider, by its id; null where the installation has no public address. */
export const NoticeAddress = Context.Reference<(providerId: string) => string | null>(
  "@effect-commerce/core/payment/NoticeAddress",
  { defaultValue: () => () => null }
)
