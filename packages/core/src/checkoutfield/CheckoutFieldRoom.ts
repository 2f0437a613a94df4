/** Fields that stores add to their checkouts. */
import type { Room } from "../database/Room.ts"
import { checkoutFieldBound } from "./CheckoutField.ts"
import { CheckoutFields } from "./CheckoutFields.ts"

export const checkoutFieldRoom = {
  layer: CheckoutFields.layer,
  rows: { checkoutField: { table: "checkout_field", lockFirst: "store" } },
  bounds: [checkoutFieldBound]
} as const satisfies Room
