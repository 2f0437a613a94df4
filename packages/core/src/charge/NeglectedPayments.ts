/**
 * Payments that need a person: what could not be settled for an hour, or what time will not mend. Each is marked once,
 * with an event to the merchant; it is named by `doctor` and by the audit until it is settled.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { formatMoney } from "../kernel/Money.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { OperationScheduleRepository, type NeglectedOperation } from "./OperationScheduleRepository.ts"
import { paymentNeedsAttention } from "../payment/PaymentEvents.ts"
import { PaymentPolicy } from "../payment/PaymentPolicy.ts"
import { isTooLong } from "../payment/chargeSums.ts"
import type { Charge } from "../payment/PaymentProvider.ts"
import { type ProviderOperation, toldReason } from "./ProviderOperation.ts"

/** How many operations of a store are marked in one pass: each is an event. */
const markedAtOnce = 100
/** The most operations that are listed. */
const mostListed = 1_000
/** Until a mismatch is looked at again, in milliseconds: a person has to mend it. */
const mismatchPause = 24 * 3_600_000

export class NeglectedPayments extends Context.Service<NeglectedPayments>()(
  "@effect-commerce/core/charge/NeglectedPayments",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const schedule = yield* OperationScheduleRepository
      const outbox = yield* Outbox
      const policy = yield* PaymentPolicy

      const report = (storeId: string, operations: ReadonlyArray<NeglectedOperation>) =>
        operations.length === 0
          ? Effect.void
          : outbox.appendAll(
              storeId,
              operations.map((operation) =>
                paymentNeedsAttention.of({ paymentId: operation.id, payment: viewOf(operation) })
              )
            )

      /** At once: time will not mend it. */
      const now = Effect.fnUntraced(function* (storeId: string, id: string, reason: string) {
        const millis = yield* Clock.currentTimeMillis
        const again = new Date(millis + mismatchPause)
        yield* database.write(storeId)(
          Effect.flatMap(schedule.neglect(storeId, id, toldReason(reason), again, new Date(millis)), (marked) =>
            report(storeId, marked === undefined ? [] : [marked])
          )
        )
      })

      return {
        now,
        /**
         * The provider speaks of another amount or currency than we asked for, or of more refunds than are followed.
         */
        mismatched: (storeId: string, { id, provider, amount, currency }: ProviderOperation, charge: Charge) =>
          now(
            storeId,
            id,
            isTooLong(charge)
              ? `${provider} has ${charge.refunds.length} refunds and ${charge.disputes.length} disputes of it`
              : `${provider} has ${moneyOf(charge)} where ${moneyOf({ amount, currency })} was asked for`
          ),
        /** What needs a person, over all stores, the oldest first: for whoever runs the installation. */
        list: schedule.needingAttention(mostListed),
        /** Marks what has been open for too long. */
        pass: Effect.gen(function* () {
          const millis = yield* Clock.currentTimeMillis
          const since = new Date(millis - policy.attentionAfter)
          for (const storeId of yield* schedule.storesToTell(since)) {
            yield* database.write(storeId)(
              Effect.flatMap(schedule.neglected(storeId, since, new Date(millis), markedAtOnce), (marked) =>
                report(storeId, marked)
              )
            )
          }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(NeglectedPayments, NeglectedPayments.make).pipe(
    Layer.provide(OperationScheduleRepository.layer)
  )
}

/** Minor units where the provider names no currency of ISO 4217. */
const moneyOf = ({ amount, currency }: Pick<Charge, "amount" | "currency">): string =>
  `${isCurrency(currency) ? formatMoney(amount, currency) : amount} ${currency}`

const viewOf = ({ kind, provider, state, currency, ...its }: NeglectedOperation) => ({
  kind,
  ...(its.subjectType === "order" ? { orderId: its.subjectId } : { checkoutId: its.subjectId }),
  provider,
  state,
  reason: its.attention,
  amount: formatMoney(its.amount, currency),
  currency,
  since: its.createdAt.toISOString()
})
