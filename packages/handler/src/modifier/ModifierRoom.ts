import { room } from "../system/Room.ts"
import { modifierGroupEndpoints } from "./ModifierGroupEndpoints.ts"

export const modifierRoom = room(modifierGroupEndpoints)
