import { PaymentRecovery } from "@effect-commerce/core/checkout/PaymentRecovery"
import { every, room } from "../system/Room.ts"
import { checkoutEndpoints } from "./CheckoutEndpoints.ts"

export const checkoutRoom = room(
  checkoutEndpoints,
  every(
    "500 millis",
    "Finding out what became of payments",
    PaymentRecovery.use((payments) => payments.pass)
  )
)
