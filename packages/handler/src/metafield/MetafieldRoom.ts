import type { Room } from "../middleware/Room.ts"
import { metafieldEndpoints } from "./MetafieldEndpoints.ts"
import { metafieldErrors } from "./metafieldErrors.ts"

export const metafieldRoom = {
  endpoints: metafieldEndpoints,
  errors: metafieldErrors
} as const satisfies Room
