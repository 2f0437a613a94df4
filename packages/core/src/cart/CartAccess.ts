/** Which carts a caller may see and change, and which of the checkouts that are made from them. */

/** Who calls: a storefront through its sales channel, or an admin key. */
export interface CartAccess {
  /** The storefront's channel; for an admin key the channel of the cart that it creates, if any. */
  readonly salesChannelId: string | null
  /** True for a storefront, which has lower limits than an admin key (`CartBounds`) and sees only its own channel. */
  readonly isStorefront: boolean
  /** A test-mode channel: its orders are test orders. */
  readonly isTest: boolean
  /**
   * The customer who is signed in at the storefront, or null; for an admin key the customer of the cart that it
   * creates.
   */
  readonly customerId: string | null
}

/** What an admin key, or the operator of an installation, may do: every cart of the store, with the higher bounds. */
export const adminCarts: CartAccess = { salesChannelId: null, isStorefront: false, isTest: false, customerId: null }

/**
 * Whether a storefront may see something that belongs to a channel and possibly to a customer; an admin key sees
 * everything in its store.
 */
export const mayAccess = (
  access: CartAccess,
  owned: { readonly salesChannelId: string | null; readonly customerId: string | null }
): boolean =>
  !access.isStorefront ||
  (owned.salesChannelId === access.salesChannelId &&
    (owned.customerId === null || owned.customerId === access.customerId))
