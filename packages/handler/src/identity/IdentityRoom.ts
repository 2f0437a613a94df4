import { KeyUses } from "@effect-commerce/core/identity/KeyUses"
import { every, type Room } from "../middleware/Room.ts"
import { identityEndpoints } from "./IdentityEndpoints.ts"
import { identityErrors } from "./identityErrors.ts"

export const identityRoom = {
  endpoints: identityEndpoints,
  errors: identityErrors,
  inEveryRole: [
    every(
      "60 seconds",
      "Writing when keys were last used",
      KeyUses.use((uses) => uses.flush)
    )
  ]
} as const satisfies Room
