import { MailDelivery } from "@effect-commerce/core/email/MailDelivery"
import { MailRetention } from "@effect-commerce/core/email/MailRetention"
import { every, room } from "../middleware/Room.ts"
import { emailEndpoints } from "./EmailEndpoints.ts"

export const emailRoom = room(
  emailEndpoints,
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
)
