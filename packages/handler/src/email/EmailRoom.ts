import { MailDelivery } from "@effect-commerce/core/email/MailDelivery"
import { MailRetention } from "@effect-commerce/core/email/MailRetention"
import { every, type Room } from "../middleware/Room.ts"
import { emailEndpoints } from "./EmailEndpoints.ts"
import { emailErrors } from "./emailErrors.ts"

export const emailRoom = {
  endpoints: emailEndpoints,
  errors: emailErrors,
  workers: [
    every(
      "500 millis",
      "Sending mails",
      MailDelivery.use((mails) => mails.deliverDue)
    ),
    every(
      "300 seconds",
      "Sweeping old mails",
      MailRetention.use((mails) => mails.sweep)
    )
  ]
} as const satisfies Room
