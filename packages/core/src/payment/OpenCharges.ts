/**
 * Asks providers for the state of charges that were accepted while their money was still to come, because notices get
 * lost. Each charge is queried after a minute, then after twice as long each time and in the end daily, until the
 * provider has captured all of it or says that nothing will come. A pass goes through the stores, a few charges of each
 * at a time, until none is due; any number of processes may make one.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { type ClaimedCharge, OpenChargeRepository } from "./OpenChargeRepository.ts"
import { OperationOutcomes } from "./OperationOutcomes.ts"
import { PaymentPolicy } from "./PaymentPolicy.ts"
import type { ChargeFound, ProviderNotice } from "./PaymentProvider.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { answeredInTime } from "./ProviderCall.ts"
import { type ProviderOperation, toldReason } from "./ProviderOperation.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"

/** How many stores are processed at a time, and how many charges of each. */
const atOnce = 4

export class OpenCharges extends Context.Service<OpenCharges>()("@effect-commerce/core/payment/OpenCharges", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const stores = yield* Stores
    const providers = yield* PaymentProviders
    const operations = yield* ProviderOperationRepository
    const open = yield* OpenChargeRepository
    const outcomes = yield* OperationOutcomes
    const policy = yield* PaymentPolicy
    const schedule = { first: policy.firstAsk, slowest: policy.slowestAsk }

    /** Applies what was found to what the charge has paid for. Returns whether that is final. */
    const follow = Effect.fnUntraced(function* (store: StoreContext, operation: ProviderOperation, found: ChargeFound) {
      const notice = noticeOf(operation, found)
      if (notice === undefined) return false
      const { charges } = yield* outcomes.handlerOf(operation.subjectType)
      if (charges !== undefined) yield* charges.noticed(store, operation, notice)
      return notice.type === "failed" || notice.captured >= operation.amount
    })

    const ask = Effect.fnUntraced(function* (store: StoreContext, { id, wait }: ClaimedCharge) {
      const operation = yield* operations.find(store.id, id)
      const provider = operation === undefined ? undefined : providers.byCode(operation.provider)
      if (operation === undefined || provider === undefined) return
      const lookup = answeredInTime(provider, policy)(provider.lookup(store.id, operation.chargeKey))
      const answer = yield* Effect.result(lookup)
      const isFinal = answer._tag === "Success" && (yield* follow(store, operation, answer.success))
      const now = new Date(yield* Clock.currentTimeMillis)
      if (isFinal) yield* database.write(store.id)(open.close(store.id, id, now))
      else if (wait >= schedule.slowest)
        yield* Effect.logWarning(
          `The charge ${operation.externalId} of ${operation.subjectId} in ${store.id} is open at ${provider.code} ` +
            `since ${operation.createdAt.toISOString()}: it is asked for again in a day`
        )
    })

    const ofStore = Effect.fnUntraced(function* (storeId: string) {
      const store = yield* Effect.orDie(stores.context(storeId))
      const now = new Date(yield* Clock.currentTimeMillis)
      const claimed = yield* database.write(storeId)(open.claimDue(storeId, schedule, { limit: atOnce, now }))
      yield* Effect.forEach(
        claimed,
        (charge) =>
          Effect.catchCause(ask(store, charge), (cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.logError(`The open charge ${charge.id} of ${storeId}`, cause)
          ),
        { concurrency: atOnce, discard: true }
      )
      return claimed.length > 0
    })

    const due = Effect.flatMap(Clock.currentTimeMillis, (now) => open.storesWithDue(schedule, new Date(now)))
    return {
      /** Queries the provider for every charge that is due. */
      pass: storesInTurn("Asking for open charges", due, ofStore, atOnce)
    }
  })
}) {
  static readonly layer = Layer.effect(OpenCharges, OpenCharges.make).pipe(
    Layer.provide([ProviderOperationRepository.layer, OpenChargeRepository.layer])
  )
}

/** The content of the lost notice; undefined if there is nothing new. */
const noticeOf = (operation: ProviderOperation, found: ChargeFound): ProviderNotice | undefined => {
  const { id, chargeKey, externalId } = operation
  const told = { eventId: `asked:${id}`, chargeKey, refunded: 0n }
  if (found._tag === "Declined")
    return { ...told, type: "failed", externalId: externalId ?? "", captured: 0n, reason: toldReason(found.reason) }
  if (found._tag !== "Found" || found.charge.captured === 0n) return undefined
  const { charge } = found
  return { ...told, type: "captured", externalId: charge.externalId, captured: charge.captured, reason: null }
}
