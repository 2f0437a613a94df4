import { room } from "../system/Room.ts"
import { checkoutEndpoints } from "./CheckoutEndpoints.ts"

export const checkoutRoom = room(checkoutEndpoints)
