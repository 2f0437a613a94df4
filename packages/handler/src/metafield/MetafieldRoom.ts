import { room } from "../middleware/Room.ts"
import { metafieldEndpoints } from "./MetafieldEndpoints.ts"

export const metafieldRoom = room(metafieldEndpoints)
