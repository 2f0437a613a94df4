import { ProductImports } from "@effect-commerce/core/catalog/ProductImports"
import { Layer } from "effect"
import { every, room } from "../system/Room.ts"
import { catalogEndpoints } from "./CatalogEndpoints.ts"
import { metafieldEndpoints } from "./MetafieldEndpoints.ts"

export const catalogRoom = room(
  Layer.merge(catalogEndpoints, metafieldEndpoints),
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
