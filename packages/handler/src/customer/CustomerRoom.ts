import type { Room } from "../middleware/Room.ts"
import { customerEndpoints } from "./CustomerEndpoints.ts"
import { customerErrors } from "./customerErrors.ts"

export const customerRoom = {
  endpoints: customerEndpoints,
  errors: customerErrors
} as const satisfies Room
