/**
 * States of a cart (completions.md 2.1). ACTIVE and ABANDONED carts can be changed; CONVERTED, MERGED and EXPIRED ones
 * can only be read.
 */
export const cartStatuses = ["ACTIVE", "CONVERTED", "MERGED", "ABANDONED", "EXPIRED"] as const
export type CartStatus = (typeof cartStatuses)[number]
