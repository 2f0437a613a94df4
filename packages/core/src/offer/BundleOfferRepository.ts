/**
 * The SQL of bundle_offer. An offer is read with its products, their variants and their stock in one statement, however
 * many there are.
 */
import { Context, Effect, Layer } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { among, anyRow, containing, lockThenRead, many, none, one } from "../database/Repository.ts"
import { countLocked, lockStoreFor } from "../database/StoreLocks.ts"
import { makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { BundleOfferFields } from "./BundleOffer.ts"
import type { NamedThings } from "./OfferInputs.ts"
import { type OfferedRow, type OfferRow, offeredRows, storesOwn, type OfferPlace } from "./OfferedRows.ts"

/** Undefined fields do not filter. */
export interface OfferFilter {
  readonly search?: string | undefined
  readonly kind?: BundleOfferFields["kind"] | undefined
  readonly triggerProductId?: string | undefined
}

type Read = Omit<OfferRow, "products"> & { readonly products: ReadonlyArray<OfferedRow> | null }

const table: StoreTable<BundleOfferFields> = {
  table: "bundle_offer",
  fields: [
    "name",
    "description",
    "kind",
    "triggerProductId",
    "productIds",
    "pinnedVariants",
    "discountType",
    "discountValue",
    "isActive"
  ],
  json: ["pinnedVariants"]
}

const ownColumns = selectedFields(table, "o")
const columns = `o.id, ${ownColumns}, o.created_at, o.updated_at`
const toRow = (row: Read): OfferRow => ({ ...row, products: row.products ?? [] })

/** Offers of one kind beside a cart. */
const mostShownOffers = 20
/** Variants of a product of one offer, and of an offer in a merchant's list. */
const mostShownVariants = 100
const mostListedVariants = 20

export class BundleOfferRepository extends Context.Service<BundleOfferRepository>()(
  "@effect-commerce/core/offer/BundleOfferRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = makeStoreTable(sql, table)
      const reader = makePageReader<Omit<OfferRow, "products">>(sql, { name: "bundle_offer", alias: "o", columns })

      /** An offer with what it offers at this place. */
      const select = (place: OfferPlace, now: Date, mostVariants: number) =>
        sql`SELECT ${sql.literal(columns)}, ${offeredRows(sql, place, now, mostVariants)} AS products
          FROM bundle_offer o`

      /** Those of the ids that a page has found, as they are listed. */
      const withProducts = (storeId: string, ids: ReadonlyArray<string>, now: Date) =>
        ids.length === 0
          ? Effect.succeed([])
          : many(
              sql<Read>`${select(storesOwn, now, mostListedVariants)}
                WHERE o.store_id = ${storeId} AND ${among(sql, "o.id", ids)}`,
              toRow
            )

      return {
        /** The number of offers of the store. No other request writes one until the transaction ends. */
        countToAdd: (storeId: string) =>
          countLocked(sql, { table: "bundle_offer", ownerId: storeId, which: sql`store_id = ${storeId}` }),
        /** Keeps other requests from writing offers of the store until the transaction ends, and reads one. */
        lock: (storeId: string, id: string) =>
          Effect.map(
            lockThenRead(
              none(lockStoreFor(sql, "bundle_offer", storeId)),
              one(
                sql<BundleOfferFields>`SELECT ${sql.literal(ownColumns)} FROM bundle_offer o
                  WHERE o.store_id = ${storeId} AND o.id = ${id} FOR NO KEY UPDATE`
              )
            ),
            ([, row]) => row
          ),
        insert: (storeId: string, id: string, fields: BundleOfferFields, now: Date) =>
          none(rows.insert(storeId, id, fields, now)),
        update: (storeId: string, id: string, fields: BundleOfferFields, now: Date) =>
          none(rows.update(storeId, id, fields, now)),
        remove: (storeId: string, id: string) =>
          none(sql`DELETE FROM bundle_offer WHERE store_id = ${storeId} AND id = ${id}`),
        /**
         * Which of the products exist, and which product has each of the variants. The products are locked: none is
         * deleted or written until the transaction ends, because the offers of a product are shown with it.
         */
        known: (
          storeId: string,
          productIds: ReadonlyArray<string>,
          variantIds: ReadonlyArray<string>
        ): Effect.Effect<NamedThings> =>
          Effect.map(
            Effect.all([
              many(
                sql<{ readonly id: string }>`SELECT id FROM product WHERE store_id = ${storeId}
                  AND id = ANY(${productIds}::text[]) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`
              ),
              variantIds.length === 0
                ? Effect.succeed([])
                : many(
                    sql<{ readonly id: string; readonly productId: string }>`SELECT id, product_id FROM product_variant
                      WHERE store_id = ${storeId} AND id = ANY(${variantIds}::text[])`
                  )
            ]),
            ([products, variants]) => ({
              products: new Set(products.map(({ id }) => id)),
              variants: new Map(variants.map(({ id, productId }) => [id, productId]))
            })
          ),
        // bundle_offer_trigger_product_id_idx finds the offers of each product.
        /** Whether active offers other than `id` lead from the offered products to the one that brings them up. */
        leadsBack: (storeId: string, id: string, { triggerProductId, productIds }: BundleOfferFields) =>
          anyRow(
            sql`WITH RECURSIVE reached AS (
                SELECT u.id COLLATE "C" AS id FROM unnest(${productIds}::text[]) AS u (id)
                UNION
                SELECT u.id COLLATE "C" FROM reached r JOIN bundle_offer o ON o.store_id = ${storeId}
                    AND o.trigger_product_id = r.id AND o.is_active AND o.id <> ${id}
                  CROSS JOIN LATERAL unnest(o.product_ids) AS u (id)
              ) SELECT 1 FROM reached WHERE id = ${triggerProductId}`
          ),
        find: (storeId: string, id: string, now: Date) =>
          one(
            sql<Read>`${select(storesOwn, now, mostShownVariants)} WHERE o.store_id = ${storeId} AND o.id = ${id}`,
            toRow
          ),
        /** The newest first. The products are read for the page's offers only. */
        list: (storeId: string, page: Page, filter: OfferFilter, now: Date) =>
          Effect.flatMap(
            reader.page(storeId, {
              conditions: conditionsOf(sql, filter),
              order: sql.literal("o.created_at DESC, o.id DESC"),
              page,
              search: filter.search
            }),
            (found) =>
              Effect.map(
                withProducts(
                  storeId,
                  found.items.map(({ id }) => id),
                  now
                ),
                (read) => {
                  const byId = new Map(read.map((row) => [row.id, row]))
                  return { ...found, items: found.items.map((row) => byId.get(row.id) ?? { ...row, products: [] }) }
                }
              )
          ),
        /** The newest active offers of these kinds that any of the products brings up. */
        broughtUpBy: (
          storeId: string,
          place: OfferPlace,
          wanted: { readonly productIds: ReadonlyArray<string>; readonly kinds: ReadonlyArray<string> },
          now: Date
        ) =>
          many(
            sql<Read>`${select(place, now, mostShownVariants)} WHERE o.store_id = ${storeId} AND o.id IN (
                SELECT f.id FROM (
                  SELECT a.id, row_number() OVER (PARTITION BY a.kind ORDER BY a.created_at DESC, a.id DESC) AS n
                  FROM bundle_offer a WHERE a.store_id = ${storeId} AND a.is_active
                    AND a.trigger_product_id = ANY(${wanted.productIds}::text[])
                    AND a.kind = ANY(${wanted.kinds}::text[])) f
                WHERE f.n <= ${sql.literal(String(mostShownOffers))})
              ORDER BY o.created_at DESC, o.id DESC`,
            toRow
          ),
        /** An offer as it can be taken at this place, with the variants that the shopper chooses. */
        taken: (storeId: string, place: OfferPlace, id: string, now: Date) =>
          one(sql<Read>`${select(place, now, 0)} WHERE o.store_id = ${storeId} AND o.id = ${id}`, toRow)
      }
    })
  }
) {
  static readonly layer = Layer.effect(BundleOfferRepository, BundleOfferRepository.make)
}

const conditionsOf = (sql: SqlClient.SqlClient, filter: OfferFilter): ReadonlyArray<Statement.Fragment> => [
  ...(filter.kind === undefined ? [] : [sql`o.kind = ${filter.kind}`]),
  ...(filter.triggerProductId === undefined ? [] : [sql`o.trigger_product_id = ${filter.triggerProductId}`]),
  ...(filter.search === undefined ? [] : [sql`lower(o.name) LIKE ${containing(filter.search.toLowerCase())}`])
]
