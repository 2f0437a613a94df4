/** Implements the customer room's port: deletes the mails, sent or not, of a customer who is deleted. */
import { Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

export const forgottenMails = Effect.map(
  EmailMessageRepository,
  ({ forget }): CustomerTrace =>
    (storeId, { email }) =>
      forget(storeId, email)
).pipe(Effect.provide(EmailMessageRepository.layer))
