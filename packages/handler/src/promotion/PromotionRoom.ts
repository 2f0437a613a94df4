import type { Room } from "../middleware/Room.ts"
import { promotionEndpoints } from "./PromotionEndpoints.ts"
import { promotionErrors } from "./promotionErrors.ts"

export const promotionRoom = {
  endpoints: promotionEndpoints,
  errors: promotionErrors
} as const satisfies Room
