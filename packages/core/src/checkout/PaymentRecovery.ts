/**
 * Finds out what became of payments whose outcome nobody wrote down: the process died, the provider did not answer, a notice was kept and not acted on.
 * A pass is short and may run in any number of processes: each takes attempts for itself for a while. Nothing is ever charged here.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { ChargeFound } from "../payment/PaymentProvider.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { ChargedCompletion } from "./ChargedCompletion.ts"
import { nextCheckAfter, type PaymentAttempt, PaymentPolicy } from "./PaymentAttempt.ts"
import { type AttemptEnd, type KeptNotice, PaymentAttemptRepository } from "./PaymentAttemptRepository.ts"
import { PaymentNotices } from "./PaymentNotices.ts"

export interface PaymentRecoveryMethods {
  readonly pass: Effect.Effect<void>
}

export class PaymentRecovery extends Context.Service<PaymentRecovery, PaymentRecoveryMethods>()("@effect-commerce/core/checkout/PaymentRecovery") {
  static readonly layer = Layer.effect(
    PaymentRecovery,
    Effect.gen(function* () {
      const database = yield* Database
      const stores = yield* Stores
      const providers = yield* PaymentProviders
      const attempts = yield* PaymentAttemptRepository
      const charged = yield* ChargedCompletion
      const notices = yield* PaymentNotices
      const policy = yield* PaymentPolicy

      const endAs = (store: StoreContext, attempt: PaymentAttempt, change: Partial<AttemptEnd>) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const { id, status, externalId, captured } = attempt
          yield* database.write(store.id)(
            Effect.gen(function* () {
              const locked = yield* attempts.lock(store.id, id)
              if (locked?.status !== status || locked.captured !== captured) return
              yield* attempts.end(store.id, { id, status, externalId, captured, error: null, checkAt: null, ...change }, new Date(now))
            })
          )
        })

      const askAgain = Effect.fnUntraced(function* (store: StoreContext, attempt: PaymentAttempt, error: string) {
        const now = yield* Clock.currentTimeMillis
        yield* endAs(store, attempt, { error, checkAt: new Date(now + nextCheckAfter(policy, attempt.checks)) })
      })

      /** Past the checkout's time a provider that still does not know is told to let go; what it takes later all the same still makes an order. */
      const stillProcessing = Effect.fnUntraced(function* (store: StoreContext, attempt: PaymentAttempt) {
        const now = yield* Clock.currentTimeMillis
        if (now < attempt.createdAt.getTime() + store.checkoutLifetimeMinutes * 60_000)
          return yield* askAgain(store, attempt, "the provider is still processing it")
        const provider = providers.byCode(attempt.provider)
        const { chargeKey, externalId } = attempt
        if (provider !== undefined) {
          yield* Effect.ignore(provider.void({ storeId: store.id, chargeKey, externalId: externalId ?? "", key: `void:${attempt.id}` }))
        }
        yield* charged.giveUp(store, attempt.id, { status: "failed", reason: "The provider never said what became of the payment" })
      })

      const learn = (store: StoreContext, attempt: PaymentAttempt, found: ChargeFound): Effect.Effect<void> => {
        switch (found._tag) {
          case "Found":
            return Effect.ignore(charged.conclude(store, attempt.id, found.charge))
          case "Declined":
            return charged.giveUp(store, attempt.id, { status: "declined", reason: found.reason })
          case "Absent":
            return charged.giveUp(store, attempt.id, { status: "absent", reason: "The provider never got the request" })
          case "Processing":
            return stillProcessing(store, attempt)
        }
      }

      const giveBack = Effect.fnUntraced(function* (store: StoreContext, attempt: PaymentAttempt) {
        const provider = providers.byCode(attempt.provider)
        if (provider === undefined || attempt.externalId === null) return yield* askAgain(store, attempt, "the provider is not set up")
        const { id, chargeKey, externalId, captured } = attempt
        const charge = { storeId: store.id, chargeKey, externalId }
        const taken = captured > 0n
        const answer = yield* Effect.result(
          taken ? Effect.asVoid(provider.refund({ ...charge, key: `refund:${id}`, amount: captured })) : provider.void({ ...charge, key: `void:${id}` })
        )
        if (answer._tag === "Failure") return yield* askAgain(store, attempt, answer.failure.reason)
        yield* taken ? charged.givenBack(store, id, captured) : endAs(store, attempt, { status: "failed", error: "let go: the checkout has its order" })
      })

      const look = Effect.fnUntraced(function* (store: StoreContext, id: string) {
        const attempt = yield* attempts.find(store.id, id)
        if (attempt === undefined) return
        if (attempt.status === "refund_due") return yield* giveBack(store, attempt)
        if (attempt.status !== "calling") return
        const provider = providers.byCode(attempt.provider)
        if (provider === undefined) return yield* askAgain(store, attempt, "the provider is not set up")
        const found = yield* Effect.result(provider.lookup(store.id, attempt.chargeKey))
        yield* found._tag === "Success" ? learn(store, attempt, found.success) : askAgain(store, attempt, found.failure.reason)
      })

      /** Notices that could not be acted on, with when they are tried again: this process's own patience. */
      const failed = new Map<string, { readonly times: number; readonly again: number }>()
      const actOn = (store: StoreContext, kept: KeptNotice, now: number) => {
        const name = `${store.id} ${kept.provider} ${kept.notice.eventId}`
        const { times, again } = failed.get(name) ?? { times: 0, again: now }
        if (again > now) return Effect.void
        failed.set(name, { times: times + 1, again: now + nextCheckAfter(policy, times) })
        return apart(
          `The notice ${name}`,
          Effect.tap(notices.apply(store, kept), () => Effect.sync(() => failed.delete(name)))
        )
      }

      const ofStore = Effect.fnUntraced(function* (storeId: string) {
        const store = yield* Effect.orDie(stores.context(storeId))
        const now = yield* Clock.currentTimeMillis
        const kept = yield* attempts.openNotices(storeId, new Date(now - policy.firstCheck))
        yield* Effect.forEach(kept, (notice) => actOn(store, notice, now), { discard: true })
        const due = yield* database.write(storeId)(attempts.claimDue(storeId, new Date(now), new Date(now + policy.outcomeLease)))
        yield* Effect.forEach(due, (id) => apart(`The payment ${id} of ${storeId}`, look(store, id)), { discard: true })
      })

      return PaymentRecovery.of({
        pass: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const storeIds = yield* attempts.storesWithDue(new Date(now))
          yield* Effect.forEach(storeIds, (storeId) => apart(`Payments of ${storeId}`, ofStore(storeId)), { concurrency: 4, discard: true })
        })
      })
    })
  ).pipe(Layer.provide(PaymentAttemptRepository.layer))
}

/** One payment's trouble is not another's, nor one store's. */
const apart = (what: string, work: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(work, (cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.logError(what, cause)))
