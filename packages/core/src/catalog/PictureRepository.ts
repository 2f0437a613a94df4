/** The SQL that takes a deleted file of the media library out of products, variants and categories. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none } from "../database/Repository.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import type { ProductImage } from "./Product.ts"

export interface PicturedProduct {
  readonly id: string
  readonly images: ReadonlyArray<ProductImage>
}

/**
 * `mark` is the part of a key that the file and its thumbnail share, and that no other file has: whatever holds it in
 * an address or a key refers to the file.
 */
export interface PictureRepositoryMethods {
  /** Products that show the file themselves or on a variant, in the order of their ids. */
  readonly productsWith: (storeId: string, mark: string) => Effect.Effect<ReadonlyArray<string>>
  /** Their images, locked until the transaction ends. */
  readonly lock: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PicturedProduct>>
  /** Writes these images, and takes the file from the products' variants. */
  readonly replace: (
    storeId: string,
    products: ReadonlyArray<PicturedProduct>,
    mark: string,
    now: Date
  ) => Effect.Effect<void>
  readonly clearCategories: (storeId: string, mark: string, now: Date) => Effect.Effect<void>
}

export class PictureRepository extends Context.Service<PictureRepository, PictureRepositoryMethods>()(
  "@effect-commerce/core/catalog/PictureRepository"
) {
  static readonly layer = Layer.effect(
    PictureRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database

      return PictureRepository.of({
        // Reads the store's products and variants whole: files are deleted rarely, and their use is not indexed.
        productsWith: (storeId, mark) =>
          many(
            sql<{ readonly id: string }>`SELECT p.id FROM product p
              WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL AND p.images <> '[]'
                AND strpos(p.images::text, ${mark}) > 0
              UNION SELECT v.product_id FROM product_variant v
              WHERE v.store_id = ${storeId} AND strpos(v.image, ${mark}) > 0 ORDER BY id`,
            ({ id }) => id
          ),
        lock: (storeId, ids) =>
          many(sql<PicturedProduct>`SELECT id, images FROM product
            WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) AND deleted_at IS NULL
            ORDER BY id FOR NO KEY UPDATE`),
        replace: (storeId, products, mark, now) => {
          const version = versionAfter(sql, now, "p.updated_at")
          return none(sql`WITH given AS (
              SELECT g.id, g.images FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb)
                AS g (id text, images jsonb)
            ), variants AS (
              UPDATE product_variant v SET image = NULL, updated_at = ${versionAfter(sql, now, "v.updated_at")}
              FROM given g WHERE v.store_id = ${storeId} AND v.product_id = g.id AND strpos(v.image, ${mark}) > 0
            ) UPDATE product p SET images = g.images, updated_at = ${version}
              FROM given g WHERE p.store_id = ${storeId} AND p.id = g.id`)
        },
        clearCategories: (storeId, mark, now) =>
          Effect.andThen(
            none(lockStoreFor(sql, "category_tree", storeId)),
            none(sql`UPDATE category SET
                image = CASE WHEN strpos(image, ${mark}) > 0 THEN NULL ELSE image END,
                image_key = CASE WHEN strpos(image_key, ${mark}) > 0 THEN NULL ELSE image_key END,
                updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND deleted_at IS NULL
                AND (strpos(image, ${mark}) > 0 OR strpos(image_key, ${mark}) > 0)`)
          )
      })
    })
  )
}
