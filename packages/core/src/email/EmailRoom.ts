/** The layers of the email room: use cases, workers, and what the consumer of events needs. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import { Emails } from "./Emails.ts"
import { EmailSettingsRepository } from "./EmailSettingsRepository.ts"
import { MailComposer } from "./MailComposer.ts"
import { MailDelivery } from "./MailDelivery.ts"
import { MailLinks } from "./MailLinks.ts"
import { MailReadiness } from "./MailReadiness.ts"
import { MailQueueRepository } from "./MailQueueRepository.ts"
import { MailRetention } from "./MailRetention.ts"
import { type MailOptions, MailTransport } from "./MailTransport.ts"
import { OwnerView } from "./OwnerView.ts"
import { TemplateMails } from "./TemplateMails.ts"
import { emailLaws } from "./emailLaws.ts"

/** Needs a mail transport. */
const emailRoomWith = (publicUrl: string | undefined) =>
  Layer.mergeAll(Emails.layer, TemplateMails.layer, MailDelivery.layer, MailRetention.layer, MailReadiness.layer).pipe(
    Layer.provideMerge(MailComposer.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        EmailMessageRepository.layer,
        EmailSettingsRepository.layer,
        MailQueueRepository.layer,
        OwnerView.layer,
        MailLinks.layer(publicUrl)
      )
    )
  )

export const emailRoom = {
  layer: (options: MailOptions) =>
    emailRoomWith(options.publicUrl).pipe(Layer.provideMerge(MailTransport.layer(options))),
  rows: { emailSettings: { table: "email_settings", single: true, lockFirst: "store" } },
  laws: emailLaws
} as const satisfies Room
