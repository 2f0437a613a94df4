/** The SQL of review. */
import { Context, Effect, Layer, Schema } from "effect"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none, one, storedJson } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { ReviewOrder, ReviewState, ReviewStatus } from "./Review.ts"
import { ReviewWritten } from "./ReviewErrors.ts"

/** Undefined fields do not filter. */
export interface ReviewFilter {
  readonly statuses?: ReadonlyArray<string> | undefined
  readonly ratings?: ReadonlyArray<number> | undefined
  readonly productId?: string | undefined
  readonly customerId?: string | undefined
}

type ReviewRow = Omit<ReviewState, "photos"> & { readonly photos: unknown }

const readPhotos = storedJson("review.photos", Schema.Array(Schema.Struct({ url: Schema.String, key: Schema.String })))
const toState = (row: ReviewRow): ReviewState => ({ ...row, photos: readPhotos(row.photos) })

const columns = `r.id, r.product_id, r.variant_id, r.customer_id, r.author_name, r.rating, r.title, r.body, r.photos,
  r.status, r.verified_purchase, r.reply, r.locale, r.created_at, r.updated_at`

/**
 * review_store_id_product_id_created_at_idx and review_store_id_product_id_rating_idx give these orders of a product's
 * approved reviews, review_store_id_created_at_idx that of all.
 */
const orderOf = ({ sortBy, descending }: ReviewOrder): string => {
  const direction = descending ? " DESC" : ""
  return `${sortBy === "rating" ? `r.rating${direction}, ` : ""}r.created_at${direction}, r.id${direction}`
}

export class ReviewRepository extends Context.Service<ReviewRepository>()(
  "@effect-commerce/core/review/ReviewRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const selected = sql.literal(columns)
      const reader = makePageReader<ReviewRow>(sql, { name: "review", alias: "r", columns })
      const ofRatings = (ratings: ReadonlyArray<number> | undefined) =>
        ratings === undefined ? [] : [sql`r.rating = ANY(${ratings}::smallint[])`]

      return {
        insert: (storeId: string, review: ReviewState) =>
          none(
            sql`INSERT INTO review (store_id, id, product_id, variant_id, customer_id, author_name, rating, title, body,
                photos, status, verified_purchase, reply, locale, created_at, updated_at)
              VALUES (${storeId}, ${review.id}, ${review.productId}, ${review.variantId}, ${review.customerId},
                ${review.authorName}, ${review.rating}, ${review.title}, ${review.body},
                ${JSON.stringify(review.photos)}::jsonb, ${review.status}, ${review.verifiedPurchase}, ${review.reply},
                ${review.locale}, ${review.createdAt}, ${review.updatedAt})`.pipe(
              constraintViolations({
                review_store_id_product_id_customer_id_key: () => new ReviewWritten({ productId: review.productId }),
                review_store_id_product_id_fkey: () => new ProductNotFound({ id: review.productId })
              })
            )
          ),
        /** The review, locked until the transaction ends. */
        lock: (storeId: string, id: string) =>
          one(
            sql<ReviewRow>`SELECT ${selected} FROM review r WHERE r.store_id = ${storeId} AND r.id = ${id}
              FOR NO KEY UPDATE`,
            toState
          ),
        update: (
          storeId: string,
          id: string,
          { status, reply }: { readonly status: ReviewStatus; readonly reply: string | null },
          now: Date
        ) =>
          one(
            sql<ReviewRow>`UPDATE review r SET status = ${status}, reply = ${reply},
              updated_at = ${versionAfter(sql, now)}
              WHERE r.store_id = ${storeId} AND r.id = ${id} RETURNING ${selected}`,
            toState
          ),
        /** Returns the removed review. */
        remove: (storeId: string, id: string) =>
          one(
            sql<ReviewRow>`DELETE FROM review r WHERE r.store_id = ${storeId} AND r.id = ${id} RETURNING ${selected}`,
            toState
          ),
        /** Approved reviews of a product. */
        shown: (
          storeId: string,
          productId: string,
          ratings: ReadonlyArray<number> | undefined,
          order: ReviewOrder,
          page: Page
        ) =>
          many(
            sql<ReviewRow>`SELECT ${selected} FROM review r WHERE ${sql.and([
              sql`r.store_id = ${storeId}`,
              sql`r.product_id = ${productId}`,
              sql`r.status = 'APPROVED'`,
              ...ofRatings(ratings)
            ])} ORDER BY ${sql.literal(orderOf(order))} LIMIT ${page.limit} OFFSET ${offsetOf(page)}`,
            toState
          ),
        list: (
          storeId: string,
          { statuses, ratings, productId, customerId }: ReviewFilter,
          order: ReviewOrder,
          page: Page
        ) =>
          Effect.map(
            reader.page(storeId, {
              conditions: [
                ...(statuses === undefined ? [] : [sql`r.status = ANY(${statuses}::text[])`]),
                ...ofRatings(ratings),
                ...(productId === undefined ? [] : [sql`r.product_id = ${productId}`]),
                ...(customerId === undefined ? [] : [sql`r.customer_id = ${customerId}`])
              ],
              order: sql.literal(orderOf(order)),
              page
            }),
            ({ items, total }) => ({ items: items.map(toState), total })
          ),
        /**
         * Whether the product has the variant, and whether the customer has bought the product: by an order of theirs
         * that is neither pending nor cancelled.
         */
        writerFacts: (
          storeId: string,
          {
            productId,
            variantId,
            customerId
          }: { readonly productId: string; readonly variantId: string | null; readonly customerId: string | null }
        ) =>
          Effect.map(
            one(
              sql<{ readonly hasVariant: boolean; readonly bought: boolean }>`SELECT EXISTS (
                SELECT 1 FROM product_variant v
                WHERE v.store_id = ${storeId} AND v.product_id = ${productId} AND v.id = ${variantId}) AS has_variant,
              EXISTS (
                SELECT 1 FROM orders o JOIN order_item i ON i.store_id = o.store_id AND i.order_id = o.id
                WHERE o.store_id = ${storeId} AND o.customer_id = ${customerId} AND i.product_id = ${productId}
                  AND o.status NOT IN ('PENDING', 'CANCELLED')) AS bought`
            ),
            (facts) => facts ?? { hasVariant: false, bought: false }
          ),
        /** Removes the customer's id, name and pictures from their reviews. Returns the pictures. */
        forget: (storeId: string, customerId: string, now: Date) =>
          Effect.map(
            many(
              sql<{ readonly photos: unknown }>`UPDATE review r SET customer_id = NULL, author_name = NULL,
                  photos = '[]', updated_at = ${versionAfter(sql, now, "r.updated_at")}
                FROM (SELECT id, photos FROM review WHERE store_id = ${storeId} AND customer_id = ${customerId}
                  FOR NO KEY UPDATE) before
                WHERE r.store_id = ${storeId} AND r.id = before.id RETURNING before.photos`,
              ({ photos }) => readPhotos(photos)
            ),
            (photos) => photos.flat()
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ReviewRepository, ReviewRepository.make)
}
