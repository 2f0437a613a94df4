/** The drawing of a product of the demo store, by its name. */
import { accessories } from "./accessories.ts"
import { bathroom } from "./bathroom.ts"
import { camping } from "./camping.ts"
import { cookware } from "./cookware.ts"
import { cycling } from "./cycling.ts"
import { furnishing } from "./furnishing.ts"
import { games } from "./games.ts"
import { garden } from "./garden.ts"
import { garments } from "./garments.ts"
import { hiking } from "./hiking.ts"
import { lighting } from "./lighting.ts"
import type { Drawing, Drawings } from "./pen.ts"
import { stationery } from "./stationery.ts"
import { tableware } from "./tableware.ts"

const drawings: Drawings = {
  ...accessories,
  ...bathroom,
  ...camping,
  ...cookware,
  ...cycling,
  ...furnishing,
  ...games,
  ...garden,
  ...garments,
  ...hiking,
  ...lighting,
  ...stationery,
  ...tableware
}

export const drawingOf = (name: string): Drawing => {
  const drawing = drawings[name]
  if (drawing === undefined) throw new Error(`there is no drawing of ${name}`)
  return drawing
}
