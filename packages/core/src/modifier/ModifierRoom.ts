/**
 * What the modifier room brings: its service. Needs `ProductChanges`, which
 * the product room implements.
 */
import type { Room } from "../database/Room.ts"
import { ModifierGroups } from "./ModifierGroups.ts"

export const modifierRoom = {
  layer: ModifierGroups.layer,
  rows: { modifierGroup: { table: "modifier_group" } }
} as const satisfies Room
