/** Whether a shopper who left a checkout is reminded of it now, later or never. Pure. */
import type { CartStatus } from "../../cart/CartStatus.ts"
import type { CheckoutStatus } from "../../checkout/Checkout.ts"

/** A checkout that was left, whose shopper is to be reminded. */
export interface LeftCheckout {
  readonly id: string
  readonly status: CheckoutStatus
  /** It is PROCESSING because the payment provider waits for the shopper. */
  readonly awaitsShopper: boolean
  readonly email: string
  readonly firstName: string | null
  /** The language of its lines; null for the store's own. */
  readonly locale: string | null
  readonly salesChannelId: string | null
  /** When the shopper last did something in it. */
  readonly updatedAt: Date
  readonly abandonedAt: Date
  readonly cartStatus: CartStatus
  readonly cartExpiresAt: Date
  readonly cartCustomerId: string | null
  readonly sessionToken: string
  readonly hasLines: boolean
  /** Whether somebody with this address, or this customer, has placed an order since the checkout was made. */
  readonly hasBought: boolean
  /** A payment was begun whose outcome the provider has never said: its money may come late. */
  readonly mayHavePaid: boolean
  /** Whether the shopper was reminded of the same cart. */
  readonly wasReminded: boolean
  readonly abandonedAfterMinutes: number
  readonly recoveryAfterMinutes: number
}

const minute = 60_000

/** A time to look again; or whether to write now. */
export type Recovery = Date | "send" | "never"

export const recoveryOf = (checkout: LeftCheckout, now: number): Recovery => {
  const { status, updatedAt, abandonedAt, cartStatus, cartExpiresAt } = checkout
  const wait = checkout.recoveryAfterMinutes * minute
  // While it is being paid nobody is reminded; a payment that fails makes it PENDING again.
  if (status === "PROCESSING" && !checkout.awaitsShopper) return new Date(now + Math.max(wait, minute))
  if (status === "COMPLETED" || status === "CANCELLED") return "never"
  const isCartOpen = (cartStatus === "ACTIVE" || cartStatus === "ABANDONED") && cartExpiresAt.getTime() > now
  if (!isCartOpen || !checkout.hasLines || checkout.hasBought || checkout.mayHavePaid || checkout.wasReminded)
    return "never"
  // A shopper who came back meanwhile has to leave once more.
  if (updatedAt > abandonedAt) {
    const due = updatedAt.getTime() + checkout.abandonedAfterMinutes * minute + wait
    if (due > now) return new Date(due)
  }
  return "send"
}
