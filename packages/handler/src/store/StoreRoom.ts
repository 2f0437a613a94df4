import { Layer } from "effect"
import { room } from "../middleware/Room.ts"
import { regionEndpoints } from "./RegionEndpoints.ts"
import { storeEndpoints } from "./StoreEndpoints.ts"

export const storeRoom = room(Layer.merge(storeEndpoints, regionEndpoints))
