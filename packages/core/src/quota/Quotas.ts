/**
 * What the operator allows a store: so many products, and so many orders in a calendar month (UTC). The limits come
 * with the store, so a store without one pays no statement. The place of an order is taken in the transaction that
 * places it, or in the one that begins its payment, before the provider is asked: money that was asked for always
 * becomes an order, also above the limit. Its place is kept for as long as its goods are.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import { nextMonth } from "./Month.ts"
import { OrderQuotaReached, ProductQuotaReached } from "./QuotaErrors.ts"
import { QuotaRepository } from "./QuotaRepository.ts"

const noLimit: ProductRoom = { take: Effect.void }

/** Places for products, in the open transaction. */
export interface ProductRoom {
  /** Takes one place, or fails. */
  readonly take: Effect.Effect<void, ProductQuotaReached>
}

export class Quotas extends Context.Service<Quotas>()("@effect-commerce/core/quota/Quotas", {
  make: Effect.gen(function* () {
    const repository = yield* QuotaRepository
    return {
      /**
       * How many products the store may still get. Called before the transaction takes any other lock of the catalogue.
       */
      productRoom: Effect.fnUntraced(function* ({ id, maxProducts }: StoreContext) {
        if (maxProducts === null) return noLimit
        let used = yield* repository.countProductsToAdd(id)
        const room: ProductRoom = {
          take: Effect.suspend(() =>
            used < maxProducts
              ? Effect.sync(() => void used++)
              : Effect.fail(new ProductQuotaReached({ most: maxProducts, used }))
          )
        }
        return room
      }),

      /**
       * Takes the place of one order in this month, or fails. Called after every other lock of the sale except that of
       * the order's number.
       */
      takeOrder: Effect.fnUntraced(function* (
        { id, maxOrdersPerMonth: most, reservationMinutes }: StoreContext,
        { checkoutId, now }: { readonly checkoutId: string | null; readonly now: Date }
      ) {
        if (most === null) return
        const heldSince = new Date(now.getTime() - reservationMinutes * 60_000)
        const used = yield* repository.countOrdersToAdd(id, { checkoutId, now, heldSince })
        if (used >= most) return yield* new OrderQuotaReached({ most, used, resetsAt: nextMonth(now).toISOString() })
      }),

      /** What the store has used of its quotas now. */
      usage: ({ id }: StoreContext) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => repository.usage(id, new Date(now)))
    }
  })
}) {
  static readonly layer = Layer.effect(Quotas, Quotas.make).pipe(Layer.provide(QuotaRepository.layer))
}
