/** The services of the taxonomy room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { Attributes } from "./Attributes.ts"
import { Brands } from "./Brands.ts"
import { Categories } from "./Categories.ts"
import { categoryBound } from "./Category.ts"
import { brandBound } from "./Brand.ts"
import { attributeBound, attributeOptionBound } from "./Attribute.ts"

export const taxonomyRoom = {
  layer: Layer.mergeAll(Categories.layer, Brands.layer, Attributes.layer),
  rows: {
    attribute: { table: "attribute", keepsDeleted: true },
    attributeOption: {
      table: "attribute_option",
      parent: "attribute_id",
      keepsDeleted: true,
      lockFirst: { parentTable: "attribute" }
    },
    brand: { table: "brand", keepsDeleted: true, lockFirst: "brand" },
    category: { table: "category", keepsDeleted: true, lockFirst: "category_tree" }
  },
  bounds: [categoryBound, brandBound, attributeBound, attributeOptionBound]
} as const satisfies Room
