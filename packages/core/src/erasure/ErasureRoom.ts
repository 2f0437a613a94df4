/** Its statements, and its laws; CommerceCore.ts gives its part of `CustomerTraces` to the customer room. */
import type { Room } from "../database/Room.ts"
import { ErasureRepository } from "./ErasureRepository.ts"
import { erasureLaws } from "./erasureLaws.ts"

export const erasureRoom = { layer: ErasureRepository.layer, laws: erasureLaws } as const satisfies Room
