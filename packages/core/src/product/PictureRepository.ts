/** The SQL that removes a deleted file of the media library from products and variants, and adds a late thumbnail. */
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
 * `mark` is the part of a key that the file and its thumbnail share, and no other file has: any URL or key that
 * contains it refers to the file. This scans all products of the store: files are rarely deleted, thumbnails are rarely
 * late, and the use of files is not indexed.
 */
export class PictureRepository extends Context.Service<PictureRepository>()(
  "@effect-commerce/core/product/PictureRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const given = (products: ReadonlyArray<PicturedProduct>) =>
        sql`jsonb_to_recordset(${JSON.stringify(products)}::jsonb) AS g (id text, images jsonb)`
      const setImages = (storeId: string, products: ReadonlyArray<PicturedProduct>, now: Date) =>
        sql`UPDATE product p SET images = g.images, updated_at = ${versionAfter(sql, now, "p.updated_at")}
          FROM ${given(products)} WHERE p.store_id = ${storeId} AND p.id = g.id`

      return {
        /** Products that show the file in their images or on a variant. */
        productsWith: (storeId: string, mark: string) =>
          many(
            sql<{ readonly id: string }>`SELECT p.id FROM product p
              WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL AND p.images <> '[]'
                AND strpos(p.images::text, ${mark}) > 0
              UNION SELECT v.product_id FROM product_variant v
              WHERE v.store_id = ${storeId} AND strpos(v.image, ${mark}) > 0`,
            ({ id }) => id
          ),

        /** Products that show the file without its thumbnail, in the order of their ids. */
        productsWithoutThumbnail: (storeId: string, key: string) =>
          many(
            sql<{ readonly id: string }>`SELECT p.id FROM product p
              WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL AND p.images <> '[]'
                AND p.images @> ${JSON.stringify([{ key, thumbnailUrl: null }])}::jsonb ORDER BY p.id`,
            ({ id }) => id
          ),

        /** Locks the products, in the order of their ids. */
        lock: (storeId: string, ids: ReadonlyArray<string>) =>
          none(sql`SELECT 1 FROM product WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])
            ORDER BY id FOR NO KEY UPDATE`),

        /** The images of locked products; deleted ones are left out. */
        images: (storeId: string, ids: ReadonlyArray<string>) =>
          many(sql<PicturedProduct>`SELECT id, images FROM product
            WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) AND deleted_at IS NULL ORDER BY id`),

        setImages: (storeId: string, products: ReadonlyArray<PicturedProduct>, now: Date) =>
          none(setImages(storeId, products, now)),

        /** Writes these images, and removes the file from the variants of the products. */
        replace: (storeId: string, products: ReadonlyArray<PicturedProduct>, mark: string, now: Date) =>
          none(sql`WITH variants AS (
              UPDATE product_variant v SET image = NULL, updated_at = ${versionAfter(sql, now, "v.updated_at")}
              FROM ${given(products)}
              WHERE v.store_id = ${storeId} AND v.product_id = g.id AND strpos(v.image, ${mark}) > 0
            ) ${setImages(storeId, products, now)}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(PictureRepository, PictureRepository.make)
}
