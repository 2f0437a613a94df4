/**
 * The port by which rooms below products check that products exist, lock them, and announce their changes. The product
 * room implements it; categories, brands, metafields and modifiers do not depend on products.
 */
import { Context, type Effect } from "effect"
import type { FieldRejected } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/**
 * Maximum size in bytes of a product as shoppers see it, with its active variants, modifier groups and metafields:
 * enough for 250 variants with 30 pictures and texts in five languages.
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
     * For products that the open transaction has locked and changed: raises the version of each, composes what
     * storefronts read from its rows, and emits its event. Fails if one has become too large. `now` is in epoch
     * milliseconds.
     */
    readonly changed: (
      store: StoreContext,
      ids: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<void, FieldRejected>
    /** Composes what storefronts read of products from their rows, without a new version or an event. */
    readonly rebuild: (store: StoreContext, ids: ReadonlyArray<string>, now: number) => Effect.Effect<void>
  }
>()("@effect-commerce/core/taxonomy/ProductChanges") {}
