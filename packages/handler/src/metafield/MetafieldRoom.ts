import { room } from "../system/Room.ts"
import { metafieldEndpoints } from "./MetafieldEndpoints.ts"

export const metafieldRoom = room(metafieldEndpoints)
