/** The SQL of coupon. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { among, anyRow, containing, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { UseLimits } from "../redemption/Redemptions.ts"
import { publishedChannels } from "../taxonomy/TaxonomyColumns.ts"
import { blankCoupon, type CouponFields, type CouponSort, type CouponStatus } from "./Coupon.ts"
import { couponKey } from "./CouponCode.ts"
import { CouponTaken } from "./CouponErrors.ts"
import type { CouponState } from "./CouponView.ts"

/** Undefined fields do not filter. */
export interface CouponFilter {
  readonly search?: string | undefined
  readonly statuses?: ReadonlyArray<CouponStatus> | undefined
  /** Only those that may still be used by somebody. */
  readonly onlyUsable?: boolean
  readonly sortBy?: CouponSort
  readonly descending?: boolean
}

/** A coupon as a quote needs it. */
export interface LookedUpCoupon extends CouponFields {
  readonly id: string
}

/** The limits of a coupon, and the code that an error names. */
export interface CouponLimits extends UseLimits {
  readonly code: string
}

const taken = ({ code, sourceExternalId }: CouponFields) =>
  constraintViolations({
    coupon_store_id_code_key_key: () => new CouponTaken({ field: "code", value: code }),
    coupon_source_key: () => new CouponTaken({ field: "sourceExternalId", value: sourceExternalId ?? "" })
  })

const table: StoreTable<CouponFields> = {
  table: "coupon",
  fields: Object.keys(blankCoupon) as ReadonlyArray<keyof CouponFields>,
  json: ["conditions", "channels"]
}

const ownColumns = selectedFields(table, "c")

/** The names of the rows of `named` whose ids are in a column of the coupon, deleted ones too. */
const namesIn = (column: string, named: string): string => `(SELECT coalesce(json_agg(json_build_object('id', n.id,
  'name', n.name) ORDER BY k.n), '[]') FROM unnest(c.${column}) WITH ORDINALITY AS k (id, n)
  JOIN ${named} n ON n.store_id = c.store_id AND n.id = k.id)`

const uses = `coalesce((SELECT u.uses FROM redemption_counter u
  WHERE u.store_id = c.store_id AND u.kind = 'coupon' AND u.source_id = c.id), 0)`

const columns = `c.id, ${ownColumns}, c.created_at, c.updated_at, ${publishedChannels("c")} AS published_channels,
  ${uses} AS usage_count, json_build_object('applicableProducts', ${namesIn("applicable_products", "product")},
  'excludedProducts', ${namesIn("excluded_products", "product")},
  'applicableCategories', ${namesIn("applicable_categories", "category")},
  'excludedCategories', ${namesIn("excluded_categories", "category")}) AS names`

const sortColumns = {
  createdAt: "c.created_at",
  updatedAt: "c.updated_at",
  code: "c.code_key",
  startsAt: "c.starts_at",
  endsAt: "c.ends_at"
} as const satisfies Record<CouponSort, string>

export class CouponRepository extends Context.Service<CouponRepository>()(
  "@effect-commerce/core/coupon/CouponRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, table)
      const reader = makePageReader<CouponState>(sql, { name: "coupon", alias: "c", columns })

      const statusAt = (now: Date) => sql`CASE WHEN c.is_disabled THEN 'DISABLED'
        WHEN c.ends_at <= ${now} THEN 'EXPIRED' WHEN c.starts_at > ${now} THEN 'SCHEDULED' ELSE 'ACTIVE' END`

      const listing = (page: Page, filter: CouponFilter, now: Date) => {
        const { search, statuses, onlyUsable = false, sortBy = "createdAt", descending = true } = filter
        const direction = descending ? "DESC" : "ASC"
        return {
          conditions: [
            ...(statuses === undefined ? [] : [sql`${statusAt(now)} = ANY(${statuses}::text[])`]),
            ...(onlyUsable ? [sql`(c.usage_limit IS NULL OR ${sql.literal(uses)} < c.usage_limit)`] : []),
            ...(search === undefined
              ? []
              : [
                  sql`(c.code_key LIKE ${containing(couponKey(search))}
                    OR lower(c.title) LIKE ${containing(search.toLowerCase())})`
                ])
          ],
          order: sql.literal(`${sortColumns[sortBy]} ${direction}, c.id ${direction}`),
          page,
          search
        }
      }

      return {
        insert: (storeId: string, id: string, fields: CouponFields, now: Date) =>
          none(taken(fields)(rows.insert(storeId, id, fields, now))),
        update: (storeId: string, id: string, fields: CouponFields, now: Date) =>
          none(taken(fields)(rows.update(storeId, id, fields, now))),
        /** Returns whether the coupon existed. */
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM coupon WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        find: (storeId: string, id: string) =>
          one(
            sql<CouponState>`SELECT ${sql.literal(columns)} FROM coupon c
              WHERE c.store_id = ${storeId} AND c.id = ${id}`
          ),
        /** In any order. */
        findAll: (storeId: string, ids: ReadonlyArray<string>) =>
          many(
            sql<CouponState>`SELECT ${sql.literal(columns)} FROM coupon c
              WHERE c.store_id = ${storeId} AND c.id = ANY(${ids}::text[])`
          ),
        /** The stored fields only, locked until the transaction ends. */
        lock: (storeId: string, id: string) =>
          one(
            sql<CouponFields>`SELECT ${sql.literal(ownColumns)} FROM coupon c
              WHERE c.store_id = ${storeId} AND c.id = ${id} FOR NO KEY UPDATE`
          ),
        /** The coupon with the code, locked until the transaction ends. */
        lockByKey: (storeId: string, key: string) =>
          one(
            sql<CouponFields & { readonly id: string }>`SELECT c.id, ${sql.literal(ownColumns)} FROM coupon c
              WHERE c.store_id = ${storeId} AND c.code_key = ${key} FOR NO KEY UPDATE`
          ),
        list: (storeId: string, page: Page, filter: CouponFilter, now: Date) =>
          reader.page(storeId, listing(page, filter, now)),
        /** The list without its total. */
        rows: (storeId: string, page: Page, filter: CouponFilter, now: Date) =>
          reader.rows(storeId, listing(page, filter, now)),
        /** The coupons with these codes, as they are now. coupon_store_id_code_key_key finds each. */
        byKeys: (storeId: string, keys: ReadonlyArray<string>) =>
          many(
            sql<LookedUpCoupon>`SELECT c.id, ${sql.literal(ownColumns)}
              FROM coupon c WHERE c.store_id = ${storeId} AND ${among(sql, "c.code_key", keys)}`
          ),
        limits: (storeId: string, id: string) =>
          one(
            sql<CouponLimits>`SELECT c.code, c.usage_limit, c.usage_limit_per_customer FROM coupon c
              WHERE c.store_id = ${storeId} AND c.id = ${id}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CouponRepository, CouponRepository.make)
}
