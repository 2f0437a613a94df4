/**
 * The SQL that takes a deleted file of the media library out of products, variants, categories, brands and modifiers.
 */
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
  /** Categories, brands and modifiers: what shows them reads them where they are. */
  readonly clearOthers: (storeId: string, mark: string, now: Date) => Effect.Effect<void>
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
        clearOthers: (storeId, mark, now) => {
          const without = (column: "image" | "image_key" | "logo" | "logo_key") =>
            sql`${sql(column)} = CASE WHEN strpos(${sql(column)}, ${mark}) > 0 THEN NULL ELSE ${sql(column)} END`
          const version = versionAfter(sql, now)
          const ofStore = sql`store_id = ${storeId} AND deleted_at IS NULL`
          return Effect.all(
            [
              none(lockStoreFor(sql, "category_tree", storeId)),
              none(sql`UPDATE category SET ${without("image")}, ${without("image_key")}, updated_at = ${version}
                WHERE ${ofStore} AND (strpos(image, ${mark}) > 0 OR strpos(image_key, ${mark}) > 0)`),
              none(sql`UPDATE brand SET ${without("logo")}, ${without("logo_key")}, updated_at = ${version}
                WHERE ${ofStore} AND (strpos(logo, ${mark}) > 0 OR strpos(logo_key, ${mark}) > 0)`),
              none(sql`UPDATE modifier SET image = NULL WHERE store_id = ${storeId} AND strpos(image, ${mark}) > 0`)
            ],
            { discard: true }
          )
        }
      })
    })
  )
}
