/** The SQL of product_rating. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none, one } from "../database/Repository.ts"
import { shownOn } from "../taxonomy/TaxonomyColumns.ts"
import type { Stars } from "./Stars.ts"

/** A review with a rating from 1 to 5 that was added or removed. */
export interface RatingChange {
  readonly rating: number
  readonly by: 1 | -1
}

/** The counters, as a part of other statements; null before the first approved review. */
export const starsOfProduct = `(SELECT json_build_array(pr.stars_1, pr.stars_2, pr.stars_3, pr.stars_4, pr.stars_5)
  FROM product_rating pr WHERE pr.store_id = p.store_id AND pr.product_id = p.id)`

export class ProductRatingRepository extends Context.Service<ProductRatingRepository>()(
  "@effect-commerce/core/product/ProductRatingRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const sumOf = (changes: ReadonlyArray<RatingChange>, rating: number): number =>
        changes.reduce((sum, change) => (change.rating === rating ? sum + change.by : sum), 0)

      return {
        /** Adds to the counters in one statement, so that no concurrent change is lost. */
        change: (storeId: string, productId: string, changes: ReadonlyArray<RatingChange>) => {
          const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((rating) => sumOf(changes, rating))
          // Inserts the row before updating it: PostgreSQL checks that counters are not negative on the row to insert,
          // even where it conflicts and only the update applies.
          return Effect.andThen(
            none(sql`INSERT INTO product_rating (store_id, product_id) VALUES (${storeId}, ${productId})
              ON CONFLICT (store_id, product_id) DO NOTHING`),
            none(sql`UPDATE product_rating SET stars_1 = stars_1 + ${one}, stars_2 = stars_2 + ${two},
              stars_3 = stars_3 + ${three}, stars_4 = stars_4 + ${four}, stars_5 = stars_5 + ${five}
              WHERE store_id = ${storeId} AND product_id = ${productId}`)
          )
        },

        /** The counters of a product that shoppers can see; undefined for any other product. */
        ofShown: (storeId: string, productId: string, channelId: string | null) =>
          one(
            sql<{ readonly stars: Stars }>`SELECT coalesce(${sql.literal(starsOfProduct)}, '[0, 0, 0, 0, 0]') AS stars
              FROM product p WHERE p.store_id = ${storeId} AND p.id = ${productId} AND p.deleted_at IS NULL
              AND p.status = 'active' AND ${shownOn(sql, "p.channel_ids", channelId)}`,
            ({ stars }) => stars
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProductRatingRepository, ProductRatingRepository.make)
}
