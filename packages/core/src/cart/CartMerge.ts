/** A merge of carts: the shapes that are read and written. */
import type { CartLine, CartState } from "./Cart.ts"

/** The customer and the channel of an active cart. */
export interface CartOwner {
  readonly customerId: string
  readonly salesChannelId: string | null
}

/** A merge of a session's cart into a customer's active cart. */
export interface MergeParties extends CartOwner {
  readonly sessionToken: string
}

/** A cart that is about to be merged, or merged into. */
export interface MergeableCart extends CartState {
  /** A checkout of it is PROCESSING: a payment provider may be charging for its lines. */
  readonly isBeingPaid: boolean
  /** It has PENDING checkouts. */
  readonly hasOpenCheckouts: boolean
}

export interface CartMerge {
  readonly sourceId: string
  readonly targetId: string
  readonly couponCode: string | null
  readonly lines: ReadonlyArray<CartLine>
}
