/** The services of the loyalty room, its programme's version, and its laws. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { Loyalty } from "./Loyalty.ts"
import { loyaltyLaws } from "./loyaltyLaws.ts"
import { LoyaltyLedger } from "./LoyaltyLedger.ts"
import { LoyaltyPrograms } from "./LoyaltyPrograms.ts"

export const loyaltyRoom = {
  layer: Loyalty.layer.pipe(Layer.provideMerge(Layer.merge(LoyaltyLedger.layer, LoyaltyPrograms.layer))),
  rows: { loyaltyProgram: { table: "loyalty_program", single: true, lockFirst: "store" } },
  laws: loyaltyLaws
} as const satisfies Room
