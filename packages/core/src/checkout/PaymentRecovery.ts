/**
 * Finds out what became of payments whose outcome nobody wrote down: the process died, the provider did not answer, a
 * notice was kept and not acted on. A pass is short and may run in any number of processes: each takes attempts and
 * notices for itself for a while. A provider that is slow to answer keeps no other payment waiting. Nothing is ever
 * charged here.
 */
import { Cause, Clock, Context, Effect, Fiber, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { classify } from "../database/SqlErrors.ts"
import type { Charge, ChargeFound, PaymentProvider } from "../payment/PaymentProvider.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { ChargedCompletion } from "./ChargedCompletion.ts"
import { nextCheckAfter, type PaymentAttempt, PaymentPolicy } from "./PaymentAttempt.ts"
import { type AttemptEnd, type KeptNotice, PaymentAttemptRepository } from "./PaymentAttemptRepository.ts"
import { PaymentNotices } from "./PaymentNotices.ts"
import { answeredInTime } from "./ProviderCall.ts"

/**
 * How long a pass waits for what it has begun, in milliseconds: a provider that is slow is waited for beside the next
 * passes.
 */
const passWait = 250
/** Of one store. */
const attemptsAtOnce = 8
const noticesAtOnce = 100

export interface PaymentRecoveryMethods {
  /** Begins whatever is due. */
  readonly pass: Effect.Effect<void>
}

export class PaymentRecovery extends Context.Service<PaymentRecovery, PaymentRecoveryMethods>()(
  "@effect-commerce/core/checkout/PaymentRecovery"
) {
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
      const scope = yield* Effect.scope
      const inTime = (provider: PaymentProvider) => answeredInTime(provider, policy)

      const endAs = (store: StoreContext, attempt: PaymentAttempt, change: Partial<AttemptEnd>) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const { id, status, externalId, captured, refunded, refunding } = attempt
          yield* database.write(store.id)(
            Effect.gen(function* () {
              const locked = yield* attempts.lock(store.id, id)
              if (locked?.status !== status || locked.captured !== captured) return
              yield* attempts.end(
                store.id,
                { id, status, externalId, captured, refunded, refunding, error: null, checkAt: null, ...change },
                new Date(now)
              )
            })
          )
        })

      const askAgain = Effect.fnUntraced(function* (store: StoreContext, attempt: PaymentAttempt, error: string) {
        const now = yield* Clock.currentTimeMillis
        yield* endAs(store, attempt, { error, checkAt: new Date(now + nextCheckAfter(policy, attempt.checks)) })
      })

      /**
       * Past the checkout's time a provider that still does not know is told to let go; what it takes later all the
       * same still makes an order.
       */
      const stillProcessing = Effect.fnUntraced(function* (store: StoreContext, attempt: PaymentAttempt) {
        const now = yield* Clock.currentTimeMillis
        if (now < endOf(store, attempt)) return yield* askAgain(store, attempt, "the provider is still processing it")
        const provider = providers.byCode(attempt.provider)
        const { chargeKey, externalId } = attempt
        if (provider !== undefined) {
          const letGo = provider.void({
            storeId: store.id,
            chargeKey,
            externalId: externalId ?? "",
            key: `void:${attempt.id}`
          })
          yield* Effect.ignore(inTime(provider)(letGo))
        }
        yield* charged.giveUp(store, attempt.id, {
          status: "failed",
          reason: "The provider never said what became of the payment"
        })
      })

      /**
       * What has not become an order by the end of the checkout's time, though the database was there, never will: its
       * money goes back.
       */
      const concluded = (store: StoreContext, attempt: PaymentAttempt, charge: Charge) =>
        Effect.catchCause(Effect.ignore(charged.conclude(store, attempt.id, charge)), (cause) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            if (now < endOf(store, attempt) || classify(Cause.squash(cause)) === "unavailable")
              return yield* Effect.failCause(cause)
            yield* Effect.logError(
              `No order can be made of the payment ${attempt.id} of ${store.id}: its money goes back`,
              cause
            )
            yield* charged.refuse(store, attempt.id, charge, "no order could be made of it")
          })
        )

      const learn = (store: StoreContext, attempt: PaymentAttempt, found: ChargeFound): Effect.Effect<void> => {
        switch (found._tag) {
          case "Found":
            return concluded(store, attempt, found.charge)
          case "Declined":
            return charged.giveUp(store, attempt.id, { status: "declined", reason: found.reason })
          case "Absent":
            return charged.giveUp(store, attempt.id, { status: "absent", reason: "The provider never got the request" })
          case "Processing":
            return stillProcessing(store, attempt)
        }
      }

      /** The provider is told to let go of what it has not taken; `end` is what then becomes of the attempt. */
      const letGo = Effect.fnUntraced(function* (
        store: StoreContext,
        attempt: PaymentAttempt,
        end: Partial<AttemptEnd>
      ) {
        const provider = providers.byCode(attempt.provider)
        if (provider === undefined) return yield* askAgain(store, attempt, "the provider is not set up")
        const { id, chargeKey, externalId } = attempt
        const answer = yield* Effect.result(
          inTime(provider)(
            provider.void({ storeId: store.id, chargeKey, externalId: externalId ?? "", key: `void:${id}` })
          )
        )
        yield* answer._tag === "Failure" ? askAgain(store, attempt, answer.failure.reason) : endAs(store, attempt, end)
      })

      const giveBack = Effect.fnUntraced(function* (store: StoreContext, attempt: PaymentAttempt) {
        const provider = providers.byCode(attempt.provider)
        if (provider === undefined || attempt.externalId === null)
          return yield* askAgain(store, attempt, "the provider is not set up")
        const { id, chargeKey, externalId, captured } = attempt
        if (captured === 0n)
          return yield* letGo(store, attempt, { status: "failed", error: "let go: the checkout has its order" })
        const refunding = yield* refundUpTo(store, attempt)
        const { refunded } = attempt
        if (refunding <= refunded) return
        const key = refunded === 0n ? `refund:${id}` : `refund:${id}:${refunded}`
        const answer = yield* Effect.result(
          inTime(provider)(
            provider.refund({ storeId: store.id, chargeKey, externalId, key, amount: refunding - refunded })
          )
        )
        yield* answer._tag === "Failure"
          ? askAgain(store, attempt, answer.failure.reason)
          : charged.givenBack(store, id, refunding)
      })

      /**
       * The sum that the refund under way goes up to, kept before it is asked for: what is captured meanwhile is for
       * the next. 0 where all has changed.
       */
      const refundUpTo = Effect.fnUntraced(function* (store: StoreContext, { id, status, refunded }: PaymentAttempt) {
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const locked = yield* attempts.lock(store.id, id)
            if (locked?.status !== status || locked.refunded !== refunded) return 0n
            if (locked.refunding <= refunded) yield* attempts.beginRefund(store.id, id, now)
            return locked.refunding <= refunded ? locked.captured : locked.refunding
          })
        )
      })

      const look = Effect.fnUntraced(function* (store: StoreContext, id: string) {
        const attempt = yield* attempts.find(store.id, id)
        if (attempt === undefined) return
        if (attempt.status === "refund_due") return yield* giveBack(store, attempt)
        if (attempt.status === "ordered") return yield* letGo(store, attempt, {})
        if (attempt.status !== "calling") return
        const provider = providers.byCode(attempt.provider)
        if (provider === undefined) return yield* askAgain(store, attempt, "the provider is not set up")
        const found = yield* Effect.result(inTime(provider)(provider.lookup(store.id, attempt.chargeKey)))
        yield* found._tag === "Success"
          ? learn(store, attempt, found.success)
          : askAgain(store, attempt, found.failure.reason)
      })

      const actOn = (store: StoreContext, { checks, ...kept }: KeptNotice & { readonly checks: number }, now: number) =>
        Effect.ignore(
          apart(
            `The notice ${kept.notice.eventId} of ${kept.provider} in ${store.id}`,
            Effect.onError(notices.apply(store, kept), () =>
              database.write(store.id)(
                attempts.noticeFailed(store.id, kept, new Date(now + nextCheckAfter(policy, checks)))
              )
            )
          )
        )

      /** How many attempts of a store are being looked at here. */
      const inHand = new Map<string, number>()
      const count = (storeId: string, more: number) => {
        const now = (inHand.get(storeId) ?? 0) + more
        if (now === 0) inHand.delete(storeId)
        else inHand.set(storeId, now)
      }
      const lookApart = (store: StoreContext, id: string) => {
        count(store.id, 1)
        const work = Effect.ignore(apart(`The payment ${id} of ${store.id}`, look(store, id)))
        return Effect.forkIn(
          Effect.ensuring(
            work,
            Effect.sync(() => count(store.id, -1))
          ),
          scope
        )
      }

      /** Acts on the notices that are due, and answers the attempts it has begun to look at. */
      const ofStore = Effect.fnUntraced(function* (storeId: string) {
        const store = yield* Effect.orDie(stores.context(storeId))
        const now = yield* Clock.currentTimeMillis
        const lease = { now: new Date(now), end: new Date(now + policy.outcomeLease) }
        const kept = yield* database.write(storeId)(attempts.claimNotices(storeId, lease, noticesAtOnce))
        yield* Effect.forEach(kept, (notice) => actOn(store, notice, now), { concurrency: 4, discard: true })
        const room = attemptsAtOnce - (inHand.get(storeId) ?? 0)
        const due = room > 0 ? yield* database.write(storeId)(attempts.claimDue(storeId, lease, room)) : []
        return yield* Effect.forEach(due, (id) => lookApart(store, id))
      })

      return PaymentRecovery.of({
        pass: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const storeIds = yield* attempts.storesWithDue(new Date(now))
          const begun = yield* Effect.forEach(
            storeIds,
            (storeId) => Effect.option(apart(`Payments of ${storeId}`, ofStore(storeId))),
            { concurrency: 4 }
          )
          const looking = begun.flatMap((fibers) => (fibers._tag === "Some" ? fibers.value : []))
          yield* Effect.timeoutOption(Effect.forEach(looking, Fiber.await, { discard: true }), passWait)
        })
      })
    })
  ).pipe(Layer.provide(PaymentAttemptRepository.layer))
}

/** When the time of the checkout that is paid for has passed, at the latest. */
const endOf = (store: StoreContext, attempt: PaymentAttempt): number =>
  attempt.createdAt.getTime() + store.checkoutLifetimeMinutes * 60_000

/** One payment's trouble is not another's, nor one store's. */
const apart = <A>(what: string, work: Effect.Effect<A>): Effect.Effect<A, void> =>
  Effect.catchCause(work, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.andThen(Effect.logError(what, cause), Effect.fail(undefined))
  )
