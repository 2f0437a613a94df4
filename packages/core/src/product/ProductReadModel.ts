/**
 * The port to what storefronts read of products: a listing row and a document for each. The storefront room implements
 * it; this room calls it in the transaction of every write, after the rows are written, so that readers see both or
 * neither. Both are composed from the rows alone, even if another program wrote those.
 */
import { Context, type Effect } from "effect"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ProductState } from "./Product.ts"
import type { ProductSort } from "./ProductEnums.ts"

/** The query of a merchant's list: products of every status. Undefined fields do not filter. */
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
     * Composes these products from their rows, inside the caller's open transaction, and returns them in no particular
     * order. Deleted or unknown products are removed from what storefronts read. `now` is in epoch milliseconds.
     */
    readonly rebuild: (
      store: StoreContext,
      productIds: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<ReadonlyArray<ProductState>>
    /**
     * Marks the kits that contain one of these components stale. Writing a product locks no other product, so the kit
     * is composed by its next reader or by the worker.
     */
    readonly markKitsStale: (storeId: string, productIds: ReadonlyArray<string>) => Effect.Effect<void>
    /** The ids of a page of a merchant's list, in order, and the total number of products in the list. */
    readonly find: (
      store: StoreContext,
      query: ProductQuery
    ) => Effect.Effect<{ readonly ids: ReadonlyArray<string>; readonly total: number }>
  }
>()("@effect-commerce/core/product/ProductReadModel") {}
