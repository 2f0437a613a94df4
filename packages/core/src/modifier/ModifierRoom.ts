/** The service of the modifier room. Needs `ProductChanges`, which the product room implements. */
import type { Room } from "../database/Room.ts"
import { ModifierGroups } from "./ModifierGroups.ts"
import { modifierGroupBound } from "./ModifierGroup.ts"

export const modifierRoom = {
  layer: ModifierGroups.layer,
  rows: { modifierGroup: { table: "modifier_group" } },
  bounds: [modifierGroupBound]
} as const satisfies Room
