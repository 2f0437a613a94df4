import type { Room } from "../middleware/Room.ts"
import { emailLinkEndpoints } from "./EmailLinkEndpoints.ts"
import { emailLinkErrors } from "./emailLinkErrors.ts"

export const emailLinkRoom = {
  endpoints: emailLinkEndpoints,
  errors: emailLinkErrors
} as const satisfies Room
