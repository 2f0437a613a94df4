/** What a caller may see of carts and of what is made from them. */
/** Who writes: the storefront through a channel, capped, or an admin key, uncapped. */
export interface CartAccess {
  readonly salesChannelId: string | null
  readonly capped: boolean
  /** A test-mode channel: its orders are test orders. */
  readonly isTest: boolean
  /** The signed-in customer of a storefront; null for guests and for admin keys. */
  readonly customerId: string | null
}

/**
 * Whether a storefront may see what belongs to a channel and, perhaps, to a customer; an admin key sees all of its
 * store.
 */
export const mayAccess = (
  access: CartAccess,
  owned: { readonly salesChannelId: string | null; readonly customerId: string | null }
): boolean =>
  !access.capped ||
  (owned.salesChannelId === access.salesChannelId &&
    (owned.customerId === null || owned.customerId === access.customerId))
