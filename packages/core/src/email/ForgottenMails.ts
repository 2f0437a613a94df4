/** Implements the customer room's port: when a customer is deleted, so are their mails, sent or not. */
import { Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

export const forgottenMails = Effect.map(
  EmailMessageRepository,
  ({ forget }): CustomerTrace =>
    (storeId, { email }) =>
      forget(storeId, email)
).pipe(Effect.provide(EmailMessageRepository.layer))
