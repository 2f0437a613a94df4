import { room } from "../middleware/Room.ts"
import { orderEndpoints } from "./OrderEndpoints.ts"

export const orderRoom = room(orderEndpoints)
