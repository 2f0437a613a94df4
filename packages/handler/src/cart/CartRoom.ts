import { room } from "../system/Room.ts"
import { cartEndpoints } from "./CartEndpoints.ts"

export const cartRoom = room(cartEndpoints)
