/** The SQL of product_slug: the slugs that products have in their translations, by language. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none } from "../database/Repository.ts"
import { localeSlugsOf } from "../taxonomy/LocaleSlugs.ts"
import type { ProductState } from "./Product.ts"
import { ProductSlugTaken } from "./ProductErrors.ts"

type Translated = Pick<ProductState, "id" | "translations">

export class ProductSlugRepository extends Context.Service<ProductSlugRepository>()(
  "@effect-commerce/core/product/ProductSlugRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      /**
       * Replaces the slugs of a product, whose row is locked or new, by those of `translations`. Fails where another
       * product has one of them in that language or as its own slug. Rows are inserted in a fixed order, so that two
       * requests for the same slugs do not deadlock. Runs no statement where there are no slugs before and after.
       */
      replace: (
        storeId: string,
        { id: productId, translations: before }: Translated,
        translations: Translated["translations"]
      ) => {
        const slugs = localeSlugsOf(translations)
        if (Object.keys({ ...localeSlugsOf(before), ...slugs }).length === 0) return Effect.void
        return Effect.flatMap(
          many(sql<{ readonly slug: string }>`WITH wanted AS MATERIALIZED (
              SELECT DISTINCT w.slug COLLATE "C" AS slug, lower(w.locale) COLLATE "C" AS locale
              FROM unnest(${Object.values(slugs)}::text[], ${Object.keys(slugs)}::text[]) AS w (slug, locale)
            ), gone AS (
              DELETE FROM product_slug h WHERE h.store_id = ${storeId} AND h.product_id = ${productId}
                AND NOT EXISTS (SELECT FROM wanted w WHERE w.slug = h.slug AND w.locale = h.locale)
            ), missing AS MATERIALIZED (
              SELECT w.slug, w.locale FROM wanted w WHERE NOT EXISTS (SELECT FROM product_slug h
                WHERE h.store_id = ${storeId} AND h.product_id = ${productId} AND h.slug = w.slug
                AND h.locale = w.locale)
            ), made AS (
              INSERT INTO product_slug (store_id, slug, locale, product_id)
              SELECT ${storeId}, m.slug, m.locale, ${productId} FROM missing m ORDER BY m.slug, m.locale
              ON CONFLICT (store_id, slug, locale) DO NOTHING RETURNING slug, locale
            )
            SELECT m.slug FROM missing m
            WHERE NOT EXISTS (SELECT FROM made WHERE made.slug = m.slug AND made.locale = m.locale)
            UNION ALL SELECT w.slug FROM wanted w JOIN product p ON p.store_id = ${storeId} AND p.slug = w.slug
              AND p.id <> ${productId} AND p.deleted_at IS NULL LIMIT 1`),
          ([taken]) => (taken === undefined ? Effect.void : Effect.fail(new ProductSlugTaken(taken)))
        )
      },

      /**
       * The same for products that were written without this service, and for deleted ones; `products` are those of the
       * ids that exist. Never fails: a slug that another product has in that language stays with that product. Two
       * statements, so that slugs deleted by the first are free for the second.
       */
      restore: (storeId: string, productIds: ReadonlyArray<string>, products: ReadonlyArray<Translated>) => {
        const slugs = products.flatMap(({ id: productId, translations }) =>
          Object.entries(localeSlugsOf(translations)).map(([locale, slug]) => ({
            productId,
            slug,
            locale: locale.toLowerCase()
          }))
        )
        const wanted = sql`jsonb_to_recordset(${JSON.stringify(slugs)}::jsonb)
          AS w ("productId" text, slug text, locale text)`
        return Effect.andThen(
          none(sql`DELETE FROM product_slug h WHERE h.store_id = ${storeId}
            AND h.product_id = ANY(${productIds}::text[]) AND NOT EXISTS (SELECT FROM ${wanted}
              WHERE w."productId" = h.product_id AND w.slug = h.slug AND w.locale = h.locale)`),
          slugs.length === 0
            ? Effect.void
            : none(sql`INSERT INTO product_slug (store_id, slug, locale, product_id)
                SELECT ${storeId}, w.slug, w.locale, w."productId" FROM ${wanted}
                ORDER BY w.slug COLLATE "C", w.locale COLLATE "C", w."productId" COLLATE "C"
                ON CONFLICT (store_id, slug, locale) DO NOTHING`)
        )
      }
    }))
  }
) {
  static readonly layer = Layer.effect(ProductSlugRepository, ProductSlugRepository.make)
}
