/** The laws of reviews, and of the review counters of products. */
import type { Law } from "../database/Law.ts"

const stars = [1, 2, 3, 4, 5]

export const reviewLaws: ReadonlyArray<Law> = [
  {
    law: "review.counted",
    says: "a product counts, for each number of stars, its approved reviews that gave it",
    table: "product_rating",
    sql: `SELECT coalesce(r.product_id, c.product_id) AS id, coalesce(r.counts, '0 0 0 0 0') AS expected,
        coalesce(c.counts, '0 0 0 0 0') AS found
      FROM (SELECT product_id, concat_ws(' ', ${stars
        .map((star) => `count(*) FILTER (WHERE rating = ${star})`)
        .join(", ")}) AS counts
        FROM review WHERE store_id = $1 AND status = 'APPROVED' GROUP BY product_id) r
      FULL JOIN (SELECT product_id, concat_ws(' ', ${stars.map((star) => `stars_${star}`).join(", ")}) AS counts
        FROM product_rating WHERE store_id = $1) c ON c.product_id = r.product_id
      WHERE coalesce(r.counts, '0 0 0 0 0') <> coalesce(c.counts, '0 0 0 0 0')`
  },
  {
    law: "review.author",
    says: "a review names no customer who is deleted",
    table: "review",
    sql: `SELECT r.id, NULL AS expected, r.customer_id AS found FROM review r
      JOIN customer c ON c.store_id = $1 AND c.id = r.customer_id
      WHERE r.store_id = $1 AND c.deleted_at IS NOT NULL`
  }
]
