/**
 * The services of the completion room. They need carts, checkouts, orders and the operations of the charge room, which
 * themselves need `checkoutOutcomes`: what an outcome of a payment means to a checkout.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { ChargedCompletion } from "./ChargedCompletion.ts"
import { CheckoutPayments } from "./CheckoutPayments.ts"
import { checkoutMoneyLaws } from "./checkoutMoneyLaws.ts"
import { Completion } from "./Completion.ts"
import { PaymentOutcomes } from "./PaymentOutcomes.ts"
import { SimulatedNotices } from "./SimulatedNotices.ts"

export const completionRoom = {
  layer: Layer.merge(CheckoutPayments.layer, SimulatedNotices.layer).pipe(
    Layer.provideMerge(Completion.layer),
    Layer.provideMerge(ChargedCompletion.layer)
  ),
  laws: checkoutMoneyLaws
} as const satisfies Room

export const checkoutOutcomes = PaymentOutcomes.layer
