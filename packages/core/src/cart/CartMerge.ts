/** A merge of carts, as it is read and written. */
import type { CartLine, CartState } from "./Cart.ts"

/** Whose active cart, and where. */
export interface CartOwner {
  readonly customerId: string
  readonly salesChannelId: string | null
}

/** A merge: the cart of a session goes into the active cart of a customer. */
export interface MergeParties extends CartOwner {
  readonly sessionToken: string
}

/** A cart that is about to be merged, or merged into. */
export interface MergeableCart extends CartState {
  /** A checkout of it is PROCESSING: a provider may be taking money for its lines. */
  readonly isBeingPaid: boolean
  /** Checkouts of it are PENDING. */
  readonly hasOpenCheckouts: boolean
}

export interface CartMerge {
  readonly sourceId: string
  readonly targetId: string
  readonly couponCode: string | null
  readonly lines: ReadonlyArray<CartLine>
}
