/** The SQL that takes a deleted file of the media library out of products and variants, and adds a late thumbnail. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none } from "../database/Repository.ts"
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
  /** Products that show the file themselves or on a variant. */
  readonly productsWith: (storeId: string, mark: string) => Effect.Effect<ReadonlyArray<string>>
  /** Locks the products, in the order of their ids. */
  readonly lock: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** The images of products that are locked; deleted ones are left out. */
  readonly images: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PicturedProduct>>
  /** Writes these images, and takes the file from the variants of the products. */
  readonly replace: (
    storeId: string,
    products: ReadonlyArray<PicturedProduct>,
    mark: string,
    now: Date
  ) => Effect.Effect<void>
  /** Products that show the file and no thumbnail of it, in the order of their ids. */
  readonly productsWithoutThumbnail: (storeId: string, key: string) => Effect.Effect<ReadonlyArray<string>>
  readonly setImages: (storeId: string, products: ReadonlyArray<PicturedProduct>, now: Date) => Effect.Effect<void>
}

export class PictureRepository extends Context.Service<PictureRepository, PictureRepositoryMethods>()(
  "@effect-commerce/core/product/PictureRepository"
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
              WHERE v.store_id = ${storeId} AND strpos(v.image, ${mark}) > 0`,
            ({ id }) => id
          ),
        // Reads the store's products whole, as productsWith does, for the few files whose thumbnail comes late.
        productsWithoutThumbnail: (storeId, key) =>
          many(
            sql<{ readonly id: string }>`SELECT p.id FROM product p
              WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL AND p.images <> '[]'
                AND p.images @> ${JSON.stringify([{ key, thumbnailUrl: null }])}::jsonb ORDER BY p.id`,
            ({ id }) => id
          ),
        setImages: (storeId, products, now) =>
          none(sql`UPDATE product p SET images = g.images, updated_at = ${versionAfter(sql, now, "p.updated_at")}
            FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb) AS g (id text, images jsonb)
            WHERE p.store_id = ${storeId} AND p.id = g.id`),
        lock: (storeId, ids) =>
          none(sql`SELECT 1 FROM product WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])
            ORDER BY id FOR NO KEY UPDATE`),
        images: (storeId, ids) =>
          many(sql<PicturedProduct>`SELECT id, images FROM product
            WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) AND deleted_at IS NULL ORDER BY id`),
        replace: (storeId, products, mark, now) =>
          none(sql`WITH given AS (
              SELECT g.id, g.images FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb)
                AS g (id text, images jsonb)
            ), variants AS (
              UPDATE product_variant v SET image = NULL, updated_at = ${versionAfter(sql, now, "v.updated_at")}
              FROM given g WHERE v.store_id = ${storeId} AND v.product_id = g.id AND strpos(v.image, ${mark}) > 0
            ) UPDATE product p SET images = g.images, updated_at = ${versionAfter(sql, now, "p.updated_at")}
              FROM given g WHERE p.store_id = ${storeId} AND p.id = g.id`)
      })
    })
  )
}
