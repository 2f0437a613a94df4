import { room } from "../middleware/Room.ts"
import { cartEndpoints } from "./CartEndpoints.ts"

export const cartRoom = room(cartEndpoints)
