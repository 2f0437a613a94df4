/**
 * What a shopper may do with the units held for a cart or checkout: extend the reservation, or release it. A store that
 * takes stock at payment (ON_PAYMENT) holds nothing and rejects both. The caller checks who may act for a holder.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ReservationUnsupported } from "./InventoryErrors.ts"
import { StockLedger } from "./StockLedger.ts"

export class Reservations extends Context.Service<Reservations>()("@effect-commerce/core/inventory/Reservations", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const ledger = yield* StockLedger

    /** Rejects a store that holds nothing for carts. */
    const checkStrategy = (store: StoreContext): Effect.Effect<void, ReservationUnsupported> =>
      store.reservationStrategy === "ON_CART"
        ? Effect.void
        : Effect.fail(new ReservationUnsupported({ strategy: store.reservationStrategy }))

    return {
      /** Releases expired reservations in every store. A worker runs it each second; any number of processes may. */
      releaseExpired: Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.asVoid(ledger.expire(new Date(now)))),
      checkStrategy,
      /**
       * Live reservations end at `expiresAt` (epoch milliseconds), or later where they do already. Returns the end;
       * null where the holders hold nothing.
       */
      extend: Effect.fn("Reservations.extend")(function* (
        store: StoreContext,
        holderIds: ReadonlyArray<string>,
        expiresAt: number
      ) {
        yield* checkStrategy(store)
        const now = yield* Clock.currentTimeMillis
        const extended = yield* database.write(store.id)(
          ledger.extend(store.id, holderIds, new Date(expiresAt), new Date(now))
        )
        return extended > 0 ? expiresAt : null
      }),
      /** If nothing is held, nothing is done. */
      release: Effect.fn("Reservations.release")(function* (store: StoreContext, holderIds: ReadonlyArray<string>) {
        yield* checkStrategy(store)
        for (const holderId of holderIds) yield* database.write(store.id)(ledger.release(store.id, holderId))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Reservations, Reservations.make)
}
