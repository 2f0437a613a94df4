import { room } from "../middleware/Room.ts"
import { identityEndpoints } from "./IdentityEndpoints.ts"

export const identityRoom = room(identityEndpoints)
