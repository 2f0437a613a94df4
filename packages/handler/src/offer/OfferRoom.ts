import type { Room } from "../middleware/Room.ts"
import { offerEndpoints } from "./OfferEndpoints.ts"
import { offerErrors } from "./offerErrors.ts"

export const offerRoom = {
  endpoints: offerEndpoints,
  errors: offerErrors
} as const satisfies Room
