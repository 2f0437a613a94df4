/**
 * What the product room brings: its services. Needs `ProductStock`, which the
 * inventory room implements, and `ProductReadModel`, of the storefront room.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { ProductImports, importBound } from "./ProductImports.ts"
import { ProductRatings } from "./ProductRatings.ts"
import { Products } from "./Products.ts"
import { Publishing } from "./Publishing.ts"
import { productLaws } from "./productLaws.ts"

export const productRoom = {
  layer: Layer.mergeAll(ProductImports.layer, Publishing.layer, ProductRatings.layer).pipe(
    Layer.provideMerge(Products.layer)
  ),
  rows: {
    product: { table: "product", keepsDeleted: true },
    variant: { table: "product_variant", parent: "product_id", lockFirst: { parentTable: "product" } }
  },
  laws: productLaws,
  bounds: [importBound]
} as const satisfies Room
