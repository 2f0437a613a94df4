import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { SearchWords } from "@effect-commerce/core/storefront/SearchWords"
import { StaleProducts } from "@effect-commerce/core/storefront/StaleProducts"
import { Layer } from "effect"
import { every, room } from "../system/Room.ts"
import { attributeEndpoints } from "../taxonomy/AttributeEndpoints.ts"
import { brandEndpoints } from "../taxonomy/BrandEndpoints.ts"
import { catalogEndpoints } from "./CatalogEndpoints.ts"
import { metafieldEndpoints } from "../metafield/MetafieldEndpoints.ts"
import { modifierGroupEndpoints } from "../modifier/ModifierGroupEndpoints.ts"

export const catalogRoom = room(
  Layer.mergeAll(catalogEndpoints, attributeEndpoints, brandEndpoints, modifierGroupEndpoints, metafieldEndpoints),
  every(
    "500 millis",
    "Creating products in bulk",
    ProductImports.use((imports) => imports.pass)
  ),
  every(
    "500 millis",
    "Composing products that were written without it",
    StaleProducts.use((stale) => stale.pass)
  ),
  every(
    "5 seconds",
    "Writing down prices of sales that began or ended",
    StaleProducts.use((stale) => stale.reprice)
  ),
  every(
    "60 seconds",
    "Removing words of searches that no product uses any more",
    SearchWords.use((words) => words.sweep)
  ),
  every(
    "300 seconds",
    "Sweeping old bulk jobs",
    ProductImports.use((imports) => imports.sweep)
  )
)
