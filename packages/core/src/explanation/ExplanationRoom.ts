/** Explanations are made of quotes and stored with orders; the one service finds the store of what is explained. */
import type { Room } from "../database/Room.ts"
import { explanationLaws } from "./explanationLaws.ts"
import { Subjects } from "./Subjects.ts"

export const explanationRoom = { layer: Subjects.layer, laws: explanationLaws } as const satisfies Room
