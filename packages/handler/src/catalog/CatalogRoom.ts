import { ProductImports } from "@effect-commerce/core/catalog/ProductImports"
import { every, room } from "../system/Room.ts"
import { brandEndpoints } from "./BrandEndpoints.ts"
import { Layer } from "effect"
import { catalogEndpoints } from "./CatalogEndpoints.ts"
import { modifierGroupEndpoints } from "./ModifierGroupEndpoints.ts"

export const catalogRoom = room(
  Layer.mergeAll(catalogEndpoints, brandEndpoints, modifierGroupEndpoints),
  every(
    "500 millis",
    "Creating products in bulk",
    ProductImports.use((imports) => imports.pass)
  ),
  every(
    "300 seconds",
    "Sweeping old bulk jobs",
    ProductImports.use((imports) => imports.sweep)
  )
)
