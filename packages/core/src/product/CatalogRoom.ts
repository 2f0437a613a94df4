/** What the catalog room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { Attributes } from "../taxonomy/Attributes.ts"
import { Brands } from "../taxonomy/Brands.ts"
import { Categories } from "../taxonomy/Categories.ts"
import { MetafieldConflicts } from "../metafield/MetafieldConflicts.ts"
import { MetafieldDefinitions } from "../metafield/MetafieldDefinitions.ts"
import { MetafieldValues } from "../metafield/MetafieldValues.ts"
import { ModifierGroups } from "../modifier/ModifierGroups.ts"
import { productChangesLayer } from "./ChangedProducts.ts"
import { ProductImports } from "./ProductImports.ts"
import { ProductRatings } from "./ProductRatings.ts"
import { Products } from "./Products.ts"
import { Publishing } from "./Publishing.ts"
import { SearchWords } from "../storefront/SearchWords.ts"
import { StaleProducts } from "../storefront/StaleProducts.ts"
import { StorefrontProducts } from "../storefront/StorefrontProducts.ts"

/** Needs `ProductStock`, which the inventory room implements, and `ProductReadModel`, of the storefront room. */
export const catalogRoom = Layer.mergeAll(
  ProductImports.layer,
  Categories.layer,
  MetafieldDefinitions.layer,
  MetafieldValues.layer,
  MetafieldConflicts.layer,
  Attributes.layer,
  Brands.layer,
  ModifierGroups.layer,
  Publishing.layer,
  ProductRatings.layer,
  SearchWords.layer,
  StaleProducts.layer,
  StorefrontProducts.layer
).pipe(Layer.provideMerge(Products.layer), Layer.provideMerge(productChangesLayer))

export const catalogRows = {
  product: { table: "product", keepsDeleted: true },
  variant: { table: "product_variant", parent: "product_id", lockFirst: { parentTable: "product" } },
  attribute: { table: "attribute", keepsDeleted: true },
  attributeOption: {
    table: "attribute_option",
    parent: "attribute_id",
    keepsDeleted: true,
    lockFirst: { parentTable: "attribute" }
  },
  brand: { table: "brand", keepsDeleted: true, lockFirst: "brand" },
  modifierGroup: { table: "modifier_group" },
  category: { table: "category", keepsDeleted: true, lockFirst: "category_tree" }
} as const satisfies VersionedRows
