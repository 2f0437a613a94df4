/** Payment providers of stores, the address of their notices, and the workers of payments. */
import { PaymentNotices } from "@effect-commerce/core/notice/PaymentNotices"
import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import { every, type Room } from "../middleware/Room.ts"
import { paymentEndpoints } from "./PaymentEndpoints.ts"
import { paymentErrors } from "./paymentErrors.ts"

export const paymentRoom = {
  endpoints: paymentEndpoints,
  errors: paymentErrors,
  workers: [
    every(
      "500 millis",
      "Finding out what became of payments",
      PaymentRecovery.use((payments) => payments.pass)
    ),
    every(
      "500 millis",
      "Interpreting the notices of payment providers",
      PaymentNotices.use((notices) => notices.pass)
    ),
    every(
      "60 seconds",
      "Tidying up the notices of payment providers",
      PaymentNotices.use((notices) => notices.sweep)
    )
  ]
} as const satisfies Room
