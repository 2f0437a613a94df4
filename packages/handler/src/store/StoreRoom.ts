import { room } from "../system/Room.ts"
import { storeEndpoints } from "./StoreEndpoints.ts"

export const storeRoom = room(storeEndpoints)
