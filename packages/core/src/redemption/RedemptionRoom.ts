/** Uses of rules and coupons. The rooms of these say which limits there are. */
import type { Room } from "../database/Room.ts"
import { redemptionLaws } from "./redemptionLaws.ts"
import { Redemptions } from "./Redemptions.ts"

export const redemptionRoom = { layer: Redemptions.layer, laws: redemptionLaws } as const satisfies Room
