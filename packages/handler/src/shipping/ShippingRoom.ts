import { room } from "../system/Room.ts"
import { shippingEndpoints } from "./ShippingEndpoints.ts"

export const shippingRoom = room(shippingEndpoints)
