/** The services of the export room. Need the signed links and the object storage. */
import type { Room } from "../database/Room.ts"
import { keptExportBound, openExportBound } from "./Export.ts"
import { exportLaws } from "./exportLaws.ts"
import { Exports } from "./Exports.ts"

export const exportRoom = {
  layer: Exports.layer,
  bounds: [openExportBound, keptExportBound],
  laws: exportLaws
} as const satisfies Room
