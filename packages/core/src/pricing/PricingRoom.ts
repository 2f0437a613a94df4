/** The service of the pricing room. It has no tables. */
import type { Room } from "../database/Room.ts"
import { Quotes } from "./Quotes.ts"

export const pricingRoom = { layer: Quotes.layer } as const satisfies Room
