/** The layers of the email room: use cases, workers, and what the consumer of events needs. */
import { Effect, Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import { Emails } from "./Emails.ts"
import { SenderDomain } from "../emaildomain/SenderDomain.ts"
import { emailLinkParts } from "../emaillink/EmailLinkRoom.ts"
import { MailComposer } from "./MailComposer.ts"
import { MailDelivery } from "./MailDelivery.ts"
import { MailLinks } from "./MailLinks.ts"
import { MailReadiness } from "./MailReadiness.ts"
import { MailQueueRepository } from "./MailQueueRepository.ts"
import { MailRetention } from "./MailRetention.ts"
import { type MailOptions, MailTransport } from "../smtp/MailTransport.ts"
import { TemplateMails } from "./TemplateMails.ts"
import { emailLaws } from "./emailLaws.ts"

/** Links that lead to this server begin with its public URL; where mails are kept, only developers read them. */
const linkParts = ({ publicUrl }: MailOptions, basePath: string) =>
  Layer.unwrap(
    Effect.map(MailTransport, ({ keeps }) => {
      const host = publicUrl?.replace(/\/+$/, "") ?? (keeps ? "http://localhost" : undefined)
      return emailLinkParts(host === undefined ? null : `${host}${basePath}`)
    })
  )

/** Mails that are kept come from no domain. */
const senderDomain = Layer.effect(
  SenderDomain,
  Effect.map(MailTransport, ({ keeps, fromAddress }) => ({
    domain: keeps ? null : (fromAddress.split("@")[1] ?? null)
  }))
)

/** How mails leave, and what follows from it for domains and links. */
export const mailWay = (options: MailOptions, basePath = "/api") =>
  Layer.merge(senderDomain, linkParts(options, basePath)).pipe(Layer.provideMerge(MailTransport.layer(options)))

export const emailRoom = {
  /** Needs `mailWay`, and the rooms of settings and domains. */
  layer: ({ publicUrl }: MailOptions) =>
    Layer.mergeAll(
      Emails.layer,
      TemplateMails.layer,
      MailDelivery.layer,
      MailRetention.layer,
      MailReadiness.layer
    ).pipe(
      Layer.provideMerge(MailComposer.layer),
      Layer.provideMerge(
        Layer.mergeAll(EmailMessageRepository.layer, MailQueueRepository.layer, MailLinks.layer(publicUrl))
      )
    ),
  laws: emailLaws
} as const satisfies Room
