import type { Room } from "../middleware/Room.ts"
import { modifierGroupEndpoints } from "./ModifierGroupEndpoints.ts"
import { modifierErrors } from "./modifierErrors.ts"

export const modifierRoom = {
  endpoints: modifierGroupEndpoints,
  errors: modifierErrors
} as const satisfies Room
