/**
 * What rooms above the store add to each new store, in the transaction that creates it. CommerceCore.ts names them; by
 * default there is nothing.
 */
import { Context, type Effect } from "effect"

export interface NewStore {
  readonly id: string
  readonly accountId: string
  readonly now: Date
}

export const StoreBeginnings = Context.Reference<ReadonlyArray<(store: NewStore) => Effect.Effect<void>>>(
  "@effect-commerce/core/store/StoreBeginnings",
  { defaultValue: () => [] }
)
