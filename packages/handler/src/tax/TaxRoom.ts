import type { Room } from "../middleware/Room.ts"
import { taxEndpoints } from "./TaxEndpoints.ts"
import { taxErrors } from "./taxErrors.ts"

export const taxRoom = {
  endpoints: taxEndpoints,
  errors: taxErrors
} as const satisfies Room
