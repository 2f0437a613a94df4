/**
 * The port to the checkouts that were made of a cart.
 *
 * What it decides: what becomes of checkouts once lines of their cart are sold another way or have become one. When it
 * is called: inside the transaction that changes the cart, under the cart's lock, which comes before those of its
 * checkouts. How it differs from its neighbour: CartHolds changes a cart after something was done to its checkout; this
 * changes checkouts after something was done to their cart. What the default does: there is none; the checkout room
 * provides it.
 */
import { Context, type Effect } from "effect"

/** Checkouts of a cart: all of them, or those that have one of these items. */
export interface CheckoutsOf {
  readonly cartId: string
  readonly itemIds?: ReadonlyArray<string>
}

export interface OpenCheckoutsMethods {
  /** Those that are PENDING buy nothing any more. */
  readonly cancel: (storeId: string, of: CheckoutsOf, now: Date) => Effect.Effect<void>
  /** An item was merged into another of its cart: a checkout of the one now buys the other. */
  readonly follow: (
    storeId: string,
    cartId: string,
    item: { readonly gone: string; readonly into: string }
  ) => Effect.Effect<void>
}

export class OpenCheckouts extends Context.Service<OpenCheckouts, OpenCheckoutsMethods>()(
  "@effect-commerce/core/cart/OpenCheckouts"
) {}
