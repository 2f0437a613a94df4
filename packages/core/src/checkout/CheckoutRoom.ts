/**
 * The services of the checkout room. Needs carts, orders and the operations of the payment room, which themselves need
 * `checkoutOutcomes`: what an outcome of a payment means to a checkout. The use cases check a checkout's version
 * themselves.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { ChargedCompletion } from "./ChargedCompletion.ts"
import { CheckoutPayments } from "./CheckoutPayments.ts"
import { Checkouts } from "./Checkouts.ts"
import { Completion } from "./Completion.ts"
import { PaymentOutcomes } from "./PaymentOutcomes.ts"
import { SimulatedNotices } from "./SimulatedNotices.ts"
import { checkoutLaws } from "./checkoutLaws.ts"
import { checkoutMoneyLaws } from "./checkoutMoneyLaws.ts"

export const checkoutRoom = {
  layer: Layer.mergeAll(Completion.layer, CheckoutPayments.layer, SimulatedNotices.layer).pipe(
    Layer.provideMerge(ChargedCompletion.layer)
  ),
  laws: [...checkoutLaws, ...checkoutMoneyLaws]
} as const satisfies Room

/** The use cases of checkouts before their completion. */
export const openCheckouts = Checkouts.layer

export const checkoutOutcomes = PaymentOutcomes.layer
