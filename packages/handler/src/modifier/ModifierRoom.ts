import { room } from "../middleware/Room.ts"
import { modifierGroupEndpoints } from "./ModifierGroupEndpoints.ts"

export const modifierRoom = room(modifierGroupEndpoints)
