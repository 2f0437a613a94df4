/**
 * The services of the product room. Needs `ProductStock`, which the inventory room implements, and `ProductReadModel`,
 * which the storefront room implements.
 */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { KitRepository } from "./KitRepository.ts"
import { ModifierAttachmentRepository } from "./ModifierAttachmentRepository.ts"
import { NewProductRepository } from "./NewProductRepository.ts"
import { ProductAttributeRepository } from "./ProductAttributeRepository.ts"
import { importBound, ProductImports } from "./ProductImports.ts"
import { productLaws } from "./productLaws.ts"
import { ProductRatings } from "./ProductRatings.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { Products } from "./Products.ts"
import { ProductSlugRepository } from "./ProductSlugRepository.ts"
import { VariantRepository } from "./VariantRepository.ts"

export const productRoom = {
  layer: Layer.mergeAll(Products.layer, ProductImports.layer, ProductRatings.layer).pipe(
    Layer.provide([
      ProductRepository.layer,
      NewProductRepository.layer,
      VariantRepository.layer,
      ProductAttributeRepository.layer,
      ProductSlugRepository.layer,
      KitRepository.layer,
      ModifierAttachmentRepository.layer
    ])
  ),
  rows: {
    product: { table: "product", keepsDeleted: true },
    variant: { table: "product_variant", parent: "product_id", lockFirst: { parentTable: "product" } }
  },
  laws: productLaws,
  bounds: [importBound]
} as const satisfies Room
