import type { Room } from "../middleware/Room.ts"
import { teamEndpoints } from "./TeamEndpoints.ts"
import { teamErrors } from "./teamErrors.ts"

export const teamRoom = {
  endpoints: teamEndpoints,
  errors: teamErrors
} as const satisfies Room
