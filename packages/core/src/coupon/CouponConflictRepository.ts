/** The SQL of coupon_conflict. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none, one } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { CouponInput } from "./Coupon.ts"
import type { CouponConflictState, CouponConflictStatus, CouponResolution } from "./CouponConflict.ts"

export interface NewCouponConflict {
  readonly id: string
  readonly sourcePlatform: string
  readonly sourceExternalId: string
  readonly sourceData: CouponInput
  readonly existingCouponId: string
}

export interface CouponSettlement {
  readonly status: CouponConflictStatus
  readonly resolution: CouponResolution | null
}

export class CouponConflictRepository extends Context.Service<CouponConflictRepository>()(
  "@effect-commerce/core/coupon/CouponConflictRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const select = sql.literal(`SELECT f.id, f.source_platform, f.source_external_id, f.source_data,
        f.existing_coupon_id, f.status, f.resolution, f.resolved_at, f.created_at, f.updated_at FROM coupon_conflict f`)
      /** Somebody has decided to leave the store's coupon as it is, and the system sends the same again. */
      const isDecided = sql.literal(`f.status <> 'PENDING' AND f.resolution IS DISTINCT FROM 'use_source'
        AND f.source_data = EXCLUDED.source_data AND f.existing_coupon_id = EXCLUDED.existing_coupon_id`)

      return {
        /** Opens a conflict, or finds the one of the same coupon of that system. Returns its id. */
        open: (storeId: string, conflict: NewCouponConflict, now: Date) =>
          Effect.map(
            one(
              sql<{ readonly id: string }>`INSERT INTO coupon_conflict AS f (store_id, id, source_platform,
                  source_external_id, source_data, existing_coupon_id, status, created_at, updated_at)
                VALUES (${storeId}, ${conflict.id}, ${conflict.sourcePlatform}, ${conflict.sourceExternalId},
                  ${JSON.stringify(conflict.sourceData)}::jsonb, ${conflict.existingCouponId}, 'PENDING',
                  ${now}, ${now})
                ON CONFLICT (store_id, source_platform, source_external_id) DO UPDATE SET
                  source_data = EXCLUDED.source_data, existing_coupon_id = EXCLUDED.existing_coupon_id,
                  status = CASE WHEN ${isDecided} THEN f.status ELSE 'PENDING' END,
                  resolution = CASE WHEN ${isDecided} THEN f.resolution END,
                  resolved_at = CASE WHEN ${isDecided} THEN f.resolved_at END,
                  updated_at = CASE WHEN ${isDecided} THEN f.updated_at
                    ELSE ${versionAfter(sql, now, "f.updated_at")} END
                RETURNING f.id`
            ),
            (row) => row?.id ?? conflict.id
          ),
        /** The open ones, the newest first. coupon_conflict_pending_idx has them in this order. */
        list: (storeId: string, page: Page) =>
          many(
            sql<CouponConflictState>`${select} WHERE f.store_id = ${storeId} AND f.status = 'PENDING'
              ORDER BY f.created_at DESC, f.id DESC LIMIT ${page.limit} OFFSET ${offsetOf(page)}`
          ),
        find: (storeId: string, id: string) =>
          one(sql<CouponConflictState>`${select} WHERE f.store_id = ${storeId} AND f.id = ${id}`),
        /** The same, locked until the transaction ends. */
        lock: (storeId: string, id: string) =>
          one(sql<CouponConflictState>`${select} WHERE f.store_id = ${storeId} AND f.id = ${id} FOR NO KEY UPDATE`),
        settle: (storeId: string, id: string, { status, resolution }: CouponSettlement, now: Date) =>
          none(
            sql`UPDATE coupon_conflict SET status = ${status}, resolution = ${resolution}, resolved_at = ${now},
                updated_at = ${versionAfter(sql, now)} WHERE store_id = ${storeId} AND id = ${id}`
          ),
        /** Deletes the open conflicts of a coupon. */
        dropOpen: (storeId: string, couponId: string) =>
          none(
            sql`DELETE FROM coupon_conflict WHERE store_id = ${storeId} AND existing_coupon_id = ${couponId}
              AND status = 'PENDING'`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CouponConflictRepository, CouponConflictRepository.make)
}
