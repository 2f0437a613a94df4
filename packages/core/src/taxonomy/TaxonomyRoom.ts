/** What the taxonomy room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { Attributes } from "./Attributes.ts"
import { Brands } from "./Brands.ts"
import { Categories } from "./Categories.ts"

export const taxonomyRoom = Layer.mergeAll(Categories.layer, Brands.layer, Attributes.layer)

export const taxonomyRows = {
  attribute: { table: "attribute", keepsDeleted: true },
  attributeOption: {
    table: "attribute_option",
    parent: "attribute_id",
    keepsDeleted: true,
    lockFirst: { parentTable: "attribute" }
  },
  brand: { table: "brand", keepsDeleted: true, lockFirst: "brand" },
  category: { table: "category", keepsDeleted: true, lockFirst: "category_tree" }
} as const satisfies VersionedRows
