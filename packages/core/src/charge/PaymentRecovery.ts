/**
 * Goes on with everything that is due: operations whose outcome is not known, charges that are not final, money that
 * nobody wants. A pass is short and may run in any number of processes: each leases operations for a while.
 * The providers of a store wait for each other no more than stores do. No charge is ever made here.
 */
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Stores } from "../store/Stores.ts"
import { makeOperationChecks } from "./internal/operationChecks.ts"
import { apart } from "../payment/apart.ts"
import { NeglectedPayments } from "./NeglectedPayments.ts"
import { OperationScheduleRepository } from "./OperationScheduleRepository.ts"
import { PaymentPolicy } from "../payment/PaymentPolicy.ts"
import { makeProviderTurns, type ProviderOfStore } from "../payment/ProviderTurns.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"
import { UnwantedMoneyRepository } from "./UnwantedMoneyRepository.ts"

/** How long a pass waits for what it has begun, in milliseconds. What takes longer runs on beside the next passes. */
const passWait = 250
/** How often a pass looks for what has been open for too long, in milliseconds. */
const neglectEvery = 60_000

export class PaymentRecovery extends Context.Service<PaymentRecovery>()(
  "@effect-commerce/core/charge/PaymentRecovery",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const stores = yield* Stores
      const schedule = yield* OperationScheduleRepository
      const neglected = yield* NeglectedPayments
      const policy = yield* PaymentPolicy
      const check = yield* makeOperationChecks
      const scope = yield* Effect.scope
      const turns = makeProviderTurns()
      let toldAt = Number.NEGATIVE_INFINITY

      const checkApart = (whose: ProviderOfStore, id: string) =>
        Effect.suspend(() => {
          const { storeId } = whose
          const work = Effect.flatMap(Effect.orDie(stores.context(storeId)), (store) => check(store, id))
          const done = Effect.flatMap(Effect.option(apart(`The payment ${id} of ${storeId}`, work)), (answered) =>
            Effect.map(Clock.currentTimeMillis, (now) =>
              turns.end(whose, answered._tag === "Some" ? answered.value : undefined, now)
            )
          )
          return Effect.forkIn(
            Effect.onInterrupt(done, () => Effect.sync(() => turns.end(whose, undefined, 0))),
            scope
          )
        })

      /** Takes what is due of a provider of a store, and returns the fibers that check it. */
      const ofProvider = Effect.fnUntraced(function* (whose: ProviderOfStore, now: number) {
        const room = turns.room(whose, now)
        if (room <= 0) return []
        turns.begin(whose, room)
        const lease = { now: new Date(now), end: new Date(now + policy.outcomeLease) }
        const claim = database.write(whose.storeId)(schedule.claim(whose, lease, room))
        const ids = yield* Effect.onError(claim, () => Effect.sync(() => turns.giveBack(whose, room)))
        turns.giveBack(whose, room - ids.length)
        return yield* Effect.forEach(ids, (id) => checkApart(whose, id))
      })

      /** Now and then: it is the hour that counts. */
      const tellNeglected = Effect.fnUntraced(function* (now: number) {
        if (now >= toldAt && now - toldAt < neglectEvery) return
        toldAt = now
        yield* neglected.pass
      })

      return {
        /** Starts the work on everything that is due. */
        pass: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const due = yield* schedule.due(new Date(now))
          const begun = yield* Effect.forEach(
            due,
            (whose) => Effect.option(apart(`Payments of ${whose.storeId}`, ofProvider(whose, now))),
            { concurrency: 4 }
          )
          const checking = begun.flatMap((fibers) => (fibers._tag === "Some" ? fibers.value : []))
          yield* Effect.timeoutOption(Effect.forEach(checking, Fiber.await, { discard: true }), passWait)
          yield* Effect.ignore(apart("Payments that need attention", tellNeglected(now)))
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(PaymentRecovery, PaymentRecovery.make).pipe(
    Layer.provide([ProviderOperationRepository.layer, OperationScheduleRepository.layer, UnwantedMoneyRepository.layer])
  )
}
