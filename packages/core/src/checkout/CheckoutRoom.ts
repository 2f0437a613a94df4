/**
 * The use cases of checkouts before their completion, and quotes apart from one. They need carts and orders, and check
 * a checkout's version themselves.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { checkoutLaws } from "./checkoutLaws.ts"
import { Checkouts } from "./Checkouts.ts"
import { ShippingQuotes } from "./ShippingQuotes.ts"
import { TaxQuotes } from "./TaxQuotes.ts"

export const checkoutRoom = {
  layer: Layer.mergeAll(Checkouts.layer, TaxQuotes.layer, ShippingQuotes.layer),
  laws: checkoutLaws
} as const satisfies Room
