/** The services of the fx room. */
import type { Room } from "../database/Room.ts"
import { FxRates } from "./FxRates.ts"

export const fxRoom = { layer: FxRates.layer } as const satisfies Room
