/**
 * Settles operations: records what a provider answered, in the books of its subject's room. The request, a look after a
 * notice and the recovery worker all settle through here, in a transaction that locks the subject and the operation and
 * then calls the room's `OutcomeHandler`. An answer that was requested before another one was applied may be the older
 * truth (`Overlapped`): it changes nothing, and the provider is asked again.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { isOtherThan, isOver, isTooLong, refundedOf } from "../payment/chargeSums.ts"
import { watchedAt } from "../payment/watchedAt.ts"
import { changeSettlement, chargeSettlement, refusedSettlement, sealNextAction } from "./internal/settlements.ts"
import { handlersByType, type LockedOperation, type OutcomeHandler, OutcomeHandlers } from "./OutcomeHandlers.ts"
import { NeglectedPayments } from "./NeglectedPayments.ts"
import { nextWatchAfter, PaymentPolicy } from "../payment/PaymentPolicy.ts"
import type { Charge, NextAction } from "../payment/PaymentProvider.ts"
import type { OperationOutcome, OperationRefusal, OperationState, ProviderOperation } from "./ProviderOperation.ts"
import { ProviderOperationRepository, type Settlement } from "./ProviderOperationRepository.ts"
import { encodeAnswer } from "./StoredAnswer.ts"
import { UnwantedMoneyRepository } from "./UnwantedMoneyRepository.ts"

/** The operation to settle, as it was before its provider was asked, and the handler of its subject. */
export interface Settling<Subject, Result, InHand> {
  readonly handler: OutcomeHandler<Subject, Result, InHand>
  readonly store: StoreContext
  readonly operation: ProviderOperation
  /** What the request that began the operation has in memory. */
  readonly inHand?: InHand | undefined
}

/**
 * The result of a settlement. `Followed`: the room had accepted the charge before, and its books follow it.
 * `Mismatched`: the provider speaks of another amount or currency; nothing is booked, and the operation needs a person.
 */
export type Settled<Result> =
  | { readonly _tag: "Accepted"; readonly result: Result }
  | { readonly _tag: "Followed" }
  | { readonly _tag: "Unwanted" }
  | { readonly _tag: "Pending" }
  | { readonly _tag: "AwaitsShopper"; readonly nextAction: NextAction | null; readonly expiresAt: Date | null }
  | { readonly _tag: "Mismatched" }
  | { readonly _tag: "Overlapped" }
  | ({ readonly _tag: "Refused" } & OperationRefusal)

const isUnderWay = (state: OperationState): boolean =>
  state === "calling" || state === "awaiting_shopper" || state === "pending"

const isUnwanted = (state: OperationState): boolean => state === "refund_due" || state === "refunded"

export class OperationOutcomes extends Context.Service<OperationOutcomes>()(
  "@effect-commerce/core/charge/OperationOutcomes",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const operations = yield* ProviderOperationRepository
      const unwanted = yield* UnwantedMoneyRepository
      const neglected = yield* NeglectedPayments
      const secrets = yield* RootSecret
      const policy = yield* PaymentPolicy
      const handlers = yield* handlersByType(yield* OutcomeHandlers)

      const handlerOf = (subjectType: string) => handlers.get(subjectType)

      const lock = <Subject, Result, InHand>(
        { handler, store, operation }: Settling<Subject, Result, InHand>,
        settlement: Settlement | undefined,
        now: number
      ) =>
        Effect.map(
          operations.settle<Subject>(store.id, {
            id: operation.id,
            lock: handler.lock(store.id, operation.subjectId),
            ...(settlement === undefined ? {} : { settlement, looks: operation.looks }),
            now: new Date(now)
          }),
          (locked) => (locked?.looks === operation.looks ? locked : undefined)
        ).pipe(
          // If nobody gets to it right after this transaction, the worker brings the charge of a change along.
          Effect.tap(() =>
            operation.kind === "authorize" || settlement === undefined || settlement.sums === null
              ? Effect.void
              : operations.lookAtCharge(store.id, operation.id, new Date(now + policy.outcomeLease))
          )
        )

      const lockedOf = <Subject>(
        store: StoreContext,
        operation: ProviderOperation & Subject,
        now: number
      ): LockedOperation<Subject> => ({
        store,
        operation,
        details: (longest) => operations.detailsOf(store.id, operation.id, longest),
        now
      })

      /** What the provider has of money that nobody wants, and what is still to be done about it. */
      const recordUnwanted = Effect.fnUntraced(function* <Subject, Result, InHand>(
        { handler, store }: Settling<Subject, Result, InHand>,
        operation: ProviderOperation & Subject,
        { charge, reason, now }: { readonly charge: Charge; readonly reason: string | null; readonly now: number }
      ) {
        const refunded = refundedOf(charge)
        const isBack = charge.captured > 0n && refunded >= charge.captured
        const state = isBack ? "refunded" : charge.captured === 0n && isOver(charge) ? "failed" : "refund_due"
        yield* unwanted.record(
          store.id,
          operation.id,
          {
            state,
            externalId: charge.externalId,
            captured: charge.captured,
            refunded: refunded < charge.captured ? refunded : charge.captured,
            answer: encodeAnswer({ _tag: "Answered", charge }),
            error: reason,
            checkAt: state === "refund_due" ? new Date(now) : null
          },
          new Date(now)
        )
        if (state === "refunded" && operation.state !== "refunded" && handler.charges !== undefined)
          yield* handler.charges.refunded(store.id, {
            ...operation,
            captured: charge.captured,
            refunded,
            externalId: charge.externalId
          })
      })

      const refuse = Effect.fnUntraced(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        refusal: OperationRefusal,
        settlement: Settlement,
        now: number
      ) {
        const operation = yield* lock(settling, settlement, now)
        if (operation === undefined) return { _tag: "Overlapped" as const }
        const { code, reason } = refusal
        if (isUnderWay(operation.state))
          yield* settling.handler.ended(lockedOf(settling.store, operation, now), {
            state: refusal.state,
            code,
            reason
          })
        return { _tag: "Refused" as const, ...refusal }
      })

      /** Money was reserved, captured or is on its way: the room takes it in, or it goes back. */
      const succeed = Effect.fnUntraced(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        charge: Charge,
        settlement: Settlement,
        now: number
      ) {
        const { handler, store, inHand } = settling
        const operation = yield* lock(settling, settlement, now)
        if (operation === undefined) return { _tag: "Overlapped" as const }
        yield* FaultPoint.hit("payment.locked")
        const locked = lockedOf(store, operation, now)
        const charges = operation.kind === "authorize" ? handler.charges : undefined
        if (operation.state === "succeeded") {
          if (charges !== undefined) yield* charges.followed(locked, charge)
          return { _tag: "Followed" as const }
        }
        const verdict = yield* handler.succeeded(locked, charge, inHand)
        if (verdict._tag === "Accepted") {
          const isMoreToTell =
            charge.refunds.length > 0 || charge.disputes.length > 0 || charge.captured > charge.amount
          if (isMoreToTell && charges !== undefined) yield* charges.followed(locked, charge)
          return verdict
        }
        const { reason } = verdict
        if (operation.kind === "authorize") yield* recordUnwanted(settling, operation, { charge, reason, now })
        if (operation.kind !== "authorize" || operation.state === "calling" || operation.state === "awaiting_shopper")
          yield* handler.ended(locked, { state: "unwanted", code: "cancelled", reason })
        return { _tag: "Unwanted" as const }
      })

      const settleCharge = Effect.fnUntraced(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        charge: Charge,
        now: number
      ) {
        const { store, operation } = settling
        const nextAction = sealNextAction(secrets, store.id, operation.chargeKey, charge.nextAction)
        const checkAt = yield* watchedAt(policy, operation, charge, now)
        const settlement = chargeSettlement(operation.state, charge, { nextAction, checkAt })
        if (isUnwanted(operation.state)) {
          const locked = yield* lock(settling, undefined, now)
          if (locked === undefined) return { _tag: "Overlapped" as const }
          const isOpen = charge.captured === 0n && !isOver(charge)
          yield* recordUnwanted(settling, locked, { charge, reason: isOpen ? "it is to be released" : null, now })
          return { _tag: "Unwanted" as const }
        }
        if (settlement.to === "succeeded") return yield* succeed(settling, charge, settlement, now)
        if (settlement.to === "awaiting_shopper") {
          const locked = yield* lock(settling, settlement, now)
          return locked === undefined
            ? { _tag: "Overlapped" as const }
            : { _tag: "AwaitsShopper" as const, nextAction: charge.nextAction, expiresAt: charge.expiresAt }
        }
        const code = charge.reason ?? "card_declined"
        return yield* refuse(
          settling,
          { state: "declined", code, reason: `The charge is ${charge.state}` },
          settlement,
          now
        )
      })

      const settleChange = Effect.fnUntraced(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        charge: Charge,
        now: number
      ) {
        const { operation } = settling
        const wait = yield* nextWatchAfter(policy, operation.state === "pending" ? operation.checks : 0, false)
        const { settlement, refusal } = changeSettlement(operation, charge, new Date(now + wait))
        if (refusal !== undefined) return yield* refuse(settling, refusal, settlement, now)
        if (settlement.to === "succeeded") return yield* succeed(settling, charge, settlement, now)
        const locked = yield* lock(settling, settlement, now)
        return { _tag: locked === undefined ? ("Overlapped" as const) : ("Pending" as const) }
      })

      /** Settles the operation with what the provider answered. */
      const settle = Effect.fn("OperationOutcomes.settle")(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        outcome: OperationOutcome
      ): Effect.fn.Return<Settled<Result>> {
        const now = yield* Clock.currentTimeMillis
        const { store, operation } = settling
        const write = database.write(store.id)
        if (outcome._tag === "Refused") {
          const [again] = policy.absentAgain
          const checkAt = outcome.state === "absent" && again !== undefined ? new Date(now + again) : null
          const settlement = refusedSettlement(outcome, checkAt)
          const refused = yield* write(refuse(settling, outcome, settlement, now))
          yield* FaultPoint.hit("payment.given-up")
          return refused
        }
        const { charge } = outcome
        if (operation.kind === "authorize" && (isOtherThan(operation, charge) || isTooLong(charge))) {
          yield* neglected.mismatched(store.id, operation, charge)
          return { _tag: "Mismatched" }
        }
        const settled: Settled<Result> =
          operation.kind === "authorize"
            ? yield* write(settleCharge(settling, charge, now))
            : yield* write(settleChange(settling, charge, now))
        yield* FaultPoint.hit("payment.concluded")
        return settled
      })

      return {
        /** Undefined: no room of this release has such subjects. */
        handlerOf,
        settle,
        /** The room cannot accept what was done: the money is refunded, or released where it is only reserved. */
        refuseMoney: Effect.fn("OperationOutcomes.refuseMoney")(function* <Subject, Result, InHand>(
          settling: Settling<Subject, Result, InHand>,
          charge: Charge,
          reason: string
        ) {
          const now = yield* Clock.currentTimeMillis
          const { handler, store } = settling
          yield* database.write(store.id)(
            Effect.gen(function* () {
              const operation = yield* lock(settling, undefined, now)
              if (operation === undefined || operation.state === "succeeded") return
              yield* recordUnwanted(settling, operation, { charge, reason, now })
              if (operation.state === "calling" || operation.state === "awaiting_shopper")
                yield* handler.ended(lockedOf(store, operation, now), {
                  state: "unwanted",
                  code: "processing_error",
                  reason
                })
            })
          )
        }),
        /**
         * The time to wait for the charge is over. It is voided until that is done; money that comes all the same is
         * late money.
         */
        giveUp: Effect.fn("OperationOutcomes.giveUp")(function* <Subject, Result, InHand>(
          settling: Settling<Subject, Result, InHand>
        ) {
          const now = yield* Clock.currentTimeMillis
          const refusal = { state: "failed", code: "expired", reason: "The time to pay was over" } as const
          const settlement = { ...refusedSettlement(refusal, new Date(now)), isReleased: true as const }
          yield* database.write(settling.store.id)(refuse(settling, refusal, settlement, now))
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(OperationOutcomes, OperationOutcomes.make).pipe(
    Layer.provide([ProviderOperationRepository.layer, UnwantedMoneyRepository.layer])
  )
}
