import type { Room } from "../middleware/Room.ts"
import { cartEndpoints } from "./CartEndpoints.ts"
import { cartErrors } from "./cartErrors.ts"

export const cartRoom = {
  endpoints: cartEndpoints,
  errors: cartErrors
} as const satisfies Room
