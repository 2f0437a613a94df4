/**
 * The SQL that takes a deleted file of the media library out of products, variants, metafields, categories, brands,
 * attribute options and modifiers, and that shows a late thumbnail on products.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
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
  /** Products that show the file themselves, on a variant or in a metafield, in the order of their ids. */
  readonly productsWith: (storeId: string, mark: string) => Effect.Effect<ReadonlyArray<string>>
  /** Locks the products, then the definitions whose values are pictures, each in the order of their ids. */
  readonly hold: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** The images of products that are held; deleted ones are left out. */
  readonly images: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PicturedProduct>>
  /** Writes these images, and takes the file from the variants and the metafields of the products. */
  readonly replace: (
    storeId: string,
    products: ReadonlyArray<PicturedProduct>,
    mark: string,
    now: Date
  ) => Effect.Effect<void>
  /** Products that show the file and no thumbnail of it, in the order of their ids. */
  readonly productsWithoutThumbnail: (storeId: string, key: string) => Effect.Effect<ReadonlyArray<string>>
  readonly setImages: (storeId: string, products: ReadonlyArray<PicturedProduct>, now: Date) => Effect.Effect<void>
  /** Categories, brands, attribute options and modifiers: what shows them reads them where they are. */
  readonly clearOthers: (storeId: string, mark: string, now: Date) => Effect.Effect<void>
  /** Metafield definitions that show it on a choice or as the default value, by their ids. */
  readonly definitionsWith: (storeId: string, mark: string) => Effect.Effect<ReadonlyArray<string>>
}

/** Rows that show a picture each, and are shown with their owner. */
interface PicturedParts {
  readonly owner: string
  readonly part: string
  readonly ownerId: string
  readonly column: string
  /** Sets the part's own version, where it has one. */
  readonly version?: Statement.Fragment
}

export class PictureRepository extends Context.Service<PictureRepository, PictureRepositoryMethods>()(
  "@effect-commerce/core/product/PictureRepository"
) {
  static readonly layer = Layer.effect(
    PictureRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database

      /** Values of metafields that show the file; only some types hold pictures. */
      const pictureValues = (storeId: string, mark: string) => sql`metafield_value mv
        JOIN metafield_definition d ON d.store_id = mv.store_id AND d.id = mv.definition_id
        WHERE mv.store_id = ${storeId} AND d.type IN ('IMAGE', 'GALLERY') AND strpos(mv.value::text, ${mark}) > 0`

      return PictureRepository.of({
        // Reads the store's products and variants whole: files are deleted rarely, and their use is not indexed.
        productsWith: (storeId, mark) =>
          many(
            sql<{ readonly id: string }>`SELECT p.id FROM product p
              WHERE p.store_id = ${storeId} AND p.deleted_at IS NULL AND p.images <> '[]'
                AND strpos(p.images::text, ${mark}) > 0
              UNION SELECT v.product_id FROM product_variant v
              WHERE v.store_id = ${storeId} AND strpos(v.image, ${mark}) > 0
              UNION SELECT mv.product_id FROM ${pictureValues(storeId, mark)} ORDER BY id`,
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
        hold: (storeId, ids) =>
          Effect.andThen(
            none(sql`SELECT 1 FROM product WHERE store_id = ${storeId} AND id = ANY(${ids}::text[])
              ORDER BY id FOR NO KEY UPDATE`),
            none(sql`SELECT 1 FROM metafield_definition WHERE store_id = ${storeId} AND type IN ('IMAGE', 'GALLERY')
              ORDER BY id FOR NO KEY UPDATE`)
          ),
        images: (storeId, ids) =>
          many(sql<PicturedProduct>`SELECT id, images FROM product
            WHERE store_id = ${storeId} AND id = ANY(${ids}::text[]) AND deleted_at IS NULL ORDER BY id`),
        replace: (storeId, products, mark, now) => {
          const version = versionAfter(sql, now, "p.updated_at")
          const left = sql`CASE WHEN jsonb_typeof(mv.value) = 'array' THEN (
            SELECT jsonb_agg(e.value ORDER BY e.at) FROM jsonb_array_elements(mv.value) WITH ORDINALITY AS e (value, at)
            WHERE strpos(e.value #>> '{}', ${mark}) = 0) END`
          return none(sql`WITH given AS (
              SELECT g.id, g.images FROM jsonb_to_recordset(${JSON.stringify(products)}::jsonb)
                AS g (id text, images jsonb)
            ), variants AS (
              UPDATE product_variant v SET image = NULL, updated_at = ${versionAfter(sql, now, "v.updated_at")}
              FROM given g WHERE v.store_id = ${storeId} AND v.product_id = g.id AND strpos(v.image, ${mark}) > 0
            ), pictures AS (
              SELECT mv.product_id, mv.definition_id, ${left} AS value
              FROM ${pictureValues(storeId, mark)} AND mv.product_id IN (SELECT id FROM given)
            ), gone AS (
              DELETE FROM metafield_value v USING pictures f WHERE v.store_id = ${storeId}
                AND v.product_id = f.product_id AND v.definition_id = f.definition_id AND f.value IS NULL
            ), kept AS (
              UPDATE metafield_value v SET value = f.value, updated_at = ${versionAfter(sql, now, "v.updated_at")}
              FROM pictures f WHERE v.store_id = ${storeId} AND v.product_id = f.product_id
                AND v.definition_id = f.definition_id AND f.value IS NOT NULL
            ) UPDATE product p SET images = g.images, updated_at = ${version}
              FROM given g WHERE p.store_id = ${storeId} AND p.id = g.id`)
        },
        clearOthers: (storeId, mark, now) => {
          const without = (column: "image" | "image_key" | "logo" | "logo_key") =>
            sql`${sql(column)} = CASE WHEN strpos(${sql(column)}, ${mark}) > 0 THEN NULL ELSE ${sql(column)} END`
          const version = versionAfter(sql, now)
          const ofStore = sql`store_id = ${storeId} AND deleted_at IS NULL`
          /** Parts lose it and their owner, which shows them, gets a new version. Owners are locked before parts. */
          const withVersion = ({ owner, part, ownerId, column, version: partVersion }: PicturedParts) =>
            sql`WITH owners AS (
                SELECT o.id FROM ${sql(owner)} o WHERE o.store_id = ${storeId} AND EXISTS (
                  SELECT FROM ${sql(part)} p WHERE p.store_id = o.store_id AND p.${sql(ownerId)} = o.id
                    AND strpos(p.${sql(column)}, ${mark}) > 0)
                ORDER BY o.id FOR NO KEY UPDATE
              ), parts AS (
                UPDATE ${sql(part)} p SET ${sql(column)} = NULL ${partVersion ?? sql.literal("")} FROM owners
                WHERE p.store_id = ${storeId} AND p.${sql(ownerId)} = owners.id
                  AND strpos(p.${sql(column)}, ${mark}) > 0
              ) UPDATE ${sql(owner)} o SET updated_at = ${versionAfter(sql, now, "o.updated_at")}
                FROM owners WHERE o.store_id = ${storeId} AND o.id = owners.id`
          return Effect.all(
            [
              none(lockStoreFor(sql, "category_tree", storeId)),
              none(sql`UPDATE category SET ${without("image")}, ${without("image_key")}, updated_at = ${version}
                WHERE ${ofStore} AND (strpos(image, ${mark}) > 0 OR strpos(image_key, ${mark}) > 0)`),
              none(sql`UPDATE brand SET ${without("logo")}, ${without("logo_key")}, updated_at = ${version}
                WHERE ${ofStore} AND (strpos(logo, ${mark}) > 0 OR strpos(logo_key, ${mark}) > 0)`),
              none(
                withVersion({
                  owner: "attribute",
                  part: "attribute_option",
                  ownerId: "attribute_id",
                  column: "swatch_image_url",
                  version: sql`, updated_at = ${versionAfter(sql, now, "p.updated_at")}`
                })
              ),
              none(withVersion({ owner: "modifier_group", part: "modifier", ownerId: "group_id", column: "image" }))
            ],
            { discard: true }
          )
        },
        definitionsWith: (storeId, mark) =>
          many(
            sql<{ readonly id: string }>`SELECT id FROM metafield_definition WHERE store_id = ${storeId}
              AND (strpos(enum_values::text, ${mark}) > 0
                OR (type IN ('IMAGE', 'GALLERY') AND strpos(default_value::text, ${mark}) > 0)) ORDER BY id`,
            ({ id }) => id
          )
      })
    })
  )
}
