/** The services of the shipping room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { AddressLookups } from "./AddressLookups.ts"
import { ShippingClasses } from "./ShippingClasses.ts"
import { ShippingRates } from "./ShippingRates.ts"
import { ShippingZones } from "./ShippingZones.ts"
import { shippingClassBound } from "./ShippingClass.ts"

export const shippingRoom = {
  layer: Layer.merge(AddressLookups.layer, ShippingRates.layer).pipe(
    Layer.provideMerge(Layer.merge(ShippingZones.layer, ShippingClasses.layer))
  ),
  rows: {
    shippingClass: { table: "shipping_class", lockFirst: "store" },
    shippingZone: { table: "shipping_zone", lockFirst: "store" },
    shippingRate: { table: "shipping_rate", parent: "zone_id", lockFirst: "store" }
  },
  bounds: [shippingClassBound]
} as const satisfies Room
