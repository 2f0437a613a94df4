import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { every, room } from "../middleware/Room.ts"
import { productEndpoints } from "./ProductEndpoints.ts"

export const productRoom = room(
  productEndpoints,
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
