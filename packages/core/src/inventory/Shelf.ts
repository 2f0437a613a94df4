/** What shoppers may ask of stock. Hidden, foreign and unknown products are left out of lists and cannot be had; one statement each. */
import { Clock, Context, Effect, Layer } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CountedRow, InventoryRepository } from "./InventoryRepository.ts"
import { answerWish, type AvailabilityEntry, type ShelfEntry, toAvailability, toShelfEntry, type Wish, type WishAnswer } from "./ShelfEntry.ts"

export interface ShelfMethods {
  /** In the order asked, each once. */
  readonly inventory: (store: StoreContext, productIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ShelfEntry>>
  /** In the order asked, each once; a VARIABLE product by its variants. */
  readonly availability: (store: StoreContext, productIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<AvailabilityEntry>>
  /** Wishes for the same thing draw on the same units, in their order. */
  readonly check: (
    store: StoreContext,
    wishes: ReadonlyArray<Wish>
  ) => Effect.Effect<{ readonly allAvailable: boolean; readonly results: ReadonlyArray<WishAnswer> }>
}

export class Shelf extends Context.Service<Shelf, ShelfMethods>()("@effect-commerce/core/inventory/Shelf") {
  static readonly layer = Layer.effect(
    Shelf,
    Effect.gen(function* () {
      const repository = yield* InventoryRepository

      /** The rows of each product asked for that can be seen. */
      const seen = Effect.fnUntraced(function* (store: StoreContext, asked: ReadonlyArray<string>) {
        const productIds = [...new Set(asked)]
        if (productIds.length === 0) return []
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = Map.groupBy(yield* repository.counted(store.id, { productIds, forShoppers: true, now }), (row) => row.productId)
        return productIds.flatMap((id) => (rows.has(id) ? [rows.get(id) ?? []] : []))
      })

      return Shelf.of({
        inventory: (store, productIds) =>
          Effect.map(seen(store, productIds), (products) => products.flatMap((rows) => (rows[0] === undefined ? [] : [toShelfEntry(rows[0], rows)]))),
        availability: (store, productIds) => Effect.map(seen(store, productIds), (products) => products.flat().filter(isForSale).map(toAvailability)),
        check: (store, wishes) =>
          Effect.map(
            seen(
              store,
              wishes.map((wish) => wish.productId)
            ),
            (products) => {
              const things = new Map(
                products
                  .flat()
                  .filter(isForSale)
                  .map((row) => [`${row.productId} ${row.variantId ?? ""}`, row])
              )
              const wished = new Map<string, number>()
              const results = wishes.map((wish) => {
                const name = `${wish.productId} ${wish.variantId ?? ""}`
                const before = wished.get(name) ?? 0
                wished.set(name, before + wish.quantity)
                return answerWish(wish, things.get(name), before)
              })
              return { allAvailable: results.every((result) => result.isAvailable), results }
            }
          )
      })
    })
  ).pipe(Layer.provide(InventoryRepository.layer))
}

/** A VARIABLE product is bought by its variants, never as such. */
const isForSale = (row: CountedRow): boolean => row.type !== "VARIABLE" || row.variantId !== null
