/**
 * Finds the outcomes of operations that were not recorded: the process died, the provider did not answer, or a notice
 * was stored and not applied. It also refunds unwanted money and voids charges that need no further capture. A pass is
 * short and may run in any number of processes: each leases operations and notices for a while. A provider that is slow
 * to answer delays no other payment. No charge is ever made here.
 */
import { Cause, Clock, Context, Effect, Fiber, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { classify } from "../database/SqlErrors.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { OperationOutcomes } from "./OperationOutcomes.ts"
import type { AnyOutcomeHandler } from "./OutcomeHandlers.ts"
import { PaymentNotices } from "./PaymentNotices.ts"
import { nextCheckAfter, PaymentPolicy } from "./PaymentPolicy.ts"
import type { ChargeFound, PaymentProvider } from "./PaymentProvider.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { answeredInTime, changeCharge } from "./ProviderCall.ts"
import { type DueNotice, type NoticeName, ProviderNoticeRepository } from "./ProviderNoticeRepository.ts"
import { doneOf, type OperationOutcome, type ProviderOperation, toldReason } from "./ProviderOperation.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"
import { decodeNotice } from "./StoredNotice.ts"

/** How long a pass waits for what it has begun, in milliseconds. What takes longer runs on beside the next passes. */
const passWait = 250
/** How many operations of one store are checked at a time. */
const operationsAtOnce = 8
const noticesAtOnce = 100

/** An operation to check, with what is needed for it. */
interface Checked {
  readonly store: StoreContext
  readonly operation: ProviderOperation
  readonly handler: AnyOutcomeHandler
  readonly provider: PaymentProvider
}

export class PaymentRecovery extends Context.Service<PaymentRecovery>()(
  "@effect-commerce/core/payment/PaymentRecovery",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const stores = yield* Stores
      const providers = yield* PaymentProviders
      const operations = yield* ProviderOperationRepository
      const keptNotices = yield* ProviderNoticeRepository
      const outcomes = yield* OperationOutcomes
      const notices = yield* PaymentNotices
      const policy = yield* PaymentPolicy
      const scope = yield* Effect.scope
      const inTime = (provider: PaymentProvider) => answeredInTime(provider, policy)

      const postpone = Effect.fnUntraced(function* (store: StoreContext, operation: ProviderOperation, reason: string) {
        const now = yield* Clock.currentTimeMillis
        const checkAt = new Date(now + nextCheckAfter(policy, operation.checks))
        const again = { error: toldReason(reason), checkAt, now: new Date(now) }
        yield* database.write(store.id)(operations.postpone(store.id, operation, again))
      })

      /** Asks the provider to release what of the charge is only reserved. */
      const voidCharge = ({ store, operation, provider }: Checked) => {
        const { id, chargeKey, externalId } = operation
        const change = { storeId: store.id, chargeKey, externalId: externalId ?? "", key: `void:${id}` }
        return inTime(provider)(provider.void(change))
      }

      /** Voids what of the charge is only reserved. Then nothing is left to check. */
      const releaseCharge = Effect.fnUntraced(function* (
        checked: Checked,
        end: { readonly state?: "failed"; readonly error: string | null }
      ) {
        const { store, operation } = checked
        const answer = yield* Effect.result(voidCharge(checked))
        if (answer._tag === "Failure") return yield* postpone(store, operation, answer.failure.reason)
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(store.id)(operations.close(store.id, operation, { ...end, now }))
      })

      /**
       * Refunds what was captured, or voids what is only reserved. The sum to refund is stored before the provider is
       * called: what is captured in the meantime is for the next refund.
       */
      const refundUnwanted = Effect.fnUntraced(function* (checked: Checked) {
        const { store, operation, provider } = checked
        const { id, chargeKey, externalId, captured, refunded } = operation
        if (externalId === null) return yield* postpone(store, operation, "the charge has no id at the provider")
        if (captured === 0n)
          return yield* releaseCharge(checked, { state: "failed", error: "nobody wants the charge: it was released" })
        const now = new Date(yield* Clock.currentTimeMillis)
        const upTo = yield* database.write(store.id)(operations.beginRefund(store.id, operation, now))
        if (upTo === undefined || upTo <= refunded) return
        const key = refunded === 0n ? `refund:${id}` : `refund:${id}:${refunded}`
        const refund = provider.refund({ storeId: store.id, chargeKey, externalId, key, amount: upTo - refunded })
        const answer = yield* Effect.result(inTime(provider)(refund))
        yield* answer._tag === "Failure"
          ? postpone(store, operation, answer.failure.reason)
          : outcomes.recordRefund(store, operation, upTo)
      })

      /**
       * Settles the operation. Where the charge's deadline has passed and its room still fails to accept the outcome,
       * although the database responds, it never will: the money is refunded.
       */
      const settle = (checked: Checked, outcome: OperationOutcome) =>
        Effect.catchCause(Effect.asVoid(outcomes.settle(checked, outcome)), (cause) =>
          Effect.gen(function* () {
            const { store, operation } = checked
            const isWaitedFor = yield* isBeforeDeadline(checked)
            if (outcome._tag !== "Done" || isWaitedFor || classify(Cause.squash(cause)) === "unavailable")
              return yield* Effect.failCause(cause)
            yield* Effect.logError(
              `Nothing can be made of the payment ${operation.id} of ${store.id}: its money is refunded`,
              cause
            )
            yield* outcomes.refuseMoney(checked, outcome, "nothing could be made of it")
          })
        )

      /**
       * After the deadline, if the provider still does not know, the charge is voided. If the provider takes the money
       * anyway, it sends a notice.
       */
      const stillProcessing = Effect.fnUntraced(function* (checked: Checked) {
        if (yield* isBeforeDeadline(checked))
          return yield* postpone(checked.store, checked.operation, "the provider is still processing it")
        yield* Effect.ignore(voidCharge(checked))
        const reason = "The provider never said what became of the payment"
        yield* settle(checked, { _tag: "Refused", state: "failed", reason })
      })

      const settleFound = (checked: Checked, found: ChargeFound): Effect.Effect<void> => {
        switch (found._tag) {
          case "Found":
            return settle(checked, doneOf(found.charge))
          case "Declined":
            return settle(checked, { _tag: "Refused", state: "declined", reason: found.reason })
          case "Absent":
            return settle(checked, { _tag: "Refused", state: "absent", reason: "The provider never got the request" })
          case "Processing":
            return stillProcessing(checked)
        }
      }

      /** A charge is looked up, so that none is made; a change of a charge is requested again under its key. */
      const findOutcome = Effect.fnUntraced(function* (checked: Checked) {
        const { store, operation, provider } = checked
        const isCharge = operation.kind === "authorize"
        const call: Effect.Effect<Effect.Effect<void>, { readonly reason: string }> = isCharge
          ? Effect.map(inTime(provider)(provider.lookup(store.id, operation.chargeKey)), (found) =>
              settleFound(checked, found)
            )
          : Effect.map(inTime(provider)(changeCharge(provider, store.id, operation)), (outcome) =>
              settle(checked, outcome)
            )
        const answer = yield* Effect.result(call)
        yield* answer._tag === "Success" ? answer.success : postpone(store, operation, answer.failure.reason)
      })

      const check = Effect.fnUntraced(function* (store: StoreContext, id: string) {
        const operation = yield* operations.find(store.id, id)
        if (operation === undefined) return
        const provider = providers.byCode(operation.provider)
        if (provider === undefined) return yield* postpone(store, operation, "the provider is not set up")
        const handler = yield* outcomes.handlerOf(operation.subjectType)
        const checked = { store, operation, handler, provider }
        if (operation.state === "refund_due") return yield* refundUnwanted(checked)
        if (operation.state === "succeeded") return yield* releaseCharge(checked, { error: null })
        if (operation.state === "calling") yield* findOutcome(checked)
      })

      const setAside = Effect.fnUntraced(function* (store: StoreContext, name: NoticeName, reason: string) {
        const { provider, eventId } = name
        yield* Effect.logError(`The notice ${eventId} of ${provider} in ${store.id} is set aside: ${reason}`)
        yield* database.write(store.id)(keptNotices.setAside(store.id, name, reason))
      })

      /** Applies a stored notice. One that cannot be read is set aside: `commerce audit` reports it. */
      const actOn = Effect.fnUntraced(function* (store: StoreContext, { stored, checks, ...name }: DueNotice) {
        const read = yield* Effect.result(decodeNotice(stored))
        if (read._tag === "Failure") return yield* setAside(store, name, read.failure.reason)
        const now = yield* Clock.currentTimeMillis
        const checkAt = new Date(now + nextCheckAfter(policy, checks))
        yield* Effect.onError(notices.apply(store, { provider: name.provider, notice: read.success }), () =>
          database.write(store.id)(keptNotices.postpone(store.id, name, checkAt))
        )
      })

      /** How many operations of a store this process is checking. */
      const inHand = new Map<string, number>()
      const count = (storeId: string, more: number) => {
        const now = (inHand.get(storeId) ?? 0) + more
        if (now === 0) inHand.delete(storeId)
        else inHand.set(storeId, now)
      }
      const checkApart = (store: StoreContext, id: string) => {
        count(store.id, 1)
        const work = Effect.ignore(apart(`The payment ${id} of ${store.id}`, check(store, id)))
        return Effect.forkIn(
          Effect.ensuring(
            work,
            Effect.sync(() => count(store.id, -1))
          ),
          scope
        )
      }

      /** Applies the notices that are due, and returns the fibers that check operations. */
      const ofStore = Effect.fnUntraced(function* (storeId: string) {
        const store = yield* Effect.orDie(stores.context(storeId))
        const now = yield* Clock.currentTimeMillis
        const lease = { now: new Date(now), end: new Date(now + policy.outcomeLease) }
        const due = yield* database.write(storeId)(keptNotices.claimDue(storeId, lease, noticesAtOnce))
        yield* Effect.forEach(
          due,
          (notice) =>
            Effect.ignore(
              apart(`The notice ${notice.eventId} of ${notice.provider} in ${storeId}`, actOn(store, notice))
            ),
          { concurrency: 4, discard: true }
        )
        const room = operationsAtOnce - (inHand.get(storeId) ?? 0)
        const ids = room > 0 ? yield* database.write(storeId)(operations.claimDue(storeId, lease, room)) : []
        return yield* Effect.forEach(ids, (id) => checkApart(store, id))
      })

      return {
        /** Starts the work on everything that is due. */
        pass: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const storeIds = yield* operations.storesWithDue(new Date(now))
          const begun = yield* Effect.forEach(
            storeIds,
            (storeId) => Effect.option(apart(`Payments of ${storeId}`, ofStore(storeId))),
            { concurrency: 4 }
          )
          const checking = begun.flatMap((fibers) => (fibers._tag === "Some" ? fibers.value : []))
          yield* Effect.timeoutOption(Effect.forEach(checking, Fiber.await, { discard: true }), passWait)
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(PaymentRecovery, PaymentRecovery.make).pipe(
    Layer.provide([ProviderOperationRepository.layer, ProviderNoticeRepository.layer])
  )
}

/** Operations without a deadline stay open until their outcome is known: so does every change of a charge. */
const isBeforeDeadline = ({ store, operation, handler: { charges } }: Checked) =>
  Effect.map(
    Clock.currentTimeMillis,
    (now) => operation.kind !== "authorize" || charges === undefined || now < charges.deadline(store, operation)
  )

/** Logs a failure and isolates it from the other payments and stores of the pass. */
const apart = <A>(what: string, work: Effect.Effect<A>): Effect.Effect<A, void> =>
  Effect.catchCause(work, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.andThen(Effect.logError(what, cause), Effect.fail(undefined))
  )
