/** The payment room has no routes of its own: completing a checkout requests the payment. */
import { OpenCharges } from "@effect-commerce/core/payment/OpenCharges"
import { PaymentRecovery } from "@effect-commerce/core/payment/PaymentRecovery"
import { every, type Room } from "../middleware/Room.ts"

export const paymentRoom = {
  workers: [
    every(
      "500 millis",
      "Finding out what became of payments",
      PaymentRecovery.use((payments) => payments.pass)
    ),
    every(
      "30 seconds",
      "Asking for charges that are open",
      OpenCharges.use((charges) => charges.pass)
    )
  ]
} as const satisfies Room
