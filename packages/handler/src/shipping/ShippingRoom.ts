import { room } from "../middleware/Room.ts"
import { shippingEndpoints } from "./ShippingEndpoints.ts"

export const shippingRoom = room(shippingEndpoints)
