import { EmailDomains } from "@effect-commerce/core/emaildomain/EmailDomains"
import { every, type Room } from "../middleware/Room.ts"
import { emailDomainEndpoints } from "./EmailDomainEndpoints.ts"
import { emailDomainErrors } from "./emailDomainErrors.ts"

export const emailDomainRoom = {
  endpoints: emailDomainEndpoints,
  errors: emailDomainErrors,
  workers: [
    every(
      "600 seconds",
      "Looking at e-mail domains",
      EmailDomains.use((domains) => domains.lookAgain)
    )
  ]
} as const satisfies Room
