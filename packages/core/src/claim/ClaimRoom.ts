/** The service of the claim room. It has no tables: each kind of claim has its own. */
import type { Room } from "../database/Room.ts"
import { Claims } from "./Claims.ts"

export const claimRoom = { layer: Claims.layer } as const satisfies Room
