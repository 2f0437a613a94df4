import type { Room } from "../middleware/Room.ts"
import { quotaErrors } from "./quotaErrors.ts"

export const quotaRoom = { errors: quotaErrors } as const satisfies Room
