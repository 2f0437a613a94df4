/** States of a cart. ACTIVE and ABANDONED carts can be changed; CONVERTED, MERGED and EXPIRED ones can only be read. */
export const cartStatuses = ["ACTIVE", "CONVERTED", "MERGED", "ABANDONED", "EXPIRED"] as const
export type CartStatus = (typeof cartStatuses)[number]
