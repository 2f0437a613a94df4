/** The drawing of a product of the demo store, by its name. */
import { clothes } from "./clothes.ts"
import { desk } from "./desk.ts"
import { home } from "./home.ts"
import { kitchen } from "./kitchen.ts"
import { outdoor } from "./outdoor.ts"
import type { Drawing, Drawings } from "./pen.ts"
import { yard } from "./yard.ts"

const drawings: Drawings = { ...kitchen, ...home, ...outdoor, ...yard, ...desk, ...clothes }

export const drawingOf = (name: string): Drawing => {
  const drawing = drawings[name]
  if (drawing === undefined) throw new Error(`there is no drawing of ${name}`)
  return drawing
}
