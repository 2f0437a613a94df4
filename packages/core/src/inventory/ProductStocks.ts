/**
 * Implements the product room's port: the opening stock of a product or variant (movement `correction`, reference
 * `initial`), and what its body sets later.
 */
import { Effect, Layer } from "effect"
import { ProductStock } from "../product/ProductStock.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { Inventory } from "./Inventory.ts"
import { InventoryRepository } from "./InventoryRepository.ts"

export const productStockLayer = Layer.effect(
  ProductStock,
  Effect.gen(function* () {
    const { open, tell } = yield* InventoryRepository
    const { wake } = yield* Outbox
    const inventory = yield* Inventory
    return ProductStock.of({
      open,
      tell: (storeId, productId, now) => Effect.andThen(tell(storeId, productId, now), wake(storeId)),
      // The product room has just written the product, and its schema has checked the counts.
      set: (store, productId, settings) =>
        Effect.catchIf(
          inventory.setTogether(store, productId, settings),
          (error) => error._tag !== "StockBelowReserved",
          (impossible) => Effect.die(impossible)
        )
    })
  })
).pipe(Layer.provide(InventoryRepository.layer))
