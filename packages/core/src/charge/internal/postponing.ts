/** Leaves an operation to the schedule: it is looked at again later, less and less often, by any worker. */
import { Clock, Effect } from "effect"
import { Database } from "../../database/Database.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { nextCheckAfter, nextWatchAfter, PaymentPolicy } from "../../payment/PaymentPolicy.ts"
import { OperationScheduleRepository } from "../OperationScheduleRepository.ts"
import { type ProviderOperation, toldReason } from "../ProviderOperation.ts"

export const makePostponing = Effect.gen(function* () {
  const database = yield* Database
  const schedule = yield* OperationScheduleRepository
  const policy = yield* PaymentPolicy

  /** Until then, or for ever. If the operation has changed since it was read, it stays as it is. */
  const postponeUntil = Effect.fnUntraced(function* (
    { id: storeId }: StoreContext,
    operation: ProviderOperation,
    error: string | null,
    checkAt: Date | null
  ) {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* database.write(storeId)(schedule.postpone(storeId, operation, { error: toldReason(error), checkAt, now }))
  })

  return {
    postponeUntil,
    /** `error` null: it waits for nothing but time, and is looked at less often. */
    postpone: Effect.fnUntraced(function* (store: StoreContext, operation: ProviderOperation, error: string | null) {
      const wait =
        error === null
          ? yield* nextWatchAfter(policy, operation.checks, false)
          : yield* nextCheckAfter(policy, operation.checks)
      const now = yield* Clock.currentTimeMillis
      yield* postponeUntil(store, operation, error, new Date(now + wait))
    })
  }
})
