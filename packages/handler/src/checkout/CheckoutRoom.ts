import { room } from "../middleware/Room.ts"
import { checkoutEndpoints } from "./CheckoutEndpoints.ts"

export const checkoutRoom = room(checkoutEndpoints)
