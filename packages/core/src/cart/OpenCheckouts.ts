/**
 * The port to the checkouts that were made from a cart.
 *
 * What it decides: what happens to checkouts once lines of their cart were removed, bought otherwise or merged into
 * one. When it is called: inside the transaction that changes the cart, under the cart's lock, which comes before those
 * of its checkouts. How it differs from its neighbour: CartHolds changes a cart after its checkout has changed; this
 * changes checkouts after their cart has changed. What the default does: there is none; the checkout room provides it.
 */
import { Context, type Effect } from "effect"
import type { Statement } from "effect/sql"

/** Checkouts of a cart: all of them, or those that have one of these items. */
export interface CheckoutsOf {
  readonly cartId: string
  readonly itemIds?: ReadonlyArray<string>
}

export interface OpenCheckoutsMethods {
  /** Cancels those that are PENDING. */
  readonly cancel: (storeId: string, of: CheckoutsOf, now: Date) => Effect.Effect<void>
  /**
   * Named queries (WITH) of a statement that removes items from the cart: checkouts that are PENDING do not buy them
   * any more, and are cancelled where they buy nothing else. What is being paid for stays as it is.
   */
  readonly dropping: (storeId: string, cartId: string, itemIds: ReadonlyArray<string>, now: Date) => Statement.Fragment
  /** An item was merged into another of its cart: a checkout of the first now buys the second. */
  readonly follow: (
    storeId: string,
    cartId: string,
    item: { readonly gone: string; readonly into: string }
  ) => Effect.Effect<void>
}

export class OpenCheckouts extends Context.Service<OpenCheckouts, OpenCheckoutsMethods>()(
  "@effect-commerce/core/cart/OpenCheckouts"
) {}
