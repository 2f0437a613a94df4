/** A shop with both: nothing global changes, and any number of `createCommerce` in a process may have others. */
import { type CommerceOptions, createCommerce } from "@effect-commerce/handler/createCommerce"
import { wayfinder, type WayfinderOptions } from "./addresses.ts"
import { reverseCharge, type ReverseChargeOptions } from "./taxes.ts"

export const openShop = (options: CommerceOptions, places: WayfinderOptions, taxes: ReverseChargeOptions) =>
  createCommerce({
    ...options,
    addresses: { provider: wayfinder(places), timeout: 500 },
    tax: { calculator: reverseCharge(taxes) }
  })
