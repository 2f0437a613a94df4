import { room } from "../middleware/Room.ts"
import { reviewEndpoints } from "./ReviewEndpoints.ts"

export const reviewRoom = room(reviewEndpoints)
