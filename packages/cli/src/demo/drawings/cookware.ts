/** Drawings of cookware. */
import { type Drawings } from "./pen.ts"

export const cookware: Drawings = {}
