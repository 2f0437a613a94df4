/** A new cart before it is written, and how long a cart lives. */
import { randomHex } from "../crypto/Hashing.ts"
import { makeSecretId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CartState } from "./Cart.ts"
import type { CartAccess } from "./CartAccess.ts"

export const lifetimeEnd = (store: StoreContext, now: number): Date =>
  new Date(now + store.cartLifetimeMinutes * 60_000)

/** An empty cart of the caller; its currency is set when it is written. */
export const newCart = (
  store: StoreContext,
  access: CartAccess,
  { locale, now }: { readonly locale: string | null; readonly now: number }
): CartState => {
  const at = new Date(now)
  return {
    id: makeSecretId("cart", now),
    salesChannelId: access.salesChannelId,
    sessionToken: randomHex("cs_", 32),
    customerId: access.customerId,
    status: "ACTIVE",
    currency: store.currency,
    locale,
    rulesVersion: store.rulesVersion,
    notes: null,
    regionId: null,
    analyticsClientId: null,
    analyticsSessionId: null,
    couponCode: null,
    mergedInto: null,
    expiresAt: lifetimeEnd(store, now),
    createdAt: at,
    updatedAt: at,
    reservedUntil: null,
    holdsUntil: null,
    holding: {},
    paying: {},
    lines: []
  }
}
