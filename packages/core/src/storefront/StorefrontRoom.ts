/** What the storefront room brings: its services. `productReadModelLayer` implements the port of the product room. */
import { Layer } from "effect"
import { SearchWords } from "./SearchWords.ts"
import { ListingRepair } from "./ListingRepair.ts"
import { StorefrontProducts } from "./StorefrontProducts.ts"

export const storefrontRoom = Layer.mergeAll(SearchWords.layer, ListingRepair.layer, StorefrontProducts.layer)
