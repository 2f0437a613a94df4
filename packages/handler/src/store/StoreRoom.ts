import { Layer } from "effect"
import type { Room } from "../middleware/Room.ts"
import { regionEndpoints } from "./RegionEndpoints.ts"
import { storeEndpoints } from "./StoreEndpoints.ts"
import { storeErrors } from "./storeErrors.ts"

export const storeRoom = {
  endpoints: Layer.merge(storeEndpoints, regionEndpoints),
  errors: storeErrors
} as const satisfies Room
