/**
 * How long a cart holds units (ON_CART). Each reservation and each extension lasts for the store's reservation time,
 * and all together at most four times that since the cart first reserved any: nobody keeps units from others for ever.
 * After that time, a write that changes the lines starts a new reservation. Pure; times are in epoch milliseconds.
 */
import type { StoreContext } from "../../store/StoreContext.ts"
import type { CartState } from "../Cart.ts"

/** A cart's maximum hold time, as a multiple of the store's reservation time. */
const mostTimes = 4

export interface HoldTime {
  /** When the units held now are released. */
  readonly expiresAt: number
  /** The latest time until which the cart may hold units. */
  readonly holdsUntil: number
}

type Holder = Pick<CartState, "holdsUntil">

const within = (time: number, holdsUntil: number, now: number): HoldTime => ({
  holdsUntil,
  expiresAt: Math.min(now + time, holdsUntil)
})

/** For extending a hold: `expiresAt` has passed where the cart's maximum hold time is used up. */
export const goingOn = ({ reservationMinutes }: StoreContext, { holdsUntil }: Holder, now: number): HoldTime => {
  const time = reservationMinutes * 60_000
  return within(time, holdsUntil ?? now + mostTimes * time, now)
}

/** For a write that changes what the lines of a cart ask for. */
export const changed = (store: StoreContext, { holdsUntil }: Holder, now: number): HoldTime =>
  goingOn(store, { holdsUntil: holdsUntil === null || holdsUntil <= now ? null : holdsUntil }, now)

/** For a cart that another one is merged into: the earlier limit of the two applies. */
export const ofBoth = (one: Holder, other: Holder, now: number): Holder => {
  const running = [one, other].flatMap(({ holdsUntil }) =>
    holdsUntil !== null && holdsUntil > now ? [holdsUntil] : []
  )
  return { holdsUntil: running.length === 0 ? null : Math.min(...running) }
}
