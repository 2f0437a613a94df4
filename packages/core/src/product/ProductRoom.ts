/**
 * What the product room brings: its services, and the rows that If-Match is judged by. Needs `ProductStock`, which the
 * inventory room implements, and `ProductReadModel`, of the storefront room.
 */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { ProductImports } from "./ProductImports.ts"
import { ProductRatings } from "./ProductRatings.ts"
import { Products } from "./Products.ts"
import { Publishing } from "./Publishing.ts"

export const productRoom = Layer.mergeAll(ProductImports.layer, Publishing.layer, ProductRatings.layer).pipe(
  Layer.provideMerge(Products.layer)
)

export const productRows = {
  product: { table: "product", keepsDeleted: true },
  variant: { table: "product_variant", parent: "product_id", lockFirst: { parentTable: "product" } }
} as const satisfies VersionedRows
