/**
 * Implements the customer room's port: deletes the mails, sent or not, of a customer who is deleted, and those that
 * were about to be made.
 */
import { Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

export const forgottenMails = Effect.gen(function* () {
  const { forget } = yield* EmailMessageRepository
  const outbox = yield* Outbox

  const trace: CustomerTrace = (storeId, customer) =>
    // In this order: a mail that a relay is making meanwhile is there once its event has been waited for.
    Effect.andThen(outbox.withdraw(storeId, customer.email), forget(storeId, customer))
  return trace
}).pipe(Effect.provide(EmailMessageRepository.layer))
