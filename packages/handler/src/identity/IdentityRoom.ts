import type { Room } from "../middleware/Room.ts"
import { identityEndpoints } from "./IdentityEndpoints.ts"
import { identityErrors } from "./identityErrors.ts"

export const identityRoom = {
  endpoints: identityEndpoints,
  errors: identityErrors
} as const satisfies Room
