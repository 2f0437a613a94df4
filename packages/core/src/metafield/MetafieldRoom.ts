/** The services of the metafield room. Needs `ProductChanges`, which the product room implements. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { MetafieldConflicts } from "./MetafieldConflicts.ts"
import { MetafieldDefinitions } from "./MetafieldDefinitions.ts"
import { MetafieldPictures } from "./MetafieldPictures.ts"
import { MetafieldValues } from "./MetafieldValues.ts"
import { metafieldDefinitionBound, filterableMetafieldBound } from "./MetafieldFields.ts"

export const metafieldRoom = {
  layer: Layer.mergeAll(
    MetafieldDefinitions.layer,
    MetafieldValues.layer,
    MetafieldConflicts.layer,
    MetafieldPictures.layer
  ),
  bounds: [metafieldDefinitionBound, filterableMetafieldBound]
} as const satisfies Room
