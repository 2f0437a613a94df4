/** What the catalog room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { Brands } from "./Brands.ts"
import { Categories } from "./Categories.ts"
import { ModifierGroups } from "./ModifierGroups.ts"
import { ProductDocuments } from "./ProductDocuments.ts"
import { ProductImports } from "./ProductImports.ts"
import { Products } from "./Products.ts"

/** Needs `ProductStock`, which the inventory room implements. */
export const catalogRoom = Layer.mergeAll(
  ProductImports.layer,
  Categories.layer,
  Brands.layer,
  ModifierGroups.layer,
  ProductDocuments.layer
).pipe(Layer.provideMerge(Products.layer))

export const catalogRows = {
  product: { table: "product", keepsDeleted: true },
  variant: { table: "product_variant", parent: "product_id", lockFirst: { parentTable: "product" } },
  brand: { table: "brand", keepsDeleted: true, lockFirst: "brand" },
  modifierGroup: { table: "modifier_group" },
  category: { table: "category", keepsDeleted: true, lockFirst: "category_tree" }
} as const satisfies VersionedRows
