import { room } from "../system/Room.ts"
import { reviewEndpoints } from "./ReviewEndpoints.ts"

export const reviewRoom = room(reviewEndpoints)
