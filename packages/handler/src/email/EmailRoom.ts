import { MailDelivery } from "@effect-commerce/core/email/MailDelivery"
import { MailRetention } from "@effect-commerce/core/email/MailRetention"
import { Effect } from "effect"
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
      // While there are mails, round follows on round without a pause.
      MailDelivery.use((mails) => Effect.repeat(mails.deliverDue, { while: (sent) => sent, times: 50 })).pipe(
        Effect.asVoid
      )
    ),
    every(
      "300 seconds",
      "Sweeping old mails",
      MailRetention.use((mails) => mails.sweep)
    )
  ]
} as const satisfies Room
