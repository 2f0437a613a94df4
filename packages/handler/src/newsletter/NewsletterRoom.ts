import { Newsletters } from "@effect-commerce/core/newsletter/Newsletters"
import { every, type Room } from "../middleware/Room.ts"
import { newsletterEndpoints } from "./NewsletterEndpoints.ts"
import { newsletterErrors } from "./newsletterErrors.ts"

export const newsletterRoom = {
  endpoints: newsletterEndpoints,
  errors: newsletterErrors,
  workers: [
    every(
      "600 seconds",
      "Forgetting sign-ups that nobody confirmed",
      Newsletters.use((newsletters) => newsletters.sweep)
    )
  ]
} as const satisfies Room
