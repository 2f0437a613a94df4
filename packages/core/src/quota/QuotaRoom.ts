/** The service of the quota room. */
import type { Room } from "../database/Room.ts"
import { Quotas } from "./Quotas.ts"

export const quotaRoom = { layer: Quotas.layer } as const satisfies Room
