/**
 * Settles operations: records the outcome of each once, in the books of its subject's room. The request, a notice of
 * the provider and the recovery worker all settle through here, in a transaction that locks the subject and the
 * operation and then calls the room's `OutcomeHandler`. An operation that has succeeded stays as it is, so that a
 * second settlement changes nothing.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  type AnyOutcomeHandler,
  type LockedOperation,
  type OutcomeHandler,
  OutcomeHandlers
} from "./OutcomeHandlers.ts"
import type {
  OperationDone,
  OperationOutcome,
  OperationRefusal,
  OperationState,
  ProviderOperation
} from "./ProviderOperation.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"

/** The operation to settle, and the handler of its subject. */
export interface Settling<Subject, Result, InHand> {
  readonly handler: OutcomeHandler<Subject, Result, InHand>
  readonly store: StoreContext
  readonly operation: Pick<ProviderOperation, "id" | "subjectId">
  /** What the request that began the operation has in memory. */
  readonly inHand?: InHand | undefined
}

/** The result of a settlement. `AlreadySettled`: the room has accepted this operation before. */
export type Settled<Result> =
  | { readonly _tag: "Accepted"; readonly result: Result }
  | { readonly _tag: "AlreadySettled" }
  | { readonly _tag: "Unwanted" }
  | ({ readonly _tag: "Refused" } & OperationRefusal)

/** Money may also come after an authorization ended without any. */
const beforeSuccess: ReadonlyArray<OperationState> = ["calling", "declined", "failed", "absent"]

export class OperationOutcomes extends Context.Service<OperationOutcomes>()(
  "@effect-commerce/core/payment/OperationOutcomes",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const operations = yield* ProviderOperationRepository
      const handlers = yield* byType(yield* OutcomeHandlers)

      /** A defect where no handler is registered for the subject. */
      const handlerOf = (subjectType: string) => {
        const handler = handlers.get(subjectType)
        return handler === undefined
          ? Effect.die(new Error(`No outcome handler is registered for payment operations of a ${subjectType}`))
          : Effect.succeed(handler)
      }

      const lock = <Subject, Result, InHand>(
        { handler, store, operation }: Settling<Subject, Result, InHand>,
        settlement: Parameters<typeof operations.settle>[1]["settlement"],
        now: number
      ) =>
        operations.settle<Subject>(store.id, {
          id: operation.id,
          lock: handler.lock(store.id, operation.subjectId),
          ...(settlement === undefined ? {} : { settlement }),
          now: new Date(now)
        })

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

      /**
       * Marks the money as `refund_due`, for the recovery worker. Under lock; `operation` is as it was before. Money
       * may come in several parts.
       */
      const markForRefund = Effect.fnUntraced(function* <Subject, Result, InHand>(
        { handler, store }: Settling<Subject, Result, InHand>,
        operation: ProviderOperation & Subject,
        { done, reason, now }: { readonly done: OperationDone; readonly reason: string; readonly now: number }
      ) {
        const { id, state, captured: before, refunded, refunding } = operation
        const sums = state === "refunded" ? { refunded: before, refunding: before } : { refunded, refunding }
        const { externalId, captured } = done
        yield* operations.markUnwanted(store.id, { id, externalId, captured, ...sums, reason }, new Date(now))
        if (state === "calling") yield* handler.ended(lockedOf(store, operation, now), { state: "unwanted", reason })
      })

      const succeed = Effect.fnUntraced(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        done: OperationDone,
        now: number
      ) {
        const { handler, store, inHand } = settling
        const operation = yield* lock(settling, { from: beforeSuccess, to: { ...done, state: "succeeded" } }, now)
        if (operation === undefined)
          return yield* Effect.die(new Error(`There is no payment operation ${settling.operation.id}`))
        yield* FaultPoint.hit("payment.locked")
        if (operation.state === "succeeded") return { _tag: "AlreadySettled" as const }
        if (isUnwanted(operation)) {
          const reason = "nobody wants the money of this payment"
          if (done.captured > operation.captured) yield* markForRefund(settling, operation, { done, reason, now })
          return { _tag: "Unwanted" as const }
        }
        const verdict = yield* handler.succeeded(lockedOf(store, operation, now), done, inHand)
        if (verdict._tag === "Accepted") return verdict
        const { reason } = verdict
        yield* operation.kind === "authorize"
          ? markForRefund(settling, operation, { done, reason, now })
          : handler.ended(lockedOf(store, operation, now), { state: "unwanted", reason })
        return { _tag: "Unwanted" as const }
      })

      const refuse = Effect.fnUntraced(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        refusal: OperationRefusal,
        now: number
      ) {
        const { handler, store } = settling
        const operation = yield* lock(settling, { from: ["calling"], to: refusal }, now)
        if (operation?.state === "calling") yield* handler.ended(lockedOf(store, operation, now), refusal)
        return { _tag: "Refused" as const, ...refusal }
      })

      return {
        handlerOf,
        /** Settles the operation once, with what the provider did or declined. */
        settle: Effect.fn("OperationOutcomes.settle")(function* <Subject, Result, InHand>(
          settling: Settling<Subject, Result, InHand>,
          outcome: OperationOutcome
        ) {
          const now = yield* Clock.currentTimeMillis
          const write = database.write(settling.store.id)
          const settled: Settled<Result> =
            outcome._tag === "Done"
              ? yield* write(succeed(settling, outcome, now))
              : yield* write(refuse(settling, { state: outcome.state, reason: outcome.reason }, now))
          yield* FaultPoint.hit(outcome._tag === "Done" ? "payment.concluded" : "payment.given-up")
          return settled
        }),
        /** The room cannot accept what was done: the money is refunded, or released where it is only reserved. */
        refuseMoney: Effect.fn("OperationOutcomes.refuseMoney")(function* <Subject, Result, InHand>(
          settling: Settling<Subject, Result, InHand>,
          done: OperationDone,
          reason: string
        ) {
          const now = yield* Clock.currentTimeMillis
          yield* database.write(settling.store.id)(
            Effect.gen(function* () {
              const operation = yield* lock(settling, undefined, now)
              if (operation === undefined || operation.state === "succeeded") return
              if (isUnwanted(operation) && done.captured <= operation.captured) return
              yield* markForRefund(settling, operation, { done, reason, now })
            })
          )
        }),
        /**
         * Unwanted money was refunded, by us or in the provider's dashboard; `refunded` is the charge's sum. The room's
         * handler is called once all of it is refunded.
         */
        recordRefund: Effect.fn("OperationOutcomes.recordRefund")(function* (
          store: StoreContext,
          { id, subjectType }: Pick<ProviderOperation, "id" | "subjectType">,
          refunded: bigint
        ) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const { charges } = yield* handlerOf(subjectType)
          yield* database.write(store.id)(
            Effect.gen(function* () {
              const operation = yield* operations.recordRefund(store.id, id, refunded, now)
              if (operation !== undefined && charges !== undefined) yield* charges.refunded(store.id, operation)
            })
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(OperationOutcomes, OperationOutcomes.make).pipe(
    Layer.provide(ProviderOperationRepository.layer)
  )
}

const isUnwanted = ({ state }: ProviderOperation): boolean => state === "refund_due" || state === "refunded"

/** One handler for each kind of subject. */
const byType = Effect.fnUntraced(function* (handlers: ReadonlyArray<AnyOutcomeHandler>) {
  const found = new Map<string, AnyOutcomeHandler>()
  for (const handler of handlers) {
    if (found.has(handler.subjectType))
      return yield* Effect.die(new Error(`Two outcome handlers are registered for a ${handler.subjectType}`))
    found.set(handler.subjectType, handler)
  }
  return found
})
