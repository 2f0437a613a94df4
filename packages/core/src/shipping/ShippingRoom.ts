/** What the shipping room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { ShippingClasses } from "./ShippingClasses.ts"
import { ShippingRates } from "./ShippingRates.ts"
import { ShippingZones } from "./ShippingZones.ts"

export const shippingRoom = Layer.mergeAll(ShippingZones.layer, ShippingRates.layer, ShippingClasses.layer)

export const shippingRows = {
  shippingClass: { table: "shipping_class", lockFirst: "store" },
  shippingZone: { table: "shipping_zone", lockFirst: "store" },
  shippingRate: { table: "shipping_rate", parent: "zone_id", lockFirst: "store" }
} as const satisfies VersionedRows
