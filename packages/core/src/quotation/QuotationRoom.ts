/** The services of quotes apart from a checkout. They need `Quotes`. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { ShippingQuotes } from "./ShippingQuotes.ts"
import { TaxQuotes } from "./TaxQuotes.ts"

export const quotationRoom = { layer: Layer.merge(TaxQuotes.layer, ShippingQuotes.layer) } as const satisfies Room
