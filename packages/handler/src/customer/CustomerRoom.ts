import { room } from "../middleware/Room.ts"
import { customerEndpoints } from "./CustomerEndpoints.ts"

export const customerRoom = room(customerEndpoints)
