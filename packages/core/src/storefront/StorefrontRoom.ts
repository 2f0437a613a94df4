/** The services of the storefront room. `productReadModelLayer` implements the port of the product room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { SearchWords } from "./SearchWords.ts"
import { ListingRepair } from "./ListingRepair.ts"
import { StorefrontProducts } from "./StorefrontProducts.ts"
import { listingLaws } from "./listingLaws.ts"

export const storefrontRoom = {
  layer: Layer.mergeAll(SearchWords.layer, ListingRepair.layer, StorefrontProducts.layer),
  laws: listingLaws
} as const satisfies Room
