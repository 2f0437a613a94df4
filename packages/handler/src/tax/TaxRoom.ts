import { room } from "../system/Room.ts"
import { taxEndpoints } from "./TaxEndpoints.ts"

export const taxRoom = room(taxEndpoints)
