import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { every, type Room } from "../middleware/Room.ts"
import { productEndpoints } from "./ProductEndpoints.ts"
import { productErrors } from "./productErrors.ts"

export const productRoom = {
  endpoints: productEndpoints,
  errors: productErrors,
  workers: [
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
  ]
} as const satisfies Room
