/**
 * The port to what storefronts read of products: a listing row and a document for each. The storefront room implements
 * it; this room calls it in the transaction of every write, after the rows are written, so that readers see both or
 * neither. It is composed from the rows alone, whoever has written them.
 */
import { Context, type Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ProductState } from "./Product.ts"

export class ProductReadModel extends Context.Service<
  ProductReadModel,
  {
    /**
     * Composes these products from their rows, inside the caller's open transaction, and returns them in no order.
     * Products that are deleted or unknown are removed from what storefronts read. `now` is in epoch milliseconds.
     */
    readonly rebuild: (
      store: StoreContext,
      productIds: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<ReadonlyArray<ProductState>>
    /**
     * Marks the kits that have one of these components stale: a write of one product locks no other one, so the next
     * reader of the kit, or the worker, composes it.
     */
    readonly markKitsStale: (storeId: string, productIds: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("@effect-commerce/core/product/ProductReadModel") {}
