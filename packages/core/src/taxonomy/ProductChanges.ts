/**
 * What the rooms beneath products ask of products: which there are, to lock them, and to show and announce what has
 * changed of them. The product room implements it; categories, brands, metafields and modifiers know no product.
 */
import { Context, type Effect } from "effect"
import type { FieldRejected } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/**
 * Bytes of a product as shoppers see it, with its active variants, modifier groups and metafields: more than 250
 * variants with 30 pictures and texts in five languages take.
 */
export const maxShownBytes = 262_144

export interface LockedProduct {
  readonly id: string
  readonly isActive: boolean
}

export class ProductChanges extends Context.Service<
  ProductChanges,
  {
    /** Those of the ids that are products of the store and not deleted. */
    readonly existing: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** Locks them until the open transaction ends, in the order of their ids; deleted and unknown ones are left out. */
    readonly lock: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LockedProduct>>
    /**
     * Products that the open transaction has locked and changed: each gets another version, what storefronts read of it
     * is made from its rows, and its event is written. Refused where one has become too large. `now` is in epoch
     * milliseconds.
     */
    readonly changed: (
      store: StoreContext,
      ids: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<void, FieldRejected>
    /** Makes what storefronts read of products from their rows, without another version or an event. */
    readonly rebuild: (store: StoreContext, ids: ReadonlyArray<string>, now: number) => Effect.Effect<void>
  }
>()("@effect-commerce/core/taxonomy/ProductChanges") {}
