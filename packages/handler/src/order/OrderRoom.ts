import { room } from "../system/Room.ts"
import { orderEndpoints } from "./OrderEndpoints.ts"

export const orderRoom = room(orderEndpoints)
