/**
 * The port to what storefronts read of products: a listing row and a composed document for each (decision 0024). Every
 * use case that changes what a product shows calls it once, in its own transaction and after its last write, so that
 * readers see both or neither. The storefront room implements it. A product whose rows were changed by somebody who
 * does not call it (an earlier release, a host's own SQL) is marked stale by triggers and composed by a worker.
 */
import { Context, type Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ProductState } from "./Product.ts"

export class ProductReadModel extends Context.Service<
  ProductReadModel,
  {
    /**
     * Composes these products from their rows, inside the caller's open transaction; those that are deleted or unknown
     * are removed from what storefronts read. `now` is in epoch milliseconds.
     */
    readonly refresh: (store: StoreContext, productIds: ReadonlyArray<string>, now: number) => Effect.Effect<void>
    /** `refresh`, and the products as they are, in no order. */
    readonly compose: (
      store: StoreContext,
      productIds: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<ReadonlyArray<ProductState>>
    /** `compose` of one product that this transaction has made, so that nobody else can have written it. */
    readonly composeMade: (
      store: StoreContext,
      productId: string,
      now: number
    ) => Effect.Effect<ReadonlyArray<ProductState>>
    /**
     * The same for products that this transaction has made, and whose state the caller has in hand: nobody else can have
     * changed them, and nothing is read. Sent behind the statements that write their rows.
     */
    readonly write: (store: StoreContext, products: ReadonlyArray<ProductState>, now: number) => Effect.Effect<void>
    /**
     * Nobody else composes the product until the transaction ends. Returns whether nothing was marked stale of it, and
     * the store has the currency that the caller knows; else the caller composes the product.
     */
    readonly holdComposed: (store: StoreContext, productId: string) => Effect.Effect<boolean>
    /**
     * Of a product that was read behind `holdComposed` as `before`, and is as `product` says once what the caller has
     * sent is done: nothing is read. `ProductRepository.change` is what has been sent.
     */
    readonly rewrite: (
      store: StoreContext,
      before: ProductState,
      product: ProductState,
      now: number
    ) => Effect.Effect<void>
  }
>()("@effect-commerce/core/product/ProductReadModel") {}
