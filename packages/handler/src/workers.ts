/** Background work of an instance: short, frequent, idempotent passes, any number of processes at once. */
import { ProductImports } from "@effect-commerce/core/catalog/ProductImports"
import { PaymentRecovery } from "@effect-commerce/core/payment/PaymentRecovery"
import { IdempotencyRecords } from "@effect-commerce/core/database/IdempotencyRecords"
import { OutboxRelay } from "@effect-commerce/core/database/OutboxRelay"
import { RateLimits } from "@effect-commerce/core/database/RateLimits"
import { MailDelivery } from "@effect-commerce/core/email/MailDelivery"
import { MailRetention } from "@effect-commerce/core/email/MailRetention"
import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import { EventFeed } from "@effect-commerce/core/webhook/EventFeed"
import { WebhookDispatcher } from "@effect-commerce/core/webhook/WebhookDispatcher"
import { Effect, Schedule } from "effect"

const every = <R>(
  interval: `${number} seconds` | `${number} millis`,
  name: string,
  work: Effect.Effect<void, never, R>
) =>
  work.pipe(
    Effect.catchCause((cause) => Effect.logError(`${name} failed and will be tried again`, cause)),
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )

export const startWorkers = Effect.gen(function* () {
  const limits = yield* RateLimits
  const records = yield* IdempotencyRecords
  const reservations = yield* Reservations
  const payments = yield* PaymentRecovery
  const imports = yield* ProductImports
  const relay = yield* OutboxRelay
  const mails = yield* MailDelivery
  const keptMails = yield* MailRetention
  const webhooks = yield* WebhookDispatcher
  const feed = yield* EventFeed
  yield* Effect.forkScoped(relay.run)
  yield* Effect.forkScoped(webhooks.run)
  yield* every("500 millis", "Sending mails", mails.deliverDue)
  yield* every("1 seconds", "Giving back reservations", reservations.releaseExpired)
  yield* every("500 millis", "Finding out what became of payments", payments.pass)
  yield* every("500 millis", "Creating products in bulk", imports.pass)
  yield* every("60 seconds", "Sweeping rate windows", limits.sweep)
  yield* every("60 seconds", "Sweeping idempotency records", records.sweep)
  yield* every("300 seconds", "Sweeping old events", feed.sweep)
  yield* every("300 seconds", "Sweeping old mails", keptMails.sweep)
  yield* every("300 seconds", "Sweeping old bulk jobs", imports.sweep)
})
