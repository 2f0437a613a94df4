/**
 * What the modifier room brings: its service, and the rows that If-Match is judged by. Needs `ProductChanges`, which
 * the product room implements.
 */
import type { VersionedRows } from "../database/RowVersions.ts"
import { ModifierGroups } from "./ModifierGroups.ts"

export const modifierRoom = ModifierGroups.layer

export const modifierRows = { modifierGroup: { table: "modifier_group" } } as const satisfies VersionedRows
