/** The service of the download room. Needs the signed links and the object storage. */
import type { Room } from "../database/Room.ts"
import { downloadLaws } from "./downloadLaws.ts"
import { Downloads } from "./Downloads.ts"

export const downloadRoom = { layer: Downloads.layer, laws: downloadLaws } as const satisfies Room
