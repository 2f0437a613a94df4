import type { Room } from "../middleware/Room.ts"
import { claimErrors } from "./claimErrors.ts"

export const claimRoom = { errors: claimErrors } as const satisfies Room
