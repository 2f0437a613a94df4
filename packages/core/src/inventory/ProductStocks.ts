/** The catalogue's port: the stock a product or variant begins with (movement `correction`, reference `initial`), and what its body sets later. */
import { Effect, Layer } from "effect"
import { ProductStock } from "../catalog/ProductStock.ts"
import { Inventory } from "./Inventory.ts"
import { InventoryRepository } from "./InventoryRepository.ts"

export const productStockLayer = Layer.effect(
  ProductStock,
  Effect.gen(function* () {
    const { open } = yield* InventoryRepository
    const inventory = yield* Inventory
    return ProductStock.of({
      open,
      // The catalogue has just written the product, and its schema has judged the counts.
      set: (store, productId, settings) =>
        Effect.catchIf(
          inventory.setTogether(store, productId, settings),
          (error) => error._tag !== "StockBelowReserved",
          (impossible) => Effect.die(impossible)
        )
    })
  })
).pipe(Layer.provide(InventoryRepository.layer))
