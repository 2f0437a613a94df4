/**
 * Charges of a subject, for the rooms whose money they are. A charge is represented by the authorization that makes it.
 * Each method that changes one is called inside the room's transaction, under the subject's lock: in the lock order
 * charges come after checkouts and before orders.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { openNextAction } from "./internal/settlements.ts"
import type { NextAction } from "../payment/PaymentProvider.ts"
import type { ProviderOperation } from "./ProviderOperation.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"
import { UnwantedMoneyRepository } from "./UnwantedMoneyRepository.ts"

/** An authorization whose outcome is open: `calling` or `awaiting_shopper`. */
export interface OpenCharge {
  readonly operation: ProviderOperation
  readonly nextAction: NextAction | null
}

export class Charges extends Context.Service<Charges>()("@effect-commerce/core/charge/Charges", {
  make: Effect.gen(function* () {
    const operations = yield* ProviderOperationRepository
    const unwanted = yield* UnwantedMoneyRepository
    const secrets = yield* RootSecret
    return {
      /**
       * The successful one, by its id at the provider. `subjectId` is what it was authorized for: the checkout of an
       * order.
       */
      find: operations.findCharge,
      /** Locks the successful charges of a subject. */
      lock: operations.lockCharges,
      /**
       * Marks the charge as needing no further capture, in the transaction that decides it. The recovery worker voids
       * the uncaptured rest later.
       */
      release: operations.releaseCharge,
      /** The charge of a subject whose outcome is open, with what the shopper has to do next. */
      openOf: (storeId: string, subjectId: string) =>
        Effect.map(operations.openOf(storeId, subjectId), (row): OpenCharge | undefined => {
          if (row === undefined) return undefined
          const { nextAction, ...operation } = row
          return { operation, nextAction: openNextAction(secrets, storeId, operation.chargeKey, nextAction) }
        }),
      /**
       * Nobody waits for this charge any more: it is voided, or its money refunded, until that is done. The room
       * releases what it has kept for it.
       */
      giveUp: (storeId: string, operation: ProviderOperation, reason: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => unwanted.giveUp(storeId, operation, reason, new Date(now)))
    }
  })
}) {
  static readonly layer = Layer.effect(Charges, Charges.make).pipe(
    Layer.provide([ProviderOperationRepository.layer, UnwantedMoneyRepository.layer])
  )
}
