import { ProductImports } from "@effect-commerce/core/catalog/ProductImports"
import { every, room } from "../system/Room.ts"
import { Layer } from "effect"
import { attributeEndpoints } from "./AttributeEndpoints.ts"
import { catalogEndpoints } from "./CatalogEndpoints.ts"

export const catalogRoom = room(
  Layer.merge(catalogEndpoints, attributeEndpoints),
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
