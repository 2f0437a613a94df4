import type { Room } from "../middleware/Room.ts"
import { pricingErrors } from "./pricingErrors.ts"

export const pricingRoom = { errors: pricingErrors } as const satisfies Room
