/** The service of the tender room. It has no tables: each kind of tender has its own. */
import type { Room } from "../database/Room.ts"
import { Tenders } from "./Tenders.ts"

export const tenderRoom = { layer: Tenders.layer } as const satisfies Room
