/** The customer room's port: the mails of a customer who is deleted go with them. */
import { Effect, Layer } from "effect"
import { CustomerMails } from "../customer/CustomerMails.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

export const customerMailsLayer = Layer.effect(
  CustomerMails,
  Effect.map(EmailMessageRepository, ({ forget }) => CustomerMails.of({ forget }))
).pipe(Layer.provide(EmailMessageRepository.layer))
