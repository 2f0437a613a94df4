/**
 * The port to what storefronts read of products: a listing row and a document for each. The storefront room implements
 * it; this room calls it in the transaction of every write, after the rows are written, so that readers see both or
 * neither. It is composed from the rows alone, whoever has written them.
 */
import { Context, type Effect } from "effect"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ProductState } from "./Product.ts"
import type { ProductSort } from "./ProductEnums.ts"

/** A list as a merchant asks for it: products of every status. Undefined does not filter. */
export interface ProductQuery {
  readonly page: Page
  readonly filter: {
    readonly statuses?: ReadonlyArray<string> | undefined
    readonly types?: ReadonlyArray<string> | undefined
    readonly search?: string | undefined
  }
  readonly sortBy: ProductSort
  readonly descending: boolean
}

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
    /** The ids of a page of a merchant's list, in its order, and how many products the list has. */
    readonly find: (
      store: StoreContext,
      query: ProductQuery
    ) => Effect.Effect<{ readonly ids: ReadonlyArray<string>; readonly total: number }>
  }
>()("@effect-commerce/core/product/ProductReadModel") {}
