import { Loyalty } from "@effect-commerce/core/loyalty/Loyalty"
import { every, type Room } from "../middleware/Room.ts"
import { loyaltyEndpoints } from "./LoyaltyEndpoints.ts"
import { loyaltyErrors } from "./loyaltyErrors.ts"

export const loyaltyRoom = {
  endpoints: loyaltyEndpoints,
  errors: loyaltyErrors,
  workers: [
    every(
      "60 seconds",
      "Expiring loyalty points",
      Loyalty.use((loyalty) => loyalty.expireDue)
    )
  ]
} as const satisfies Room
