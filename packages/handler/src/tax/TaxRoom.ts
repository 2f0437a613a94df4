import { room } from "../middleware/Room.ts"
import { taxEndpoints } from "./TaxEndpoints.ts"

export const taxRoom = room(taxEndpoints)
