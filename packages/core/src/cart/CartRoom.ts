/**
 * The services of the cart room. Needs `Quotes`, `CustomerUploads` of the root, and `CartCheckouts`, which the checkout
 * room implements. The use cases check a cart's version themselves.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { CartHolds } from "./CartHolds.ts"
import { Carts } from "./Carts.ts"
import { CustomerCarts } from "./CustomerCarts.ts"
import { cartLaws } from "./cartLaws.ts"

export const cartRoom = {
  layer: Layer.mergeAll(Carts.layer, CartHolds.layer, CustomerCarts.layer),
  laws: cartLaws
} as const satisfies Room
