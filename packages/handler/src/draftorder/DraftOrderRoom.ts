import type { Room } from "../middleware/Room.ts"
import { draftOrderEndpoints } from "./DraftOrderEndpoints.ts"
import { draftOrderErrors } from "./draftOrderErrors.ts"

export const draftOrderRoom = { endpoints: draftOrderEndpoints, errors: draftOrderErrors } as const satisfies Room
