import { room } from "../system/Room.ts"
import { identityEndpoints } from "./IdentityEndpoints.ts"

export const identityRoom = room(identityEndpoints)
