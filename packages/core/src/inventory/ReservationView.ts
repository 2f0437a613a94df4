/** A reservation as shoppers see it, on carts and checkouts alike. */
import { Schema } from "effect"
import { boolean, described, integer, nullableString, nullableTimestamp } from "../kernel/Fields.ts"
import { ReservationStrategy } from "../store/Store.ts"

export const ReservationView = Schema.Struct({
  hasReservation: boolean("Whether units are reserved for this cart or checkout now."),
  expiresAt: nullableTimestamp("When the reservation ends; null while no units are reserved."),
  remainingSeconds: integer("Seconds until then; 0 while no units are reserved.", 840),
  strategy: described(
    ReservationStrategy,
    "When the store reserves units: ON_CART when they are put into a cart, ON_PAYMENT when they are paid " + "for."
  ),
  countdownMessage: nullableString("A sentence to show while units are reserved.", "Your items are reserved for 14:00")
}).annotate({ identifier: "Reservation", description: "The units that are reserved for a cart or a checkout." })

/** The reservation of a cart or checkout as shoppers see it: a countdown while units are held. */
export const reservationView = (
  strategy: typeof ReservationStrategy.Type,
  expiresAt: number | null,
  now: number
): typeof ReservationView.Type => {
  const live = expiresAt !== null && expiresAt > now
  const remainingSeconds = live ? Math.ceil((expiresAt - now) / 1_000) : 0
  const clock = `${Math.floor(remainingSeconds / 60)}:${String(remainingSeconds % 60).padStart(2, "0")}`
  return {
    hasReservation: live,
    expiresAt: live ? new Date(expiresAt).toISOString() : null,
    remainingSeconds,
    strategy,
    countdownMessage: live ? `Your items are reserved for ${clock}` : null
  }
}
