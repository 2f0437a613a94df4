import { room } from "../system/Room.ts"
import { customerEndpoints } from "./CustomerEndpoints.ts"

export const customerRoom = room(customerEndpoints)
