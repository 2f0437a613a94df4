/** The customer room's port: the mails of a customer who is deleted go with them, those that have not left yet too. */
import { Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

export const forgottenMails = Effect.map(
  EmailMessageRepository,
  ({ forget }): CustomerTrace =>
    (storeId, { email }) =>
      forget(storeId, email)
).pipe(Effect.provide(EmailMessageRepository.layer))
